// The objects of Swagger 2.0 and OpenAPI 3 that contain references or schemas, and which of their fields contain others.
// Values that are data (examples, defaults, enums, extensions) are not listed, because a `$ref` in them is no reference.

export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'response'
  | 'header'
  | 'callback'
  | 'link'
  | 'example'
  | 'securityScheme'
  | 'schema'

/** How a field contains objects of a kind: directly, in a list, in a map, or directly or in a list. */
export interface FieldShape {
  kind: Kind
  in: 'value' | 'list' | 'map' | 'valueOrList'
}

const value = (kind: Kind): FieldShape => ({ kind, in: 'value' })
const list = (kind: Kind): FieldShape => ({ kind, in: 'list' })
const map = (kind: Kind): FieldShape => ({ kind, in: 'map' })

const operations = Object.fromEntries(
  ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'].map((method) => [
    method,
    value('operation'),
  ]),
)

/** Methods of a path item that are operations. */
export const operationMethods: readonly string[] = Object.keys(operations)

export const shapes: Record<Kind, Readonly<Record<string, FieldShape>>> = {
  document: {
    paths: map('pathItem'),
    webhooks: map('pathItem'),
    components: value('components'),
    // Swagger 2.0:
    definitions: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
  },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
    mediaTypes: map('mediaType'),
  },
  pathItem: { ...operations, additionalOperations: map('operation'), parameters: list('parameter') },
  operation: {
    parameters: list('parameter'),
    requestBody: value('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: {
    schema: value('schema'),
    content: map('mediaType'),
    examples: map('example'),
    // Swagger 2.0:
    items: value('schema'),
  },
  requestBody: { content: map('mediaType') },
  mediaType: {
    schema: value('schema'),
    itemSchema: value('schema'),
    examples: map('example'),
    encoding: map('encoding'),
    prefixEncoding: list('encoding'),
    itemEncoding: value('encoding'),
  },
  encoding: { headers: map('header') },
  response: {
    headers: map('header'),
    content: map('mediaType'),
    links: map('link'),
    // Swagger 2.0:
    schema: value('schema'),
  },
  header: {
    schema: value('schema'),
    content: map('mediaType'),
    examples: map('example'),
    // Swagger 2.0:
    items: value('schema'),
  },
  // All fields of a callback are path items; see `fieldShapeOf`.
  callback: {},
  link: {},
  example: {},
  securityScheme: {},
  schema: {
    properties: map('schema'),
    patternProperties: map('schema'),
    dependentSchemas: map('schema'),
    $defs: map('schema'),
    definitions: map('schema'),
    items: { kind: 'schema', in: 'valueOrList' },
    prefixItems: list('schema'),
    additionalItems: value('schema'),
    unevaluatedItems: value('schema'),
    contains: value('schema'),
    additionalProperties: value('schema'),
    unevaluatedProperties: value('schema'),
    propertyNames: value('schema'),
    contentSchema: value('schema'),
    allOf: list('schema'),
    anyOf: list('schema'),
    oneOf: list('schema'),
    not: value('schema'),
    if: value('schema'),
    // oxlint-disable-next-line unicorn/no-thenable -- `then` is a keyword of JSON Schema
    then: value('schema'),
    else: value('schema'),
  },
}

/** Returns which objects a field contains; undefined for data. */
export function fieldShapeOf(kind: Kind, field: string): FieldShape | undefined {
  if (kind === 'callback') return field.startsWith('x-') || field === '$ref' ? undefined : value('pathItem')
  const fields = shapes[kind]
  return Object.hasOwn(fields, field) ? fields[field] : undefined
}
