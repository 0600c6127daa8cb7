import { fnv1a } from './fnv.ts'

// A sequence of entries with ids, of any length, stored as a tree of objects. Node boundaries depend on the ids in a node, not on
// the history of edits (content-defined chunking): equal sequences are equal trees, and a change rewrites one node per level.

export interface Identified {
  id: string
}

/** Storage of nodes, possibly shared with other objects. */
export interface Nodes {
  read(hashes: readonly string[]): Promise<readonly object[]>
  write(node: SequenceNode): string
}

/** A reference to a node of the level below. */
export interface NodeRef {
  /** Last id in the node. */
  id: string
  hash: string
  /** Number of entries in the node. */
  count: number
}

/**
 * The top node, which is embedded in the object that owns the sequence. A top node of level 0 contains the entries themselves.
 */
export type Sequence<Entry extends Identified> =
  | { level: 0; entries: readonly Entry[] }
  | { level: number; entries: readonly NodeRef[] }

export interface SequenceNode {
  kind: 'sequence'
  entries: readonly Identified[]
}

/** Maximum number of entries in the top node. */
export const topLength = 64
/** Mean number of entries in a node: one in this many ids ends its node. */
const meanLength = 32
/** Maximum number of entries in a node, whatever its ids are. */
const maxLength = 4 * meanLength

export const emptySequence = { level: 0, entries: [] } as const

/** Writes a sequence of these entries. */
export function writeSequence<Entry extends Identified>(nodes: Nodes, entries: readonly Entry[]): Sequence<Entry> {
  return grown(nodes, { level: 0, entries }) as Sequence<Entry>
}

/** Adds levels of nodes until the top node is short enough. */
function grown(nodes: Nodes, { level, entries }: Top): Top {
  if (entries.length <= topLength) return { level, entries }
  const refs = splitIntoNodes(entries, level).map((part) => writeNode(nodes, part))
  return grown(nodes, { level: level + 1, entries: refs })
}

/** Returns all entries in order. */
export async function readSequence<Entry extends Identified>(
  nodes: Nodes,
  sequence: Sequence<Entry>,
): Promise<readonly Entry[]> {
  let entries: readonly Identified[] = sequence.entries
  for (let level = sequence.level; level > 0; level--) entries = joined(await readNodes(nodes, entries as NodeRef[]))
  return entries as readonly Entry[]
}

/** Returns the same as `flat`, in a fraction of the time. */
export function joined(parts: readonly (readonly Identified[])[]): Identified[] {
  const all: Identified[] = []
  for (const part of parts) for (const entry of part) all.push(entry)
  return all
}

/** Returns the number of entries, which is stored in the references to the nodes of level 0. */
export async function countSequence<Entry extends Identified>(
  nodes: Nodes,
  sequence: Sequence<Entry>,
): Promise<number> {
  if (sequence.level === 0) return sequence.entries.length
  let refs = sequence.entries as readonly NodeRef[]
  for (let level = sequence.level; level > 1; level--) refs = joined(await readNodes(nodes, refs)) as NodeRef[]
  return lengthBelow(refs)
}

function splitIntoNodes<Entry extends Identified>(entries: readonly Entry[], level: number): Entry[][] {
  const nodes: Entry[][] = []
  let node: Entry[] = []
  for (const entry of entries) {
    node.push(entry)
    if (!endsNode(node, level)) continue
    nodes.push(node)
    node = []
  }
  if (node.length > 0) nodes.push(node)
  return nodes
}

/**
 * Whether a node with these entries is complete. The hash includes the level: otherwise an id that ends a node would also end a
 * node on every level above.
 */
export function endsNode(entries: readonly Identified[], level: number): boolean {
  return entries.length === maxLength || fnv1a(`${level}:${entries.at(-1)?.id}`) % meanLength === 0
}

export function writeNode(nodes: Nodes, entries: readonly Identified[]): NodeRef {
  const last = entries.at(-1) as Identified
  return { id: last.id, hash: nodes.write({ kind: 'sequence', entries }), count: entries.length }
}

export async function readNodes(nodes: Nodes, refs: readonly NodeRef[]): Promise<(readonly Identified[])[]> {
  if (refs.length === 0) return []
  const found = await nodes.read(refs.map(({ hash }) => hash))
  return found.map((node) => (node as SequenceNode).entries)
}

// Sorted sequences: sequences whose entries are sorted by id are used as maps.

/** Finds the entries with these ids; missing ones are omitted. */
export async function findInSorted<Entry extends Identified>(
  nodes: Nodes,
  sequence: Sequence<Entry>,
  ids: readonly string[],
): Promise<Map<string, Entry>> {
  let wanted = new Map<readonly Identified[], readonly string[]>([[sequence.entries, ids]])
  for (let level = sequence.level; level > 0; level--) {
    const below = new Map<NodeRef, string[]>()
    for (const [entries, idsHere] of wanted) {
      for (const id of idsHere) {
        const ref = entries[lowerBound(entries, id)] as NodeRef | undefined
        if (!ref) continue
        const together = below.get(ref)
        if (together) together.push(id)
        else below.set(ref, [id])
      }
    }
    const refs = [...below.keys()]
    const contents = await readNodes(nodes, refs)
    wanted = new Map(contents.map((node, index) => [node, below.get(refs[index] as NodeRef) ?? []]))
  }
  const found = new Map<string, Entry>()
  for (const [entries, idsHere] of wanted) {
    for (const id of idsHere) {
      const entry = entries[lowerBound(entries, id)] as Entry | undefined
      if (entry?.id === id) found.set(id, entry)
    }
  }
  return found
}

/** Returns up to `limit` entries whose ids are greater than `after`. */
export async function rangeOfSorted<Entry extends Identified>(
  nodes: Nodes,
  sequence: Sequence<Entry>,
  after: string | undefined,
  limit: number,
): Promise<Entry[]> {
  const collect = async (entries: readonly Identified[], level: number, room: number): Promise<Entry[]> => {
    const following = entries.slice(after === undefined ? 0 : lowerBound(entries, after))
    if (level === 0) return (following as Entry[]).filter(({ id }) => id !== after).slice(0, room)
    const found: Entry[] = []
    for (const ref of following as NodeRef[]) {
      if (found.length >= room) break
      const [node] = await readNodes(nodes, [ref])
      found.push(...(await collect(node ?? [], level - 1, room - found.length)))
    }
    return found
  }
  return collect(sequence.entries, sequence.level, limit)
}

/** Sets entries of a sorted sequence, or removes them (null); only the nodes around them are read and written. */
export async function updateSorted<Entry extends Identified>(
  nodes: Nodes,
  sequence: Sequence<Entry>,
  changes: ReadonlyMap<string, Entry | null>,
): Promise<Sequence<Entry>> {
  if (changes.size === 0) return sequence
  const ids = [...changes.keys()].sort()
  let parts: Part[] = sequence.entries.map((entry) => ({ height: sequence.level, entry }))
  for (let height = sequence.level; height > 0; height--) parts = await openAround(nodes, parts, height, ids)
  parts = withChanges(parts, ids, changes)
  for (let height = 0; height < sequence.level; height++) parts = await closeNodes(nodes, parts, height)

  let { level, entries } = grown(nodes, { level: sequence.level, entries: parts.map(({ entry }) => entry) })
  // A sequence that became short is converted to the form of short sequences, so that equal sequences remain equal trees.
  while (level > 0 && lengthBelow(entries as NodeRef[]) <= topLength) {
    entries = joined(await readNodes(nodes, entries as NodeRef[]))
    level--
  }
  return { level, entries } as Sequence<Entry>
}

/** A part of a sequence during an update: an entry (height 0), or a reference to a node with that many levels. */
interface Part {
  height: number
  entry: Identified
}

/** Replaces the nodes of a height that contain, or would contain, one of the ids by their entries. */
async function openAround(
  nodes: Nodes,
  parts: readonly Part[],
  height: number,
  ids: readonly string[],
): Promise<Part[]> {
  const touched: NodeRef[] = []
  let next = 0
  parts.forEach((part, index) => {
    const first = next
    // Ids after the last id belong to the last node.
    const end = index === parts.length - 1 ? ids.length : firstAfter(ids, part.entry.id, next)
    next = end
    if (end > first && part.height === height) touched.push(part.entry as NodeRef)
  })
  const contents = await readNodes(nodes, touched)
  const opened = new Map(touched.map((ref, index) => [ref, contents[index] as readonly Identified[]]))
  return parts.flatMap((part) => {
    const inside = opened.get(part.entry as NodeRef)
    return inside ? inside.map((entry) => ({ height: height - 1, entry })) : [part]
  })
}

function withChanges<Entry extends Identified>(
  parts: readonly Part[],
  ids: readonly string[],
  changes: ReadonlyMap<string, Entry | null>,
): Part[] {
  const result: Part[] = []
  let next = 0
  const put = (id: string): void => {
    const entry = changes.get(id)
    if (entry) result.push({ height: 0, entry })
  }
  for (const part of parts) {
    while (next < ids.length && (ids[next] as string) < part.entry.id && part.height === 0) put(ids[next++] as string)
    if (part.height === 0 && ids[next] === part.entry.id) put(ids[next++] as string)
    else result.push(part)
  }
  while (next < ids.length) put(ids[next++] as string)
  return result
}

/**
 * Splits the opened parts of a height into nodes again. If a run does not end at the end of a former node, the next node is
 * opened and the run continues into it.
 */
async function closeNodes(nodes: Nodes, parts: readonly Part[], height: number): Promise<Part[]> {
  const result: Part[] = []
  const waiting = parts.toReversed()
  let run: Identified[] = []
  const closeRun = (): void => {
    result.push({ height: height + 1, entry: writeNode(nodes, run) })
    run = []
  }
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (part.height === height) {
      run.push(part.entry)
      if (endsNode(run, height)) closeRun()
    } else if (run.length === 0) {
      result.push(part)
    } else {
      const [inside] = await readNodes(nodes, [part.entry as NodeRef])
      const below = part.height - 1
      waiting.push(...(inside ?? []).map((entry) => ({ height: below, entry })).toReversed())
    }
  }
  if (run.length > 0) closeRun()
  return result
}

function lengthBelow(refs: readonly NodeRef[]): number {
  return refs.reduce((sum, { count }) => sum + count, 0)
}

export interface EntryChange<Entry> {
  id: string
  before: Entry | undefined
  after: Entry | undefined
}

/** Returns the differences between two sorted sequences; nodes that both have are not read. */
export async function diffSorted<Entry extends Identified>(
  nodes: Nodes,
  before: Sequence<Entry>,
  after: Sequence<Entry>,
  same: (a: Entry, b: Entry) => boolean,
): Promise<EntryChange<Entry>[]> {
  let [left, right] = [before, after] as { level: number; entries: readonly Identified[] }[] as [Top, Top]
  while (left.level > 0 || right.level > 0) {
    const level = Math.max(left.level, right.level)
    if (left.level === right.level) {
      const known = new Set((right.entries as NodeRef[]).map(({ hash }) => hash))
      const shared = new Set((left.entries as NodeRef[]).map(({ hash }) => hash).filter((hash) => known.has(hash)))
      const own = ({ entries }: Top) => (entries as NodeRef[]).filter(({ hash }) => !shared.has(hash))
      left = { level, entries: own(left) }
      right = { level, entries: own(right) }
    }
    const descend = async (top: Top): Promise<Top> =>
      top.level < level ? top : { level: level - 1, entries: joined(await readNodes(nodes, top.entries as NodeRef[])) }
    ;[left, right] = [await descend(left), await descend(right)]
  }
  const old = new Map((left.entries as Entry[]).map((entry) => [entry.id, entry]))
  const changes: EntryChange<Entry>[] = []
  for (const entry of right.entries as Entry[]) {
    const former = old.get(entry.id)
    if (!former || !same(former, entry)) changes.push({ id: entry.id, before: former, after: entry })
    old.delete(entry.id)
  }
  for (const [id, entry] of old) changes.push({ id, before: entry, after: undefined })
  return changes.sort((a, b) => (a.id < b.id ? -1 : 1))
}

interface Top {
  level: number
  entries: readonly Identified[]
}

/** Returns the index of the first id greater than `id`, starting at `from`. */
function firstAfter(ids: readonly string[], id: string, from: number): number {
  let at = from
  while (at < ids.length && (ids[at] as string) <= id) at++
  return at
}

/** Returns the index of the first entry whose id is not less than `id`. */
function lowerBound(entries: readonly Identified[], id: string): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle] as Identified).id < id) low = middle + 1
    else high = middle
  }
  return low
}
