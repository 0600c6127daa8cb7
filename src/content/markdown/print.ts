import type { Document } from '../document/nodes.ts'
import { Footnotes } from './footnotes.ts'
import { printEach, printPageTitle } from './print-blocks.ts'
import type { PrintContext } from './print-inlines.ts'
import type { References } from './references.ts'

export interface PrintedPage {
  frontMatter?: string | undefined
  title?: string | undefined
  document: Document
}

/** Prints a page in normal form, with one newline at the end. */
export const printPage = (page: PrintedPage, references: References): string =>
  joinPortions([...printPortions(page, references)])

export const joinPortions = (portions: readonly string[]): string => `${portions.join('\n\n')}\n`

/** Prints the parts of a page one by one, so that callers can yield to the event loop in between. */
export function* printPortions(
  { frontMatter, title, document }: PrintedPage,
  references: References,
): Generator<string> {
  const footnotes = new Footnotes()
  const context: PrintContext = { references, footnote: (body) => footnotes.labelOf(body) }
  if (frontMatter !== undefined) yield `---\n${frontMatter}\n---`
  if (title !== undefined) yield printPageTitle(title)
  yield* printEach(document.nodes, context)
  for (const { text } of footnotes.print(context)) if (text !== '') yield text
}
