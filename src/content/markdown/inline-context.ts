import type { Fragment } from '../document/nodes.ts'
import type { References } from './references.ts'

export interface InlineContext {
  source: string
  references: References
  /** The body of a footnote, once per file; undefined when it has none. */
  footnote(label: string): Fragment | undefined
  /** The destination that a label of `[text][label]` stands for. */
  definition(identifier: string): string | undefined
  /** Whether the inlines are a cell between pipes, in which a pipe is written with a backslash. */
  isCell?: true
  /** Whether the inlines are inside of `<a>`. */
  isInLink?: true
}

export interface HtmlContext extends InlineContext {
  /** Whether the source of a condition can be one. */
  isExpression(source: string): boolean
}
