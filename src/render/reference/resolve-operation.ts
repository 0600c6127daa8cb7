import { type SpecObject, OpenApiSpec, getObject, isSpecObject, getList, getText } from './spec.ts'

/** An operation with its inherited parameters and servers; schemas are normalized when they are rendered. */
export interface ResolvedOperation {
  spec: OpenApiSpec
  id: string | undefined
  /** In upper case. */
  method: string
  path: string
  /** Base URL without a trailing slash. */
  server: string
  summary: string | undefined
  description: string | undefined
  isDeprecated: boolean
  tags: readonly string[]
  parameters: readonly OperationParameter[]
  body: RequestBody | undefined
  replies: readonly OperationReply[]
  /** Whether it requires authentication. */
  isSecured: boolean
  /** The original object, for extensions. */
  source: SpecObject
}

export interface OperationParameter {
  name: string
  location: 'path' | 'query' | 'header' | 'cookie' | 'other'
  isRequired: boolean
  isDeprecated: boolean
  description: string | undefined
  schema: unknown
  example: unknown
}

export interface MediaTypeContent {
  mediaType: string
  schema: unknown
  example: unknown
}

export interface RequestBody {
  isRequired: boolean
  description: string | undefined
  contents: readonly MediaTypeContent[]
}

export interface OperationReply {
  status: string
  description: string | undefined
  headers: readonly { name: string; description: string | undefined; schema: unknown }[]
  contents: readonly MediaTypeContent[]
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Returns all operations of a document in order. */
export function listOperations(spec: OpenApiSpec): ResolvedOperation[] {
  return Object.entries(getObject(spec.root, 'paths')).flatMap(([path, item]) =>
    Object.keys(spec.resolveObject(item)).flatMap((method) => findOperation(spec, path, method) ?? []),
  )
}

/** Returns an operation by its path and method; undefined if there is none. */
export function findOperation(spec: OpenApiSpec, path: string, method: string): ResolvedOperation | undefined {
  const item = spec.resolveObject(getObject(spec.root, 'paths')[path])
  const name = method.toLowerCase()
  const source = item[name]
  if (!methods.has(name) || !isSpecObject(source)) return undefined
  const security = Array.isArray(source['security']) ? source['security'] : getList(spec.root, 'security')
  return {
    spec,
    id: getText(source, 'operationId'),
    method: name.toUpperCase(),
    path,
    server: findServerUrl([source, item, spec.root]),
    summary: getText(source, 'summary') ?? getText(item, 'summary'),
    description: getText(source, 'description') ?? getText(item, 'description'),
    isDeprecated: source['deprecated'] === true,
    tags: getList(source, 'tags').filter((tag): tag is string => typeof tag === 'string'),
    parameters: mergeParameters(spec, [...getList(item, 'parameters'), ...getList(source, 'parameters')]),
    body: readRequestBody(spec, source['requestBody']),
    replies: Object.entries(getObject(source, 'responses')).map(([status, reply]) => readReply(spec, status, reply)),
    // An empty requirement makes authentication optional.
    isSecured: security.length > 0 && security.every((one) => isSpecObject(one) && Object.keys(one).length > 0),
    source,
  }
}

function findServerUrl(levels: readonly SpecObject[]): string {
  for (const level of levels) {
    const url = getList(level, 'servers')
      .filter(isSpecObject)
      .map((server) => getText(server, 'url'))
      .find((one) => one !== undefined)
    if (url !== undefined) return url.replace(/\/+$/, '')
  }
  return ''
}

/** Merges parameters; later ones replace earlier ones with the same name and location. */
function mergeParameters(spec: OpenApiSpec, nodes: readonly unknown[]): OperationParameter[] {
  const found = new Map<string, OperationParameter>()
  for (const node of nodes) {
    const fields = spec.resolveObject(node)
    const name = getText(fields, 'name')
    if (name === undefined) continue
    const location = toParameterLocation(fields['in'])
    const [content] = readContents(spec, fields)
    found.set(`${location} ${name}`, {
      name,
      location,
      isRequired: fields['required'] === true || location === 'path',
      isDeprecated: fields['deprecated'] === true,
      description: getText(fields, 'description'),
      schema: fields['schema'] ?? content?.schema,
      example: readExample(spec, fields),
    })
  }
  return [...found.values()]
}

const toParameterLocation = (value: unknown): OperationParameter['location'] =>
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

function readReply(spec: OpenApiSpec, status: string, node: unknown): OperationReply {
  const fields = spec.resolveObject(node)
  return {
    status,
    description: getText(fields, 'description'),
    headers: Object.entries(getObject(fields, 'headers')).map(([name, header]) => {
      const written = spec.resolveObject(header)
      return { name, description: getText(written, 'description'), schema: written['schema'] }
    }),
    contents: readContents(spec, fields),
  }
}

function readContents(spec: OpenApiSpec, fields: SpecObject): MediaTypeContent[] {
  return Object.entries(getObject(fields, 'content')).map(([mediaType, node]) => {
    const content = spec.resolveObject(node)
    return { mediaType, schema: content['schema'], example: readExample(spec, content) }
  })
}

function readExample(spec: OpenApiSpec, fields: SpecObject): unknown {
  if (fields['example'] !== undefined) return fields['example']
  const [first] = Object.values(getObject(fields, 'examples'))
  return first === undefined ? undefined : spec.resolveObject(first)['value']
}
