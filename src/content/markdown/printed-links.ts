import { type PhrasingContent, type RootContent, endOffset, parseMdast, startOffset } from './mdast.ts'

/** Returns the positions of the links of a printed block, in order; images and other elements without words are not links. */
export function findPrintedLinks(printed: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  const visit = (node: RootContent | PhrasingContent) => {
    if (node.type === 'link') found.push({ start: startOffset(node), end: endOffset(node) })
    else if ('children' in node) for (const child of node.children) visit(child)
  }
  for (const node of parseMdast(printed).children) visit(node)
  return found
}
