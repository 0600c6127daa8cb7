import {
  type JsonObject,
  type JsonValue,
  getField,
  getObject,
  getText,
  isJsonObject,
  resolvePointer,
} from './json-value.ts'
import { operationMethods } from './shapes.ts'
import { replaceObjects } from './walk.ts'

// Converts Swagger 2.0 to OpenAPI 3.0. All references of the document begin with `#`.

const jsonType = 'application/json'
const formTypes = ['multipart/form-data', 'application/x-www-form-urlencoded']

/** Fields of a parameter or header of Swagger 2.0 that belong to its schema. */
const schemaFields: ReadonlySet<string> = new Set([
  'type',
  'format',
  'items',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'enum',
  'multipleOf',
  'example',
  'x-nullable',
])

/** Values that the operations of a document share. */
interface Swagger {
  document: JsonObject
  consumes: string[]
  produces: string[]
  /** Names of shared parameters that describe a body. */
  bodyNames: ReadonlySet<string>
}

export function convertSwagger(document: JsonObject): JsonObject {
  const {
    swagger: _,
    host,
    basePath,
    schemes,
    consumes,
    produces,
    paths,
    definitions,
    parameters,
    responses,
    securityDefinitions,
    ...rest
  } = document
  const shared = isJsonObject(parameters ?? null) ? (parameters as JsonObject) : {}
  const bodyNames = new Set(
    Object.entries(shared).flatMap(([name, parameter]) => (isBodyParameter(parameter) ? [name] : [])),
  )
  const source: Swagger = { document, consumes: toTexts(consumes), produces: toTexts(produces), bodyNames }
  const servers = toServers(host, basePath, schemes)
  const converted: JsonObject = {
    openapi: '3.0.3',
    ...rest,
    ...(servers.length > 0 && { servers }),
    paths: mapObject(paths, (item, name) => (name.startsWith('x-') ? item : convertPathItem(item, source))),
    components: {
      schemas: isJsonObject(definitions ?? null) ? (definitions as JsonObject) : {},
      parameters: convertParameters(shared, (parameter) => !isBodyParameter(parameter)),
      requestBodies: mapObject(
        Object.fromEntries(Object.entries(shared).filter(([name]) => bodyNames.has(name))),
        (parameter) => toRequestBody([parameter as JsonObject], source.consumes, true),
      ),
      responses: mapObject(responses, (response) => convertResponse(response, source.produces)),
      securitySchemes: mapObject(securityDefinitions, convertSecurityScheme),
    },
  }
  return replaceObjects(converted, 'document', (object, kind) => {
    const moved = moveReference(object, bodyNames)
    return kind === 'schema' ? convertSchema(moved) : moved
  }) as JsonObject
}

const toTexts = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

const mapObject = (value: JsonValue | undefined, convert: (item: JsonValue, name: string) => JsonValue): JsonObject =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convert(item, name)]))
    : {}

const isBodyParameter = (parameter: JsonValue | undefined): parameter is JsonObject =>
  isJsonObject(parameter) && ['body', 'formData'].includes(getText(parameter, 'in'))

function convertParameters(shared: JsonObject, isKept: (parameter: JsonValue) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(shared).flatMap(([name, item]) => (isKept(item) ? [[name, convertParameter(item)]] : [])),
  )
}

function toServers(
  host: JsonValue | undefined,
  basePath: JsonValue | undefined,
  schemes: JsonValue | undefined,
): JsonObject[] {
  const path = typeof basePath === 'string' ? basePath.replace(/\/$/, '') : ''
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }]
  const protocols = toTexts(schemes)
  return (protocols.length > 0 ? protocols : ['https']).map((protocol) => ({ url: `${protocol}://${host}${path}` }))
}

function convertPathItem(item: JsonValue, source: Swagger): JsonValue {
  if (!isJsonObject(item)) return item
  const { parameters = [], ...rest } = item
  const shared = Array.isArray(parameters) ? parameters : []
  const bodies = shared.flatMap((parameter) => resolveBodyParameter(parameter, source))
  const others = shared.filter((parameter) => resolveBodyParameter(parameter, source).length === 0)
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [
        name,
        operationMethods.includes(name) && isJsonObject(value) ? convertOperation(value, bodies, source) : value,
      ]),
    ),
    ...(others.length > 0 && { parameters: others.map(convertParameter) }),
  }
}

/** Returns the parameter if it describes a body, directly or through a reference. */
function resolveBodyParameter(parameter: JsonValue, { document }: Swagger): JsonObject[] {
  const reference = isJsonObject(parameter) ? getField(parameter, '$ref') : undefined
  const resolved = typeof reference === 'string' ? resolvePointer(document, reference.replace(/^#/, '')) : parameter
  return isBodyParameter(resolved) ? [resolved] : []
}

function convertOperation(operation: JsonObject, sharedBodies: readonly JsonObject[], source: Swagger): JsonObject {
  const { consumes, produces, parameters = [], responses, schemes: _, ...rest } = operation
  const own = Array.isArray(parameters) ? parameters : []
  const ownBodies = own.flatMap((parameter) => resolveBodyParameter(parameter, source))
  const ownNames = new Set(ownBodies.map((parameter) => getField(parameter, 'name')))
  const hasOwnBody = ownBodies.some((parameter) => getField(parameter, 'in') === 'body')
  const bodies = [
    ...sharedBodies.filter((parameter) => !hasOwnBody && !ownNames.has(getField(parameter, 'name') as string)),
    ...ownBodies,
  ]
  const others = own.filter((parameter) => resolveBodyParameter(parameter, source).length === 0)
  const accepted = consumes === undefined ? source.consumes : toTexts(consumes)
  const returned = produces === undefined ? source.produces : toTexts(produces)
  const reference = own.length > 0 && bodies.length === 1 ? findBodyReference(own, source) : undefined
  return {
    ...rest,
    ...(others.length > 0 && { parameters: others.map(convertParameter) }),
    ...(bodies.length > 0 && {
      requestBody:
        reference !== undefined && consumes === undefined ? { $ref: reference } : toRequestBody(bodies, accepted),
    }),
    responses: mapObject(responses, (response, name) =>
      name.startsWith('x-') ? response : convertResponse(response, returned),
    ),
  }
}

/** Returns the reference of a parameter to a shared body. */
function findBodyReference(parameters: readonly JsonValue[], { bodyNames }: Swagger): string | undefined {
  for (const parameter of parameters) {
    const reference = isJsonObject(parameter) ? getField(parameter, '$ref') : undefined
    const name = typeof reference === 'string' ? /^#\/parameters\/([^/]+)$/.exec(reference)?.[1] : undefined
    if (name !== undefined && bodyNames.has(name)) return reference as string
  }
  return undefined
}

function toRequestBody(parameters: readonly JsonObject[], consumes: readonly string[], isShared = false): JsonObject {
  const body = parameters.find((parameter) => getField(parameter, 'in') === 'body')
  if (body) {
    const { in: _, name, schema = {}, required, description, ...rest } = body
    const extensions = Object.entries(rest).filter(([field]) => field.startsWith('x-'))
    return {
      ...(description !== undefined && { description }),
      ...(required === true && { required }),
      content: toContent(consumes, { schema }),
      ...(name !== undefined && { 'x-name': name }),
      ...Object.fromEntries(extensions),
    }
  }
  const hasFile = parameters.some((parameter) => getField(parameter, 'type') === 'file')
  const accepted = formTypes.filter((type) => consumes.includes(type))
  const types = hasFile
    ? [formTypes[0] as string]
    : accepted.length > 0 && !isShared
      ? accepted
      : [formTypes[1] as string]
  const required = parameters.flatMap((parameter) =>
    getField(parameter, 'required') === true ? [getField(parameter, 'name') as JsonValue] : [],
  )
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => {
        const description = getField(parameter, 'description')
        return [
          getText(parameter, 'name'),
          { ...toSchema(parameter), ...(description !== undefined && { description }) },
        ]
      }),
    ),
    ...(required.length > 0 && { required }),
  }
  return { ...(required.length > 0 && { required: true }), content: toContent(types, { schema }) }
}

const toContent = (types: readonly string[], mediaType: JsonObject): JsonObject =>
  Object.fromEntries((types.length > 0 ? types : [jsonType]).map((type) => [type, mediaType]))

const toSchema = (parameter: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(parameter).filter(([field]) => schemaFields.has(field)))

function convertParameter(parameter: JsonValue): JsonValue {
  if (!isJsonObject(parameter) || getField(parameter, '$ref') !== undefined) return parameter
  const { collectionFormat, ...fields } = parameter
  const rest = Object.fromEntries(Object.entries(fields).filter(([field]) => !schemaFields.has(field)))
  return { ...rest, schema: toSchema(parameter), ...toStyle(collectionFormat, getField(parameter, 'in')) }
}

/** Returns how a list is serialized; the defaults of OpenAPI 3 need no fields. */
function toStyle(collectionFormat: JsonValue | undefined, location: JsonValue | undefined): JsonObject {
  const isQuery = location === 'query'
  switch (collectionFormat) {
    case 'csv':
      return isQuery ? { style: 'form', explode: false } : { style: 'simple' }
    case 'ssv':
      return isQuery ? { style: 'spaceDelimited', explode: false } : {}
    case 'pipes':
      return isQuery ? { style: 'pipeDelimited', explode: false } : {}
    case 'multi':
      return isQuery ? { style: 'form', explode: true } : {}
    default:
      return {}
  }
}

function convertResponse(response: JsonValue, produces: readonly string[]): JsonValue {
  if (!isJsonObject(response) || getField(response, '$ref') !== undefined) return response
  const { schema, examples, headers, ...rest } = response
  const content = schema === undefined ? {} : toContent(produces, { schema })
  for (const [type, example] of Object.entries(isJsonObject(examples ?? null) ? (examples as JsonObject) : {}))
    content[type] = { ...getObject(content, type), example }
  return {
    ...rest,
    ...(headers !== undefined && { headers: mapObject(headers, convertHeader) }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function convertHeader(header: JsonValue): JsonValue {
  if (!isJsonObject(header)) return header
  const { collectionFormat: _, ...fields } = header
  const rest = Object.fromEntries(Object.entries(fields).filter(([field]) => !schemaFields.has(field)))
  return { ...rest, schema: toSchema(header) }
}

/** Names of the flows of OAuth in OpenAPI 3. */
const flowNames = new Map<JsonValue | undefined, string>([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
])

function convertSecurityScheme(scheme: JsonValue): JsonValue {
  if (!isJsonObject(scheme)) return scheme
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme
  if (type === 'basic') return { ...rest, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return scheme
  const converted: JsonObject = {
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(tokenUrl !== undefined && { tokenUrl }),
    scopes: isJsonObject(scopes ?? null) ? (scopes as JsonObject) : {},
  }
  return { ...rest, type, flows: { [flowNames.get(flow) ?? 'implicit']: converted } }
}

function convertSchema(schema: JsonObject): JsonObject {
  const { discriminator, 'x-nullable': nullable, ...rest } = schema
  const file: JsonObject = getField(schema, 'type') === 'file' ? { type: 'string', format: 'binary' } : {}
  const { collectionFormat: _, ...fields } = rest
  return {
    ...fields,
    ...file,
    ...(typeof discriminator === 'string'
      ? { discriminator: { propertyName: discriminator } }
      : discriminator !== undefined && { discriminator }),
    ...(nullable === true && { nullable }),
  }
}

/** Changes the references to the sections that have other names. */
function moveReference(object: JsonObject, bodyNames: ReadonlySet<string>): JsonObject {
  const reference = getField(object, '$ref')
  if (typeof reference !== 'string') return object
  const [, section, rest = ''] = /^#\/(definitions|parameters|responses)(\/.*)$/.exec(reference) ?? []
  if (section === undefined) return object
  const name = section === 'definitions' ? 'schemas' : section
  const isBody = section === 'parameters' && bodyNames.has(rest.slice(1))
  return { ...object, $ref: `#/components/${isBody ? 'requestBodies' : name}${rest}` }
}
