import { UniqueNames, hashOf } from './hash.ts'
import { nameTable } from './identify-table.ts'
import { matchLists } from './match.ts'
import type { Block, Document } from './nodes.ts'
import { withGroups } from './parts.ts'
import { Numbering, type Place, placesOf } from './places.ts'
import { renameTable, withoutTableNames } from './tables.ts'
import { mapBlocks, withNodes } from './walk.ts'

const validKey = /^[\w-]{1,64}$/

/**
 * Gives every block a key: that of the same block in the previous version, or one made from what the block says. Rows,
 * columns and cells of tables are named likewise. Bodies of annotations belong to their text and have no keys.
 */
export function identify(previous: Document | undefined, next: Document): Document {
  const numbering = previous && new Numbering()
  const before = placesOf(previous?.nodes ?? [], numbering)
  const after = placesOf(next.nodes, numbering)
  const takenKeys = keepKeys(before, after)
  if (before.length > 0) {
    pairUnique(before, after)
    matchLists(before, after.filter(isFree), pair)
    for (const place of after) matchInside(place)
    pairMoved(before, after)
  }
  nameTables(after)
  new KeyMaker(takenKeys).name(after, '')
  return { ...next, nodes: after.map(rebuild) }
}

/** The document as it would be read from Markdown: without keys, and tables with names by place. */
export function withoutKeys(document: Document): Document {
  const nodes = mapBlocks(document.nodes, (block) => {
    const { key: _, ...rest } = block
    return rest.type === 'table' ? withoutTableNames(rest) : rest
  })
  return withNodes(document, nodes)
}

function pair(before: Place, after: Place): void {
  before.partner = after
  after.partner = before
}

function* everyPlace(places: readonly Place[]): Generator<Place> {
  for (const place of places) {
    yield place
    for (const group of place.groups) yield* everyPlace(group.places)
  }
}

/** Keys that blocks bring along are kept and tell which block of the previous version each is. Gives the keys in use. */
function keepKeys(before: readonly Place[], after: readonly Place[]): Set<string> {
  const owners = new Map<string, Place>()
  for (const place of everyPlace(before)) {
    const { key } = place.block
    if (key === undefined || !validKey.test(key) || owners.has(key)) continue
    place.key = key
    owners.set(key, place)
  }
  const kept = new Set<string>()
  for (const place of everyPlace(after)) {
    const { key } = place.block
    if (key === undefined || !validKey.test(key) || kept.has(key)) continue
    kept.add(key)
    place.key = key
    const owner = owners.get(key)
    if (owner) pair(owner, place)
  }
  return new Set([...owners.keys(), ...kept])
}

/** Without words there is nothing by which a block could be told from others. */
const hasWords = (place: Place) => place.words().size > 0

/** The places whose content stands once in the document. */
function onlyOnes(places: readonly Place[]): Map<number, Place | undefined> {
  const found = new Map<number, Place | undefined>()
  for (const place of everyPlace(places)) found.set(place.content, found.has(place.content) ? undefined : place)
  return found
}

/** A block that says what no other says is the same wherever it stands. */
function pairUnique(before: readonly Place[], after: readonly Place[]): void {
  const [inBefore, inAfter] = [onlyOnes(before), onlyOnes(after)]
  for (const place of everyPlace(after)) {
    const same = inAfter.get(place.content) && inBefore.get(place.content)
    if (same && !same.partner && isUnnamed(place) && hasWords(place)) pairEqual(same, place)
  }
}

/** A key of its own that the previous version does not have says that a block is new. */
const isUnnamed = (place: Place) => place.partner === undefined && place.key === undefined

/** Pairs blocks that say the same, and all that is inside. */
function pairEqual(before: Place, after: Place): void {
  if (before.partner || !isUnnamed(after)) return
  pair(before, after)
  after.groups.forEach((group, at) =>
    group.places.forEach((place, index) => {
      const same = before.groups[at]?.places[index]
      if (same) pairEqual(same, place)
    }),
  )
}

function matchInside(place: Place): void {
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

const isFree = (place: Place) => place.partner !== undefined || place.key === undefined

/** What was not found where it was expected may say the same as something that is missing elsewhere. */
function pairMoved(before: readonly Place[], after: readonly Place[]): void {
  const missing = new Map<number, Place[]>()
  for (const place of everyPlace(before)) {
    if (place.partner || !hasWords(place)) continue
    const others = missing.get(place.content)
    if (others) others.push(place)
    else missing.set(place.content, [place])
  }
  if (missing.size === 0) return
  for (const others of missing.values()) others.reverse()
  for (const place of everyPlace(after)) {
    const same = isUnnamed(place) && missing.get(place.content)?.pop()
    if (same) pairEqual(same, place)
  }
}

function nameTables(after: readonly Place[]): void {
  for (const place of everyPlace(after)) {
    if (place.block.type === 'table' && !place.tableNames) nameTable(place, place.partner, pair)
  }
}

class KeyMaker {
  readonly #names: UniqueNames

  constructor(taken: ReadonlySet<string>) {
    this.#names = new UniqueNames(taken)
  }

  /** Names what is new by what it says and by what it was put behind, so that equal changes of two authors are equal. */
  name(places: readonly Place[], around: string): void {
    let behind = ''
    for (const place of places) {
      const known = place.partner?.key
      if (known !== undefined) behind = known
      place.key ??= known ?? this.#names.make(hashOf(`${place.hash()}\0${around}\0${behind}`))
      for (const group of place.groups) this.name(group.places, known === undefined ? '' : `${known}${group.name}`)
    }
  }
}

function rebuild(place: Place): Block {
  const inside = place.groups.map(({ places }) => places.map(rebuild))
  const { key } = place
  const block = { ...(inside.length > 0 ? withGroups(place.block, inside) : place.block), ...(key && { key }) }
  return block.type === 'table' && place.tableNames ? renameTable(block, place.tableNames) : block
}
