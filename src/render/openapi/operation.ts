import type {
  ApiOperation,
  MediaTypeContent,
  OperationCallback,
  OperationParameter,
  OperationResponse,
  RequestBody,
} from '../../openapi/model.ts'
import type { SchemaPurpose } from '../../openapi/schema.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { renderExamples } from './examples.ts'
import { renderHeading } from './heading.ts'
import { type OpenApiContext, limitDescriptions } from './openapi-context.ts'
import { SchemaTreeRenderer } from './schema-tree.ts'
import { renderSecurity } from './security.ts'
import { renderServers } from './servers.ts'
import { renderTryIt } from './try-it.ts'

const parameterLocations: readonly OperationParameter['location'][] = ['path', 'query', 'header', 'cookie', 'other']

/** Maximum length of a label. */
const maxLabelLength = 500

/** Renders an operation or webhook with its parameters, responses and examples. */
export function renderOperation(operation: ApiOperation, unlimited: OpenApiContext): Html {
  const context = limitDescriptions(unlimited)
  const renderer = new OperationRenderer(operation, context)
  return markup`<div class="openapi"><div class="operation">${renderEndpoint(operation, context)}<div class="operation-text">${renderer.renderText()}</div><div class="operation-examples">${renderExamples(operation, context)}</div></div></div>`
}

/** Renders the method of an operation as a badge. */
export function renderMethodBadge(method: string): Html {
  const known = /^(GET|POST|PUT|PATCH|DELETE)$/.test(method) ? ` method-${method.toLowerCase()}` : ''
  return markup`<b class="method${known}">${method === 'DELETE' ? 'DEL' : method}</b>`
}

function renderEndpoint(operation: ApiOperation, { texts, tryIt }: OpenApiContext): Html {
  const { kind, method, path, servers } = operation
  if (kind === 'webhook')
    return markup`<div class="endpoint">${renderMethodBadge(method)}<code>${path.slice(0, maxLabelLength)}</code><span class="flag">Webhook</span></div>`
  const steps = path
    .slice(0, maxLabelLength)
    .split(/(\{[^{}]*\})/)
    .map((step) => (step.startsWith('{') ? markup`<var>${step}</var>` : step.replaceAll('/', '/\u200b')))
  return markup`<div class="endpoint">${renderMethodBadge(method)}<code><span class="server">${serverPath(servers[0]?.url ?? '')}</span>${steps}</code>${renderTryIt(operation, tryIt, texts)}</div>`
}

/** Returns the path of the server URL. */
const serverPath = (server: string): string =>
  URL.canParse(server) ? new URL(server).pathname.replace(/\/$/, '') : server

class OperationRenderer {
  readonly #operation: ApiOperation
  readonly #context: OpenApiContext
  readonly #trees: SchemaTreeRenderer

  constructor(operation: ApiOperation, context: OpenApiContext, trees?: SchemaTreeRenderer) {
    this.#operation = operation
    this.#context = context
    this.#trees = trees ?? new SchemaTreeRenderer(operation.spec, context)
  }

  renderText(): Html {
    const { texts, idPrefix } = this.#context
    const { kind, body, responses, callbacks } = this.#operation
    return markup`${this.#introduction()}${this.#notes()}${this.#section('servers', texts.servers, renderServers(this.#operation, this.#context))}${this.#section('authorization', texts.authorization, renderSecurity(this.#operation, this.#context))}${this.#parameters()}${body && this.#section('body', kind === 'webhook' ? texts.payload : texts.body, this.#body(body, `${idPrefix}body`))}${this.#section('responses', texts.responses, markup`${responses.map((response, index) => this.#response(response, index))}`)}${this.#section('callbacks', texts.callbacks, markup`${callbacks.map((callback, index) => this.#callback(callback, index))}`)}`
  }

  #introduction(): Html {
    const { texts, renderMarkdown } = this.#context
    const { badges, isDeprecated, description, externalDocs } = this.#operation
    const labels =
      badges.length > 0 &&
      markup`<p class="badges">${badges.map((badge) => markup`<span class="badge">${badge.slice(0, 60)}</span>`)}</p>`
    const deprecated =
      isDeprecated && markup`<p class="deprecation"><strong>${texts.deprecated}</strong> ${texts.deprecatedHint}</p>`
    const docs =
      externalDocs &&
      markup`<p><a${attributes({ href: externalDocs.url, rel: 'noopener' })}>${(externalDocs.description ?? texts.learnMore).slice(0, maxLabelLength)}</a></p>`
    return markup`${labels}${deprecated}${description !== undefined && renderMarkdown(description)}${docs}`
  }

  #notes(): Html {
    const notes = this.#context.notes(this.#operation)
    if (notes.length === 0) return nothing
    return markup`<dl class="notes">${notes.map(({ title, text }) => markup`<div><dt>${title}</dt><dd>${text}</dd></div>`)}</dl>`
  }

  /** Renders a part of the operation with a heading; nothing if it is empty. */
  #section(key: string, title: string, content: Html): Html {
    if (content.text === '') return nothing
    const id = this.#context.idPrefix + key
    const anchor = markup`<a${attributes({ class: 'anchor', href: `#${encodeURIComponent(id)}`, 'aria-label': title })}></a>`
    return markup`<section class="operation-part">${renderHeading(this.#context, { class: 'part-title', id }, markup`${title}${anchor}`)}${content}</section>`
  }

  #parameters(): Html {
    const { texts, idPrefix } = this.#context
    const sections = parameterLocations.map((location) => {
      const matching = this.#operation.parameters.filter((parameter) => parameter.location === location)
      if (matching.length === 0) return nothing
      const fields = this.#trees.renderFields(matching, `${idPrefix}${location}`, 'request')
      return this.#section(location, texts.parameters[location], fields)
    })
    return markup`${sections}`
  }

  #body({ description, isRequired, contents }: RequestBody, id: string): Html {
    const { texts, renderMarkdown } = this.#context
    const flag = markup`<span class="flag${isRequired ? ' flag-required' : ''}">${isRequired ? texts.required : texts.optional}</span>`
    const text = description !== undefined && renderMarkdown(description)
    return markup`${text}${this.#contents(contents, id, 'request', flag)}`
  }

  #contents(contents: readonly MediaTypeContent[], id: string, purpose: SchemaPurpose, flag: Html = nothing): Html {
    const seen = new Set<unknown>()
    return markup`${contents.map(({ mediaType, schema }) => {
      // Media types often share one schema, which is rendered once.
      const isRepeated = schema !== undefined && seen.has(this.#operation.spec.resolve(schema).value)
      seen.add(this.#operation.spec.resolve(schema).value)
      const head = markup`<p class="media-type"><code>${mediaType.slice(0, maxLabelLength)}</code>${flag}${isRepeated && this.#trees.renderType(schema)}</p>`
      return markup`<div class="media">${head}${!isRepeated && schema !== undefined && this.#trees.renderSchema(schema, id, purpose)}</div>`
    })}`
  }

  /** Renders a response as an element that expands; the first successful one is open. */
  #response(response: OperationResponse, index: number): Html {
    const { texts, renderMarkdown, idPrefix } = this.#context
    const { status, description, headers, contents } = response
    const kind = /^[1-5]/.test(status) ? ` status-${status.charAt(0)}` : ''
    const id = `${idPrefix}response-${status.replace(/[^\w-]+/g, '-').slice(0, 20)}`
    const fields = headers.map((header) => ({ ...header, isRequired: undefined }))
    const isSuccess = status.startsWith('2')
    const linked = isSuccess ? [] : contents.filter(({ schema }) => this.#trees.hasOwnPage(schema))
    const inline = contents.filter((content) => !linked.includes(content))
    const text = description !== undefined && renderMarkdown(description)
    const type = linked.slice(0, 1).map(({ schema }) => this.#trees.renderType(schema))
    const head = markup`<span class="status${kind}">${status.slice(0, 20)}</span>`
    const purpose = this.#operation.kind === 'webhook' ? 'request' : 'response'
    const body = markup`${fields.length > 0 && markup`<p class="cut">${texts.headers}</p>${this.#trees.renderFields(fields, `${id}.headers`, purpose)}`}${this.#contents(inline, id, purpose)}`
    if (body.text === '') {
      const noBody = isSuccess && contents.length === 0 && markup`<span class="flag">${texts.noBody}</span>`
      return markup`<div${attributes({ class: 'response', id })}><div class="response-head">${head}<div>${text}</div>${type}${noBody}</div></div>`
    }
    const isOpen = isSuccess && !this.#operation.responses.slice(0, index).some((one) => one.status.startsWith('2'))
    return markup`<details${attributes({ class: 'response', id, open: isOpen })}><summary class="response-head">${head}<div>${text}</div></summary><div class="response-body">${type.length > 0 && markup`<p class="field-head">${type}</p>`}${body}</div></details>`
  }

  #callback({ name, operation }: OperationCallback, index: number): Html {
    const { method, path, summary, body } = operation
    const id = `${this.#context.idPrefix}callback-${index + 1}`
    const inner = new OperationRenderer(operation, { ...this.#context, idPrefix: `${id}-` }, this.#trees)
    return markup`<details${attributes({ class: 'nested', id })}><summary>${renderMethodBadge(method)}<span class="choice-name">${(summary ?? name).slice(0, maxLabelLength)}</span><code>${path.slice(0, maxLabelLength)}</code></summary>${inner.#introduction()}${body && inner.#body(body, id)}</details>`
  }
}
