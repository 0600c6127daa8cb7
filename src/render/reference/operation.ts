import { type Html, attributes, markup, nothing } from '../html.ts'
import type {
  RequestBody,
  MediaTypeContent,
  OperationParameter,
  OperationReply,
  ResolvedOperation,
} from './resolve-operation.ts'
import { getContentExample, createExampleRequest, isJson, preferJson, formatJson } from './samples.ts'
import { SchemaTreeRenderer } from './schema-tree.ts'
import type { ReferenceContext, CodeSample } from './reference-context.ts'

const parameterLocations: readonly OperationParameter['location'][] = ['path', 'query', 'header', 'cookie', 'other']

/** Renders an operation with its parameters, responses and examples. `id` is the prefix of its anchors. */
export function renderOperation(operation: ResolvedOperation, context: ReferenceContext, id = ''): Html {
  const { texts, renderMarkdown } = context
  const { description, isDeprecated, body, replies } = operation
  const trees = new SchemaTreeRenderer(operation.spec, context)
  const deprecated =
    isDeprecated && markup`<p class="deprecation"><strong>${texts.deprecated}</strong> ${texts.deprecatedHint}</p>`
  const explanation = markup`${deprecated}${description !== undefined && renderMarkdown(description)}${renderNotes(operation, context)}${parameterLocations.map((location) => renderParameters(operation, location, trees, context, id))}${body && renderSection(`${id}body`, texts.body, renderRequestBody(body, trees, context))}${replies.length > 0 && renderSection(`${id}replies`, texts.replies, markup`${replies.map((reply) => renderReply(reply, trees, context))}`)}`
  return markup`<div class="operation">${renderEndpoint(operation)}<div class="operation-text">${explanation}</div><div class="operation-examples">${renderExamples(operation, context)}</div></div>`
}

/** Renders the method of an operation as a badge. */
export function renderMethodBadge(method: string): Html {
  const known = /^(GET|POST|PUT|PATCH|DELETE)$/.test(method) ? ` method-${method.toLowerCase()}` : ''
  return markup`<b class="method${known}">${method === 'DELETE' ? 'DEL' : method}</b>`
}

function renderEndpoint({ method, path, server }: ResolvedOperation): Html {
  const steps = path
    .split(/(\{[^{}]*\})/)
    .map((step) => (step.startsWith('{') ? markup`<var>${step}</var>` : step.replaceAll('/', '/\u200b')))
  return markup`<p class="endpoint">${renderMethodBadge(method)}<code><span class="server">${serverPath(server)}</span>${steps}</code></p>`
}

/** Returns the path of the server URL. */
const serverPath = (server: string): string =>
  URL.canParse(server) ? new URL(server).pathname.replace(/\/$/, '') : server

function renderSection(id: string, title: string, content: Html): Html {
  return markup`<section class="operation-part"><h2 id="${id}">${title}<a${attributes({ class: 'anchor', href: `#${id}`, 'aria-label': title })}></a></h2>${content}</section>`
}

function renderNotes(operation: ResolvedOperation, context: ReferenceContext): Html {
  const notes = context.notes(operation)
  if (notes.length === 0) return nothing
  return markup`<dl class="notes">${notes.map(({ title, text }) => markup`<div><dt>${title}</dt><dd>${text}</dd></div>`)}</dl>`
}

function renderParameters(
  operation: ResolvedOperation,
  location: OperationParameter['location'],
  trees: SchemaTreeRenderer,
  { texts }: ReferenceContext,
  id: string,
): Html {
  const matching = operation.parameters.filter((parameter) => parameter.location === location)
  if (matching.length === 0) return nothing
  return renderSection(`${id}${location}`, texts.parameters[location], trees.renderFields(matching))
}

function renderRequestBody(
  body: RequestBody,
  trees: SchemaTreeRenderer,
  { texts, renderMarkdown }: ReferenceContext,
): Html {
  const flag = body.isRequired ? texts.required : texts.optional
  const text = body.description !== undefined && renderMarkdown(body.description)
  return markup`${text}${renderContents(body.contents, trees, markup`<span class="flag${body.isRequired ? ' flag-required' : ''}">${flag}</span>`)}`
}

function renderContents(list: readonly MediaTypeContent[], trees: SchemaTreeRenderer, flag: Html = nothing): Html {
  return markup`${list.map(({ mediaType, schema }) => markup`<div class="media"><p class="media-type"><code>${mediaType}</code>${flag}</p>${trees.renderSchema(schema)}</div>`)}`
}

/** Renders successful responses in full; error responses link to their schema. */
function renderReply(reply: OperationReply, trees: SchemaTreeRenderer, context: ReferenceContext): Html {
  const { texts, renderMarkdown } = context
  const { status, description, headers, contents: list } = reply
  const kind = /^[1-5]/.test(status) ? ` status-${status.charAt(0)}` : ''
  const isSuccess = status.startsWith('2')
  const linkedContents = isSuccess ? [] : list.filter(({ schema }) => trees.hasOwnPage(schema))
  const inlineContents = list.filter((content) => !linkedContents.includes(content))
  const fields = headers.map((header) => ({ ...header, isRequired: undefined }))
  const text = description !== undefined && renderMarkdown(description)
  const types = linkedContents.slice(0, 1).map(({ schema }) => trees.renderType(schema))
  return markup`<div class="reply"><div class="reply-head"><span class="status${kind}">${status}</span>${text}${types}</div>${fields.length > 0 && markup`<h3>${texts.headers}</h3>${trees.renderFields(fields)}`}${renderContents(inlineContents, trees)}${isSuccess && list.length === 0 && markup`<p class="cut">${texts.noBody}</p>`}</div>`
}

function renderExamples(operation: ResolvedOperation, context: ReferenceContext): Html {
  const { texts } = context
  const samples = context.samples(createExampleRequest(operation))
  const successReply = operation.replies.find(({ status }) => status.startsWith('2'))
  const content = successReply && preferJson(successReply.contents)
  const value = content && getContentExample(operation, content, 'reply')
  const shown =
    content &&
    successReply &&
    value !== undefined &&
    markup`<section class="example"><h2 class="example-title">${texts.reply} <span class="status status-2">${successReply.status}</span></h2>${context.renderCode(typeof value === 'string' && !isJson(content.mediaType) ? value : formatJson(value), isJson(content.mediaType) ? 'json' : 'text')}</section>`
  return markup`${samples.length > 0 && markup`<section class="example"><h2 class="example-title">${texts.request}</h2>${renderSampleTabs(samples, context)}</section>`}${shown}`
}

/** Renders tabs that work without scripts. */
function renderSampleTabs(samples: readonly CodeSample[], { renderCode, newId }: ReferenceContext): Html {
  const [only] = samples
  if (samples.length === 1 && only) return renderCode(only.code, only.syntax)
  const name = newId('samples')
  const tabs = samples.map(
    (sample, index) =>
      markup`<input type="radio" ${attributes({ name, id: `${name}-${index}`, checked: index === 0, 'data-tab': sample.title })}><label for="${name}-${index}">${sample.title}</label><div class="panel">${renderCode(sample.code, sample.syntax)}</div>`,
  )
  return markup`<div class="tabs samples" style="--tabs:${samples.length}">${tabs}</div>`
}
