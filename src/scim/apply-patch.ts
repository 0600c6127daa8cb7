import { type Attributes, findWritable, toCanonicalValue } from './canonical.ts'
import { ScimError } from './errors.ts'
import type { Filter } from './filter.ts'
import { matchesFilter } from './match-filter.ts'
import type { PatchOperation } from './patch-body.ts'
import type { AttributeDefinition } from './schemas.ts'

/** Maximum number of elements of a multi-valued attribute while a request is applied. */
const maxElements = 20

/**
 * Returns the attributes of a resource after the operations of a PATCH request. Unknown and read-only attributes are
 * ignored, because identity providers send more than a server stores.
 */
export function applyPatch(
  definitions: readonly AttributeDefinition[],
  resource: Attributes,
  operations: readonly PatchOperation[],
): Attributes {
  let result = resource
  for (const operation of operations) {
    const definition = findWritable(definitions, operation.path.attribute)
    if (!definition) continue
    const value = applyToAttribute(definition, result[definition.name], operation)
    if (Array.isArray(value) && value.length > maxElements) {
      throw new ScimError('invalidValue', `${definition.name}: has more than ${maxElements} elements`)
    }
    result = { ...result, [definition.name]: value }
  }
  return result
}

/** Returns the new value of an attribute; undefined if it was removed. */
function applyToAttribute(definition: AttributeDefinition, current: unknown, operation: PatchOperation): unknown {
  const { multiValued, subAttributes } = definition
  if (multiValued) return applyToElements(definition, (current ?? []) as Attributes[], operation)
  const { op, path, value } = operation
  if (path.filter || (path.subAttribute !== undefined && !subAttributes)) throw invalidPath(definition)
  if (path.subAttribute !== undefined) return setPart(definition, (current ?? {}) as Attributes, operation)
  if (op === 'remove' || value === null) return undefined
  const given = toCanonicalValue(definition, value)
  return subAttributes ? { ...(current as Attributes | undefined), ...(given as Attributes) } : given
}

function applyToElements(
  definition: AttributeDefinition,
  elements: readonly Attributes[],
  operation: PatchOperation,
): Attributes[] {
  const { op, path, value } = operation
  const { filter } = path
  if (!filter && path.subAttribute === undefined) return applyToList(definition, elements, operation)
  const isTarget = (element: Attributes) => !filter || matchesFilter(filter, element)
  if (op === 'remove') {
    if (path.subAttribute === undefined) return elements.filter((element) => !isTarget(element))
    return elements.map((element) => (isTarget(element) ? setPart(definition, element, operation) : element))
  }
  // Entra ID replaces elements that do not exist yet and expects them to be added.
  const targets = elements.some(isTarget) ? elements : [...elements, toElement(definition, filter)]
  return targets.map((element) => {
    if (elements.includes(element) && !isTarget(element)) return element
    if (path.subAttribute !== undefined) return setPart(definition, element, operation)
    const [given = {}] = toCanonicalValue(definition, value) as Attributes[]
    return { ...element, ...given }
  })
}

/** Applies an operation to a multi-valued attribute as a whole. */
function applyToList(
  definition: AttributeDefinition,
  elements: readonly Attributes[],
  { op, value }: PatchOperation,
): Attributes[] {
  const given = value === undefined || value === null ? [] : (toCanonicalValue(definition, value) as Attributes[])
  const isGiven = (element: Attributes) => given.some((other) => other['value'] === element['value'])
  if (op === 'replace') return given
  if (op === 'remove') return given.length === 0 ? [] : elements.filter((element) => !isGiven(element))
  return [...elements.filter((element) => !isGiven(element)), ...given]
}

/** Sets or removes a sub-attribute; one that is unknown or read-only is ignored. */
function setPart(
  { subAttributes = [] }: AttributeDefinition,
  element: Attributes,
  { op, path, value }: PatchOperation,
): Attributes {
  const part = findWritable(subAttributes, path.subAttribute ?? '')
  if (!part) return element
  return { ...element, [part.name]: op === 'remove' || value === null ? undefined : toCanonicalValue(part, value) }
}

/** Returns a new element with the values that a filter requires. */
function toElement(definition: AttributeDefinition, filter: Filter | undefined): Attributes {
  if (!filter) return {}
  if (filter.kind === 'and')
    return Object.assign({}, ...filter.filters.map((part) => toElement(definition, part))) as Attributes
  const part = filter.kind === 'compare' && findWritable(definition.subAttributes ?? [], filter.path.attribute)
  if (!part || filter.operator !== 'eq') {
    throw new ScimError('noTarget', `${definition.name}: no element matches the filter of the path`)
  }
  return { [part.name]: filter.value }
}

const invalidPath = ({ name }: AttributeDefinition) =>
  new ScimError('invalidPath', `path: ${name} has no parts that can be selected`)
