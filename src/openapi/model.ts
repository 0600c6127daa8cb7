import { type CodeSample, readBadges, readCodeSamples } from './extensions.ts'
import { type SecurityRequirement, readSecurity } from './security.ts'
import { type ApiServer, readServers } from './servers.ts'
import {
  type SpecObject,
  type OpenApiSpec,
  getEntries,
  getEntriesWithoutExtensions,
  getList,
  getObject,
  getOwn,
  getText,
  isSpecObject,
} from './spec.ts'

/** An operation or webhook with its inherited parameters and servers; schemas are normalized when they are used. */
export interface ApiOperation {
  spec: OpenApiSpec
  kind: 'operation' | 'webhook'
  id: string | undefined
  /** In upper case. */
  method: string
  /** Path, or the name of a webhook. */
  path: string
  servers: readonly ApiServer[]
  summary: string | undefined
  description: string | undefined
  isDeprecated: boolean
  /** Whether `x-internal` hides it from lists. */
  isInternal: boolean
  tags: readonly string[]
  /** Labels such as `Beta`. */
  badges: readonly string[]
  externalDocs: ExternalDocs | undefined
  /** Alternatives of which one is required; empty if no authentication is required. */
  security: readonly SecurityRequirement[]
  parameters: readonly OperationParameter[]
  body: RequestBody | undefined
  responses: readonly OperationResponse[]
  callbacks: readonly OperationCallback[]
  /** Code samples of the document. */
  codeSamples: readonly CodeSample[]
  /** The original object, for extensions. */
  source: SpecObject
}

export interface ExternalDocs {
  url: string
  description: string | undefined
}

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'other'

export interface OperationParameter {
  name: string
  location: ParameterLocation
  isRequired: boolean
  isDeprecated: boolean
  description: string | undefined
  schema: unknown
  example: unknown
  /** Whether the items of a list are separate parameters with the same name. */
  isExploded: boolean
}

export interface MediaTypeContent {
  mediaType: string
  schema: unknown
  examples: readonly NamedExample[]
}

export interface NamedExample {
  name: string | undefined
  summary: string | undefined
  value: unknown
}

export interface RequestBody {
  isRequired: boolean
  description: string | undefined
  contents: readonly MediaTypeContent[]
}

export interface ResponseHeader {
  name: string
  description: string | undefined
  schema: unknown
  isDeprecated: boolean
}

export interface OperationResponse {
  status: string
  description: string | undefined
  headers: readonly ResponseHeader[]
  contents: readonly MediaTypeContent[]
}

/** A request that the API sends to an address from the original request. */
export interface OperationCallback {
  name: string
  operation: ApiOperation
}

const methods: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
])

/** Maximum numbers of the parts of an operation. */
const maxParameters = 200
const maxResponses = 50
const maxMediaTypes = 12
const maxHeaders = 50
const maxExamples = 10
const maxTags = 20
const maxCallbacks = 10

/** Maximum number of operations in lists. */
const maxOperations = 10_000

/** Returns the operations of a document in order, except internal ones. */
export function listOperations(spec: OpenApiSpec): ApiOperation[] {
  return listMethods(spec, getObject(spec.root, 'paths')).flatMap(({ path, method }) =>
    withoutInternal(findOperation(spec, path, method)),
  )
}

/** Returns the webhooks of a document in order, except internal ones. */
export function listWebhooks(spec: OpenApiSpec): ApiOperation[] {
  return listMethods(spec, getWebhooks(spec)).flatMap(({ path, method }) =>
    withoutInternal(findWebhook(spec, path, method)),
  )
}

const withoutInternal = (operation: ApiOperation | undefined): ApiOperation[] =>
  operation && !operation.isInternal ? [operation] : []

function listMethods(spec: OpenApiSpec, items: SpecObject): { path: string; method: string }[] {
  return getEntriesWithoutExtensions(items, maxOperations).flatMap(([path, item]) =>
    Object.keys(spec.resolveObject(item))
      .filter((method) => methods.has(method))
      .map((method) => ({ path, method })),
  )
}

/** Returns an operation by its path and method; undefined if there is none. */
export function findOperation(spec: OpenApiSpec, path: string, method: string): ApiOperation | undefined {
  return readOperation(spec, getOwn(getObject(spec.root, 'paths'), path), { kind: 'operation', path, method })
}

/** Returns a webhook by its name and method; undefined if there is none. */
export function findWebhook(spec: OpenApiSpec, name: string, method: string): ApiOperation | undefined {
  return readOperation(spec, getOwn(getWebhooks(spec), name), { kind: 'webhook', path: name, method })
}

/** OpenAPI 3.0 has webhooks as an extension. */
const getWebhooks = (spec: OpenApiSpec): SpecObject =>
  getObject(spec.root, isSpecObject(spec.root['webhooks']) ? 'webhooks' : 'x-webhooks')

/** Returns the schemas of a document by name. */
export const getNamedSchemas = (spec: OpenApiSpec): SpecObject =>
  getObject(getObject(spec.root, 'components'), 'schemas')

/** Returns the schema with a name; undefined if there is none. */
export const findSchema = (spec: OpenApiSpec, name: string): unknown => getOwn(getNamedSchemas(spec), name)

interface OperationLocation {
  kind: ApiOperation['kind']
  path: string
  method: string
}

function readOperation(
  spec: OpenApiSpec,
  node: unknown,
  { kind, path, method }: OperationLocation,
  isCallback = false,
): ApiOperation | undefined {
  const item = spec.resolveObject(node)
  const name = method.toLowerCase()
  const source = getOwn(item, name)
  if (!methods.has(name) || !isSpecObject(source)) return undefined
  return {
    spec,
    kind,
    id: getText(source, 'operationId'),
    method: name.toUpperCase(),
    path,
    servers: kind === 'webhook' ? [] : readServers([source, item, spec.root]),
    summary: getText(source, 'summary') ?? getText(item, 'summary'),
    description: getText(source, 'description') ?? getText(item, 'description'),
    isDeprecated: source['deprecated'] === true,
    isInternal: source['x-internal'] === true || item['x-internal'] === true,
    tags: getList(source, 'tags')
      .slice(0, maxTags)
      .filter((tag): tag is string => typeof tag === 'string'),
    badges: readBadges(source),
    externalDocs: readExternalDocs(source),
    security: readSecurity(spec, source),
    parameters: mergeParameters(spec, [
      ...getList(item, 'parameters').slice(0, maxParameters),
      ...getList(source, 'parameters').slice(0, maxParameters),
    ]),
    body: readRequestBody(spec, source['requestBody']),
    responses: getEntriesWithoutExtensions(getObject(source, 'responses'), maxResponses).map(([status, response]) =>
      readResponse(spec, status, response),
    ),
    // Callbacks of callbacks are not part of the model, because a document can nest them without end.
    callbacks: isCallback ? [] : readCallbacks(spec, source),
    codeSamples: readCodeSamples(source),
    source,
  }
}

/** Returns the link to further documentation, if it is one that a browser may open. */
function readExternalDocs(fields: SpecObject): ExternalDocs | undefined {
  const docs = getObject(fields, 'externalDocs')
  const url = getText(docs, 'url')
  return url !== undefined && /^https?:\/\//i.test(url) ? { url, description: getText(docs, 'description') } : undefined
}

function readCallbacks(spec: OpenApiSpec, source: SpecObject): OperationCallback[] {
  return getEntriesWithoutExtensions(getObject(source, 'callbacks'), maxCallbacks)
    .flatMap(([name, node]) =>
      getEntriesWithoutExtensions(spec.resolveObject(node), maxCallbacks).flatMap(([path, item]) =>
        Object.keys(spec.resolveObject(item))
          .slice(0, maxCallbacks)
          .flatMap((method) => {
            const operation = readOperation(spec, item, { kind: 'webhook', path, method }, true)
            return operation ? [{ name, operation }] : []
          }),
      ),
    )
    .slice(0, maxCallbacks)
}

/** Merges parameters; later ones replace earlier ones with the same name and location. */
function mergeParameters(spec: OpenApiSpec, nodes: readonly unknown[]): OperationParameter[] {
  const found = new Map<string, OperationParameter>()
  for (const node of nodes) {
    const fields = spec.resolveObject(node)
    const name = getText(fields, 'name')
    if (name === undefined) continue
    const location = toParameterLocation(fields['in'])
    const key = `${location} ${name}`
    if (fields['x-internal'] === true) {
      found.delete(key)
      continue
    }
    const [content] = readContents(spec, fields)
    const isFormStyle = location === 'query' || location === 'cookie'
    found.set(key, {
      name,
      location,
      isRequired: fields['required'] === true || location === 'path',
      isDeprecated: fields['deprecated'] === true,
      description: getText(fields, 'description'),
      schema: fields['schema'] ?? content?.schema,
      example: (readExamples(spec, fields)[0] ?? content?.examples[0])?.value,
      isExploded: typeof fields['explode'] === 'boolean' ? fields['explode'] : isFormStyle,
    })
  }
  return [...found.values()]
}

const toParameterLocation = (value: unknown): ParameterLocation =>
  value === 'path' || value === 'query' || value === 'header' || value === 'cookie' ? value : 'other'

function readRequestBody(spec: OpenApiSpec, node: unknown): RequestBody | undefined {
  if (node === undefined) return undefined
  const fields = spec.resolveObject(node)
  return {
    isRequired: fields['required'] === true,
    description: getText(fields, 'description'),
    contents: readContents(spec, fields),
  }
}

function readResponse(spec: OpenApiSpec, status: string, node: unknown): OperationResponse {
  const fields = spec.resolveObject(node)
  return {
    status,
    description: getText(fields, 'description'),
    headers: getEntries(getObject(fields, 'headers'), maxHeaders).map(([name, header]) => {
      const target = spec.resolveObject(header)
      return {
        name,
        description: getText(target, 'description'),
        schema: target['schema'] ?? readContents(spec, target)[0]?.schema,
        isDeprecated: target['deprecated'] === true,
      }
    }),
    contents: readContents(spec, fields),
  }
}

function readContents(spec: OpenApiSpec, fields: SpecObject): MediaTypeContent[] {
  return getEntries(getObject(fields, 'content'), maxMediaTypes).map(([mediaType, node]) => {
    const content = spec.resolveObject(node)
    // Streams describe their items instead of the whole body since OpenAPI 3.2.
    return { mediaType, schema: content['schema'] ?? content['itemSchema'], examples: readExamples(spec, content) }
  })
}

function readExamples(spec: OpenApiSpec, fields: SpecObject): NamedExample[] {
  const example = getOwn(fields, 'example')
  if (example !== undefined) return [{ name: undefined, summary: undefined, value: example }]
  return getEntries(getObject(fields, 'examples'), maxExamples).flatMap(([name, node]) => {
    const target = spec.resolveObject(node)
    const value = getOwn(target, 'value') ?? getOwn(target, 'dataValue')
    return value === undefined ? [] : [{ name, summary: getText(target, 'summary'), value }]
  })
}
