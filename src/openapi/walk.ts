import { type JsonObject, type JsonValue, isJsonObject } from './json-value.ts'
import { type FieldShape, type Kind, fieldShapeOf } from './shapes.ts'

/** Returns the replacement of an object; its parts are not replaced yet, and `path` contains the keys that lead to it. */
export type Replace = (object: JsonObject, kind: Kind, path: readonly string[]) => JsonObject

/**
 * Copies the objects of a specification, each replaced before its parts. Data is not copied. The depth is limited by the parser.
 */
export function replaceObjects(
  value: JsonValue,
  kind: Kind,
  replace: Replace,
  path: readonly string[] = [],
): JsonValue {
  if (!isJsonObject(value)) return value
  const replaced = replace(value, kind, path)
  return Object.fromEntries(
    Object.entries(replaced).map(([field, inner]) => {
      const shape = fieldShapeOf(kind, field)
      return [field, shape ? replaceField(inner, shape, replace, [...path, field]) : inner]
    }),
  )
}

function replaceField(value: JsonValue, shape: FieldShape, replace: Replace, path: readonly string[]): JsonValue {
  if (Array.isArray(value)) {
    if (shape.in !== 'list' && shape.in !== 'valueOrList') return value
    return value.map((item, index) => replaceObjects(item, shape.kind, replace, [...path, String(index)]))
  }
  if (!isJsonObject(value) || shape.in === 'list') return value
  if (shape.in !== 'map') return replaceObjects(value, shape.kind, replace, path)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key.startsWith('x-') && !isJsonObject(item) ? item : replaceObjects(item, shape.kind, replace, [...path, key]),
    ]),
  )
}
