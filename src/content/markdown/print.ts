import type { Document } from '../document/nodes.ts'
import { Footnotes } from './footnotes.ts'
import { printEachBlock, printPageTitle } from './print-blocks.ts'
import type { PrintContext } from './print-html-inlines.ts'
import type { References } from './references.ts'

export interface PrintablePage {
  frontMatter?: string | undefined
  title?: string | undefined
  document: Document
}

/** Prints a page in normal form, with one newline at the end. */
export const printPage = (page: PrintablePage, references: References): string =>
  joinPageParts([...printPageParts(page, references)])

export const joinPageParts = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`

/** Prints the parts of a page one by one, so that callers can yield to the event loop in between. */
export function* printPageParts(
  { frontMatter, title, document }: PrintablePage,
  references: References,
): Generator<string> {
  const footnotes = new Footnotes()
  const context: PrintContext = { references, addFootnote: (body) => footnotes.assignLabel(body) }
  if (frontMatter !== undefined) yield `---\n${frontMatter}\n---`
  if (title !== undefined) yield printPageTitle(title)
  yield* printEachBlock(document.nodes, context)
  for (const { text } of footnotes.print(context)) if (text !== '') yield text
}
