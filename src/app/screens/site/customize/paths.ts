/** Nested settings, or changes of them, in which null removes a setting. */
export type Values = { readonly [name: string]: unknown }

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value at a path such as `styling.theme`; undefined if there is none. */
export function getAt(values: unknown, path: string): unknown {
  let value = values
  for (const name of path.split('.')) value = isGroup(value) ? value[name] : undefined
  return value
}

/** Returns values with a changed value at a path; undefined removes it, with the groups that become empty. */
export function setAt(values: Values, path: string, value: unknown): Values {
  const [name = '', ...rest] = path.split('.')
  const inner = values[name]
  const next = rest.length === 0 ? value : setAt(isGroup(inner) ? inner : {}, rest.join('.'), value)
  const isEmpty = next === undefined || (rest.length > 0 && isGroup(next) && Object.keys(next).length === 0)
  const { [name]: _, ...others } = values
  return isEmpty ? others : { ...others, [name]: next }
}

/** Whether two settings are equal, regardless of the order of their fields. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => areEqual(item, b[index]))
  if (!isGroup(a) || !isGroup(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => areEqual(a[name], b[name]))
}
