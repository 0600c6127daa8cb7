import type { SchemaPurpose } from '../../openapi/schema.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'

/**
 * Number of fields on a page from which on schemas that the page already contains are linked: those of fields, and those of whole
 * bodies.
 */
const maxRepeatedFields = { nested: 400, whole: 1500 }

/** The named schemas that a page already contains. */
export class RenderedSchemas {
  readonly #ids = new Map<OpenApiSpec, Map<string, string>>()
  #fields = 0

  countField(): void {
    this.#fields++
  }

  add(spec: OpenApiSpec, name: string, purpose: SchemaPurpose, id: string): void {
    const ids = this.#ids.get(spec) ?? new Map<string, string>()
    this.#ids.set(spec, ids)
    const key = toKey(name, purpose)
    if (!ids.has(key)) ids.set(key, id)
  }

  /** Returns the id of the element with the fields of a schema; undefined if they are to be rendered again. */
  find(
    spec: OpenApiSpec,
    name: string,
    purpose: SchemaPurpose,
    part: keyof typeof maxRepeatedFields,
  ): string | undefined {
    return this.#fields < maxRepeatedFields[part] ? undefined : this.#ids.get(spec)?.get(toKey(name, purpose))
  }
}

const toKey = (name: string, purpose: SchemaPurpose): string => `${purpose} ${name}`
