export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** The one text of a value: keys sorted, no blanks, so that equal values have equal texts and thus equal hashes. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value as Json))
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const object = value as { readonly [key: string]: Json | undefined }
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .flatMap((key) => (object[key] === undefined ? [] : [[key, sorted(object[key])]])),
  )
}
