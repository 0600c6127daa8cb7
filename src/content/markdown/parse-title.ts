import { leaf } from '../document/build.ts'
import type { Block, InlineNode, Mark } from '../document/nodes.ts'

/** Parses the Markdown of a title and adds marks to its texts. */
export type ParseTitle = (title: string, marks?: readonly Mark[]) => InlineNode[]

/** Takes a title as it is, without parsing it. */
export const toTitle: ParseTitle = (title, marks = []) => [{ leaves: [leaf(title, marks)], object: 'text' }]

/** Parses the Markdown in attributes and fields of a tag. */
export interface FieldParser {
  parseTitle: ParseTitle
  /** Parses Markdown that may have several blocks. */
  parseBody: (markdown: string) => Block[]
}
