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
  const names = Object.keys(object)
  if (!isAscending(names)) {
    const inOrder: Record<string, Json> = names.includes('__proto__') ? nameless() : {}
    for (const name of names.sort()) if (object[name] !== undefined) inOrder[name] = sorted(object[name])
    return inOrder
  }
  let copy: Record<string, Json | undefined> | undefined
  for (const name of names) {
    const inner = object[name]
    if (typeof inner !== 'object') continue
    const inOrder = sorted(inner)
    if (inOrder !== inner) (copy ??= { ...object })[name] = inOrder
  }
  return copy ?? object
}

/** An object to which every name is just a name. */
const nameless = () => Object.create(null) as Record<string, Json>

function sortedList(list: readonly Json[]): readonly Json[] {
  let copy: Json[] | undefined
  for (const [index, inner] of list.entries()) {
    const inOrder = sorted(inner)
    if (inOrder !== inner) (copy ??= [...list])[index] = inOrder
  }
  return copy ?? list
}

function isAscending(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) {
    if ((names[index - 1] as string) > (names[index] as string)) return false
  }
  return true
}
