import {
  type Identified,
  type NodeRef,
  type NodeStore,
  type Sequence,
  isNodeComplete,
  concatEntries,
  readNodes,
  maxTopEntries,
  writeNode,
  writeSequence,
} from './sequence.ts'

// A small change of a long sequence is cheap: unchanged nodes are not written again, and not read for comparisons.

/** Writes a sequence of these entries and reuses the unchanged nodes of the former sequence. */
export async function rewriteSequence<Entry extends Identified>(
  nodes: NodeStore,
  former: Sequence<Entry>,
  entries: readonly Entry[],
): Promise<Sequence<Entry>> {
  if (former.level === 0) return writeSequence(nodes, entries)
  const storedLevels = await readLevels(nodes, former)
  let level = 0
  let top: readonly Identified[] = entries
  while (top.length > maxTopEntries) {
    top = splitReusingNodes(nodes, top, level, storedLevels[level] ?? [])
    level++
  }
  return { level, entries: top } as Sequence<Entry>
}

interface StoredNode {
  ref: NodeRef
  entries: readonly Identified[]
}

/** Reads the nodes of a sequence by level, starting with the nodes that contain the entries. */
async function readLevels(nodes: NodeStore, sequence: Sequence<Identified>): Promise<StoredNode[][]> {
  const levels: StoredNode[][] = []
  let refs = sequence.entries as readonly NodeRef[]
  for (let level = sequence.level; level > 0; level--) {
    const contents = await readNodes(nodes, refs)
    levels.unshift(contents.map((entries, index) => ({ ref: refs[index] as NodeRef, entries })))
    if (level > 1) refs = concatEntries(contents) as NodeRef[]
  }
  return levels
}

function splitReusingNodes(
  nodes: NodeStore,
  entries: readonly Identified[],
  level: number,
  storedNodes: readonly StoredNode[],
): NodeRef[] {
  const nodesByFirstId = new Map(storedNodes.map((node) => [node.entries[0]?.id, node]))
  const last = storedNodes.at(-1)
  const refs: NodeRef[] = []
  let run: Identified[] = []
  for (let index = 0; index < entries.length;) {
    const entry = entries[index] as Identified
    const candidate = run.length === 0 ? nodesByFirstId.get(entry.id) : undefined
    const end = index + (candidate?.entries.length ?? 0)
    // The end of a node depends on its entries, except for the last node, which ended because no entries followed.
    if (candidate && (candidate !== last || end === entries.length) && matchesAt(entries, index, candidate.entries)) {
      refs.push(candidate.ref)
      index = end
      continue
    }
    run.push(entry)
    index++
    if (index < entries.length && !isNodeComplete(run, level)) continue
    refs.push(writeNode(nodes, run))
    run = []
  }
  return refs
}

function matchesAt(entries: readonly Identified[], start: number, part: readonly Identified[]): boolean {
  return part.every((entry, index) => isSameEntry(entry, entries[start + index]))
}

/** Whether two entries have the same fields; the values of fields are primitives. */
function isSameEntry(a: object, b: object | undefined): boolean {
  if (a === b) return true
  if (!b) return false
  const values = new Map<string, unknown>(Object.entries(b))
  const ownFields = Object.entries(a)
  return ownFields.length === values.size && ownFields.every(([name, value]) => values.get(name) === value)
}

/** Returns the entries of two sequences without their common start and their common end. */
export async function readDifferingEntries<Entry extends Identified>(
  nodes: NodeStore,
  before: Sequence<Entry>,
  after: Sequence<Entry>,
): Promise<{ before: readonly Entry[]; after: readonly Entry[] }> {
  let [left, right]: [LevelSlice, LevelSlice] = [before, after]
  for (;;) {
    const level = Math.max(left.level, right.level)
    if (left.level === right.level) [left, right] = trimSharedEnds(left, right)
    if (level === 0) return { before: left.entries as Entry[], after: right.entries as Entry[] }
    const descend = async (slice: LevelSlice): Promise<LevelSlice> =>
      slice.level < level
        ? slice
        : { level: level - 1, entries: concatEntries(await readNodes(nodes, slice.entries as NodeRef[])) }
    ;[left, right] = [await descend(left), await descend(right)]
  }
}

/** Adjacent entries on one level of a sequence. */
interface LevelSlice {
  level: number
  entries: readonly Identified[]
}

function trimSharedEnds(
  { level, entries: left }: LevelSlice,
  { entries: right }: LevelSlice,
): [LevelSlice, LevelSlice] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && isSameEntry(left[start] as Identified, right[start])) start++
  let end = 0
  while (end < shorter - start && isSameEntry(left.at(-1 - end) as Identified, right.at(-1 - end))) end++
  const trim = (entries: readonly Identified[]): LevelSlice => ({
    level,
    entries: entries.slice(start, entries.length - end),
  })
  return [trim(left), trim(right)]
}
