import type { Html } from '../html.ts'
import type { Example } from './samples.ts'
import type { ReferenceTexts } from './texts.ts'

/** A request written in some language. */
export interface Sample {
  title: string
  syntax: string
  code: string
}

/** Something to say about an operation beside what its document says. */
export interface Note {
  title: string
  text: Html
}

/** Everything that a reference needs from around it to be shown. */
export interface ReferenceSetting {
  texts: ReferenceTexts
  /** A description, which is Markdown. */
  prose: (markdown: string) => Html
  /** Code with its colours. */
  code: (text: string, syntax: string) => Html
  /** Where a schema is described by itself; undefined when it is not. */
  schemaHref: (name: string) => string | undefined
  /** A request as it is written in languages that readers use. */
  samples: (example: Example) => readonly Sample[]
  /** Who may call an operation, and the like. */
  notes: (operation: Example['operation']) => readonly Note[]
  /** Makes ids within one page that no two things share. */
  newId: (prefix: string) => string
}
