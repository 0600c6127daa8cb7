import type { CodeSample } from '../../openapi/extensions.ts'
import type { ApiOperation, MediaTypeContent, OperationResponse } from '../../openapi/model.ts'
import type { SchemaPurpose } from '../../openapi/schema.ts'
import { boundValue } from '../../openapi/samples/bound-value.ts'
import {
  type ExampleOwner,
  createContentExample,
  createSampleRequest,
  formatContent,
  preferJson,
} from '../../openapi/samples/request.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { renderHeading } from './heading.ts'
import type { OpenApiContext } from './openapi-context.ts'

/** Maximum numbers of statuses, media types and named examples that are rendered. */
const maxResponses = 8
const maxMediaTypes = 4
const maxExamples = 6

interface Tab {
  label: Html
  /** Tabs with the same title are switched together on the whole page; undefined for independent tabs. */
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
    .filter(({ contents }) => contents.length > 0)
    .slice(0, maxResponses)
    .flatMap((response) => renderResponseTab(operation, response, purpose, context))
  const sections = [
    renderSection(
      context,
      texts.request,
      renderTabs(
        samples.map((sample) => toSampleTab(sample, context)),
        context,
      ),
    ),
    isWebhook && body
      ? renderSection(context, texts.payload, renderContent(operation, body, 'response', context))
      : nothing,
    renderSection(context, texts.response, renderTabs(responses, context)),
  ]
  return markup`${sections}`
}

/** Renders an example of a schema. */
export function renderSchemaExample(operation: ExampleOwner, schema: unknown, context: OpenApiContext): Html {
  const content: MediaTypeContent = { mediaType: 'application/json', schema, examples: [] }
  return renderSection(context, context.texts.example, renderContent(operation, content, 'any', context))
}

function renderSection(context: OpenApiContext, title: string, content: Html): Html {
  if (content.text === '') return nothing
  return markup`<section class="example">${renderHeading(context, { class: 'example-title' }, markup`${title}`)}${content}</section>`
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
  const kind = /^[1-5]/.test(status) ? ` status-${status.charAt(0)}` : ''
  const tabs = contents.slice(0, maxMediaTypes).flatMap((content) => {
    const shown = renderContent(operation, content, purpose, context)
    return shown.text === '' ? [] : [{ label: markup`${content.mediaType.slice(0, 60)}`, content: shown }]
  })
  const [only] = tabs
  if (!only) return []
  const label = markup`<span class="status${kind}">${status.slice(0, 20)}</span>`
  return [{ label, content: tabs.length === 1 ? only.content : renderTabs(tabs, context) }]
}

/** Renders the examples of a body: those of the document, else a generated one. */
function renderContent(
  operation: ExampleOwner,
  content: MediaTypeContent,
  purpose: SchemaPurpose,
  context: OpenApiContext,
): Html {
  const renderValue = (value: unknown) => {
    const { text, syntax } = formatContent(operation, content, boundValue(value))
    return context.renderCode(text, syntax)
  }
  if (content.examples.length > 1) {
    const tabs = content.examples.slice(0, maxExamples).map(({ name, summary, value }) => ({
      label: markup`${(summary ?? name ?? '').slice(0, 60)}`,
      content: renderValue(value),
    }))
    return renderTabs(tabs, context)
  }
  const value = createContentExample(operation, content, purpose)
  return value === undefined || value === '<binary>' ? nothing : renderValue(value)
}

/** Renders tabs that work without scripts. */
function renderTabs(tabs: readonly Tab[], { newId }: OpenApiContext): Html {
  if (tabs.length === 0) return nothing
  const name = newId('samples')
  const parts = tabs.map(
    ({ label, title, content }, index) =>
      markup`<input type="radio" ${attributes({ name, id: `${name}-${index}`, checked: index === 0, 'data-tab': title })}><label for="${name}-${index}">${label}</label><div class="panel">${content}</div>`,
  )
  return markup`<div class="tabs samples">${parts}</div>`
}
