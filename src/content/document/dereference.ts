import { fullness } from './limits.ts'
import type { Block, ContentRef, Document } from './nodes.ts'
import { mapReferences } from './references.ts'
import { mapBlocks, withNodes } from './walk.ts'

/** Content that is reused in content that is reused, and so on; deeper than anyone does. */
const maxReuseNesting = 10

/** A few small contents that reuse each other several times would otherwise fill the memory. */
const maxFullDocuments = 10

/**
 * Puts the blocks of reused contents in the place of the references to them. What is unknown, reuses itself, or is too
 * much stays a reference.
 */
export function dereference(
  document: Document,
  lookUp: (id: string, space?: string) => Document | undefined,
): Document {
  let room = maxFullDocuments - fullness(document)
  const sizes = new Map<Document, number>()
  const sizeOf = (content: Document) => {
    const size = sizes.get(content) ?? fullness(content)
    sizes.set(content, size)
    return size
  }

  const inside = (content: Document, around: readonly string[]): Document =>
    withNodes(
      content,
      mapBlocks(content.nodes, (block) => (block.type === 'reusable-content' ? resolve(block, around) : block)),
    )

  const resolve = (block: Extract<Block, { type: 'reusable-content' }>, around: readonly string[]) => {
    const { ref } = block.data
    if (ref.kind !== 'reusable-content' || around.length >= maxReuseNesting) return block
    const name = JSON.stringify([ref.reusableContent, ref.space])
    if (around.includes(name)) return block
    const found = lookUp(ref.reusableContent, ref.space)
    if (!found || sizeOf(found) > room) return block
    room -= sizeOf(found)
    return inside(fromSpace(found, ref.space), [...around, name]).nodes
  }

  return inside(document, [])
}

/** What content of another space points at in its own space is named in full, for it to be found from elsewhere. */
function fromSpace(document: Document, space: string | undefined): Document {
  return space === undefined ? document : mapReferences(document, (ref) => inSpace(ref, space))
}

function inSpace(ref: ContentRef, space: string): ContentRef {
  switch (ref.kind) {
    case 'anchor':
      return ref.page === undefined ? ref : { space, ...ref }
    case 'file':
    case 'page':
    case 'reusable-content':
    case 'tag':
      return { space, ...ref }
    default:
      return ref
  }
}
