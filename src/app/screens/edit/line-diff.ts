/** Lines `from` to `to` (exclusive) of a text, and the lines that replace them. */
export interface Hunk {
  from: number
  to: number
  lines: readonly string[]
}

/** Maximum number of compared pairs of lines; larger differences become one hunk. */
const maxPairs = 1_000_000

/** Returns the differences of two texts by line. */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const shorter = Math.min(before.length, after.length) - start
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const old = before.slice(start, before.length - end)
  const next = after.slice(start, after.length - end)
  if (old.length === 0 && next.length === 0) return []
  if (old.length * next.length > maxPairs) return [{ from: start, to: start + old.length, lines: next }]
  return toHunks(old, next, start)
}

/** Finds a longest common subsequence and returns the differences between its lines. */
function toHunks(old: readonly string[], next: readonly string[], offset: number): Hunk[] {
  const width = next.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const below = lengths[(i + 1) * width + j] ?? 0
      const beside = lengths[i * width + j + 1] ?? 0
      lengths[i * width + j] =
        old[i] === next[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, beside)
    }
  }
  const hunks: Hunk[] = []
  let [i, j, oldStart, nextStart] = [0, 0, 0, 0]
  const close = () => {
    if (i > oldStart || j > nextStart)
      hunks.push({ from: offset + oldStart, to: offset + i, lines: next.slice(nextStart, j) })
  }
  while (i < old.length && j < next.length) {
    if (old[i] === next[j]) {
      close()
      i++
      j++
      oldStart = i
      nextStart = j
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++
    else j++
  }
  i = old.length
  j = next.length
  close()
  return hunks
}

/** A replacement in a text, by positions of characters. */
export interface TextChange {
  from: number
  to: number
  insert: string
}

/** Returns the changes that turn one text into another, without unchanged characters at both ends of a change. */
export function diffText(before: string, after: string): TextChange[] {
  const lines = before.split('\n')
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  return diffLines(lines, after.split('\n')).map(({ from, to, lines: inserted }) => {
    const isAtEnd = to === lines.length
    // The last line has no line break, so a change there includes the break before it.
    const start = isAtEnd && from > 0 ? (starts[from] ?? 0) - 1 : (starts[from] ?? 0)
    const end = isAtEnd ? before.length : (starts[to] ?? 0)
    const text = inserted.join('\n')
    const insert = isAtEnd
      ? from > 0 && inserted.length > 0
        ? `\n${text}`
        : text
      : text + (inserted.length > 0 ? '\n' : '')
    return trimChange(before, { from: start, to: end, insert })
  })
}

function trimChange(text: string, { from, to, insert }: TextChange): TextChange {
  let start = 0
  while (from + start < to && start < insert.length && text[from + start] === insert[start]) start++
  let end = 0
  while (
    to - end > from + start &&
    insert.length - end > start &&
    text[to - end - 1] === insert[insert.length - 1 - end]
  )
    end++
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) }
}

/** Both versions of lines that were changed differently. */
export interface LineConflict {
  mine: string
  theirs: string
}

export type Side = 'mine' | 'theirs' | 'both'

/** Merges two changed versions of a text by line. Where both changed the same lines, `side` decides. */
export function mergeLines(
  base: string,
  mine: string,
  theirs: string,
  side: Side,
): { text: string; conflicts: LineConflict[] } {
  const lines = base.split('\n')
  const ours = diffLines(lines, mine.split('\n'))
  const others = diffLines(lines, theirs.split('\n'))
  const merged: string[] = []
  const conflicts: LineConflict[] = []
  let at = 0
  while (ours.length > 0 || others.length > 0) {
    const group = takeOverlapping(ours, others)
    merged.push(...lines.slice(at, group.from))
    const [my, their] = [applyHunks(lines, group, group.ours), applyHunks(lines, group, group.others)]
    if (group.others.length === 0) merged.push(...my)
    else if (group.ours.length === 0 || my.join('\n') === their.join('\n')) merged.push(...their)
    else {
      conflicts.push({ mine: my.join('\n').trim(), theirs: their.join('\n').trim() })
      merged.push(...chooseLines(my, their, side))
    }
    at = group.to
  }
  merged.push(...lines.slice(at))
  return { text: merged.join('\n'), conflicts }
}

function chooseLines(mine: readonly string[], theirs: readonly string[], side: Side): readonly string[] {
  if (side === 'mine') return mine
  if (side === 'theirs') return theirs
  return [...mine, '', ...theirs]
}

interface HunkGroup {
  from: number
  to: number
  ours: Hunk[]
  others: Hunk[]
}

/** Removes the first hunk of both lists, with all hunks that overlap or touch it. */
function takeOverlapping(ours: Hunk[], others: Hunk[]): HunkGroup {
  const isOursFirst = others[0] === undefined || (ours[0] !== undefined && ours[0].from <= others[0].from)
  const first = (isOursFirst ? ours : others)[0] as Hunk
  const group: HunkGroup = { from: first.from, to: first.to, ours: [], others: [] }
  for (;;) {
    const list = [ours, others].find((hunks) => hunks[0] !== undefined && hunks[0].from <= group.to)
    if (!list) return group
    const hunk = list.shift() as Hunk
    group[list === ours ? 'ours' : 'others'].push(hunk)
    group.to = Math.max(group.to, hunk.to)
  }
}

/** Returns the lines of a range with the hunks of one side applied. */
function applyHunks(lines: readonly string[], { from, to }: HunkGroup, hunks: readonly Hunk[]): string[] {
  const result: string[] = []
  let at = from
  for (const hunk of hunks) {
    result.push(...lines.slice(at, hunk.from), ...hunk.lines)
    at = hunk.to
  }
  return [...result, ...lines.slice(at, to)]
}
