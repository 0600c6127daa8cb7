import type { Document, InlineNode, Text } from '../../src/content/document/nodes.ts'
import { mapNodes } from '../../src/content/document/walk.ts'
import { randomInteger } from './random.ts'

const word = /[A-Za-z]{3,}/g

/** Replaces one word of one text; undefined if the document has no words. */
export function withEditedWord(document: Document, chance: () => number, replacement: string): Document | undefined {
  let count = 0
  mapTexts(document, (node) => {
    if (countWords(node) > 0) count++
    return node
  })
  if (count === 0) return undefined
  const chosen = randomInteger(chance, 1, count)
  let at = 0
  return mapTexts(document, (node) => {
    const words = countWords(node)
    if (words === 0 || ++at !== chosen) return node
    let left = randomInteger(chance, 1, words)
    const leaves = node.leaves.map((leaf) => ({
      ...leaf,
      text: leaf.text.replace(word, (found) => (--left === 0 ? replacement : found)),
    }))
    return { ...node, leaves }
  })
}

const countWords = ({ leaves }: Text) => leaves.reduce((sum, { text }) => sum + (text.match(word)?.length ?? 0), 0)

function mapTexts(document: Document, change: (node: Text) => Text): Document {
  const inline = (node: InlineNode) => (node.object === 'text' ? change(node) : node)
  return { ...document, nodes: mapNodes(document.nodes, (block) => block, inline) }
}
