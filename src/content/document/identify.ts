import { UniqueNames, hashOf } from './hash.ts'
import { nameTable } from './identify-table.ts'
import { matchLists } from './match.ts'
import type { Block, Document, Fragment } from './nodes.ts'
import { type MatchableBlock, type MatchableGroup, Numbering, matchableBlocks } from './places.ts'
import { renameTable, withoutTableNames } from './tables.ts'
import { fragmentsOf, mapBlocks, withNodes } from './walk.ts'

const validKey = /^[\w-]{1,64}$/

/**
 * Assigns a key to every block: the key of the same block in the previous version, or one derived from its content.
 * Rows, columns and cells of tables are named in the same way. Bodies of annotations belong to their text and have no
 * keys.
 */
export function identify(previous: Document | undefined, next: Document): Document {
  const numbering = previous && new Numbering()
  const before = matchableBlocks(previous?.nodes ?? [], numbering)
  const after = matchableBlocks(next.nodes, numbering)
  const [allBefore, allAfter] = [withPlacesInside(before), withPlacesInside(after)]
  const takenKeys = keepKeys(allBefore, allAfter)
  if (before.length > 0) {
    pairUnique(allBefore, allAfter)
    matchLists(before, after.filter(isFree), pair)
    for (const place of after) matchInside(place)
    pairMoved(allBefore, allAfter)
  }
  nameTables(allAfter)
  new KeyMaker(takenKeys).name(after, '')
  return { ...next, nodes: after.map(rebuild) }
}

/** Returns the document as parsed from Markdown: without keys, and with tables named by position. */
export function withoutKeys(document: Document): Document {
  const nodes = mapBlocks(document.nodes, (block) => {
    const { key: _, ...rest } = block
    return rest.type === 'table' ? withoutTableNames(rest) : rest
  })
  return withNodes(document, nodes)
}

function pair(before: MatchableBlock, after: MatchableBlock): void {
  before.partner = after
  after.partner = before
}

/** Returns places and all nested places, each before the places inside it. */
function withPlacesInside(places: readonly MatchableBlock[], all: MatchableBlock[] = []): MatchableBlock[] {
  for (const place of places) {
    all.push(place)
    for (const group of place.groups) withPlacesInside(group.places, all)
  }
  return all
}

/** Keeps the keys of blocks and pairs blocks that have the same key in the previous version. Returns the keys in use. */
function keepKeys(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): Set<string> {
  const owners = new Map<string, MatchableBlock>()
  for (const place of before) {
    const { key } = place.block
    if (key === undefined || !validKey.test(key) || owners.has(key)) continue
    place.key = key
    owners.set(key, place)
  }
  const kept = new Set<string>()
  for (const place of after) {
    const { key } = place.block
    if (key === undefined || !validKey.test(key) || kept.has(key)) continue
    kept.add(key)
    place.key = key
    const owner = owners.get(key)
    if (owner) pair(owner, place)
  }
  return new Set([...owners.keys(), ...kept])
}

/** Whether a block has words; blocks without words cannot be distinguished from each other. */
const hasWords = (place: MatchableBlock) => place.words().size > 0

/** Maps each content to its place; undefined if it occurs more than once. */
function onlyOnes(places: readonly MatchableBlock[]): Map<number, MatchableBlock | undefined> {
  const found = new Map<number, MatchableBlock | undefined>()
  for (const place of places) found.set(place.content, found.has(place.content) ? undefined : place)
  return found
}

/** Pairs blocks with unique content, wherever they are. */
function pairUnique(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): void {
  const [inBefore, inAfter] = [onlyOnes(before), onlyOnes(after)]
  for (const place of after) {
    const same = inAfter.get(place.content) && inBefore.get(place.content)
    if (same && !same.partner && isUnnamed(place) && hasWords(place)) pairEqual(same, place)
  }
}

/** Whether a place has neither a partner nor a key. A key that the previous version does not have marks a new block. */
const isUnnamed = (place: MatchableBlock) => place.partner === undefined && place.key === undefined

/** Pairs blocks with equal content and all blocks inside them. */
function pairEqual(before: MatchableBlock, after: MatchableBlock): void {
  if (before.partner || !isUnnamed(after)) return
  pair(before, after)
  after.groups.forEach((group, at) =>
    group.places.forEach((place, index) => {
      const same = before.groups[at]?.places[index]
      if (same) pairEqual(same, place)
    }),
  )
}

function matchInside(place: MatchableBlock): void {
  const { partner } = place
  if (partner) {
    if (place.block.type === 'table') nameTable(place, partner, pair)
    else {
      const before = new Map(partner.groups.map(({ name, places }) => [name, places]))
      for (const { name, places } of place.groups) matchLists(before.get(name) ?? [], places.filter(isFree), pair)
    }
  }
  for (const group of place.groups) group.places.forEach(matchInside)
}

const isFree = (place: MatchableBlock) => place.partner !== undefined || place.key === undefined

/** Pairs blocks that were not found at their position with missing blocks of equal content. */
function pairMoved(before: readonly MatchableBlock[], after: readonly MatchableBlock[]): void {
  const missing = new Map<number, MatchableBlock[]>()
  for (const place of before) {
    if (place.partner || !hasWords(place)) continue
    const others = missing.get(place.content)
    if (others) others.push(place)
    else missing.set(place.content, [place])
  }
  if (missing.size === 0) return
  for (const others of missing.values()) others.reverse()
  for (const place of after) {
    const same = isUnnamed(place) && missing.get(place.content)?.pop()
    if (same) pairEqual(same, place)
  }
}

function nameTables(after: readonly MatchableBlock[]): void {
  for (const place of after) {
    if (place.block.type === 'table' && !place.tableNames) nameTable(place, place.partner, pair)
  }
}

class KeyMaker {
  readonly #names: UniqueNames

  constructor(taken: ReadonlySet<string>) {
    this.#names = new UniqueNames(taken)
  }

  /**
   * Derives keys of new blocks from their content and the preceding block, so that equal changes by two authors get
   * equal keys.
   */
  name(places: readonly MatchableBlock[], around: string): void {
    let behind = ''
    for (const place of places) {
      const known = place.partner?.key
      if (known !== undefined) behind = known
      place.key ??= known ?? this.#names.make(hashOf(`${place.hash()}\0${around}\0${behind}`))
      for (const group of place.groups) this.name(group.places, known === undefined ? '' : `${known}${group.name}`)
    }
  }
}

/** Builds the block of a place with its key and those of nested blocks; its fields are in the order in which they are stored. */
function rebuild(place: MatchableBlock): Block {
  const { block, groups, key } = place
  const fields = block as unknown as Partial<Record<string, unknown>>
  const fragments = fragmentsOf(block)
  const offset = groups.length - fragments.length
  const built: Record<string, unknown> = {}
  if (fields['data'] !== undefined) built['data'] = fields['data']
  if (fragments.length > 0)
    built['fragments'] = fragments.map((fragment, index) => rebuildFragment(fragment, groups[index + offset]))
  else if (fields['fragments'] !== undefined) built['fragments'] = fields['fragments']
  if (fields['isVoid'] !== undefined) built['isVoid'] = fields['isVoid']
  built['key'] = key
  if (fields['meta'] !== undefined) built['meta'] = fields['meta']
  if (fields['nodes'] !== undefined) built['nodes'] = offset > 0 ? rebuildAll(groups[0]) : fields['nodes']
  built['object'] = 'block'
  built['type'] = block.type
  const rebuilt = built as unknown as Block
  return rebuilt.type === 'table' && place.tableNames ? renameTable(rebuilt, place.tableNames) : rebuilt
}

const rebuildAll = (group: MatchableGroup | undefined): Block[] => (group?.places ?? []).map(rebuild)

function rebuildFragment(fragment: Fragment, group: MatchableGroup | undefined): Fragment {
  const { fragment: name, key, object, type } = fragment
  const nodes = rebuildAll(group)
  if (key !== undefined || name === undefined || type !== undefined) return { ...fragment, nodes }
  return { fragment: name, nodes, object }
}
