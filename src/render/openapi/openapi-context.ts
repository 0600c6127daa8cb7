import type { CodeSample } from '../../openapi/extensions.ts'
import type { ApiOperation } from '../../openapi/model.ts'
import type { SampleRequest } from '../../openapi/samples/request.ts'
import { type Html, nothing } from '../html.ts'
import type { RenderedSchemas } from './rendered-schemas.ts'
import type { OpenApiTexts } from './texts.ts'
import type { TryItSupport } from './try-it.ts'

/** A note about an operation that is not in its document. */
export interface OperationNote {
  title: string
  text: Html
}

/** Data that rendering an API reference needs from its caller. */
export interface OpenApiContext {
  texts: OpenApiTexts
  /** Renders a description, which is Markdown. */
  renderMarkdown: (markdown: string) => Html
  /** Renders highlighted code. */
  renderCode: (text: string, syntax: string) => Html
  /** Returns the URL of a schema's page; undefined if it has none. */
  schemaHref: (name: string) => string | undefined
  /** Returns code samples of a request. */
  samples: (request: SampleRequest) => readonly CodeSample[]
  /** Returns notes about an operation, such as required roles. */
  notes: (operation: ApiOperation) => readonly OperationNote[]
  /** Returns ids that are unique within the page. */
  newId: (prefix: string) => string
  /** Prefix of the ids of sections and fields, if the page has several operations. */
  idPrefix: string
  /** Data for try-it panels; undefined if the page has none. */
  tryIt?: TryItSupport | undefined
  /** Schemas that the page already contains; undefined if it has one operation only. */
  renderedSchemas?: RenderedSchemas | undefined
  /** Level of the headings of sections. */
  headingLevel: 2 | 3
}

/** Maximum length of one description, and of all descriptions of an operation together. */
const maxDescriptionLength = 20_000
const maxTotalLength = 60_000

/** Returns a context that renders descriptions up to a limit and omits the rest. */
export function limitDescriptions(context: OpenApiContext): OpenApiContext {
  let remaining = maxTotalLength
  return {
    ...context,
    renderMarkdown(markdown) {
      const text = markdown.slice(0, Math.min(maxDescriptionLength, remaining))
      remaining -= text.length
      return text === '' ? nothing : context.renderMarkdown(text)
    },
  }
}
