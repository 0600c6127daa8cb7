const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const base = digits.length

/**
 * Returns a key that sorts between two neighbors (null: no neighbor on that side), so that moving an item updates one row. Keys
 * never end in `0`, so there is always room before a key. Digits and lower-case letters sort alike in every collation.
 */
export function keyBetween(before: string | null, after: string | null): string {
  if (before !== null && after !== null && before >= after)
    throw new Error(`No key lies between ${before} and ${after}`)
  return after === null ? keyAfter(before ?? '') : midpoint(before ?? '', after)
}

/**
 * Length of keys for appended items, which are numbered consecutively: appending is the most common case, and keys stay short.
 */
const appendedKeyLength = 6

function keyAfter(key: string): string {
  const head = key.slice(0, appendedKeyLength).padEnd(appendedKeyLength, '0')
  const count = parseInt(head, base) + 1
  const next = count.toString(base).padStart(appendedKeyLength, '0')
  if (next.length > appendedKeyLength) return `${key}i`
  return next.endsWith('0') ? `${next}i` : next
}

function midpoint(before: string, after: string): string {
  let prefix = ''
  for (let index = 0; ; index++) {
    const low = digits.indexOf(before[index] ?? '0')
    const high = after[index] === undefined ? base : digits.indexOf(after[index] as string)
    if (low === high) {
      prefix += digits[low]
      continue
    }
    if (high - low > 1) return prefix + digits[Math.floor((low + high) / 2)]
    // There is no digit between adjacent digits, so the key starts with the lower one and sorts after the rest of `before`.
    return prefix + digits[low] + tailAfter(before.slice(index + 1))
  }
}

/** Returns a tail that sorts after `tail`, without an upper bound. */
function tailAfter(tail: string): string {
  const first = digits.indexOf(tail[0] ?? '0')
  if (first < base - 1) return digits[Math.ceil((first + base) / 2)] as string
  return digits[base - 1] + tailAfter(tail.slice(1))
}
