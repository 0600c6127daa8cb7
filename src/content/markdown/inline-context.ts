import type { Fragment } from '../document/nodes.ts'
import type { References } from './references.ts'

export interface InlineContext {
  source: string
  references: References
  /** Returns the body of a footnote, once per file; undefined if it has none. */
  findFootnote(label: string): Fragment | undefined
  /** Returns the destination of the label in `[text][label]`. */
  findDefinition(identifier: string): string | undefined
  /** Whether the inlines are in a cell of a pipe table, where a pipe is escaped with a backslash. */
  isInCell?: true
  /** Whether the inlines are inside `<a>`. */
  isInLink?: true
}

export interface HtmlContext extends InlineContext {
  /** Whether a string is a valid expression for a condition. */
  isExpression(source: string): boolean
}

/** Returns the address to which GitBook links annotated text. */
export const footnoteUrl = (label: string): string => `#user-content-fn-${label}`
