import { definitionOf } from './block-definitions.ts'
import type { Block, Document, Fragment, InlineNode } from './nodes.ts'
import { fragmentsOf } from './walk.ts'

// The structure that all documents share: blocks are in groups, and each block contains either text, code or further groups.

/** List of sibling blocks: those directly in a block, or those of one of its fragments. */
export interface BlockGroup {
  name: string
  blocks: readonly Block[]
}

export const nodesGroup = 'nodes'

export type TextBlock = Extract<Block, { nodes: readonly InlineNode[] }>

export function isTextBlock(block: Block): block is TextBlock {
  return definitionOf(block).contents === 'inlines'
}

/** Returns the blocks directly in a block; lines of code are content of their block and not separate blocks. */
function directBlocks(block: Block): readonly Block[] | undefined {
  return 'nodes' in block && block.type !== 'code' && !isTextBlock(block) ? block.nodes : undefined
}

/** Returns unique names of fragments in order. */
export function uniqueFragmentNames(fragments: readonly Fragment[]): string[] {
  const seen = new Map<string, number>()
  return fragments.map(({ fragment, type }) => {
    const name = `#${fragment ?? type ?? ''}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  })
}

export function blockGroupsOf(block: Block): BlockGroup[] {
  const inner = directBlocks(block)
  const groups: BlockGroup[] = inner ? [{ name: nodesGroup, blocks: inner }] : []
  const fragments = fragmentsOf(block)
  if (fragments.length === 0) return groups
  const names = uniqueFragmentNames(fragments)
  fragments.forEach(({ nodes }, index) => groups.push({ name: names[index] as string, blocks: nodes }))
  return groups
}

/** Replaces the blocks of a block's groups, which are given in the order of `blockGroupsOf`. */
export function withBlockGroups(block: Block, groups: readonly (readonly Block[])[]): Block {
  const hasInner = directBlocks(block) !== undefined
  const fragments = fragmentsOf(block)
  const offset = hasInner ? 1 : 0
  return {
    ...block,
    ...(hasInner && { nodes: groups[0] }),
    ...(fragments.length > 0 && {
      fragments: fragments.map((fragment, index) => ({ ...fragment, nodes: groups[index + offset] ?? [] })),
    }),
  } as Block
}

/** Returns the keys of all blocks inside a block. */
export function descendantKeys(block: Block): string[] {
  return blockGroupsOf(block).flatMap(({ blocks }) =>
    blocks.flatMap((inner) => [...(inner.key === undefined ? [] : [inner.key]), ...descendantKeys(inner)]),
  )
}

/** Location of a block in a document. */
export interface BlockLocation {
  block: Block
  /** Key of the parent block; null at the top level. */
  parent: string | null
  group: string
  index: number
  siblings: readonly Block[]
}

export type BlockIndex = ReadonlyMap<string, BlockLocation>

/** Returns an index of blocks by key; undefined if keys are missing or not unique. */
export function indexBlocks(document: Document): BlockIndex | undefined {
  const index = new Map<string, BlockLocation>()
  const isComplete = addToIndex(index, document.nodes, null, nodesGroup)
  return isComplete ? index : undefined
}

function addToIndex(
  index: Map<string, BlockLocation>,
  siblings: readonly Block[],
  parent: string | null,
  group: string,
): boolean {
  return siblings.every((block, at) => {
    if (block.key === undefined || index.has(block.key)) return false
    index.set(block.key, { block, parent, group, index: at, siblings })
    const { key } = block
    return blockGroupsOf(block).every((inner) => addToIndex(index, inner.blocks, key, inner.name))
  })
}

/** Whether two values have the same content. Ignores the keys of nodes other than blocks, and computed `meta` fields. */
export function isEqualContent(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqualContent(item, b[index]))
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const name in one) if (isComparedField(name, one) && !isEqualContent(one[name], other[name])) return false
  for (const name in other)
    if (other[name] !== undefined && one[name] === undefined && isComparedField(name, other)) return false
  return !Array.isArray(b)
}

function isComparedField(name: string, owner: Record<string, unknown>): boolean {
  if (name === 'key')
    return owner['object'] !== 'text' && owner['object'] !== 'inline' && owner['object'] !== 'fragment'
  return name !== 'meta' || typeof owner['object'] !== 'string'
}
