export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** The one text of a value: keys sorted, no blanks, so that equal values have equal texts and thus equal hashes. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value as Json))
}

/** A value with its keys in order. What is in order already, like all that was read from storage, is not copied. */
function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return sortedList(value as readonly Json[])
  const object = value as { readonly [key: string]: Json | undefined }
  if (!isAscending(object)) return inOrderOfNames(object)
  let copy: Record<string, Json | undefined> | undefined
  for (const name in object) {
    const inner = object[name]
    if (typeof inner !== 'object' || inner === null) continue
    const inOrder = sorted(inner)
    if (inOrder !== inner) (copy ??= { ...object })[name] = inOrder
  }
  return copy ?? object
}

function inOrderOfNames(object: { readonly [key: string]: Json | undefined }): Json {
  const names = Object.keys(object)
  const inOrder: Record<string, Json> = names.includes('__proto__') ? nameless() : {}
  for (const name of names.sort()) {
    const inner = object[name]
    if (inner !== undefined) inOrder[name] = typeof inner === 'object' ? sorted(inner) : inner
  }
  return inOrder
}

/** An object to which every name is just a name. */
const nameless = () => Object.create(null) as Record<string, Json>

function sortedList(list: readonly Json[]): readonly Json[] {
  let copy: Json[] | undefined
  for (let index = 0; index < list.length; index++) {
    const inner = list[index] as Json
    if (typeof inner !== 'object') continue
    const inOrder = sorted(inner)
    if (inOrder !== inner) (copy ??= [...list])[index] = inOrder
  }
  return copy ?? list
}

/** Without a list of the names, which would take most of the time for the many small objects of a document. */
function isAscending(object: object): boolean {
  let last = ''
  for (const name in object) {
    if (name < last) return false
    last = name
  }
  return true
}
