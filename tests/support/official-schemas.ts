import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

interface OfficialOperation {
  operationId: string
  responses: Record<string, { content?: Record<string, unknown> }>
}

interface OfficialDocument {
  paths: Record<string, Record<string, OfficialOperation>>
}

/** The public API that this one follows, as its own document tells it. */
export function officialDocument(): OfficialDocument {
  const file = createRequire(import.meta.url)
    .resolve('@gitbook/api')
    .replace(/dist\/.*$/, 'spec/openapi.json')
  return JSON.parse(readFileSync(file, 'utf8')) as OfficialDocument
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

  /** What the public API would not have answered, as `place: message`. */
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
