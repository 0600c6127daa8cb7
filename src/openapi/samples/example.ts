import { type NormalizedSchema, type SchemaPurpose, isFieldUsed, readSchema } from '../schema.ts'
import type { OpenApiSpec } from '../spec.ts'
import { createExampleFlag, createExampleNumber, createExampleText } from './example-text.ts'

/** Maximum depth of an example, and maximum number of its values. */
const maxDepth = 6
const maxValues = 250

/** Names of the field and of the schema around it, from which values are guessed. */
interface NameHints {
  field: string | undefined
  parent: string | undefined
}

/**
 * Returns the example in a schema, else a value generated from its type. `name` is the name of the field or, of a body, that of the
 * resource.
 */
export function createExample(spec: OpenApiSpec, schema: unknown, purpose: SchemaPurpose, name?: string): unknown {
  return new ExampleGenerator(spec, purpose).generate(schema, [], { field: name, parent: undefined })
}

/** Returns the name of the resource of a path such as `/pets/{petId}`: the last fixed segment in the singular. */
export function findResourceName(path: string): string | undefined {
  const segments = path
    .slice(0, 2000)
    .split('/')
    .filter((segment) => /^[\w-]+$/.test(segment))
  return toSingular(segments.at(-1))
}

class ExampleGenerator {
  readonly #spec: OpenApiSpec
  readonly #purpose: SchemaPurpose
  #remainingValues = maxValues

  constructor(spec: OpenApiSpec, purpose: SchemaPurpose) {
    this.#spec = spec
    this.#purpose = purpose
  }

  /** `ancestors` contains the names of the enclosing schemas. Returns undefined for a recursive schema. */
  generate(node: unknown, ancestors: readonly string[], hints: NameHints): unknown {
    if (this.#remainingValues-- <= 0 || ancestors.length > maxDepth) return undefined
    const schema = readSchema(this.#spec, node)
    const { name, title, examples, values, choices, properties, types } = schema
    if (examples.length > 0) return examples[0]
    if (schema.default !== undefined && properties.length === 0 && schema.default !== null) return schema.default
    if (values) return values.list[0]?.value
    if (name !== undefined && ancestors.includes(name)) return undefined
    const within = [...ancestors, name ?? '']
    const parent = name ?? title ?? hints.field
    if (properties.length > 0 || types[0] === 'object') return this.#object(schema, within, parent)
    const [choice] = choices
    if (choice) return this.generate(choice.schema, within, hints)
    if (types[0] === 'array') {
      const item = this.generate(schema.items, within, { ...hints, field: toSingular(hints.field) })
      return item === undefined ? [] : [item]
    }
    return createPrimitive(schema, hints)
  }

  #object(
    { properties, additional, choices, discriminator }: NormalizedSchema,
    within: readonly string[],
    parent: string | undefined,
  ): Record<string, unknown> {
    const fields = new Map<string, unknown>()
    const includesOptional = this.#optionalFieldFilter(
      properties.some(({ isRequired }) => isRequired),
      within.length,
    )
    for (const { name, schema, isRequired } of properties) {
      if (this.#remainingValues <= 0) break
      const property = readSchema(this.#spec, schema)
      if (property.isDeprecated || !isFieldUsed(property, this.#purpose)) continue
      if (!isRequired && !includesOptional(fields.size)) continue
      const value = this.generate(schema, within, { field: name, parent })
      if (value !== undefined) fields.set(name, value)
    }
    const [choice] = choices
    const chosen = choice && this.generate(choice.schema, within, { field: undefined, parent })
    if (typeof chosen === 'object' && chosen !== null && !Array.isArray(chosen))
      for (const [key, value] of Object.entries(chosen)) fields.set(key, value)
    if (discriminator !== undefined && choice?.label !== undefined) fields.set(discriminator, choice.label)
    if (fields.size === 0 && additional !== undefined) {
      const value = additional === true ? 'value' : this.generate(additional, within, { field: undefined, parent })
      if (value !== undefined) fields.set('key', value)
    }
    return Object.fromEntries(fields)
  }

  /** Whether optional fields are included: requests stay short, responses are complete. */
  #optionalFieldFilter(hasRequired: boolean, depth: number): (count: number) => boolean {
    if (this.#purpose !== 'request') return () => depth <= 3
    return (count) => !hasRequired && depth <= 1 && count < 3
  }
}

/** Returns the name of an item of a list such as `tags`. */
const toSingular = (name: string | undefined): string | undefined =>
  name?.replace(/ies$/, 'y').replace(/([^su])s$/, '$1')

function createPrimitive(schema: NormalizedSchema, { field, parent }: NameHints): unknown {
  switch (schema.types[0]) {
    case 'string':
      return schema.format === 'binary' ? '<binary>' : createExampleText(schema, field, parent)
    case 'integer':
    case 'number':
      return createExampleNumber(schema, field)
    case 'boolean':
      return createExampleFlag(field)
    default:
      return schema.isNullable ? null : createExampleText(schema, field, parent)
  }
}
