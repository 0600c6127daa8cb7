import type { Html } from '../html.ts'
import type { ExampleRequest } from './samples.ts'
import type { ReferenceTexts } from './texts.ts'

/** A code sample of a request. */
export interface CodeSample {
  title: string
  syntax: string
  code: string
}

/** A note about an operation that is not in its document. */
export interface OperationNote {
  title: string
  text: Html
}

/** What rendering an API reference needs from its caller. */
export interface ReferenceContext {
  texts: ReferenceTexts
  /** Renders a description, which is Markdown. */
  renderMarkdown: (markdown: string) => Html
  /** Renders highlighted code. */
  renderCode: (text: string, syntax: string) => Html
  /** Returns the URL of a schema's page; undefined if it has none. */
  schemaHref: (name: string) => string | undefined
  /** Returns code samples of a request. */
  samples: (example: ExampleRequest) => readonly CodeSample[]
  /** Returns notes about an operation, such as required roles. */
  notes: (operation: ExampleRequest['operation']) => readonly OperationNote[]
  /** Returns ids that are unique within the page. */
  newId: (prefix: string) => string
}
