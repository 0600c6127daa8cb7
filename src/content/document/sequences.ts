// Sequences compared and merged. Costs stay near linear: what cannot be aligned within the budget counts as replaced.

/** Positions of equal items, ascending on both sides. */
export type Pair = readonly [before: number, after: number]

/** How many steps the search for common items between two anchors may take. */
const alignBudget = 2_000_000

/** The items that both sequences have in common, in order. */
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

interface Range {
  from: number
  to: number
}

/** How often ranges between anchors are searched for further anchors. */
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

/** Items that stand once on each side, as many as are in the same order. */
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

/** The places of a longest ascending selection of numbers that are all different. */
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

/** Greedy search for a shortest edit script (Myers 1986), with a bound on its length. */
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

/** The items `from` up to `to` of a base that a side has replaced by its own items `sideFrom` up to `sideTo`. */
export interface Edit {
  from: number
  to: number
  sideFrom: number
  sideTo: number
}

export function editsOf(pairs: readonly Pair[], baseLength: number, sideLength: number): Edit[] {
  const edits: Edit[] = []
  let [base, side] = [0, 0]
  for (const [atBase, atSide] of [...pairs, [baseLength, sideLength] as const]) {
    if (atBase > base || atSide > side) edits.push({ from: base, to: atBase, sideFrom: side, sideTo: atSide })
    ;[base, side] = [atBase + 1, atSide + 1]
  }
  return edits
}

/** A stretch of a merged sequence: kept from the base, or replaced by one side, or by both in the same way. */
export type Stretch =
  | { kind: 'kept'; from: number; to: number }
  | ({ kind: 'ours' | 'theirs' } & Edit)
  | ({ kind: 'both'; theirsFrom: number } & Edit)

export interface MergedSequence {
  stretches: Stretch[]
  oursPairs: readonly Pair[]
  theirsPairs: readonly Pair[]
}

/** Merges two changed sequences; undefined when both changed the same place in different ways. */
export function mergeSequences(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergedSequence | undefined {
  const [oursPairs, theirsPairs] = [align(base, ours), align(base, theirs)]
  const oursEdits = editsOf(oursPairs, base.length, ours.length)
  const theirsEdits = editsOf(theirsPairs, base.length, theirs.length)
  const stretches: Stretch[] = []
  let [at, mine, yours] = [0, 0, 0]
  const add = (stretch: Exclude<Stretch, { kind: 'kept' }>) => {
    if (stretch.from > at) stretches.push({ kind: 'kept', from: at, to: stretch.from })
    stretches.push(stretch)
    at = stretch.to
  }
  while (mine < oursEdits.length || yours < theirsEdits.length) {
    const [our, their] = [oursEdits[mine], theirsEdits[yours]]
    if (our && their && meet(our, their, base.length)) {
      if (!isSameEdit(our, their, ours, theirs)) return undefined
      add({ kind: 'both', ...our, theirsFrom: their.sideFrom })
      mine++
      yours++
    } else if (our && (!their || our.from < their.from || (our.from === their.from && our.to < their.to))) {
      add({ kind: 'ours', ...our })
      mine++
    } else if (their) {
      add({ kind: 'theirs', ...their })
      yours++
    }
  }
  if (at < base.length) stretches.push({ kind: 'kept', from: at, to: base.length })
  return { stretches, oursPairs, theirsPairs }
}

function meet(one: Edit, other: Edit, baseLength: number): boolean {
  if (one.from === other.from && one.to === other.to) return true
  // When everything was replaced, nothing is left beside which the other change could stand.
  const replacesAll = [one, other].some(({ from, to }) => to - from === baseLength)
  return replacesAll || (one.from < other.to && other.from < one.to)
}

function isSameEdit(one: Edit, other: Edit, ours: readonly string[], theirs: readonly string[]): boolean {
  const length = one.sideTo - one.sideFrom
  if (one.from !== other.from || one.to !== other.to || length !== other.sideTo - other.sideFrom) return false
  for (let index = 0; index < length; index++) {
    if (ours[one.sideFrom + index] !== theirs[other.sideFrom + index]) return false
  }
  return true
}

/** Which of the other side's items each item of the base is, or -1. */
export function partners(pairs: readonly Pair[], baseLength: number): Int32Array {
  const found = new Int32Array(baseLength).fill(-1)
  for (const [base, side] of pairs) found[base] = side
  return found
}
