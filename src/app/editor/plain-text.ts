import { leaf } from '../../content/document/build.ts'
import type { CodeLine, InlineNode } from '../../content/document/nodes.ts'

/** Returns the inlines of a text without marks. */
export const toTextNodes = (text: string): InlineNode[] =>
  text === '' ? [] : [{ object: 'text', leaves: [leaf(text)] }]

/** Returns the lines of code of a text. */
export const toCodeLines = (text: string): CodeLine[] =>
  text.split('\n').map((line) => ({ object: 'block', type: 'code-line', nodes: toTextNodes(line) }))

/** Returns the text of inlines; undefined if they contain anything but text without marks. */
export function readPlainText(nodes: readonly InlineNode[]): string | undefined {
  const texts = nodes.map((node) =>
    node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)
      ? node.leaves.map(({ text }) => text).join('')
      : undefined,
  )
  return texts.includes(undefined) ? undefined : texts.join('')
}
