/** How much of something that others sent is taken. */
export interface DataLimits {
  /** Of its JSON, in bytes of UTF-8 */
  readonly bytes: number
  /** Lists and objects within each other */
  readonly depth: number
}

export type PlainObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A copy of an object that holds nothing but texts, numbers, booleans, nulls, lists and objects; undefined if it is none,
 * or exceeds the limits. The one name that means something to JavaScript is left out.
 */
export function plainObject(value: unknown, limits: DataLimits): PlainObject | undefined {
  if (!isObject(value)) return undefined
  const copy = copyOf(value, limits.depth)
  if (!isObject(copy)) return undefined
  return new TextEncoder().encode(JSON.stringify(copy)).length <= limits.bytes ? copy : undefined
}

/** Undefined for what is no plain data, and for all of a value that has some within, or is nested too deep. */
function copyOf(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'object': {
      if (value === null) return null
      if (depth === 0) return undefined
      if (Array.isArray(value)) {
        const items = value.map((item) => copyOf(item, depth - 1))
        return items.includes(undefined) ? undefined : items
      }
      const entries = Object.entries(value)
        .filter(([name]) => name !== '__proto__')
        .map(([name, inner]) => [name, copyOf(inner, depth - 1)] as const)
      return entries.some(([, copy]) => copy === undefined) ? undefined : Object.fromEntries(entries)
    }
    default:
      return undefined
  }
}
