import type { Document, Fragment } from '../document/nodes.ts'
import { escapeText } from './escape.ts'
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
  const bodies: Fragment[] = []
  const context: PrintContext = {
    references,
    footnote(body) {
      bodies.push(body)
      return String(bodies.length)
    },
  }
  const parts = [
    ...(frontMatter === undefined ? [] : [`---\n${frontMatter}\n---`]),
    ...(title === undefined ? [] : [`# ${escapeText(title)}`]),
    printBlocks(document.nodes, context),
  ]
  // Printing a body may find further ones.
  for (let index = 0; index < bodies.length; index++) {
    const body = printBlocks((bodies[index] as Fragment).nodes, context).replace(/\n(?=[^\n])/g, '\n    ')
    parts.push(`[^${index + 1}]: ${body}`)
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
