import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

interface OfficialOperation {
  operationId: string
  /** Accepted kinds of tokens; `oauth` tokens with these scopes. */
  security?: { oauth?: string[] }[]
  responses: Record<string, { content?: Record<string, unknown> }>
}

interface OfficialDocument {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, OfficialOperation>>
}

/** Returns the OpenAPI document of the public API that this one follows. */
export function officialDocument(): OfficialDocument {
  const file = createRequire(import.meta.url)
    .resolve('@gitbook/api')
    .replace(/dist\/.*$/, 'spec/openapi.json')
  return JSON.parse(readFileSync(file, 'utf8')) as OfficialDocument
}

type Schema = Record<string, unknown>

/**
 * Corrects the schemas of content. Their alternatives overlap (a file in a table cell matches two), and buttons and pages without
 * a body match no schema, as they would have to match two closed objects at once. Real repositories nest blocks more freely than
 * the lists of allowed children, so each nested node is checked by the schema of its own type.
 */
function correctedSchemas(schemas: Record<string, Schema>): Record<string, Schema> {
  const corrected = corrections(schemas) as Record<string, Schema>
  for (const name of ['DocumentInlineButton', 'Document']) {
    const text = JSON.stringify(corrected[name]).replaceAll(',"additionalProperties":false', '')
    corrected[name] = JSON.parse(text) as Schema
  }
  return corrected
}

function corrections(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(corrections)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'oneOf') return ['anyOf', corrections(inner)]
      if ((name === 'nodes' || name === 'pages') && inner.type === 'array') return [name, { ...inner, items: {} }]
      return [name, corrections(inner)]
    }),
  )
}

const jsonType = 'application/json'
const pointer = (...keys: string[]) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Checks replies against the schemas of the public API. */
export class OfficialSchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateFormats: true })
  readonly #replies = new Map<string, string>()
  readonly operations: ReadonlySet<string>

  constructor() {
    const document = officialDocument()
    this.#ajv.addFormat('uri', (text) => URL.canParse(text))
    this.#ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
    this.#ajv.addSchema(document, 'official')
    const operations = new Set<string>()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses }] of Object.entries(methods)) {
        operations.add(operationId)
        for (const [status, { content }] of Object.entries(responses ?? {})) {
          const place = ['paths', path, method, 'responses', status]
          const schema = content?.[jsonType] ? pointer(...place, 'content', jsonType, 'schema') : ''
          this.#replies.set(`${operationId} ${status}`, schema)
        }
      }
    }
    this.operations = operations
  }

  /** Returns violations of the reply schema in the form `path: message`. */
  problemsOf(operationId: string, status: number, reply: unknown): string[] {
    const schema = this.#replies.get(`${operationId} ${status}`)
    if (schema === undefined) return [`the status ${status} is not one of it`]
    if (schema === '') return reply === undefined ? [] : ['it has no body']
    const validate = this.#ajv.getSchema(`official#${schema}`) as ValidateFunction
    if (validate(reply)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath || '/'}: ${message} ${JSON.stringify(params)}`.slice(0, 300),
    )
  }
}

/** Checks revisions and documents, each page and node against the schema of its type. */
export class OfficialContentSchemas {
  readonly #ajv = new Ajv2020({ strict: false, logger: false })
  /** Names of schemas by kind and type of node. */
  readonly #names = new Map<string, string>([
    ['revision edits', 'RevisionTypeEdits'],
    ['page document', 'RevisionPageDocument'],
    ['page group', 'RevisionPageGroup'],
    ['page link', 'RevisionPageLink'],
    ['page computed', 'RevisionPageComputed'],
    ['document', 'JSONDocument'],
    ['fragment', 'DocumentFragment'],
    ['text', 'DocumentText'],
  ])

  constructor() {
    const { schemas } = officialDocument().components
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    this.#ajv.addFormat('uri', (text) => URL.canParse(text))
    this.#ajv.addFormat('icon', true)
    this.#ajv.addFormat('emoji', true)
    this.#ajv.addSchema({ components: { schemas: correctedSchemas(schemas) } }, 'official')
    for (const [name, schema] of Object.entries(schemas)) {
      const properties = schema['properties'] as Record<string, { enum?: string[] }> | undefined
      for (const kind of properties?.['object']?.enum ?? []) {
        if (!name.startsWith('Document') || (kind !== 'block' && kind !== 'inline')) continue
        for (const type of properties?.['type']?.enum ?? []) this.#names.set(`${kind} ${type}`, name)
      }
    }
  }

  /** Returns violations in the form `path: message`. */
  problemsOf(node: OfficialNode, place = ''): string[] {
    const kind = kindOf(node)
    const name = this.#names.get(kind)
    if (name === undefined) return [`${place}: there is no schema for ${kind}`]
    const validate = this.#ajv.getSchema(`official#/components/schemas/${name}`) as ValidateFunction
    const isValid = validate(node)
    const own = ((!isValid && validate.errors) || []).map(({ instancePath, message }) =>
      `${place} ${kind}${instancePath}: ${message} in ${JSON.stringify(node)}`.slice(0, 400),
    )
    const inside = (['pages', 'nodes', 'fragments'] as const).flatMap((list) =>
      (node[list] ?? []).flatMap((inner, index) => this.problemsOf(inner, `${place}/${list}/${index}`)),
    )
    return [...own, ...inside]
  }
}

function kindOf({ object = 'page', type }: OfficialNode): string {
  return type === undefined || object === 'fragment' ? object : `${object} ${type}`
}

export interface OfficialNode {
  object?: string
  type?: string
  pages?: readonly OfficialNode[]
  nodes?: readonly OfficialNode[]
  fragments?: readonly OfficialNode[]
}
