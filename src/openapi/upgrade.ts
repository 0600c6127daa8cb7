import { convertSwagger } from './convert-swagger.ts'
import { type JsonObject, type JsonValue, getField } from './json-value.ts'
import type { SpecVersion } from './parse.ts'
import { replaceObjects } from './walk.ts'

/** Returns a document in the form of OpenAPI 3.1; newer documents are returned unchanged. */
export function upgradeSpec(document: JsonObject, version: SpecVersion): JsonObject {
  switch (version) {
    case '2.0':
      return upgradeSchemas(convertSwagger(document))
    case '3.0':
      return upgradeSchemas(document)
    case '3.1':
    case '3.2':
      return document
  }
}

function upgradeSchemas(document: JsonObject): JsonObject {
  const upgraded = replaceObjects(document, 'document', (object, kind) =>
    kind === 'schema' ? upgradeSchema(object) : object,
  ) as JsonObject
  return { ...upgraded, openapi: '3.1.0' }
}

/** Converts the fields of a schema of OpenAPI 3.0 that JSON Schema defines differently. */
function upgradeSchema(schema: JsonObject): JsonObject {
  const { nullable, example, ...rest } = schema
  const upgraded: JsonObject = rest
  upgradeLimit(upgraded, 'minimum', 'exclusiveMinimum')
  upgradeLimit(upgraded, 'maximum', 'exclusiveMaximum')
  if (example !== undefined && getField(upgraded, 'examples') === undefined) upgraded['examples'] = [example]
  return nullable === true ? addNull(upgraded) : upgraded
}

/** Converts an exclusive limit, which was a flag beside the limit, to a separate number as in JSON Schema. */
function upgradeLimit(schema: JsonObject, limit: 'minimum' | 'maximum', exclusive: string): void {
  const flag = getField(schema, exclusive)
  if (typeof flag !== 'boolean') return
  delete schema[exclusive]
  const value = getField(schema, limit)
  if (!flag || value === undefined) return
  delete schema[limit]
  schema[exclusive] = value
}

function addNull(schema: JsonObject): JsonObject {
  const type = getField(schema, 'type')
  const values = getField(schema, 'enum')
  const withNull: JsonObject =
    Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema
  if (typeof type === 'string') return { ...withNull, type: [type, 'null'] }
  if (Array.isArray(type)) return type.includes('null') ? withNull : { ...withNull, type: [...type, 'null'] }
  for (const name of ['anyOf', 'oneOf']) {
    const options = getField(withNull, name)
    if (Array.isArray(options)) return { ...withNull, [name]: [...options, { type: 'null' }] as JsonValue }
  }
  // Without a type, only references and combined schemas restrict the value.
  if (getField(withNull, '$ref') === undefined && getField(withNull, 'allOf') === undefined) return withNull
  const { title, description, deprecated, ...restriction } = withNull
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    anyOf: [restriction, { type: 'null' }],
  }
}
