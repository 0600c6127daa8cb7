// Compares and merges sequences in nearly linear time: ranges that cannot be aligned within the budget count as replaced.

/** Positions of equal items, ascending on both sides. */
export type Pair = readonly [before: number, after: number]

/** Maximum number of steps of the search for common items between two anchors. */
const alignBudget = 2_000_000

/** Returns the items that both sequences have in common, in order. */
export function align(before: readonly string[], after: readonly string[]): Pair[] {
  const numbers = new Map<string, number>()
  const numbered = (item: string) => {
    const known = numbers.get(item)
    if (known !== undefined) return known
    numbers.set(item, numbers.size)
    return numbers.size - 1
  }
  const pairs: Pair[] = []
  const [a, b] = [before.map(numbered), after.map(numbered)]
  alignRange(a, b, { from: 0, to: a.length }, { from: 0, to: b.length }, pairs)
  return pairs
}

export interface Range {
  from: number
  to: number
}

/** Maximum recursion depth of the search for anchors in the ranges between anchors. */
const anchorDepth = 20

function alignRange(
  a: readonly number[],
  b: readonly number[],
  inA: Range,
  inB: Range,
  pairs: Pair[],
  depth = 0,
): void {
  let { from: aFrom, to: aTo } = inA
  let { from: bFrom, to: bTo } = inB
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) pairs.push([aFrom++, bFrom++])
  const tail: Pair[] = []
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) tail.push([--aTo, --bTo])
  if (aFrom < aTo && bFrom < bTo) {
    const anchors = depth < anchorDepth ? uniqueAnchors(a, b, { from: aFrom, to: aTo }, { from: bFrom, to: bTo }) : []
    if (anchors.length === 0) {
      const shortest = alignShortest(a, b, { from: aFrom, to: aTo }, { from: bFrom, to: bTo })
      for (const pair of shortest) pairs.push(pair)
    }
    for (const [aAt, bAt] of anchors) {
      alignRange(a, b, { from: aFrom, to: aAt }, { from: bFrom, to: bAt }, pairs, depth + 1)
      pairs.push([aAt, bAt])
      ;[aFrom, bFrom] = [aAt + 1, bAt + 1]
    }
    if (anchors.length > 0) alignRange(a, b, { from: aFrom, to: aTo }, { from: bFrom, to: bTo }, pairs, depth + 1)
  }
  for (let index = tail.length - 1; index >= 0; index--) pairs.push(tail[index] as Pair)
}

/** Returns items that occur once on each side, as many as are in the same order. */
function uniqueAnchors(a: readonly number[], b: readonly number[], inA: Range, inB: Range): Pair[] {
  const once = (items: readonly number[], { from, to }: Range) => {
    const places = new Map<number, number>()
    for (let at = from; at < to; at++) places.set(items[at] as number, places.has(items[at] as number) ? -1 : at)
    return places
  }
  const inBefore = once(a, inA)
  const candidates: Pair[] = []
  for (const [item, bAt] of once(b, inB)) {
    const aAt = inBefore.get(item)
    if (bAt >= 0 && aAt !== undefined && aAt >= 0) candidates.push([aAt, bAt])
  }
  candidates.sort((one, other) => one[1] - other[1])
  return longestAscending(candidates.map(([aAt]) => aAt)).map((index) => candidates[index] as Pair)
}

/** Returns the indexes of a longest ascending subsequence of distinct numbers. */
export function longestAscending(numbers: readonly number[]): number[] {
  const ends: number[] = []
  const previous: number[] = []
  numbers.forEach((number, place) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1
      else high = middle
    }
    previous.push(low > 0 ? (ends[low - 1] as number) : -1)
    ends[low] = place
  })
  const chosen: number[] = []
  for (let place = ends.at(-1) ?? -1; place >= 0; place = previous[place] as number) chosen.push(place)
  return chosen.toReversed()
}

/** Finds a shortest edit script with a greedy search (Myers 1986) and a limit on its length. */
function alignShortest(a: readonly number[], b: readonly number[], inA: Range, inB: Range): Pair[] {
  const [n, m] = [inA.to - inA.from, inB.to - inB.from]
  const most = Math.min(n + m, Math.floor(Math.sqrt(alignBudget)), Math.ceil(alignBudget / (n + m)))
  const reach = new Int32Array(2 * most + 3)
  const middle = most + 1
  const history: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    history.push(reach.slice(middle - edits - 1, middle + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const fromAbove = goesDown(reach, middle, diagonal, edits)
      let x = fromAbove ? (reach[middle + diagonal + 1] as number) : (reach[middle + diagonal - 1] as number) + 1
      while (x < n && x - diagonal < m && a[inA.from + x] === b[inB.from + x - diagonal]) x++
      reach[middle + diagonal] = x
      if (x >= n && x - diagonal >= m) return walkBack(history, n, m, edits, inA.from, inB.from)
    }
  }
  return []
}

function goesDown(reach: Int32Array, middle: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && (reach[middle + diagonal - 1] as number) < (reach[middle + diagonal + 1] as number)
}

function walkBack(history: readonly Int32Array[], n: number, m: number, edits: number, aFrom: number, bFrom: number) {
  const pairs: Pair[] = []
  let [x, y] = [n, m]
  for (let step = edits; step >= 0; step--) {
    const reach = history[step] as Int32Array
    const middle = step + 1
    const diagonal = x - y
    const down = goesDown(reach, middle, diagonal, step)
    const from = diagonal + (down ? 1 : -1)
    const startX = step === 0 ? 0 : (reach[middle + from] as number)
    const startY = step === 0 ? 0 : startX - from
    const afterX = step === 0 ? 0 : down ? startX : startX + 1
    while (x > afterX) pairs.push([aFrom + --x, bFrom + --y])
    ;[x, y] = [startX, startY]
  }
  return pairs.toReversed()
}

/** Replacement of the items `from` up to `to` of a base by the items `sideFrom` up to `sideTo` of a side. */
export interface SequenceEdit {
  from: number
  to: number
  sideFrom: number
  sideTo: number
}

export function editsOf(pairs: readonly Pair[], baseLength: number, sideLength: number): SequenceEdit[] {
  const edits: SequenceEdit[] = []
  let [base, side] = [0, 0]
  for (const [atBase, atSide] of [...pairs, [baseLength, sideLength] as const]) {
    if (atBase > base || atSide > side) edits.push({ from: base, to: atBase, sideFrom: side, sideTo: atSide })
    ;[base, side] = [atBase + 1, atSide + 1]
  }
  return edits
}

/** Part of a merged sequence, with its range in each of the three sequences. */
export interface Stretch {
  kind: 'kept' | 'ours' | 'theirs' | 'both' | 'conflict'
  base: Range
  ours: Range
  theirs: Range
}

/**
 * Merges two changed sequences. Changes of both sides to the same range are a conflict, unless they are equal; with
 * `adjacent`, also changes that have no item between them. `split` divides an edit into smaller ones.
 */
export function mergeSequences(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  {
    adjacent = false,
    split,
  }: { adjacent?: boolean; split?: (edit: SequenceEdit, side: 'ours' | 'theirs') => SequenceEdit[] } = {},
): Stretch[] {
  const edited = (side: 'ours' | 'theirs', items: readonly string[]) => {
    const edits = editsOf(align(base, items), base.length, items.length)
    return split ? edits.flatMap((edit) => split(edit, side)) : edits
  }
  const edits = { ours: edited('ours', ours), theirs: edited('theirs', theirs) }
  const stretches: Stretch[] = []
  // Number of items of each sequence that have been merged.
  const at = { base: 0, ours: 0, theirs: 0 }
  const push = (kind: Stretch['kind'], length: { base: number; ours: number; theirs: number }) => {
    const take = (side: keyof typeof at): Range => ({ from: at[side], to: (at[side] += length[side]) })
    stretches.push({ kind, base: take('base'), ours: take('ours'), theirs: take('theirs') })
  }
  const keepUpTo = (place: number) => {
    const length = place - at.base
    if (length > 0) push('kept', { base: length, ours: length, theirs: length })
  }
  for (const region of regionsOf(edits.ours, edits.theirs, adjacent)) {
    keepUpTo(region.from)
    const length = region.to - region.from
    const grown = (side: readonly SequenceEdit[]) => side.reduce((sum, edit) => sum + growthOf(edit), length)
    const lengths = { base: length, ours: grown(region.ours), theirs: grown(region.theirs) }
    const isEqual = lengths.ours === lengths.theirs && isSameRange(ours, at.ours, theirs, at.theirs, lengths.ours)
    if (region.theirs.length === 0) push('ours', lengths)
    else if (region.ours.length === 0) push('theirs', lengths)
    else push(isEqual ? 'both' : 'conflict', lengths)
  }
  keepUpTo(base.length)
  return stretches
}

const growthOf = ({ from, to, sideFrom, sideTo }: SequenceEdit): number => sideTo - sideFrom - (to - from)

/** Changed range of the base, with all edits that overlap in it. */
interface Region extends Range {
  ours: SequenceEdit[]
  theirs: SequenceEdit[]
}

function regionsOf(ours: readonly SequenceEdit[], theirs: readonly SequenceEdit[], adjacent: boolean): Region[] {
  const regions: Region[] = []
  let [our, their] = [0, 0]
  while (our < ours.length || their < theirs.length) {
    const isOurs = comesFirst(ours[our], theirs[their])
    const edit = (isOurs ? ours[our++] : theirs[their++]) as SequenceEdit
    const last = regions.at(-1)
    const region = last && meets(last, edit, adjacent) ? last : { from: edit.from, to: edit.to, ours: [], theirs: [] }
    if (region !== last) regions.push(region)
    region.to = Math.max(region.to, edit.to)
    region[isOurs ? 'ours' : 'theirs'].push(edit)
  }
  return regions
}

function comesFirst(one: SequenceEdit | undefined, other: SequenceEdit | undefined): boolean {
  if (!one || !other) return one !== undefined
  return one.from < other.from || (one.from === other.from && one.to < other.to)
}

function meets(region: Range, edit: SequenceEdit, adjacent: boolean): boolean {
  if (adjacent) return edit.from <= region.to
  if (region.from === edit.from && region.to === edit.to) return true
  return edit.from < region.to && region.from < edit.to
}

function isSameRange(
  a: readonly string[],
  aFrom: number,
  b: readonly string[],
  bFrom: number,
  length: number,
): boolean {
  for (let index = 0; index < length; index++) if (a[aFrom + index] !== b[bFrom + index]) return false
  return true
}
