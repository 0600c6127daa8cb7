/**
 * Returns blocks without their keys and without fields that the server computes. Names of rows and columns of tables may be equal
 * to the names of these fields.
 */
export const withoutKeys = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, function (this: object, name: string, inner: unknown) {
      return (name === 'key' || name === 'meta') && 'object' in this ? undefined : inner
    }),
  ) as Value

/** Whether two values have the same JSON, apart from the order of fields. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = Object.keys(first)
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && isSameJson(first[name], second[name]))
  )
}
