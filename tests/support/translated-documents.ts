import type { Block, Document } from '../../src/content/document/nodes.ts'
import { mapNodes } from '../../src/content/document/walk.ts'

/** Fields whose values are texts that are translated. */
const textFields = new Set(['text', 'alt', 'caption', 'label', 'title', 'description'])

/** Returns a document without its texts, the ids of its headings and the division of its texts into leaves. */
export function withoutTexts({ nodes }: Document): unknown {
  const replaced = mapNodes(nodes, withoutHeadingId, (inline) => inline)
  return JSON.parse(JSON.stringify(replaced), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const fields = Object.entries(value).filter(
      ([name, inner]) =>
        !(name === 'key' && 'leaves' in value) &&
        !(textFields.has(name) && typeof inner === 'string' && !isFixedText(value)),
    )
    return Object.fromEntries(fields)
  })
}

/** Whether the text of a value is never translated: code, keys of keyboards, and titles of code blocks. */
function isFixedText(value: object): boolean {
  const { marks, syntax, formula } = value as { marks?: { type: string }[]; syntax?: unknown; formula?: unknown }
  if (syntax !== undefined || formula !== undefined) return true
  return marks?.some(({ type }) => type === 'code' || type === 'keyboard') ?? false
}

function withoutHeadingId(block: Block): Block {
  if (block.type !== 'heading-1' && block.type !== 'heading-2' && block.type !== 'heading-3') return block
  const { data, ...rest } = block
  return data?.align === undefined ? rest : { ...rest, data: { align: data.align } }
}

/** Returns a document without the ids of its headings. */
export const withoutHeadingIds = (document: Document): Document => ({
  ...document,
  nodes: mapNodes(document.nodes, withoutHeadingId, (inline) => inline),
})
