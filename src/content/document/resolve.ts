import { UniqueNames } from './hash.ts'
import type { ConflictPlace, DocumentConflict } from './merge.ts'
import type { Block, Document } from './nodes.ts'
import { type Group, groupsOf, keysInside, topGroup, withGroups } from './parts.ts'
import { mapBlocks } from './walk.ts'

/**
 * Puts one side's version of a block in place. Of a block that both sides still have, what is inside was merged by itself
 * and stays.
 */
export function resolveWith(
  document: Document,
  conflict: DocumentConflict,
  side: 'base' | 'ours' | 'theirs',
): Document {
  const version = conflict[side]
  const current = findBlock(document.nodes, conflict.key)
  // Ours is in place already, together with what was merged into it.
  const keepsInside = conflict.ours !== null && (conflict.theirs !== null || side === 'ours')
  const inUse = new Set(keysInUse(document.nodes, (block) => block === current && !keepsInside))
  inUse.delete(conflict.key)
  if (!current) return version ? insert(document, whole(version, conflict, inUse), conflict.where) : document

  const replacement = () => {
    if (version && keepsInside) return [withInside(version, current, inUse)]
    return [...(version ? [whole(version, conflict, inUse)] : []), ...foreignBlocks(current, version, conflict)]
  }
  return { ...document, nodes: editBlocks(document.nodes, (block) => (block === current ? replacement() : undefined)) }
}

/** What is in a block that goes, but was moved there from elsewhere: it stays. */
function foreignBlocks(
  current: Block,
  version: Block | null,
  { base, ours, theirs, elsewhere }: DocumentConflict,
): Block[] {
  const known = new Set([base, ours, theirs].flatMap((one) => (one ? keysInside(one) : [])))
  for (const key of elsewhere ?? []) known.delete(key)
  for (const key of version ? keysInside(version) : []) known.add(key)
  return blocksInside(current, new Set(keysInside(current).filter((key) => !known.has(key))))
}

function findBlock(blocks: readonly Block[], key: string): Block | undefined {
  for (const block of blocks) {
    if (block.key === key) return block
    for (const group of groupsOf(block)) {
      const found = findBlock(group.blocks, key)
      if (found) return found
    }
  }
  return undefined
}

function keysInUse(blocks: readonly Block[], isLeftOut: (block: Block) => boolean): string[] {
  return blocks.flatMap((block) => {
    if (isLeftOut(block)) return []
    const inside = groupsOf(block).flatMap((group) => keysInUse(group.blocks, isLeftOut))
    return block.key === undefined ? inside : [block.key, ...inside]
  })
}

/** The outermost blocks inside a block that have certain keys. */
function blocksInside(block: Block, keys: ReadonlySet<string>): Block[] {
  return groupsOf(block).flatMap((group) =>
    group.blocks.flatMap((inner) =>
      inner.key !== undefined && keys.has(inner.key) ? [inner] : blocksInside(inner, keys),
    ),
  )
}

/** A version with all that is inside, except for what is elsewhere in the document. */
function whole(version: Block, { elsewhere = [] }: DocumentConflict, inUse: ReadonlySet<string>): Block {
  const gone = new Set(elsewhere.filter((key) => inUse.has(key)))
  const without = editInside(version, ({ blocks }) =>
    editBlocks(blocks, (block) => (block.key !== undefined && gone.has(block.key) ? [] : undefined)),
  )
  return withFreshKeys(without, inUse)
}

/** Goes through all lists of blocks from the outside; what `edit` answers stands in the place of a block. */
function editBlocks(blocks: readonly Block[], edit: (block: Block) => Block[] | undefined): Block[] {
  return blocks.flatMap((block) => edit(block) ?? [editInside(block, ({ blocks: inner }) => editBlocks(inner, edit))])
}

function editInside(block: Block, edit: (group: Group) => readonly Block[]): Block {
  const groups = groupsOf(block)
  return groups.length === 0 ? block : withGroups(block, groups.map(edit))
}

function withInside(version: Block, current: Block, inUse: ReadonlySet<string>): Block {
  const inside = new Map(groupsOf(current).map(({ name, blocks }) => [name, blocks]))
  return editInside(
    version,
    ({ name, blocks }) => inside.get(name) ?? blocks.map((block) => withFreshKeys(block, inUse)),
  )
}

/** Keys that meanwhile belong to other blocks are not used twice. */
function withFreshKeys(block: Block, inUse: ReadonlySet<string>): Block {
  const names = new UniqueNames(inUse)
  const [fresh] = mapBlocks([block], (one) => (one.key === undefined ? one : { ...one, key: names.make(one.key) }))
  return fresh ?? block
}

function insert(document: Document, block: Block, { parent, group, after }: ConflictPlace): Document {
  const place = (blocks: readonly Block[]) => {
    const before = blocks.findIndex(({ key }) => key === after)
    const at = after === null ? 0 : before < 0 ? blocks.length : before + 1
    return blocks.toSpliced(at, 0, block)
  }
  if (parent === null && group === topGroup) return { ...document, nodes: place(document.nodes) }
  let isPlaced = false
  const nodes = mapBlocks(document.nodes, (one) => {
    if (one.key !== parent) return one
    return editInside(one, (inner) => {
      if (inner.name !== group) return inner.blocks
      isPlaced = true
      return place(inner.blocks)
    })
  })
  return { ...document, nodes: isPlaced ? nodes : [...nodes, block] }
}
