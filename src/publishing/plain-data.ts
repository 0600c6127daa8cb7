/** Limits of untrusted data. */
export interface DataLimits {
  /** Maximum size of its JSON in UTF-8 bytes. */
  readonly bytes: number
  /** Maximum nesting of lists and objects. */
  readonly depth: number
}

export type PlainObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Copies an object that contains only JSON values; undefined if it is not an object or exceeds the limits. The name `__proto__`
 * is omitted.
 */
export function copyPlainObject(value: unknown, limits: DataLimits): PlainObject | undefined {
  if (!isObject(value)) return undefined
  const copy = copyPlainValue(value, limits.depth)
  if (!isObject(copy)) return undefined
  return new TextEncoder().encode(JSON.stringify(copy)).length <= limits.bytes ? copy : undefined
}

/** Copies a value; undefined if it is not plain data, contains something that is not, or is nested too deeply. */
function copyPlainValue(value: unknown, depth: number): unknown {
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
        const items = value.map((item) => copyPlainValue(item, depth - 1))
        return items.includes(undefined) ? undefined : items
      }
      const entries = Object.entries(value)
        .filter(([name]) => name !== '__proto__')
        .map(([name, inner]) => [name, copyPlainValue(inner, depth - 1)] as const)
      return entries.some(([, copy]) => copy === undefined) ? undefined : Object.fromEntries(entries)
    }
    default:
      return undefined
  }
}
