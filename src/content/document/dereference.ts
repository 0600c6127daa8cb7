import { limitUsage } from './limits.ts'
import type { Block, ContentRef, Document } from './nodes.ts'
import { mapReferences } from './references.ts'
import { mapBlocks, withNodes } from './walk.ts'

/** Maximum nesting of reusable contents; deeper than in practice. */
const maxReuseNesting = 10

/**
 * Maximum total size in full documents. A few small contents that include each other several times could otherwise
 * exhaust the memory.
 */
const maxFullDocuments = 10

/**
 * Replaces references to reusable contents by their blocks. References that are unknown or recursive, or that exceed a
 * limit, remain.
 */
export function dereference(
  document: Document,
  lookUp: (id: string, space?: string) => Document | undefined,
): Document {
  let room = maxFullDocuments - limitUsage(document)
  const sizes = new Map<Document, number>()
  const sizeOf = (content: Document) => {
    const size = sizes.get(content) ?? limitUsage(content)
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

/** Adds the space to references in the content of another space, so that they can be resolved from elsewhere. */
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
