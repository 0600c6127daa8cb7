// Ranges of a source that are sorted and do not overlap.

interface Range {
  start: number
  end: number
}

/** Returns the ranges inside another one. */
export function findRangesBetween<Item extends Range>(ranges: readonly Item[], start: number, end: number): Item[] {
  const found: Item[] = []
  const first = findFirstIndex(ranges, (range) => range.start >= start)
  for (let index = first; index < ranges.length && (ranges[index] as Item).end <= end; index++)
    found.push(ranges[index] as Item)
  return found
}

/** Whether one of the ranges overlaps another one. */
export function overlapsRange(ranges: readonly Range[], start: number, end: number): boolean {
  const next = ranges[findFirstIndex(ranges, (range) => range.end > start)]
  return next !== undefined && next.start < end
}

/** Returns the index of the first range that passes a test, as all ranges after it do; their number if there is none. */
function findFirstIndex<Item>(ranges: readonly Item[], test: (range: Item) => boolean): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(ranges[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}
