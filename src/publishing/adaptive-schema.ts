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
const maxTotalValues = 2000
/** Maximum length of an enum value, so that a condition on the deepest claim fits the column that stores conditions. */
const maxValueLength = 128
const maxDescriptionLength = 1000
const maxBytes = 64 * 1024
/** Maximum number of problems reported at once. */
const maxProblems = 20

export type AdaptiveSchemaResult = { schema: AdaptiveJSONSchema } | { problems: ErrorDetail[] }

/** Validates a schema of visitor claims; the returned schema is a copy that contains only validated fields. */
export function validateAdaptiveSchema(given: unknown, path = 'body.jsonSchema'): AdaptiveSchemaResult {
  const reader = new SchemaReader()
  const schema = reader.readRoot(given, path)
  if (schema === undefined || reader.problems.length > 0) return { problems: reader.problems }
  const { length } = new TextEncoder().encode(JSON.stringify(schema))
  return length <= maxBytes
    ? { schema }
    : { problems: [{ path, message: `must have at most ${maxBytes} bytes as JSON` }] }
}

/** Parses the stored schema of a site, which was validated before it was stored. */
export function parseStoredAdaptiveSchema(text: string | null): AdaptiveJSONSchema | undefined {
  return text === null ? undefined : (JSON.parse(text) as AdaptiveJSONSchema)
}

/** Fields of a JSON object, as a map so that names like `__proto__` have no special meaning. */
type FieldMap = ReadonlyMap<string, unknown>

const allowedKeys = {
  boolean: ['type', 'description'],
  string: ['type', 'description', 'enum'],
  number: ['type', 'description'],
  array: ['type', 'description', 'items'],
  object: ['type', 'description', 'properties', 'additionalProperties'],
} satisfies { [T in AdaptiveClaim['type']]: string[] }

type ClaimType = AdaptiveClaim['type']
type PrimitiveType = AdaptivePrimitiveClaim['type']

const primitiveTypes: readonly PrimitiveType[] = ['boolean', 'string', 'number']

const isPrimitive = (type: ClaimType): type is PrimitiveType => (primitiveTypes as readonly ClaimType[]).includes(type)

const referenceKeywords = new Set(['$ref', '$id', '$defs', 'definitions', '$anchor', '$dynamicRef', '$recursiveRef'])
const combinationKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'])

class SchemaReader {
  readonly problems: ErrorDetail[] = []
  #claimCount = 0
  #valueCount = 0

  readRoot(given: unknown, path: string): AdaptiveJSONSchema | undefined {
    const fields = this.#readObject(given, path)
    if (fields === undefined) return undefined
    this.#checkKeys(fields, path, ['$schema', 'type', 'properties', 'additionalProperties'])
    if (fields.has('$schema')) this.#checkValue(fields, path, '$schema', draft07)
    this.#checkValue(fields, path, 'type', 'object')
    this.#checkValue(fields, path, 'additionalProperties', false)
    const properties = this.#readProperties(fields, path, [])
    return {
      ...(fields.has('$schema') && { $schema: draft07 }),
      type: 'object',
      properties,
      additionalProperties: false,
    }
  }

  #readClaim(given: unknown, path: string, names: readonly string[]): AdaptiveClaim | undefined {
    const fields = this.#readObject(given, path)
    const type = fields && this.#readType(fields, path, [...primitiveTypes, 'array', 'object'])
    if (fields === undefined || type === undefined) return undefined
    if (isPrimitive(type)) return this.#readPrimitive(type, fields, path)
    const description = this.#readDescription(fields, path)
    if (type === 'object') return this.#readObjectClaim(fields, path, names, description)
    const items = this.#readItems(fields.get('items'), `${path}.items`)
    return items && { type, description, items }
  }

  #readItems(given: unknown, path: string): AdaptivePrimitiveClaim | undefined {
    const fields = this.#readObject(given, path)
    const type = fields && this.#readType(fields, path, primitiveTypes)
    return fields && type && this.#readPrimitive(type, fields, path)
  }

  /** Returns the type of a claim and checks that all fields are allowed for this type. */
  #readType<T extends ClaimType>(fields: FieldMap, path: string, allowedTypes: readonly T[]): T | undefined {
    const type = allowedTypes.find((one) => one === fields.get('type'))
    if (type === undefined) return this.#addProblem(`${path}.type`, `must be one of ${allowedTypes.join(', ')}`)
    this.#checkKeys(fields, path, allowedKeys[type])
    return type
  }

  #readPrimitive(type: PrimitiveType, fields: FieldMap, path: string): AdaptivePrimitiveClaim {
    // Boolean claims do not require a description.
    if (type === 'boolean' && !fields.has('description')) return { type }
    const description = this.#readDescription(fields, path)
    if (type !== 'string' || !fields.has('enum')) return { type, description }
    return { type, description, enum: this.#readEnum(fields.get('enum'), `${path}.enum`) }
  }

  #readObjectClaim(
    fields: FieldMap,
    path: string,
    names: readonly string[],
    description: string,
  ): AdaptiveClaim | undefined {
    this.#checkValue(fields, path, 'additionalProperties', false)
    if (names.length >= maxNesting) return this.#addProblem(path, `is nested deeper than ${maxNesting} levels`)
    const properties = this.#readProperties(fields, path, names)
    return { type: 'object', description, properties, additionalProperties: false }
  }

  #readUnsigned(given: unknown, path: string): AdaptiveClaim | undefined {
    const fields = this.#readObject(given, path)
    if (fields === undefined) return undefined
    this.#checkKeys(fields, path, allowedKeys.object)
    this.#checkValue(fields, path, 'type', 'object')
    if (fields.has('description')) this.#checkValue(fields, path, 'description', unsignedDescription)
    return this.#readObjectClaim(fields, path, ['unsigned'], unsignedDescription)
  }

  #readProperties(owner: FieldMap, ownerPath: string, names: readonly string[]): Record<string, AdaptiveClaim> {
    const path = `${ownerPath}.properties`
    const claims: [string, AdaptiveClaim][] = []
    for (const [name, given] of this.#readObject(owner.get('properties'), path) ?? []) {
      const claimPath = `${path}.${truncateName(name)}`
      const isUnsigned = names.length === 0 && name === 'unsigned'
      if (!isUnsigned && (this.#claimCount += 1) > maxClaims) {
        if (this.#claimCount === maxClaims + 1)
          this.#addProblem(claimPath, `exceeds the maximum of ${maxClaims} claims`)
        break
      }
      const problem = findNameProblem(name)
      if (problem !== undefined) {
        this.#addProblem(claimPath, problem)
        continue
      }
      const claim = isUnsigned
        ? this.#readUnsigned(given, claimPath)
        : this.#readClaim(given, claimPath, [...names, name])
      if (claim !== undefined) claims.push([name, claim])
    }
    return Object.fromEntries(claims)
  }

  #readDescription(fields: FieldMap, path: string): string {
    const description = fields.get('description')
    if (typeof description === 'string' && description.length <= maxDescriptionLength) return description
    this.#addProblem(`${path}.description`, `must be a string of at most ${maxDescriptionLength} characters`)
    return ''
  }

  #readEnum(given: unknown, path: string): string[] {
    if (!Array.isArray(given) || given.length === 0 || given.length > maxValues) {
      this.#addProblem(path, `must be a list of 1 to ${maxValues} strings`)
      return []
    }
    this.#valueCount += given.length
    if (this.#valueCount > maxTotalValues)
      this.#addProblem(path, `exceeds the maximum of ${maxTotalValues} values in total`)
    const values = new Set<string>()
    for (const [index, value] of (given as unknown[]).entries()) {
      const problem = findValueProblem(value)
      if (problem !== undefined) this.#addProblem(`${path}.${index}`, problem)
      else if (values.has(value as string)) this.#addProblem(`${path}.${index}`, 'is listed twice')
      else values.add(value as string)
    }
    return [...values]
  }

  #readObject(given: unknown, path: string): FieldMap | undefined {
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return new Map(Object.entries(given))
    return this.#addProblem(path, 'must be an object')
  }

  #checkKeys(fields: FieldMap, path: string, allowed: readonly string[]): void {
    for (const key of fields.keys()) {
      if (!allowed.includes(key)) this.#addProblem(`${path}.${truncateName(key)}`, describeUnsupportedKey(key, allowed))
    }
  }

  #checkValue(fields: FieldMap, path: string, key: string, value: string | false): void {
    if (fields.get(key) !== value) this.#addProblem(`${path}.${key}`, `must be ${JSON.stringify(value)}`)
  }

  #addProblem(path: string, message: string): undefined {
    if (this.problems.length < maxProblems) this.problems.push({ path, message })
  }
}

function describeUnsupportedKey(key: string, allowed: readonly string[]): string {
  if (referenceKeywords.has(key)) return 'is not supported: references are not allowed'
  if (combinationKeywords.has(key)) return 'is not supported: combining schemas is not allowed'
  return `is not supported; allowed are ${allowed.join(', ')}`
}

/** Control characters, which are invisible, and lone surrogates, which are not valid text. */
const forbiddenCharacters = /[\p{Cc}\p{Cs}]/u

function findNameProblem(name: string): string | undefined {
  if (name === '' || name.length > maxNameLength) return `must have a name of 1 to ${maxNameLength} characters`
  if (name === '__proto__') return 'must not be named `__proto__`'
  return forbiddenCharacters.test(name) ? 'must have a name without control characters' : undefined
}

function findValueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxValueLength) {
    return `must be a string of at most ${maxValueLength} characters`
  }
  return forbiddenCharacters.test(value) ? 'must not contain control characters' : undefined
}

const truncateName = (name: string) => (name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`)
