import type { InlineNode } from './nodes.ts'

/** What inlines say, without their markup. */
export function plainText(nodes: readonly InlineNode[]): string {
  return nodes.map(textOfNode).join('')
}

function textOfNode(node: InlineNode): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('')
  if (node.type === 'emoji') return emojiCharacters(node.data.code)
  return 'nodes' in node ? plainText(node.nodes) : ''
}

/** The characters behind code points in hexadecimal, joined by hyphens; empty when they are none. */
export function emojiCharacters(code: string): string {
  const points = code.split('-').map((part) => (/^[0-9a-f]{1,6}$/i.test(part) ? parseInt(part, 16) : -1))
  const areCharacters = points.every((point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
  return areCharacters ? String.fromCodePoint(...points) : ''
}
