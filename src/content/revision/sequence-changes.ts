import {
  type Identified,
  type NodeRef,
  type Nodes,
  type Sequence,
  endsNode,
  joined,
  readNodes,
  topLength,
  writeNode,
  writeSequence,
} from './sequence.ts'

// A small change of a long sequence is cheap: unchanged nodes are not written again, and not read for comparisons.

/** Writes a sequence of these entries and reuses the unchanged nodes of the former sequence. */
export async function rewriteSequence<Entry extends Identified>(
  nodes: Nodes,
  former: Sequence<Entry>,
  entries: readonly Entry[],
): Promise<Sequence<Entry>> {
  if (former.level === 0) return writeSequence(nodes, entries)
  const known = await readLevels(nodes, former)
  let level = 0
  let top: readonly Identified[] = entries
  while (top.length > topLength) {
    top = cutIntoNodes(nodes, top, level, known[level] ?? [])
    level++
  }
  return { level, entries: top } as Sequence<Entry>
}

interface KnownNode {
  ref: NodeRef
  entries: readonly Identified[]
}

/** Reads the nodes of a sequence by level, starting with the nodes that contain the entries. */
async function readLevels(nodes: Nodes, sequence: Sequence<Identified>): Promise<KnownNode[][]> {
  const levels: KnownNode[][] = []
  let refs = sequence.entries as readonly NodeRef[]
  for (let level = sequence.level; level > 0; level--) {
    const contents = await readNodes(nodes, refs)
    levels.unshift(contents.map((entries, index) => ({ ref: refs[index] as NodeRef, entries })))
    if (level > 1) refs = joined(contents) as NodeRef[]
  }
  return levels
}

function cutIntoNodes(
  nodes: Nodes,
  entries: readonly Identified[],
  level: number,
  known: readonly KnownNode[],
): NodeRef[] {
  const byFirst = new Map(known.map((node) => [node.entries[0]?.id, node]))
  const last = known.at(-1)
  const refs: NodeRef[] = []
  let run: Identified[] = []
  for (let index = 0; index < entries.length;) {
    const entry = entries[index] as Identified
    const same = run.length === 0 ? byFirst.get(entry.id) : undefined
    const end = index + (same?.entries.length ?? 0)
    // The end of a node depends on its entries, except for the last node, which ended because no entries followed.
    if (same && (same !== last || end === entries.length) && standsAt(entries, index, same.entries)) {
      refs.push(same.ref)
      index = end
      continue
    }
    run.push(entry)
    index++
    if (index < entries.length && !endsNode(run, level)) continue
    refs.push(writeNode(nodes, run))
    run = []
  }
  return refs
}

function standsAt(entries: readonly Identified[], start: number, part: readonly Identified[]): boolean {
  return part.every((entry, index) => isSame(entry, entries[start + index]))
}

/** Whether two entries have the same fields; the values of fields are primitives. */
function isSame(a: object, b: object | undefined): boolean {
  if (a === b) return true
  if (!b) return false
  const values = new Map<string, unknown>(Object.entries(b))
  const own = Object.entries(a)
  return own.length === values.size && own.every(([name, value]) => values.get(name) === value)
}

/** Returns the entries of two sequences without their common start and their common end. */
export async function differingEntries<Entry extends Identified>(
  nodes: Nodes,
  before: Sequence<Entry>,
  after: Sequence<Entry>,
): Promise<{ before: readonly Entry[]; after: readonly Entry[] }> {
  let [left, right]: [Row, Row] = [before, after]
  for (;;) {
    const level = Math.max(left.level, right.level)
    if (left.level === right.level) [left, right] = withoutSharedEnds(left, right)
    if (level === 0) return { before: left.entries as Entry[], after: right.entries as Entry[] }
    const below = async (row: Row): Promise<Row> =>
      row.level < level ? row : { level: level - 1, entries: joined(await readNodes(nodes, row.entries as NodeRef[])) }
    ;[left, right] = [await below(left), await below(right)]
  }
}

/** Adjacent entries on one level of a sequence. */
interface Row {
  level: number
  entries: readonly Identified[]
}

function withoutSharedEnds({ level, entries: left }: Row, { entries: right }: Row): [Row, Row] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && isSame(left[start] as Identified, right[start])) start++
  let end = 0
  while (end < shorter - start && isSame(left.at(-1 - end) as Identified, right.at(-1 - end))) end++
  const differing = (entries: readonly Identified[]): Row => ({
    level,
    entries: entries.slice(start, entries.length - end),
  })
  return [differing(left), differing(right)]
}
