/** Maximum depth, number of values and total text length of an example. */
const maxDepth = 12
const maxValues = 400
const maxTextLength = 12_000
const maxStringLength = 2000

/** Returns a copy of a JSON value of limited size, without the parts that exceed the limits. */
export function boundValue(value: unknown): unknown {
  let remainingValues = maxValues
  let remainingText = maxTextLength
  const takeText = (text: string): string => {
    const kept = text.length > maxStringLength ? `${text.slice(0, maxStringLength)}…` : text
    remainingText -= kept.length
    return kept.toWellFormed()
  }
  const bound = (one: unknown, depth: number): unknown => {
    remainingValues--
    if (typeof one === 'string') return takeText(one)
    if (typeof one !== 'object' || one === null) return one
    if (depth >= maxDepth) return Array.isArray(one) ? [] : {}
    if (Array.isArray(one)) {
      const items: unknown[] = []
      for (const item of one as readonly unknown[]) {
        if (remainingValues <= 0 || remainingText <= 0) break
        items.push(bound(item, depth + 1))
      }
      return items
    }
    const entries: [string, unknown][] = []
    for (const key in one) {
      if (remainingValues <= 0 || remainingText <= 0) break
      if (Object.hasOwn(one, key))
        entries.push([takeText(key), bound((one as Record<string, unknown>)[key], depth + 1)])
    }
    return Object.fromEntries(entries)
  }
  return bound(value, 0)
}
