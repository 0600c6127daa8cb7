import { ScimError } from './errors.ts'
import type { AttributeDefinition } from './schemas.ts'

/** Attributes of a resource under the names of its schema. */
export type Attributes = Record<string, unknown>

/** Maximum number of elements of a multi-valued attribute; operations may have lower limits. */
const maxElements = 10_000

/** Returns the definition of an attribute that callers may change; undefined for unknown and read-only ones. */
export function findWritable(
  definitions: readonly AttributeDefinition[],
  lowerCaseName: string,
): AttributeDefinition | undefined {
  return definitions.find(({ name, mutability }) => mutability === 'readWrite' && name.toLowerCase() === lowerCaseName)
}

/**
 * Returns the writable attributes of a body under the names of the schema. Unknown and read-only attributes are left
 * out, as are those that are null.
 */
export function pickWritable(definitions: readonly AttributeDefinition[], body: unknown, at = 'body'): Attributes {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ScimError('invalidSyntax', `${at}: must be an object`)
  }
  const picked: Attributes = {}
  for (const [name, value] of Object.entries(body)) {
    const definition = findWritable(definitions, name.toLowerCase())
    if (!definition || value === null) continue
    if (definition.name in picked) throw new ScimError('invalidSyntax', `${at}: contains ${definition.name} twice`)
    picked[definition.name] = toCanonicalValue(definition, value)
  }
  return picked
}

/** Returns the value of an attribute with the names of the schema. The types of simple values are not checked. */
export function toCanonicalValue(definition: AttributeDefinition, value: unknown): unknown {
  const { name, multiValued, subAttributes } = definition
  if (!multiValued) return subAttributes ? pickWritable(subAttributes, value, name) : value
  // Clients send a single element without a list, and an element that has only a value as a string.
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (elements.length > maxElements)
    throw new ScimError('invalidValue', `${name}: has more than ${maxElements} elements`)
  return elements.map((element) =>
    pickWritable(subAttributes ?? [], typeof element === 'string' ? { value: element } : element, name),
  )
}
