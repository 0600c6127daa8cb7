import { definitionOf } from './block-definitions.ts'
import { type RefMapper, isFileRef, mapRef, replaceData } from './map-refs.ts'
import type { Block, ContentRef, Document, InlineNode } from './nodes.ts'
import { childBlocks, walkInlines, mapNodes, withNodes } from './walk.ts'

export interface Reference {
  ref: ContentRef
  /** Key of the nearest enclosing block that has one. */
  key?: string
}

/** Returns every reference of a document, in order. */
export function collectReferences(document: Document): Reference[] {
  const references: Reference[] = []
  const stack: [block: Block, key: string | undefined][] = document.nodes
    .toReversed()
    .map((block) => [block, undefined])
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [block, outerKey] = next
    const key = block.key ?? outerKey
    const collect: RefMapper = (ref) => {
      references.push(key === undefined ? { ref } : { ref, key })
      return ref
    }
    mapBlockRefs(block, collect)
    for (const inline of walkInlines(block)) mapInlineRefs(inline, collect)
    for (const child of childBlocks(block).toReversed()) stack.push([child, key])
  }
  return references
}

/** Changes the references of a document. Ignores a replacement of the wrong kind, such as a page in place of a file. */
export function mapReferences(document: Document, change: RefMapper): Document {
  const nodes = mapNodes(
    document.nodes,
    (block) => mapBlockRefs(block, change),
    (inline) => mapInlineRefs(inline, change),
  )
  return withNodes(document, nodes)
}

export function mapInlineRefs(inline: InlineNode, change: RefMapper): InlineNode {
  if (inline.object === 'text') return inline
  switch (inline.type) {
    case 'link':
    case 'mention':
    case 'button':
      return replaceData(inline, mapRef(inline.data, 'ref', change))
    case 'inline-image':
      return replaceData(inline, mapRef(mapRef(inline.data, 'ref', change, isFileRef), 'refDark', change, isFileRef))
    default:
      return inline
  }
}

export function mapBlockRefs(block: Block, change: RefMapper): Block {
  return definitionOf(block).mapRefs?.(block, change) ?? block
}
