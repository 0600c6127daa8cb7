import type { Document } from '../document/nodes.ts'
import { escapeText } from './escape.ts'
import { Footnotes } from './footnotes.ts'
import { printBlocks } from './print-blocks.ts'
import type { PrintContext } from './print-inlines.ts'
import type { References } from './references.ts'

export interface PrintedPage {
  frontMatter?: string | undefined
  title?: string | undefined
  document: Document
}

/** A page in normal form, with one end of line at its end. */
export function printPage({ frontMatter, title, document }: PrintedPage, references: References): string {
  const footnotes = new Footnotes()
  const context: PrintContext = { references, footnote: (body) => footnotes.labelOf(body) }
  const parts = [
    ...(frontMatter === undefined ? [] : [`---\n${frontMatter}\n---`]),
    ...(title === undefined ? [] : [`# ${escapeText(title)}`]),
    printBlocks(document.nodes, context),
  ]
  for (const { text } of footnotes.print(context)) parts.push(text)
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
