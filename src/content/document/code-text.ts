import type { Block, Code, CodeLine } from './nodes.ts'
import { plainText } from './text.ts'

/** Returns the text of a code block, as it is copied and highlighted. */
export const codeText = ({ nodes }: Pick<Code, 'nodes'>): string =>
  nodes.map((line) => plainText(line.nodes)).join('\n')

/** Whether a line contains only text, like the lines of almost all code. */
export function isPlainLine({ meta, nodes }: CodeLine): boolean {
  if (meta !== undefined) return false
  for (const { object } of nodes) if (object !== 'text') return false
  return true
}

/** Returns the code blocks among the blocks of a document. */
export function findCodeBlocks(blocks: Iterable<Block>): { code: string; syntax: string | undefined }[] {
  const codes = []
  for (const block of blocks) {
    if (block.type === 'code') codes.push({ code: codeText(block), syntax: block.data?.syntax })
  }
  return codes
}
