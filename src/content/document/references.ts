import { definitionOf } from './block-definitions.ts'
import { type RefChange, isFileRef, mapRef, replaceData } from './map-refs.ts'
import type { Block, ContentRef, Document, InlineNode } from './nodes.ts'
import { childBlocks, everyInlineIn, mapNodes, withNodes } from './walk.ts'

export interface Reference {
  ref: ContentRef
  /** Key of the nearest enclosing block that has one. */
  key?: string
}

/** Returns every reference of a document, in order. */
export function referencesIn(document: Document): Reference[] {
  const found: Reference[] = []
  const waiting: [block: Block, key: string | undefined][] = document.nodes
    .toReversed()
    .map((block) => [block, undefined])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [block, outerKey] = next
    const key = block.key ?? outerKey
    const note: RefChange = (ref) => {
      found.push(key === undefined ? { ref } : { ref, key })
      return ref
    }
    changeBlock(block, note)
    for (const inline of everyInlineIn(block)) changeInline(inline, note)
    for (const child of childBlocks(block).toReversed()) waiting.push([child, key])
  }
  return found
}

/** Changes the references of a document. Ignores a replacement of the wrong kind, such as a page in place of a file. */
export function mapReferences(document: Document, change: RefChange): Document {
  const nodes = mapNodes(
    document.nodes,
    (block) => changeBlock(block, change),
    (inline) => changeInline(inline, change),
  )
  return withNodes(document, nodes)
}

function changeInline(inline: InlineNode, change: RefChange): InlineNode {
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

function changeBlock(block: Block, change: RefChange): Block {
  return definitionOf(block).mapRefs?.(block, change) ?? block
}
