import type { Html } from '../html.ts'
import type { Example } from './samples.ts'
import type { ReferenceTexts } from './texts.ts'

/** A code sample of a request. */
export interface Sample {
  title: string
  syntax: string
  code: string
}

/** A note about an operation that is not in its document. */
export interface Note {
  title: string
  text: Html
}

/** What rendering an API reference needs from its caller. */
export interface ReferenceSetting {
  texts: ReferenceTexts
  /** Renders a description, which is Markdown. */
  prose: (markdown: string) => Html
  /** Renders highlighted code. */
  code: (text: string, syntax: string) => Html
  /** Returns the URL of a schema's page; undefined if it has none. */
  schemaHref: (name: string) => string | undefined
  /** Returns code samples of a request. */
  samples: (example: Example) => readonly Sample[]
  /** Returns notes about an operation, such as required roles. */
  notes: (operation: Example['operation']) => readonly Note[]
  /** Returns ids that are unique within the page. */
  newId: (prefix: string) => string
}
