import type { CodeSample } from '../../openapi/extensions.ts'
import type { ApiOperation, MediaTypeContent, OperationResponse } from '../../openapi/model.ts'
import type { SchemaPurpose } from '../../openapi/schema.ts'
import {
  createContentExample,
  createSampleRequest,
  formatJson,
  isJson,
  preferJson,
} from '../../openapi/samples/request.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import type { OpenApiContext } from './openapi-context.ts'

/** Maximum number of statuses and of named examples that are rendered. */
const maxResponses = 8
const maxExamples = 6

interface Tab {
  label: Html
  /** Tabs with the same title on a page are switched together; undefined for those that are not. */
  title?: string
  content: Html
}

/** Renders code samples of the request and examples of the bodies. */
export function renderExamples(operation: ApiOperation, context: OpenApiContext): Html {
  const { texts } = context
  const isWebhook = operation.kind === 'webhook'
  const samples = isWebhook ? operation.codeSamples : context.samples(createSampleRequest(operation))
  const body = operation.body && preferJson(operation.body.contents)
  const purpose = isWebhook ? 'request' : 'response'
  const responses = operation.responses
    .flatMap((response) => renderResponseTab(operation, response, purpose, context))
    .slice(0, maxResponses)
  const sections = [
    renderSection(
      texts.request,
      renderTabs(
        samples.map((sample) => toSampleTab(sample, context)),
        context,
      ),
    ),
    isWebhook && body ? renderSection(texts.payload, renderContent(operation, body, 'response', context)) : nothing,
    renderSection(texts.response, renderTabs(responses, context)),
  ]
  return markup`${sections}`
}

/** Renders an example of a schema. */
export function renderSchemaExample(
  operation: Pick<ApiOperation, 'spec'>,
  schema: unknown,
  context: OpenApiContext,
): Html {
  const content: MediaTypeContent = { mediaType: 'application/json', schema, examples: [] }
  return renderSection(context.texts.example, renderContent(operation, content, 'any', context))
}

function renderSection(title: string, content: Html): Html {
  if (content.text === '') return nothing
  return markup`<section class="example"><h2 class="example-title">${title}</h2>${content}</section>`
}

const toSampleTab = ({ title, syntax, code }: CodeSample, { renderCode }: OpenApiContext): Tab => ({
  label: markup`${title}`,
  title,
  content: renderCode(code, syntax),
})

function renderResponseTab(
  operation: ApiOperation,
  { status, contents }: OperationResponse,
  purpose: SchemaPurpose,
  context: OpenApiContext,
): Tab[] {
  const content = preferJson(contents)
  if (!content) return []
  const kind = /^[1-5]/.test(status) ? ` status-${status.charAt(0)}` : ''
  const shown = renderContent(operation, content, purpose, context)
  return shown.text === ''
    ? []
    : [{ label: markup`<span class="status${kind}">${status.slice(0, 20)}</span>`, content: shown }]
}

/** Renders the examples of a body: those of the document, else a generated one. */
function renderContent(
  operation: Pick<ApiOperation, 'spec'>,
  content: MediaTypeContent,
  purpose: SchemaPurpose,
  context: OpenApiContext,
): Html {
  const { examples, mediaType } = content
  if (examples.length > 1) {
    const tabs = examples.slice(0, maxExamples).map(({ name, summary, value }) => ({
      label: markup`${(summary ?? name ?? '').slice(0, 60)}`,
      content: renderValue(value, mediaType, context),
    }))
    return renderTabs(tabs, context)
  }
  const value = createContentExample(operation, content, purpose)
  return value === undefined || value === '<binary>' ? nothing : renderValue(value, mediaType, context)
}

function renderValue(value: unknown, mediaType: string, { renderCode }: OpenApiContext): Html {
  const isText = typeof value === 'string' && !isJson(mediaType)
  return renderCode(isText ? value.slice(0, 20_000) : formatJson(value), isText ? textSyntax(mediaType) : 'json')
}

const textSyntax = (mediaType: string): string =>
  /\b(xml|html|yaml|csv|graphql)\b/i.exec(mediaType)?.[1]?.toLowerCase() ?? 'text'

/** Renders tabs that work without scripts; a single one without its label, unless it has a status. */
function renderTabs(tabs: readonly Tab[], { newId }: OpenApiContext): Html {
  if (tabs.length === 0) return nothing
  const name = newId('samples')
  const parts = tabs.map(
    ({ label, title, content }, index) =>
      markup`<input type="radio" ${attributes({ name, id: `${name}-${index}`, checked: index === 0, 'data-tab': title })}><label for="${name}-${index}">${label}</label><div class="panel">${content}</div>`,
  )
  return markup`<div class="tabs samples">${parts}</div>`
}
