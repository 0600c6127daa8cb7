import { UniqueNames } from './hash.ts'
import type { BlockConflict, ConflictPlace, DocumentConflict, PlaceConflict } from './merge.ts'
import type { Side } from './merge-fields.ts'
import { mergeOwn } from './merge-own.ts'
import { TextBudget } from './merge-text.ts'
import type { Block, Document } from './nodes.ts'
import { type Group, groupsOf, indexOf, keysInside, topGroup, withGroups } from './parts.ts'
import { mapBlocks } from './walk.ts'

/**
 * Resolves a conflict with one side's version. If both sides have the block, its other changes and its nested blocks
 * are merged already and remain.
 */
export function resolveWith(document: Document, conflict: DocumentConflict, side: Side): Document {
  if (conflict.part === 'place') return moveBlock(document, conflict.key, conflict[side])
  const current = findBlock(document.nodes, conflict.key)
  const version = versionFor(conflict, current, side)
  // The version of ours is in the document already, together with the changes that were merged into it.
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

/**
 * Resolves many conflicts with one side's version. Blocks without nested blocks are replaced in one pass, and missing
 * blocks are inserted in another; only blocks with nested blocks and moved blocks are resolved one by one.
 */
export function resolveAllWith(document: Document, conflicts: readonly DocumentConflict[], side: Side): Document {
  const index = indexOf(document)
  if (!index) return conflicts.reduce((current, conflict) => resolveWith(current, conflict, side), document)
  const replaced = new Map<string, Block | null>()
  const absent: BlockConflict[] = []
  const moved: PlaceConflict[] = []
  const others: BlockConflict[] = []
  for (const conflict of conflicts) {
    if (conflict.part === 'place') {
      moved.push(conflict)
      continue
    }
    const current = index.get(conflict.key)?.block
    const version = versionFor(conflict, current, side)
    if (!current) absent.push(conflict)
    else if (isPlain(current) && (version === null || isPlain(version))) replaced.set(conflict.key, version)
    else others.push(conflict)
  }
  const nodes = editBlocks(document.nodes, ({ key = '' }) => {
    const version = replaced.get(key)
    return version === undefined ? undefined : version ? [version] : []
  })
  const resolved = others.reduce<Document>((current, conflict) => resolveWith(current, conflict, side), {
    ...document,
    nodes,
  })
  return moved.reduce<Document>(
    (current, conflict) => resolveWith(current, conflict, side),
    insertAll(resolved, absent, side),
  )
}

/** Returns a block with its conflict resolved for a side; other changes remain as they are in the document. */
function versionFor(conflict: BlockConflict, current: Block | undefined, side: Side): Block | null {
  const { base, ours, theirs } = conflict
  const version = conflict[side]
  if (!current || !version || !ours || !theirs) return version
  return mergeOwn(base ?? undefined, side === 'ours' ? ours : current, theirs, {
    prefer: side,
    budget: new TextBudget(),
  }).block
}

/** Moves a block, unless the target list does not exist or is inside the block. */
function moveBlock(document: Document, key: string, place: ConflictPlace | null): Document {
  const block = findBlock(document.nodes, key)
  if (!block || !place) return document
  const without = { ...document, nodes: editBlocks(document.nodes, (one) => (one === block ? [] : undefined)) }
  const parent = place.parent === null ? undefined : findBlock(without.nodes, place.parent)
  const isThere = place.parent === null || groupsOf(parent ?? block).some(({ name }) => parent && name === place.group)
  return isThere ? insert(without, block, place) : document
}

const isPlain = (block: Block): boolean => groupsOf(block).length === 0

/** Returns the blocks inside a removed block that were moved there from elsewhere; they are kept. */
function foreignBlocks(
  current: Block,
  version: Block | null,
  { base, ours, theirs, elsewhere }: BlockConflict,
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

/** Returns the outermost blocks inside a block that have certain keys. */
function blocksInside(block: Block, keys: ReadonlySet<string>): Block[] {
  return groupsOf(block).flatMap((group) =>
    group.blocks.flatMap((inner) =>
      inner.key !== undefined && keys.has(inner.key) ? [inner] : blocksInside(inner, keys),
    ),
  )
}

/** Returns a version with all nested blocks, except those that are elsewhere in the document. */
function whole(version: Block, { elsewhere = [] }: BlockConflict, inUse: ReadonlySet<string>): Block {
  const gone = new Set(elsewhere.filter((key) => inUse.has(key)))
  const without = editInside(version, ({ blocks }) =>
    editBlocks(blocks, (block) => (block.key !== undefined && gone.has(block.key) ? [] : undefined)),
  )
  return withFreshKeys(without, inUse)
}

/** Replaces blocks in all lists, from the outermost to the innermost, by the result of `edit` if it is defined. */
export function editBlocks(blocks: readonly Block[], edit: (block: Block) => readonly Block[] | undefined): Block[] {
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

/** Replaces keys that other blocks use by new ones. */
function withFreshKeys(block: Block, inUse: ReadonlySet<string>): Block {
  if (![block.key ?? '', ...keysInside(block)].some((key) => inUse.has(key))) return block
  const names = new UniqueNames(inUse)
  const [fresh] = mapBlocks([block], (one) => (one.key === undefined ? one : { ...one, key: names.make(one.key) }))
  return fresh ?? block
}

const insert = (document: Document, block: Block, where: ConflictPlace): Document =>
  insertBlocks(document, [{ block, where }])

interface Insertion {
  block: Block
  where: ConflictPlace
}

function insertAll(document: Document, conflicts: readonly BlockConflict[], side: Side): Document {
  const inUse = new Set(keysInUse(document.nodes, () => false))
  const insertions = conflicts.flatMap((conflict): Insertion[] => {
    const version = conflict[side]
    if (!version) return []
    const block = whole(version, conflict, inUse)
    for (const key of [block.key ?? '', ...keysInside(block)]) inUse.add(key)
    return [{ block, where: conflict.where }]
  })
  return insertBlocks(document, insertions)
}

const nameOfList = (parent: string | null, group: string): string => JSON.stringify([parent, group])

/** Inserts blocks in order; an earlier one may be the preceding block of a later one. */
function insertBlocks(document: Document, insertions: readonly Insertion[]): Document {
  if (insertions.length === 0) return document
  const byList = new Map<string, Insertion[]>()
  for (const insertion of insertions) {
    const name = nameOfList(insertion.where.parent, insertion.where.group)
    const inList = byList.get(name)
    if (inList) inList.push(insertion)
    else byList.set(name, [insertion])
  }
  const take = (parent: string | null, group: string) => {
    const name = nameOfList(parent, group)
    const inList = byList.get(name) ?? []
    byList.delete(name)
    return inList
  }
  const atTop = take(null, topGroup)
  const nodes = mapBlocks(document.nodes, (one) =>
    editInside(one, ({ name, blocks }) => (one.key === undefined ? blocks : placeAll(blocks, take(one.key, name)))),
  )
  // If the list of a block does not exist anymore, the block is appended to the document.
  const homeless = () => [...byList.values()].flat().map(({ block }) => block)
  return { ...document, nodes: [...placeAll(nodes, atTop), ...homeless()] }
}

function placeAll(blocks: readonly Block[], insertions: readonly Insertion[]): readonly Block[] {
  if (insertions.length === 0) return blocks
  const known = new Set<string | null | undefined>([null, ...blocks.map(({ key }) => key)])
  const following = new Map<string | null, Block[]>()
  const atEnd: Block[] = []
  for (const { block, where } of insertions) {
    const inPlace = following.get(where.after)
    if (!known.has(where.after)) atEnd.push(block)
    else if (inPlace) inPlace.push(block)
    else following.set(where.after, [block])
    known.add(block.key)
  }
  const placed: Block[] = []
  const waiting = [...(following.get(null)?.toReversed() ?? []), ...blocks, ...atEnd].toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    placed.push(next)
    // Of several blocks inserted after the same block, the last one is directly after it.
    for (const block of following.get(next.key ?? '') ?? []) waiting.push(block)
  }
  return placed
}
