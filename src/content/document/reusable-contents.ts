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
const maxTotalUsage = 10

/** Separates the key of a reference to a reusable content from the keys of the inserted blocks; no stored key contains it. */
const keySeparator = '~'

/** Returns the key of the block of the document itself that contains a block: its own key, or that of the reference. */
export const ownKeyOf = (key: string): string => key.split(keySeparator, 1)[0] as string

/**
 * Replaces references to reusable contents by their blocks. References that are unknown or recursive, or that exceed a
 * limit, remain. With `qualifiesKeys`, the keys of inserted blocks start with the key of the reference, so that they are
 * unique; see `ownKeyOf`.
 */
export function insertReusableContents(
  document: Document,
  findContent: (id: string, space?: string) => Document | undefined,
  { qualifiesKeys = false } = {},
): Document {
  let remainingUsage = maxTotalUsage - limitUsage(document)
  const usages = new Map<Document, number>()
  const usageOf = (content: Document) => {
    const usage = usages.get(content) ?? limitUsage(content)
    usages.set(content, usage)
    return usage
  }

  const expand = (content: Document, ancestors: readonly string[]): Document =>
    withNodes(
      content,
      mapBlocks(content.nodes, (block) => (block.type === 'reusable-content' ? expandBlock(block, ancestors) : block)),
    )

  const expandBlock = (block: Extract<Block, { type: 'reusable-content' }>, ancestors: readonly string[]) => {
    const { ref } = block.data
    if (ref.kind !== 'reusable-content' || ancestors.length >= maxReuseNesting) return block
    const name = JSON.stringify([ref.reusableContent, ref.space])
    if (ancestors.includes(name)) return block
    const found = findContent(ref.reusableContent, ref.space)
    if (!found || usageOf(found) > remainingUsage) return block
    remainingUsage -= usageOf(found)
    const content = qualifiesKeys && block.key !== undefined ? qualifyKeys(found, block.key) : found
    return expand(qualifyReferences(content, ref.space), [...ancestors, name]).nodes
  }

  return expand(document, [])
}

function qualifyKeys(document: Document, parentKey: string): Document {
  const qualify = (block: Block): Block =>
    block.key === undefined ? block : { ...block, key: `${parentKey}${keySeparator}${block.key}` }
  return withNodes(document, mapBlocks(document.nodes, qualify))
}

/** Adds the space to references in the content of another space, so that they can be resolved from elsewhere. */
function qualifyReferences(document: Document, space: string | undefined): Document {
  return space === undefined ? document : mapReferences(document, (ref) => qualifyReference(ref, space))
}

function qualifyReference(ref: ContentRef, space: string): ContentRef {
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
