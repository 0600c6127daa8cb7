import { type Fields, Spec, fieldsIn, isFields, listIn, textIn } from './spec.ts'

/** An operation with its inherited parameters and servers; schemas are normalized when they are rendered. */
export interface ResolvedOperation {
  spec: Spec
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
  parameters: readonly Parameter[]
  body: Body | undefined
  replies: readonly Reply[]
  /** Whether it requires authentication. */
  isSecured: boolean
  /** The original object, for extensions. */
  written: Fields
}

export interface Parameter {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie' | 'other'
  isRequired: boolean
  isDeprecated: boolean
  description: string | undefined
  schema: unknown
  example: unknown
}

export interface Content {
  mediaType: string
  schema: unknown
  example: unknown
}

export interface Body {
  isRequired: boolean
  description: string | undefined
  contents: readonly Content[]
}

export interface Reply {
  status: string
  description: string | undefined
  headers: readonly { name: string; description: string | undefined; schema: unknown }[]
  contents: readonly Content[]
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Returns all operations of a document in order. */
export function operationsOf(spec: Spec): ResolvedOperation[] {
  return Object.entries(fieldsIn(spec.root, 'paths')).flatMap(([path, item]) =>
    Object.keys(spec.fields(item)).flatMap((method) => findOperation(spec, path, method) ?? []),
  )
}

/** Returns an operation by its path and method; undefined if there is none. */
export function findOperation(spec: Spec, path: string, method: string): ResolvedOperation | undefined {
  const item = spec.fields(fieldsIn(spec.root, 'paths')[path])
  const name = method.toLowerCase()
  const written = item[name]
  if (!methods.has(name) || !isFields(written)) return undefined
  const security = Array.isArray(written['security']) ? written['security'] : listIn(spec.root, 'security')
  return {
    spec,
    id: textIn(written, 'operationId'),
    method: name.toUpperCase(),
    path,
    server: serverOf([written, item, spec.root]),
    summary: textIn(written, 'summary') ?? textIn(item, 'summary'),
    description: textIn(written, 'description') ?? textIn(item, 'description'),
    isDeprecated: written['deprecated'] === true,
    tags: listIn(written, 'tags').filter((tag): tag is string => typeof tag === 'string'),
    parameters: parametersOf(spec, [...listIn(item, 'parameters'), ...listIn(written, 'parameters')]),
    body: bodyOf(spec, written['requestBody']),
    replies: Object.entries(fieldsIn(written, 'responses')).map(([status, reply]) => replyOf(spec, status, reply)),
    // An empty requirement makes authentication optional.
    isSecured: security.length > 0 && security.every((one) => isFields(one) && Object.keys(one).length > 0),
    written,
  }
}

function serverOf(levels: readonly Fields[]): string {
  for (const level of levels) {
    const url = listIn(level, 'servers')
      .filter(isFields)
      .map((server) => textIn(server, 'url'))
      .find((one) => one !== undefined)
    if (url !== undefined) return url.replace(/\/+$/, '')
  }
  return ''
}

/** Merges parameters; later ones replace earlier ones with the same name and location. */
function parametersOf(spec: Spec, nodes: readonly unknown[]): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const node of nodes) {
    const fields = spec.fields(node)
    const name = textIn(fields, 'name')
    if (name === undefined) continue
    const place = placeOf(fields['in'])
    const [content] = contentsOf(spec, fields)
    found.set(`${place} ${name}`, {
      name,
      place,
      isRequired: fields['required'] === true || place === 'path',
      isDeprecated: fields['deprecated'] === true,
      description: textIn(fields, 'description'),
      schema: fields['schema'] ?? content?.schema,
      example: exampleIn(spec, fields),
    })
  }
  return [...found.values()]
}

const placeOf = (value: unknown): Parameter['place'] =>
  value === 'path' || value === 'query' || value === 'header' || value === 'cookie' ? value : 'other'

function bodyOf(spec: Spec, node: unknown): Body | undefined {
  if (node === undefined) return undefined
  const fields = spec.fields(node)
  return {
    isRequired: fields['required'] === true,
    description: textIn(fields, 'description'),
    contents: contentsOf(spec, fields),
  }
}

function replyOf(spec: Spec, status: string, node: unknown): Reply {
  const fields = spec.fields(node)
  return {
    status,
    description: textIn(fields, 'description'),
    headers: Object.entries(fieldsIn(fields, 'headers')).map(([name, header]) => {
      const written = spec.fields(header)
      return { name, description: textIn(written, 'description'), schema: written['schema'] }
    }),
    contents: contentsOf(spec, fields),
  }
}

function contentsOf(spec: Spec, fields: Fields): Content[] {
  return Object.entries(fieldsIn(fields, 'content')).map(([mediaType, node]) => {
    const content = spec.fields(node)
    return { mediaType, schema: content['schema'], example: exampleIn(spec, content) }
  })
}

function exampleIn(spec: Spec, fields: Fields): unknown {
  if (fields['example'] !== undefined) return fields['example']
  const [first] = Object.values(fieldsIn(fields, 'examples'))
  return first === undefined ? undefined : spec.fields(first)['value']
}
