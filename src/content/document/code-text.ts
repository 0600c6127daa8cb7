import type { Code, Document } from './nodes.ts'
import { plainText } from './text.ts'
import { walkBlocks } from './walk.ts'

/** Returns the text of a code block, as it is copied and highlighted. */
export const codeText = ({ nodes }: Pick<Code, 'nodes'>): string =>
  nodes.map((line) => plainText(line.nodes)).join('\n')

/** Returns the code blocks of a document. */
export function findCodeBlocks(document: Document): { code: string; syntax: string | undefined }[] {
  const codes = []
  for (const block of walkBlocks(document)) {
    if (block.type === 'code') codes.push({ code: codeText(block), syntax: block.data?.syntax })
  }
  return codes
}
