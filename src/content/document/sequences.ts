// Compares and merges sequences in nearly linear time: ranges that cannot be aligned within the budget count as replaced.

/** Positions of equal items, ascending on both sides. */
export type IndexPair = readonly [before: number, after: number]

/** Maximum number of steps of the search for common items between two anchors. */
const maxAlignSteps = 2_000_000

/** Returns the items that both sequences have in common, in order. */
export function alignSequences(before: readonly string[], after: readonly string[]): IndexPair[] {
  const numbers = new Map<string, number>()
  const numberOf = (item: string) => {
    const existing = numbers.get(item)
    if (existing !== undefined) return existing
    numbers.set(item, numbers.size)
    return numbers.size - 1
  }
  const pairs: IndexPair[] = []
  const [a, b] = [before.map(numberOf), after.map(numberOf)]
  alignRange(a, b, { from: 0, to: a.length }, { from: 0, to: b.length }, pairs)
  return pairs
}

export interface IndexRange {
  from: number
  to: number
}

/** Maximum recursion depth of the search for anchors in the ranges between anchors. */
const maxAnchorDepth = 20

function alignRange(
  a: readonly number[],
  b: readonly number[],
  inA: IndexRange,
  inB: IndexRange,
  pairs: IndexPair[],
  depth = 0,
): void {
  let { from: aFrom, to: aTo } = inA
  let { from: bFrom, to: bTo } = inB
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) pairs.push([aFrom++, bFrom++])
  const tail: IndexPair[] = []
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) tail.push([--aTo, --bTo])
  if (aFrom < aTo && bFrom < bTo) {
    const anchors =
      depth < maxAnchorDepth ? findUniqueAnchors(a, b, { from: aFrom, to: aTo }, { from: bFrom, to: bTo }) : []
    if (anchors.length === 0) {
      const shortest = alignByShortestEdit(a, b, { from: aFrom, to: aTo }, { from: bFrom, to: bTo })
      for (const pair of shortest) pairs.push(pair)
    }
    for (const [aAt, bAt] of anchors) {
      alignRange(a, b, { from: aFrom, to: aAt }, { from: bFrom, to: bAt }, pairs, depth + 1)
      pairs.push([aAt, bAt])
      ;[aFrom, bFrom] = [aAt + 1, bAt + 1]
    }
    if (anchors.length > 0) alignRange(a, b, { from: aFrom, to: aTo }, { from: bFrom, to: bTo }, pairs, depth + 1)
  }
  for (let index = tail.length - 1; index >= 0; index--) pairs.push(tail[index] as IndexPair)
}

/** Returns items that occur once on each side, as many as are in the same order. */
function findUniqueAnchors(a: readonly number[], b: readonly number[], inA: IndexRange, inB: IndexRange): IndexPair[] {
  const findUniquePositions = (items: readonly number[], { from, to }: IndexRange) => {
    const positions = new Map<number, number>()
    for (let at = from; at < to; at++) positions.set(items[at] as number, positions.has(items[at] as number) ? -1 : at)
    return positions
  }
  const positionsInA = findUniquePositions(a, inA)
  const candidates: IndexPair[] = []
  for (const [item, bAt] of findUniquePositions(b, inB)) {
    const aAt = positionsInA.get(item)
    if (bAt >= 0 && aAt !== undefined && aAt >= 0) candidates.push([aAt, bAt])
  }
  candidates.sort((one, other) => one[1] - other[1])
  return longestIncreasingSubsequence(candidates.map(([aAt]) => aAt)).map((index) => candidates[index] as IndexPair)
}

/** Returns the indexes of a longest ascending subsequence of distinct numbers. */
export function longestIncreasingSubsequence(numbers: readonly number[]): number[] {
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
function alignByShortestEdit(
  a: readonly number[],
  b: readonly number[],
  inA: IndexRange,
  inB: IndexRange,
): IndexPair[] {
  const [n, m] = [inA.to - inA.from, inB.to - inB.from]
  const maxEdits = Math.min(n + m, Math.floor(Math.sqrt(maxAlignSteps)), Math.ceil(maxAlignSteps / (n + m)))
  const furthest = new Int32Array(2 * maxEdits + 3)
  const middle = maxEdits + 1
  const history: Int32Array[] = []
  for (let edits = 0; edits <= maxEdits; edits++) {
    history.push(furthest.slice(middle - edits - 1, middle + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = isDownMove(furthest, middle, diagonal, edits)
      let x = isDown ? (furthest[middle + diagonal + 1] as number) : (furthest[middle + diagonal - 1] as number) + 1
      while (x < n && x - diagonal < m && a[inA.from + x] === b[inB.from + x - diagonal]) x++
      furthest[middle + diagonal] = x
      if (x >= n && x - diagonal >= m) return backtrackPairs(history, n, m, edits, inA.from, inB.from)
    }
  }
  return []
}

function isDownMove(furthest: Int32Array, middle: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && (furthest[middle + diagonal - 1] as number) < (furthest[middle + diagonal + 1] as number)
}

function backtrackPairs(
  history: readonly Int32Array[],
  n: number,
  m: number,
  edits: number,
  aFrom: number,
  bFrom: number,
) {
  const pairs: IndexPair[] = []
  let [x, y] = [n, m]
  for (let step = edits; step >= 0; step--) {
    const furthest = history[step] as Int32Array
    const middle = step + 1
    const diagonal = x - y
    const isDown = isDownMove(furthest, middle, diagonal, step)
    const from = diagonal + (isDown ? 1 : -1)
    const startX = step === 0 ? 0 : (furthest[middle + from] as number)
    const startY = step === 0 ? 0 : startX - from
    const afterX = step === 0 ? 0 : isDown ? startX : startX + 1
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

export function toSequenceEdits(pairs: readonly IndexPair[], baseLength: number, sideLength: number): SequenceEdit[] {
  const edits: SequenceEdit[] = []
  let [base, side] = [0, 0]
  for (const [atBase, atSide] of [...pairs, [baseLength, sideLength] as const]) {
    if (atBase > base || atSide > side) edits.push({ from: base, to: atBase, sideFrom: side, sideTo: atSide })
    ;[base, side] = [atBase + 1, atSide + 1]
  }
  return edits
}

/** Part of a merged sequence, with its range in each of the three sequences. */
export interface MergeChunk {
  kind: 'kept' | 'ours' | 'theirs' | 'both' | 'conflict'
  base: IndexRange
  ours: IndexRange
  theirs: IndexRange
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
): MergeChunk[] {
  const editsOfSide = (side: 'ours' | 'theirs', items: readonly string[]) => {
    const edits = toSequenceEdits(alignSequences(base, items), base.length, items.length)
    return split ? edits.flatMap((edit) => split(edit, side)) : edits
  }
  const edits = { ours: editsOfSide('ours', ours), theirs: editsOfSide('theirs', theirs) }
  const chunks: MergeChunk[] = []
  // Number of items of each sequence that have been merged.
  const offsets = { base: 0, ours: 0, theirs: 0 }
  const addChunk = (kind: MergeChunk['kind'], length: { base: number; ours: number; theirs: number }) => {
    const takeRange = (side: keyof typeof offsets): IndexRange => ({
      from: offsets[side],
      to: (offsets[side] += length[side]),
    })
    chunks.push({ kind, base: takeRange('base'), ours: takeRange('ours'), theirs: takeRange('theirs') })
  }
  const addUnchangedUpTo = (end: number) => {
    const length = end - offsets.base
    if (length > 0) addChunk('kept', { base: length, ours: length, theirs: length })
  }
  for (const region of groupOverlappingEdits(edits.ours, edits.theirs, adjacent)) {
    addUnchangedUpTo(region.from)
    const length = region.to - region.from
    const lengthOnSide = (side: readonly SequenceEdit[]) => side.reduce((sum, edit) => sum + lengthChange(edit), length)
    const lengths = { base: length, ours: lengthOnSide(region.ours), theirs: lengthOnSide(region.theirs) }
    const isEqual =
      lengths.ours === lengths.theirs && isSameRange(ours, offsets.ours, theirs, offsets.theirs, lengths.ours)
    if (region.theirs.length === 0) addChunk('ours', lengths)
    else if (region.ours.length === 0) addChunk('theirs', lengths)
    else addChunk(isEqual ? 'both' : 'conflict', lengths)
  }
  addUnchangedUpTo(base.length)
  return chunks
}

const lengthChange = ({ from, to, sideFrom, sideTo }: SequenceEdit): number => sideTo - sideFrom - (to - from)

/** Changed range of the base, with all edits that overlap in it. */
interface EditRegion extends IndexRange {
  ours: SequenceEdit[]
  theirs: SequenceEdit[]
}

function groupOverlappingEdits(
  ours: readonly SequenceEdit[],
  theirs: readonly SequenceEdit[],
  adjacent: boolean,
): EditRegion[] {
  const regions: EditRegion[] = []
  let [our, their] = [0, 0]
  while (our < ours.length || their < theirs.length) {
    const isOurs = comesFirst(ours[our], theirs[their])
    const edit = (isOurs ? ours[our++] : theirs[their++]) as SequenceEdit
    const last = regions.at(-1)
    const region =
      last && overlaps(last, edit, adjacent) ? last : { from: edit.from, to: edit.to, ours: [], theirs: [] }
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

function overlaps(region: IndexRange, edit: SequenceEdit, adjacent: boolean): boolean {
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
