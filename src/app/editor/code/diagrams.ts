import type { Block, Code } from '../../../content/document/nodes.ts'
import { readPlainText, toCodeLines } from '../plain-text.ts'

/** Whether a block is a diagram, which is shown instead of its source. */
export const isDiagram = (block: Block): boolean =>
  block.type === 'code' && block.data?.syntax?.trim().toLowerCase() === 'mermaid'

/** Returns the source of a diagram; undefined if it contains more than text. */
export function diagramText({ nodes }: Code): string | undefined {
  const lines = nodes.map((line) => readPlainText(line.nodes))
  return lines.includes(undefined) ? undefined : lines.join('\n')
}

/** Returns a diagram with another source. */
export const withDiagramText = (block: Code, text: string): Block => ({
  ...block,
  nodes: toCodeLines(text).map((line, index) => {
    const key = block.nodes[index]?.key
    return key === undefined ? line : { ...line, key }
  }),
})
