import { type NormalizedSchema, readSchema } from './schema.ts'
import type { OpenApiSpec } from './spec.ts'

/** Maximum depth of an example, and maximum number of its values. */
const maxDepth = 6
const maxValues = 250

/** Kind of the example: requests omit read-only fields, responses write-only ones. */
export type ExamplePurpose = 'request' | 'reply'

const exampleByFormat = new Map(
  Object.entries({
    'date-time': '2026-01-31T12:00:00.000Z',
    date: '2026-01-31',
    time: '12:00:00Z',
    email: 'anna@example.com',
    uri: 'https://example.com',
    url: 'https://example.com',
    hostname: 'docs.example.com',
    uuid: '123e4567-e89b-42d3-a456-426614174000',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    byte: 'aGVsbG8=',
  }),
)

/** Returns the example in a schema, else a value generated from its type. */
export function createExample(spec: OpenApiSpec, schema: unknown, purpose: ExamplePurpose): unknown {
  return new ExampleGenerator(spec, purpose).generate(schema, [])
}

class ExampleGenerator {
  readonly #spec: OpenApiSpec
  readonly #purpose: ExamplePurpose
  #remainingValues = maxValues

  constructor(spec: OpenApiSpec, purpose: ExamplePurpose) {
    this.#spec = spec
    this.#purpose = purpose
  }

  /** `ancestors` contains the names of the enclosing schemas. Returns undefined for a recursive schema. */
  generate(node: unknown, ancestors: readonly string[]): unknown {
    if (this.#remainingValues-- <= 0 || ancestors.length > maxDepth) return undefined
    const schema = readSchema(this.#spec, node)
    const { name, examples, values, choices, properties, types } = schema
    if (examples.length > 0) return examples[0]
    if (schema.default !== undefined && properties.length === 0) return schema.default
    if (values) return values[0]
    if (name !== undefined && ancestors.includes(name)) return undefined
    const within = [...ancestors, name ?? '']
    if (properties.length > 0 || types[0] === 'object') return this.#object(schema, within)
    if (choices.length > 0) return this.generate(choices[0], within)
    if (types[0] === 'array') {
      const item = this.generate(schema.items, within)
      return item === undefined ? [] : [item]
    }
    return primitiveExample(schema)
  }

  #object({ properties, additional, choices }: NormalizedSchema, within: readonly string[]): Record<string, unknown> {
    const fields = new Map<string, unknown>()
    const includesOptional = this.#optionalFieldFilter(
      properties.some(({ isRequired }) => isRequired),
      within.length,
    )
    for (const { name, schema, isRequired } of properties) {
      const { isReadOnly, isWriteOnly, isDeprecated } = readSchema(this.#spec, schema)
      if (isDeprecated || (this.#purpose === 'request' ? isReadOnly : isWriteOnly)) continue
      if (!isRequired && !includesOptional(fields.size)) continue
      const value = this.generate(schema, within)
      if (value !== undefined) fields.set(name, value)
    }
    const chosen = choices.length > 0 ? this.generate(choices[0], within) : undefined
    if (typeof chosen === 'object' && chosen !== null)
      for (const [key, value] of Object.entries(chosen)) fields.set(key, value)
    if (fields.size === 0 && additional !== undefined) {
      const value = additional === true ? 'string' : this.generate(additional, within)
      if (value !== undefined) fields.set('key', value)
    }
    return Object.fromEntries(fields)
  }

  /** Whether optional fields are included: requests stay short, responses are complete. */
  #optionalFieldFilter(hasRequired: boolean, depth: number): (count: number) => boolean {
    if (this.#purpose === 'reply') return () => depth <= 3
    return (count) => !hasRequired && depth <= 1 && count < 2
  }
}

function primitiveExample({ types, format, limits, isNullable }: NormalizedSchema): unknown {
  const bound = (kind: string) => limits.find((limit) => limit.kind === kind)?.value
  switch (types[0]) {
    case 'string':
      return exampleByFormat.get(format ?? '') ?? 'string'
    case 'integer':
    case 'number':
      return Math.max(Number(bound('minimum') ?? 1), Math.min(1, Number(bound('maximum') ?? 1)))
    case 'boolean':
      return true
    default:
      return isNullable ? null : 'string'
  }
}
