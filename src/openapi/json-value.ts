export type JsonObject = { [key: string]: JsonValue }
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a field of an object; undefined for fields that it inherits, such as `constructor`. */
export const getField = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Returns a field that is an object; an empty object if it is missing or has another type. */
export function getObject(object: JsonObject, name: string): JsonObject {
  const value = getField(object, name)
  return isJsonObject(value) ? value : {}
}

/** Returns a field that is a text; an empty text if it is missing or has another type. */
export function getText(object: JsonObject, name: string): string {
  const value = getField(object, name)
  return typeof value === 'string' ? value : ''
}

/** Returns the value that a JSON pointer refers to, in the form of a URI fragment without `#`. */
export function resolvePointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const key of parsePointer(pointer)) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined
    else value = isJsonObject(value) ? getField(value, key) : undefined
  }
  return value
}

/** Splits a JSON pointer into its keys. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '' || pointer === '/') return []
  return pointer.replace(/^\//, '').split('/').map(decodePointerKey)
}

/** Decodes one part of a JSON pointer, which can be part of a URL. */
export const decodePointerKey = (part: string): string =>
  decodePercent(part).replaceAll('~1', '/').replaceAll('~0', '~')

/** Decodes percent-encoded characters; parts with an invalid encoding are literal. */
function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Joins keys to a JSON pointer. */
export const formatPointer = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
