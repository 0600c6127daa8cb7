import { UniqueNames, hashText } from './hash.ts'
import { assignTableNames } from './assign-table-names.ts'
import { findMostSimilar, matchLists } from './match-lists.ts'
import type { Block, Document, Fragment } from './nodes.ts'
import { type MatchableBlock, type MatchableGroup, TextIds, matchableBlocks } from './matchable-blocks.ts'
import { renameTableParts, renameTableByPosition } from './tables.ts'
import { fragmentsOf, mapBlocks, withNodes } from './walk.ts'

const keyPattern = /^[\w-]{1,64}$/

/**
 * Assigns a key to every block: the key of the same block in the previous version, or one derived from its content.
 * Rows, columns and cells of tables are named in the same way. Bodies of annotations belong to their text and have no
 * keys.
 */
export function assignKeys(previous: Document | undefined, next: Document): Document {
  const textIds = previous && new TextIds()
  const before = matchableBlocks(previous?.nodes ?? [], textIds)
  const after = matchableBlocks(next.nodes, textIds)
  const [allBefore, allAfter] = [withDescendants(before), withDescendants(after)]
  const takenKeys = keepExistingKeys(allBefore, allAfter)
  if (before.length > 0) {
    pairUniqueContents(allBefore, allAfter)
    matchLists(before, after.filter(isMatchable), pair)
    for (const item of after) matchNestedBlocks(item)
    pairMoved(allBefore, allAfter)
    pairMovedAndEdited(allBefore, allAfter)
  }
  assignRemainingTableNames(allAfter)
  new KeyGenerator(takenKeys).generateKeys(after, '')
  return { ...next, nodes: after.map(buildBlock) }
}

/** Returns the document as parsed from Markdown: without keys, and with tables named by position. */
export function withoutKeys(document: Document): Document {
  const nodes = mapBlocks(document.nodes, (block) => {
    const { key: _, ...rest } = block
    return rest.type === 'table' ? renameTableByPosition(rest) : rest
  })
  return withNodes(document, nodes)
}

function pair(before: MatchableBlock, after: MatchableBlock): void {
  before.partner = after
  after.partner = before
}

/** Returns places and all nested places, each before the places inside it. */
function withDescendants(items: readonly MatchableBlock[], all: MatchableBlock[] = []): MatchableBlock[] {
  for (const item of items) {
    all.push(item)
    for (const group of item.groups) withDescendants(group.blocks, all)
  }
  return all
}

/** Keeps the keys of blocks and pairs blocks that have the same key in the previous version. Returns the keys in use. */
function keepExistingKeys(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): Set<string> {
  const owners = new Map<string, MatchableBlock>()
  for (const item of before) {
    const { key } = item.block
    if (key === undefined || !keyPattern.test(key) || owners.has(key)) continue
    item.key = key
    owners.set(key, item)
  }
  const usedKeys = new Set<string>()
  for (const item of after) {
    const { key } = item.block
    if (key === undefined || !keyPattern.test(key) || usedKeys.has(key)) continue
    usedKeys.add(key)
    item.key = key
    const owner = owners.get(key)
    if (owner) pair(owner, item)
  }
  return new Set([...owners.keys(), ...usedKeys])
}

/** Whether a block has words; blocks without words cannot be distinguished from each other. */
const hasWords = (item: MatchableBlock) => item.words().size > 0

/** Maps each content to its place; undefined if it occurs more than once. */
function indexUniqueContents(items: readonly MatchableBlock[]): Map<number, MatchableBlock | undefined> {
  const found = new Map<number, MatchableBlock | undefined>()
  for (const item of items) found.set(item.contentId, found.has(item.contentId) ? undefined : item)
  return found
}

/** Pairs blocks with unique content, wherever they are. */
function pairUniqueContents(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): void {
  const [inBefore, inAfter] = [indexUniqueContents(before), indexUniqueContents(after)]
  for (const item of after) {
    const same = inAfter.get(item.contentId) && inBefore.get(item.contentId)
    if (same && !same.partner && isUnassigned(item) && hasWords(item)) pairEqual(same, item)
  }
}

/** Whether a place has neither a partner nor a key. A key that the previous version does not have marks a new block. */
const isUnassigned = (item: MatchableBlock) => item.partner === undefined && item.key === undefined

/** Pairs blocks with equal content and all blocks inside them. */
function pairEqual(before: MatchableBlock, after: MatchableBlock): void {
  if (before.partner || !isUnassigned(after)) return
  pair(before, after)
  after.groups.forEach((group, at) =>
    group.blocks.forEach((item, index) => {
      const same = before.groups[at]?.blocks[index]
      if (same) pairEqual(same, item)
    }),
  )
}

function matchNestedBlocks(item: MatchableBlock): void {
  const { partner } = item
  if (partner) {
    if (item.block.type === 'table') assignTableNames(item, partner, pair)
    else {
      const before = new Map(partner.groups.map(({ name, blocks }) => [name, blocks]))
      for (const { name, blocks } of item.groups) matchLists(before.get(name) ?? [], blocks.filter(isMatchable), pair)
    }
  }
  for (const group of item.groups) group.blocks.forEach(matchNestedBlocks)
}

const isMatchable = (item: MatchableBlock) => item.partner !== undefined || item.key === undefined

/** Pairs blocks that were not found at their position with missing blocks of equal content. */
function pairMoved(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): void {
  const missing = new Map<number, MatchableBlock[]>()
  for (const item of before) {
    if (item.partner || !hasWords(item)) continue
    const others = missing.get(item.contentId)
    if (others) others.push(item)
    else missing.set(item.contentId, [item])
  }
  if (missing.size === 0) return
  for (const others of missing.values()) others.reverse()
  for (const item of after) {
    const same = isUnassigned(item) && missing.get(item.contentId)?.pop()
    if (same) pairEqual(same, item)
  }
}

/** Pairs blocks that were not found so far with missing blocks of very similar text, wherever they are. */
function pairMovedAndEdited(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): void {
  const missing = before.filter((item) => !item.partner)
  if (missing.length === 0) return
  const added = after.filter(isUnassigned)
  for (const [old, item] of findMostSimilar(missing, added)) {
    // Both may have been paired as parts of blocks around them.
    if (old.partner || item.partner) continue
    pair(old, item)
    matchNestedBlocks(item)
  }
}

function assignRemainingTableNames(after: readonly MatchableBlock[]): void {
  for (const item of after) {
    if (item.block.type === 'table' && !item.tableNames) assignTableNames(item, item.partner, pair)
  }
}

class KeyGenerator {
  readonly #names: UniqueNames

  constructor(taken: ReadonlySet<string>) {
    this.#names = new UniqueNames(taken)
  }

  /**
   * Derives keys of new blocks from their content and the preceding block, so that equal changes by two authors get
   * equal keys.
   */
  generateKeys(items: readonly MatchableBlock[], parentList: string): void {
    let previousKey = ''
    for (const item of items) {
      const matchedKey = item.partner?.key
      if (matchedKey !== undefined) previousKey = matchedKey
      item.key ??= matchedKey ?? this.#names.assign(hashText(`${item.hash()}\0${parentList}\0${previousKey}`))
      for (const group of item.groups)
        this.generateKeys(group.blocks, matchedKey === undefined ? '' : `${matchedKey}${group.name}`)
    }
  }
}

/** Builds the block of a place with its key and those of nested blocks; its fields are in the order in which they are stored. */
function buildBlock(item: MatchableBlock): Block {
  const { block, groups, key } = item
  const fields = block as unknown as Partial<Record<string, unknown>>
  const fragments = fragmentsOf(block)
  const offset = groups.length - fragments.length
  const built: Record<string, unknown> = {}
  if (fields['data'] !== undefined) built['data'] = fields['data']
  if (fragments.length > 0)
    built['fragments'] = fragments.map((fragment, index) => buildFragment(fragment, groups[index + offset]))
  else if (fields['fragments'] !== undefined) built['fragments'] = fields['fragments']
  if (fields['isVoid'] !== undefined) built['isVoid'] = fields['isVoid']
  built['key'] = key
  if (fields['meta'] !== undefined) built['meta'] = fields['meta']
  if (fields['nodes'] !== undefined) built['nodes'] = offset > 0 ? buildGroup(groups[0]) : fields['nodes']
  built['object'] = 'block'
  built['type'] = block.type
  const result = built as unknown as Block
  return result.type === 'table' && item.tableNames ? renameTableParts(result, item.tableNames) : result
}

const buildGroup = (group: MatchableGroup | undefined): Block[] => (group?.blocks ?? []).map(buildBlock)

function buildFragment(fragment: Fragment, group: MatchableGroup | undefined): Fragment {
  const { fragment: name, key, object, type } = fragment
  const nodes = buildGroup(group)
  if (key !== undefined || name === undefined || type !== undefined) return { ...fragment, nodes }
  return { fragment: name, nodes, object }
}
