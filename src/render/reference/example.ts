import { type ShownSchema, readSchema } from './schema.ts'
import type { Spec } from './spec.ts'

/** Maximum depth of an example, and maximum number of its values. */
const maxDepth = 6
const maxValues = 250

/** Kind of the example: requests omit read-only fields, responses write-only ones. */
export type ExampleOf = 'request' | 'reply'

const byFormat = new Map(
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
export function exampleOf(spec: Spec, schema: unknown, purpose: ExampleOf): unknown {
  return new Examples(spec, purpose).of(schema, [])
}

class Examples {
  readonly #spec: Spec
  readonly #purpose: ExampleOf
  #left = maxValues

  constructor(spec: Spec, purpose: ExampleOf) {
    this.#spec = spec
    this.#purpose = purpose
  }

  /** `above` contains the names of the enclosing schemas. Returns undefined for a recursive schema. */
  of(node: unknown, above: readonly string[]): unknown {
    if (this.#left-- <= 0 || above.length > maxDepth) return undefined
    const schema = readSchema(this.#spec, node)
    const { name, examples, values, choices, properties, types } = schema
    if (examples.length > 0) return examples[0]
    if (schema.default !== undefined && properties.length === 0) return schema.default
    if (values) return values[0]
    if (name !== undefined && above.includes(name)) return undefined
    const within = [...above, name ?? '']
    if (properties.length > 0 || types[0] === 'object') return this.#object(schema, within)
    if (choices.length > 0) return this.of(choices[0], within)
    if (types[0] === 'array') {
      const item = this.of(schema.items, within)
      return item === undefined ? [] : [item]
    }
    return plainValue(schema)
  }

  #object({ properties, additional, choices }: ShownSchema, within: readonly string[]): Record<string, unknown> {
    const fields = new Map<string, unknown>()
    const isWanted = this.#wanted(
      properties.some(({ isRequired }) => isRequired),
      within.length,
    )
    for (const { name, schema, isRequired } of properties) {
      const { isReadOnly, isWriteOnly, isDeprecated } = readSchema(this.#spec, schema)
      if (isDeprecated || (this.#purpose === 'request' ? isReadOnly : isWriteOnly)) continue
      if (!isRequired && !isWanted(fields.size)) continue
      const value = this.of(schema, within)
      if (value !== undefined) fields.set(name, value)
    }
    const chosen = choices.length > 0 ? this.of(choices[0], within) : undefined
    if (typeof chosen === 'object' && chosen !== null)
      for (const [key, value] of Object.entries(chosen)) fields.set(key, value)
    if (fields.size === 0 && additional !== undefined) {
      const value = additional === true ? 'string' : this.of(additional, within)
      if (value !== undefined) fields.set('key', value)
    }
    return Object.fromEntries(fields)
  }

  /** Whether optional fields are included: requests stay short, responses are complete. */
  #wanted(hasRequired: boolean, depth: number): (count: number) => boolean {
    if (this.#purpose === 'reply') return () => depth <= 3
    return (count) => !hasRequired && depth <= 1 && count < 2
  }
}

function plainValue({ types, format, limits, isNullable }: ShownSchema): unknown {
  const bound = (kind: string) => limits.find((limit) => limit.kind === kind)?.value
  switch (types[0]) {
    case 'string':
      return byFormat.get(format ?? '') ?? 'string'
    case 'integer':
    case 'number':
      return Math.max(Number(bound('minimum') ?? 1), Math.min(1, Number(bound('maximum') ?? 1)))
    case 'boolean':
      return true
    default:
      return isNullable ? null : 'string'
  }
}
