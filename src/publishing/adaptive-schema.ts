import type { AdaptiveClaim, AdaptiveJSONSchema, AdaptivePrimitiveClaim } from '../contract/adaptive-schema.ts'
import type { ErrorDetail } from '../contract/errors.ts'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const unsignedDescription = 'Unsigned claims of the site visitor.'

/** Maximum number of names in the path from `visitor.claims` to a claim. */
const maxNesting = 5
const maxClaims = 200
const maxNameLength = 64
const maxValues = 100
/** Maximum number of enum values in a schema; each value adds a suggested condition. */
const maxValuesInAll = 2000
/** Maximum length of an enum value, so that a condition on the deepest claim fits the column that stores conditions. */
const maxValueLength = 128
const maxDescriptionLength = 1000
const maxBytes = 64 * 1024
/** Maximum number of problems reported at once. */
const maxProblems = 20

export type SchemaReading = { schema: AdaptiveJSONSchema } | { problems: ErrorDetail[] }

/** Validates a schema of visitor claims; the returned schema is a copy that contains only validated fields. */
export function readAdaptiveSchema(given: unknown, path = 'body.jsonSchema'): SchemaReading {
  const reader = new SchemaReader()
  const schema = reader.root(given, path)
  if (schema === undefined || reader.problems.length > 0) return { problems: reader.problems }
  const { length } = new TextEncoder().encode(JSON.stringify(schema))
  return length <= maxBytes
    ? { schema }
    : { problems: [{ path, message: `must have at most ${maxBytes} bytes as JSON` }] }
}

/** Parses the stored schema of a site, which was validated before it was stored. */
export function storedAdaptiveSchema(text: string | null): AdaptiveJSONSchema | undefined {
  return text === null ? undefined : (JSON.parse(text) as AdaptiveJSONSchema)
}

/** Fields of a JSON object, as a map so that names like `__proto__` have no special meaning. */
type Fields = ReadonlyMap<string, unknown>

const keysOf = {
  boolean: ['type', 'description'],
  string: ['type', 'description', 'enum'],
  number: ['type', 'description'],
  array: ['type', 'description', 'items'],
  object: ['type', 'description', 'properties', 'additionalProperties'],
} satisfies { [T in AdaptiveClaim['type']]: string[] }

type Type = AdaptiveClaim['type']
type PrimitiveType = AdaptivePrimitiveClaim['type']

const primitiveTypes: readonly PrimitiveType[] = ['boolean', 'string', 'number']

const isPrimitive = (type: Type): type is PrimitiveType => (primitiveTypes as readonly Type[]).includes(type)

const references = new Set(['$ref', '$id', '$defs', 'definitions', '$anchor', '$dynamicRef', '$recursiveRef'])
const combinations = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'])

class SchemaReader {
  readonly problems: ErrorDetail[] = []
  #claims = 0
  #values = 0

  root(given: unknown, path: string): AdaptiveJSONSchema | undefined {
    const fields = this.#object(given, path)
    if (fields === undefined) return undefined
    this.#onlyKeys(fields, path, ['$schema', 'type', 'properties', 'additionalProperties'])
    if (fields.has('$schema')) this.#exactly(fields, path, '$schema', draft07)
    this.#exactly(fields, path, 'type', 'object')
    this.#exactly(fields, path, 'additionalProperties', false)
    const properties = this.#properties(fields, path, [])
    return {
      ...(fields.has('$schema') && { $schema: draft07 }),
      type: 'object',
      properties,
      additionalProperties: false,
    }
  }

  #claim(given: unknown, path: string, names: readonly string[]): AdaptiveClaim | undefined {
    const fields = this.#object(given, path)
    const type = fields && this.#type(fields, path, [...primitiveTypes, 'array', 'object'])
    if (fields === undefined || type === undefined) return undefined
    if (isPrimitive(type)) return this.#primitive(type, fields, path)
    const description = this.#description(fields, path)
    if (type === 'object') return this.#objectClaim(fields, path, names, description)
    const items = this.#items(fields.get('items'), `${path}.items`)
    return items && { type, description, items }
  }

  #items(given: unknown, path: string): AdaptivePrimitiveClaim | undefined {
    const fields = this.#object(given, path)
    const type = fields && this.#type(fields, path, primitiveTypes)
    return fields && type && this.#primitive(type, fields, path)
  }

  /** Returns the type of a claim and checks that all fields are allowed for this type. */
  #type<T extends Type>(fields: Fields, path: string, possible: readonly T[]): T | undefined {
    const type = possible.find((one) => one === fields.get('type'))
    if (type === undefined) return this.#refuse(`${path}.type`, `must be one of ${possible.join(', ')}`)
    this.#onlyKeys(fields, path, keysOf[type])
    return type
  }

  #primitive(type: PrimitiveType, fields: Fields, path: string): AdaptivePrimitiveClaim {
    // Boolean claims do not require a description.
    if (type === 'boolean' && !fields.has('description')) return { type }
    const description = this.#description(fields, path)
    if (type !== 'string' || !fields.has('enum')) return { type, description }
    return { type, description, enum: this.#enum(fields.get('enum'), `${path}.enum`) }
  }

  #objectClaim(fields: Fields, path: string, names: readonly string[], description: string): AdaptiveClaim | undefined {
    this.#exactly(fields, path, 'additionalProperties', false)
    if (names.length >= maxNesting) return this.#refuse(path, `is nested deeper than ${maxNesting} levels`)
    const properties = this.#properties(fields, path, names)
    return { type: 'object', description, properties, additionalProperties: false }
  }

  #unsigned(given: unknown, path: string): AdaptiveClaim | undefined {
    const fields = this.#object(given, path)
    if (fields === undefined) return undefined
    this.#onlyKeys(fields, path, keysOf.object)
    this.#exactly(fields, path, 'type', 'object')
    if (fields.has('description')) this.#exactly(fields, path, 'description', unsignedDescription)
    return this.#objectClaim(fields, path, ['unsigned'], unsignedDescription)
  }

  #properties(owner: Fields, ownerPath: string, names: readonly string[]): Record<string, AdaptiveClaim> {
    const path = `${ownerPath}.properties`
    const claims: [string, AdaptiveClaim][] = []
    for (const [name, given] of this.#object(owner.get('properties'), path) ?? []) {
      const claimPath = `${path}.${shortened(name)}`
      const isUnsigned = names.length === 0 && name === 'unsigned'
      if (!isUnsigned && (this.#claims += 1) > maxClaims) {
        if (this.#claims === maxClaims + 1) this.#refuse(claimPath, `exceeds the maximum of ${maxClaims} claims`)
        break
      }
      const problem = problemOfName(name)
      if (problem !== undefined) {
        this.#refuse(claimPath, problem)
        continue
      }
      const claim = isUnsigned ? this.#unsigned(given, claimPath) : this.#claim(given, claimPath, [...names, name])
      if (claim !== undefined) claims.push([name, claim])
    }
    return Object.fromEntries(claims)
  }

  #description(fields: Fields, path: string): string {
    const description = fields.get('description')
    if (typeof description === 'string' && description.length <= maxDescriptionLength) return description
    this.#refuse(`${path}.description`, `must be a string of at most ${maxDescriptionLength} characters`)
    return ''
  }

  #enum(given: unknown, path: string): string[] {
    if (!Array.isArray(given) || given.length === 0 || given.length > maxValues) {
      this.#refuse(path, `must be a list of 1 to ${maxValues} strings`)
      return []
    }
    this.#values += given.length
    if (this.#values > maxValuesInAll) this.#refuse(path, `exceeds the maximum of ${maxValuesInAll} values in total`)
    const values = new Set<string>()
    for (const [index, value] of (given as unknown[]).entries()) {
      const problem = problemOfValue(value)
      if (problem !== undefined) this.#refuse(`${path}.${index}`, problem)
      else if (values.has(value as string)) this.#refuse(`${path}.${index}`, 'is listed twice')
      else values.add(value as string)
    }
    return [...values]
  }

  #object(given: unknown, path: string): Fields | undefined {
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return new Map(Object.entries(given))
    return this.#refuse(path, 'must be an object')
  }

  #onlyKeys(fields: Fields, path: string, allowed: readonly string[]): void {
    for (const key of fields.keys()) {
      if (!allowed.includes(key)) this.#refuse(`${path}.${shortened(key)}`, refusalOf(key, allowed))
    }
  }

  #exactly(fields: Fields, path: string, key: string, value: string | false): void {
    if (fields.get(key) !== value) this.#refuse(`${path}.${key}`, `must be ${JSON.stringify(value)}`)
  }

  #refuse(path: string, message: string): undefined {
    if (this.problems.length < maxProblems) this.problems.push({ path, message })
  }
}

function refusalOf(key: string, allowed: readonly string[]): string {
  if (references.has(key)) return 'is not supported: references are not allowed'
  if (combinations.has(key)) return 'is not supported: combining schemas is not allowed'
  return `is not supported; allowed are ${allowed.join(', ')}`
}

/** Control characters, which are invisible, and lone surrogates, which are not valid text. */
const unseen = /[\p{Cc}\p{Cs}]/u

function problemOfName(name: string): string | undefined {
  if (name === '' || name.length > maxNameLength) return `must have a name of 1 to ${maxNameLength} characters`
  if (name === '__proto__') return 'must not be named `__proto__`'
  return unseen.test(name) ? 'must have a name without control characters' : undefined
}

function problemOfValue(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxValueLength) {
    return `must be a string of at most ${maxValueLength} characters`
  }
  return unseen.test(value) ? 'must not contain control characters' : undefined
}

const shortened = (name: string) => (name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`)
