import { type Html, attributes, markup, nothing } from '../html.ts'
import type { Body, Content, Parameter, Reply, ResolvedOperation } from './operation-of.ts'
import { exampleIn, exampleRequest, isJson, jsonFirst, jsonText } from './samples.ts'
import { SchemaTrees } from './schema-tree.ts'
import type { ReferenceSetting, Sample } from './setting.ts'

const places: readonly Parameter['place'][] = ['path', 'query', 'header', 'cookie', 'other']

/** Renders an operation with its parameters, responses and examples. `id` is the prefix of its anchors. */
export function renderOperation(operation: ResolvedOperation, setting: ReferenceSetting, id = ''): Html {
  const { texts, prose } = setting
  const { description, isDeprecated, body, replies } = operation
  const trees = new SchemaTrees(operation.spec, setting)
  const deprecated =
    isDeprecated && markup`<p class="deprecation"><strong>${texts.deprecated}</strong> ${texts.deprecatedHint}</p>`
  const explanation = markup`${deprecated}${description !== undefined && prose(description)}${notes(operation, setting)}${places.map((place) => parameters(operation, place, trees, setting, id))}${body && section(`${id}body`, texts.body, requestBody(body, trees, setting))}${replies.length > 0 && section(`${id}replies`, texts.replies, markup`${replies.map((reply) => oneReply(reply, trees, setting))}`)}`
  return markup`<div class="operation">${endpoint(operation)}<div class="operation-text">${explanation}</div><div class="operation-examples">${examples(operation, setting)}</div></div>`
}

/** Renders the method of an operation as a badge. */
export function methodBadge(method: string): Html {
  const known = /^(GET|POST|PUT|PATCH|DELETE)$/.test(method) ? ` method-${method.toLowerCase()}` : ''
  return markup`<b class="method${known}">${method === 'DELETE' ? 'DEL' : method}</b>`
}

function endpoint({ method, path, server }: ResolvedOperation): Html {
  const steps = path
    .split(/(\{[^{}]*\})/)
    .map((step) => (step.startsWith('{') ? markup`<var>${step}</var>` : step.replaceAll('/', '/\u200b')))
  return markup`<p class="endpoint">${methodBadge(method)}<code><span class="server">${pathOf(server)}</span>${steps}</code></p>`
}

/** Returns the path of the server URL. */
const pathOf = (server: string): string => (URL.canParse(server) ? new URL(server).pathname.replace(/\/$/, '') : server)

function section(id: string, title: string, content: Html): Html {
  return markup`<section class="operation-part"><h2 id="${id}">${title}<a${attributes({ class: 'anchor', href: `#${id}`, 'aria-label': title })}></a></h2>${content}</section>`
}

function notes(operation: ResolvedOperation, setting: ReferenceSetting): Html {
  const said = setting.notes(operation)
  if (said.length === 0) return nothing
  return markup`<dl class="notes">${said.map(({ title, text }) => markup`<div><dt>${title}</dt><dd>${text}</dd></div>`)}</dl>`
}

function parameters(
  operation: ResolvedOperation,
  place: Parameter['place'],
  trees: SchemaTrees,
  { texts }: ReferenceSetting,
  id: string,
): Html {
  const here = operation.parameters.filter((parameter) => parameter.place === place)
  if (here.length === 0) return nothing
  return section(`${id}${place}`, texts.parameters[place], trees.fields(here))
}

function requestBody(body: Body, trees: SchemaTrees, { texts, prose }: ReferenceSetting): Html {
  const flag = body.isRequired ? texts.required : texts.optional
  const text = body.description !== undefined && prose(body.description)
  return markup`${text}${contents(body.contents, trees, markup`<span class="flag${body.isRequired ? ' flag-required' : ''}">${flag}</span>`)}`
}

function contents(list: readonly Content[], trees: SchemaTrees, flag: Html = nothing): Html {
  return markup`${list.map(({ mediaType, schema }) => markup`<div class="media"><p class="media-type"><code>${mediaType}</code>${flag}</p>${trees.whole(schema)}</div>`)}`
}

/** Renders successful responses in full; error responses link to their schema. */
function oneReply(reply: Reply, trees: SchemaTrees, setting: ReferenceSetting): Html {
  const { texts, prose } = setting
  const { status, description, headers, contents: list } = reply
  const kind = /^[1-5]/.test(status) ? ` status-${status.charAt(0)}` : ''
  const isSuccess = status.startsWith('2')
  const elsewhere = isSuccess ? [] : list.filter(({ schema }) => trees.isToldElsewhere(schema))
  const told = list.filter((content) => !elsewhere.includes(content))
  const fields = headers.map((header) => ({ ...header, isRequired: undefined }))
  const text = description !== undefined && prose(description)
  const types = elsewhere.slice(0, 1).map(({ schema }) => trees.type(schema))
  return markup`<div class="reply"><div class="reply-head"><span class="status${kind}">${status}</span>${text}${types}</div>${fields.length > 0 && markup`<h3>${texts.headers}</h3>${trees.fields(fields)}`}${contents(told, trees)}${isSuccess && list.length === 0 && markup`<p class="cut">${texts.noBody}</p>`}</div>`
}

function examples(operation: ResolvedOperation, setting: ReferenceSetting): Html {
  const { texts } = setting
  const samples = setting.samples(exampleRequest(operation))
  const replied = operation.replies.find(({ status }) => status.startsWith('2'))
  const content = replied && jsonFirst(replied.contents)
  const value = content && exampleIn(operation, content, 'reply')
  const shown =
    content &&
    replied &&
    value !== undefined &&
    markup`<section class="example"><h2 class="example-title">${texts.reply} <span class="status status-2">${replied.status}</span></h2>${setting.code(typeof value === 'string' && !isJson(content.mediaType) ? value : jsonText(value), isJson(content.mediaType) ? 'json' : 'text')}</section>`
  return markup`${samples.length > 0 && markup`<section class="example"><h2 class="example-title">${texts.request}</h2>${sampleTabs(samples, setting)}</section>`}${shown}`
}

/** Renders tabs that work without scripts. */
function sampleTabs(samples: readonly Sample[], { code, newId }: ReferenceSetting): Html {
  const [only] = samples
  if (samples.length === 1 && only) return code(only.code, only.syntax)
  const name = newId('samples')
  const tabs = samples.map(
    (sample, index) =>
      markup`<input type="radio" ${attributes({ name, id: `${name}-${index}`, checked: index === 0, 'data-tab': sample.title })}><label for="${name}-${index}">${sample.title}</label><div class="panel">${code(sample.code, sample.syntax)}</div>`,
  )
  return markup`<div class="tabs samples" style="--tabs:${samples.length}">${tabs}</div>`
}
