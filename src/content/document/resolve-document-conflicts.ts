import { UniqueNames } from './hash.ts'
import type { BlockConflict, BlockPosition, DocumentConflict, PositionConflict } from './merge.ts'
import type { Side } from './merge-fields.ts'
import { mergeBlockShallow } from './merge-block.ts'
import { TextBudget } from './merge-text.ts'
import type { Block, Document } from './nodes.ts'
import {
  type BlockGroup,
  blockGroupsOf,
  indexBlocks,
  descendantKeys,
  nodesGroup,
  withBlockGroups,
} from './block-groups.ts'
import { mapBlocks } from './walk.ts'

/**
 * Resolves a conflict with one side's version. If both sides have the block, its other changes and its nested blocks
 * are merged already and remain.
 */
export function resolveDocumentConflict(document: Document, conflict: DocumentConflict, side: Side): Document {
  if (conflict.part === 'place') return moveBlock(document, conflict.key, conflict[side])
  const current = findBlock(document.nodes, conflict.key)
  const version = resolveVersion(conflict, current, side)
  // The version of ours is in the document already, together with the changes that were merged into it.
  const keepsNestedBlocks = conflict.ours !== null && (conflict.theirs !== null || side === 'ours')
  const usedKeys = new Set(collectKeys(document.nodes, (block) => block === current && !keepsNestedBlocks))
  usedKeys.delete(conflict.key)
  if (!current)
    return version
      ? insertBlock(document, withoutRelocatedBlocks(version, conflict, usedKeys), conflict.where)
      : document

  const replacement = () => {
    if (version && keepsNestedBlocks) return [withNestedBlocksOf(version, current, usedKeys)]
    return [
      ...(version ? [withoutRelocatedBlocks(version, conflict, usedKeys)] : []),
      ...findForeignBlocks(current, version, conflict),
    ]
  }
  return {
    ...document,
    nodes: replaceBlocks(document.nodes, (block) => (block === current ? replacement() : undefined)),
  }
}

/**
 * Resolves many conflicts with one side's version. Blocks without nested blocks are replaced in one pass, and missing
 * blocks are inserted in another; only blocks with nested blocks and moved blocks are resolved one by one.
 */
export function resolveDocumentConflicts(
  document: Document,
  conflicts: readonly DocumentConflict[],
  side: Side,
): Document {
  const index = indexBlocks(document)
  if (!index) return conflicts.reduce((current, conflict) => resolveDocumentConflict(current, conflict, side), document)
  const replaced = new Map<string, Block | null>()
  const missing: BlockConflict[] = []
  const moved: PositionConflict[] = []
  const others: BlockConflict[] = []
  for (const conflict of conflicts) {
    if (conflict.part === 'place') {
      moved.push(conflict)
      continue
    }
    const current = index.get(conflict.key)?.block
    const version = resolveVersion(conflict, current, side)
    if (!current) missing.push(conflict)
    else if (hasNoNestedBlocks(current) && (version === null || hasNoNestedBlocks(version)))
      replaced.set(conflict.key, version)
    else others.push(conflict)
  }
  const nodes = replaceBlocks(document.nodes, ({ key = '' }) => {
    const version = replaced.get(key)
    return version === undefined ? undefined : version ? [version] : []
  })
  const resolved = others.reduce<Document>((current, conflict) => resolveDocumentConflict(current, conflict, side), {
    ...document,
    nodes,
  })
  return moved.reduce<Document>(
    (current, conflict) => resolveDocumentConflict(current, conflict, side),
    insertVersions(resolved, missing, side),
  )
}

/** Returns a block with its conflict resolved for a side; other changes remain as they are in the document. */
function resolveVersion(conflict: BlockConflict, current: Block | undefined, side: Side): Block | null {
  const { base, ours, theirs } = conflict
  const version = conflict[side]
  if (!current || !version || !ours || !theirs) return version
  return mergeBlockShallow(base ?? undefined, side === 'ours' ? ours : current, theirs, {
    prefer: side,
    budget: new TextBudget(),
  }).block
}

/** Moves a block, unless the target list does not exist or is inside the block. */
function moveBlock(document: Document, key: string, position: BlockPosition | null): Document {
  const block = findBlock(document.nodes, key)
  if (!block || !position) return document
  const withoutBlock = { ...document, nodes: replaceBlocks(document.nodes, (one) => (one === block ? [] : undefined)) }
  const parent = position.parent === null ? undefined : findBlock(withoutBlock.nodes, position.parent)
  const hasTarget =
    position.parent === null || blockGroupsOf(parent ?? block).some(({ name }) => parent && name === position.group)
  return hasTarget ? insertBlock(withoutBlock, block, position) : document
}

const hasNoNestedBlocks = (block: Block): boolean => blockGroupsOf(block).length === 0

/** Returns the blocks inside a removed block that were moved there from elsewhere; they are kept. */
function findForeignBlocks(
  current: Block,
  version: Block | null,
  { base, ours, theirs, elsewhere }: BlockConflict,
): Block[] {
  const knownKeys = new Set([base, ours, theirs].flatMap((one) => (one ? descendantKeys(one) : [])))
  for (const key of elsewhere ?? []) knownKeys.delete(key)
  for (const key of version ? descendantKeys(version) : []) knownKeys.add(key)
  return findNestedBlocks(current, new Set(descendantKeys(current).filter((key) => !knownKeys.has(key))))
}

function findBlock(blocks: readonly Block[], key: string): Block | undefined {
  for (const block of blocks) {
    if (block.key === key) return block
    for (const group of blockGroupsOf(block)) {
      const found = findBlock(group.blocks, key)
      if (found) return found
    }
  }
  return undefined
}

function collectKeys(blocks: readonly Block[], isExcluded: (block: Block) => boolean): string[] {
  return blocks.flatMap((block) => {
    if (isExcluded(block)) return []
    const nestedKeys = blockGroupsOf(block).flatMap((group) => collectKeys(group.blocks, isExcluded))
    return block.key === undefined ? nestedKeys : [block.key, ...nestedKeys]
  })
}

/** Returns the outermost blocks inside a block that have certain keys. */
function findNestedBlocks(block: Block, keys: ReadonlySet<string>): Block[] {
  return blockGroupsOf(block).flatMap((group) =>
    group.blocks.flatMap((inner) =>
      inner.key !== undefined && keys.has(inner.key) ? [inner] : findNestedBlocks(inner, keys),
    ),
  )
}

/** Returns a version with all nested blocks, except those that are elsewhere in the document. */
function withoutRelocatedBlocks(
  version: Block,
  { elsewhere = [] }: BlockConflict,
  usedKeys: ReadonlySet<string>,
): Block {
  const relocatedKeys = new Set(elsewhere.filter((key) => usedKeys.has(key)))
  const remaining = mapGroups(version, ({ blocks }) =>
    replaceBlocks(blocks, (block) => (block.key !== undefined && relocatedKeys.has(block.key) ? [] : undefined)),
  )
  return withUniqueKeys(remaining, usedKeys)
}

/** Replaces blocks in all lists, from the outermost to the innermost, by the result of `edit` if it is defined. */
export function replaceBlocks(blocks: readonly Block[], edit: (block: Block) => readonly Block[] | undefined): Block[] {
  return blocks.flatMap((block) => edit(block) ?? [mapGroups(block, ({ blocks: inner }) => replaceBlocks(inner, edit))])
}

function mapGroups(block: Block, edit: (group: BlockGroup) => readonly Block[]): Block {
  const groups = blockGroupsOf(block)
  return groups.length === 0 ? block : withBlockGroups(block, groups.map(edit))
}

function withNestedBlocksOf(version: Block, current: Block, usedKeys: ReadonlySet<string>): Block {
  const currentGroups = new Map(blockGroupsOf(current).map(({ name, blocks }) => [name, blocks]))
  return mapGroups(
    version,
    ({ name, blocks }) => currentGroups.get(name) ?? blocks.map((block) => withUniqueKeys(block, usedKeys)),
  )
}

/** Replaces keys that other blocks use by new ones. */
function withUniqueKeys(block: Block, usedKeys: ReadonlySet<string>): Block {
  if (![block.key ?? '', ...descendantKeys(block)].some((key) => usedKeys.has(key))) return block
  const names = new UniqueNames(usedKeys)
  const [fresh] = mapBlocks([block], (one) => (one.key === undefined ? one : { ...one, key: names.assign(one.key) }))
  return fresh ?? block
}

const insertBlock = (document: Document, block: Block, where: BlockPosition): Document =>
  insertBlocks(document, [{ block, where }])

interface Insertion {
  block: Block
  where: BlockPosition
}

function insertVersions(document: Document, conflicts: readonly BlockConflict[], side: Side): Document {
  const usedKeys = new Set(collectKeys(document.nodes, () => false))
  const insertions = conflicts.flatMap((conflict): Insertion[] => {
    const version = conflict[side]
    if (!version) return []
    const block = withoutRelocatedBlocks(version, conflict, usedKeys)
    for (const key of [block.key ?? '', ...descendantKeys(block)]) usedKeys.add(key)
    return [{ block, where: conflict.where }]
  })
  return insertBlocks(document, insertions)
}

const listKey = (parent: string | null, group: string): string => JSON.stringify([parent, group])

/** Inserts blocks in order; an earlier one may be the preceding block of a later one. */
function insertBlocks(document: Document, insertions: readonly Insertion[]): Document {
  if (insertions.length === 0) return document
  const byList = new Map<string, Insertion[]>()
  for (const insertion of insertions) {
    const name = listKey(insertion.where.parent, insertion.where.group)
    const inList = byList.get(name)
    if (inList) inList.push(insertion)
    else byList.set(name, [insertion])
  }
  const takeInsertions = (parent: string | null, group: string) => {
    const name = listKey(parent, group)
    const inList = byList.get(name) ?? []
    byList.delete(name)
    return inList
  }
  const atTop = takeInsertions(null, nodesGroup)
  const nodes = mapBlocks(document.nodes, (one) =>
    mapGroups(one, ({ name, blocks }) =>
      one.key === undefined ? blocks : insertIntoList(blocks, takeInsertions(one.key, name)),
    ),
  )
  // If the list of a block does not exist anymore, the block is appended to the document.
  const orphanedBlocks = () => [...byList.values()].flat().map(({ block }) => block)
  return { ...document, nodes: [...insertIntoList(nodes, atTop), ...orphanedBlocks()] }
}

function insertIntoList(blocks: readonly Block[], insertions: readonly Insertion[]): readonly Block[] {
  if (insertions.length === 0) return blocks
  const knownKeys = new Set<string | null | undefined>([null, ...blocks.map(({ key }) => key)])
  const insertedAfter = new Map<string | null, Block[]>()
  const atEnd: Block[] = []
  for (const { block, where } of insertions) {
    const atSamePosition = insertedAfter.get(where.after)
    if (!knownKeys.has(where.after)) atEnd.push(block)
    else if (atSamePosition) atSamePosition.push(block)
    else insertedAfter.set(where.after, [block])
    knownKeys.add(block.key)
  }
  const result: Block[] = []
  const stack = [...(insertedAfter.get(null)?.toReversed() ?? []), ...blocks, ...atEnd].toReversed()
  for (let next = stack.pop(); next; next = stack.pop()) {
    result.push(next)
    // Of several blocks inserted after the same block, the last one is directly after it.
    for (const block of insertedAfter.get(next.key ?? '') ?? []) stack.push(block)
  }
  return result
}
