import type { JsonDocument } from '../../../contract/document.ts'

interface TextNode {
  leaves?: readonly { text: string }[]
  nodes?: readonly TextNode[]
}

/** Returns a document with a paragraph for each line. */
export const toInstructions = (text: string): JsonDocument => ({
  object: 'document',
  data: {},
  nodes: text
    .trim()
    .split(/\n+/)
    .map((line) => ({
      object: 'block' as const,
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', marks: [], text: line }] }],
    })),
})

/** Returns the text of a document with a line for each block. */
export const readInstructions = ({ nodes }: JsonDocument): string =>
  (nodes as readonly TextNode[]).map(readText).join('\n').trim()

const readText = (node: TextNode): string =>
  (node.leaves?.map(({ text }) => text) ?? node.nodes?.map(readText) ?? []).join('')
