export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** Returns the canonical JSON of a value: sorted keys and no whitespace, so that equal values have equal strings and hashes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value as Json))
}

/** Returns a value with sorted keys. Values that are sorted already, such as everything read from storage, are not copied. */
function sortKeys(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return sortKeysInList(value as readonly Json[])
  const object = value as { readonly [key: string]: Json | undefined }
  let copy: Record<string, Json | undefined> | undefined
  let last = ''
  // Does not create a list of the keys, which would take most of the time for the many small objects of a document.
  for (const name in object) {
    if (name < last) return copyWithSortedKeys(object)
    last = name
    const inner = object[name]
    if (typeof inner !== 'object' || inner === null) continue
    const sortedInner = sortKeys(inner)
    if (sortedInner !== inner) (copy ??= { ...object })[name] = sortedInner
  }
  return copy ?? object
}

function copyWithSortedKeys(object: { readonly [key: string]: Json | undefined }): Json {
  const names = Object.keys(object)
  const copy: Record<string, Json> = names.includes('__proto__') ? createNullPrototypeObject() : {}
  for (const name of names.sort()) {
    const inner = object[name]
    if (inner !== undefined) copy[name] = typeof inner === 'object' ? sortKeys(inner) : inner
  }
  return copy
}

/** Creates an object without a prototype, in which `__proto__` is an ordinary key. */
const createNullPrototypeObject = () => Object.create(null) as Record<string, Json>

function sortKeysInList(list: readonly Json[]): readonly Json[] {
  let copy: Json[] | undefined
  for (let index = 0; index < list.length; index++) {
    const inner = list[index] as Json
    if (typeof inner !== 'object') continue
    const sortedInner = sortKeys(inner)
    if (sortedInner !== inner) (copy ??= [...list])[index] = sortedInner
  }
  return copy ?? list
}
