import { type Fields, type Spec, fieldsIn, isFields, listIn, textIn } from './spec.ts'

/** A normalized schema: references resolved, `allOf` merged, the same for all versions of OpenAPI. */
export interface ShownSchema {
  /** Name in the schemas of the document. */
  name: string | undefined
  title: string | undefined
  /** Allowed types, such as `string`; empty if unspecified. */
  types: readonly string[]
  format: string | undefined
  description: string | undefined
  isNullable: boolean
  isDeprecated: boolean
  isReadOnly: boolean
  isWriteOnly: boolean
  /** Whether a reference is dangling. */
  isMissing: boolean
  /** Allowed values; undefined if not restricted. */
  values: readonly unknown[] | undefined
  default: unknown
  examples: readonly unknown[]
  limits: readonly Limit[]
  /** Fields of an object, as schemas that are not normalized yet. */
  properties: readonly Property[]
  /** Schema of additional fields. */
  additional: unknown
  /** Schema of list items. */
  items: unknown
  /** Alternatives of which a value matches one. */
  choices: readonly unknown[]
}

export interface Property {
  name: string
  schema: unknown
  isRequired: boolean
}

export type LimitKind =
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'pattern'
  | 'uniqueItems'

export interface Limit {
  kind: LimitKind
  value: string
}

const numericLimits = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const satisfies LimitKind[]

/** Maximum number of schemas merged into one, so that cycles end. */
const maxParts = 64

/** Maximum nesting of single alternatives. */
const maxNesting = 16

/** Normalizes one level of a schema. Never fails: unknown parts are ignored. */
export function readSchema(spec: Spec, node: unknown, nesting = 0): ShownSchema {
  const { parts, name, isMissing } = partsOf(spec, node)
  const merged = merge(parts)
  const { choices, ...alternatives } = alternativesOf(spec, parts)
  const types = typesOf(parts)
  const shown: ShownSchema = {
    ...merged,
    name,
    types: types.filter((type) => type !== 'null'),
    isNullable: alternatives.isNullable || types.includes('null') || merged.isNullable,
    isMissing,
    values: merged.values ?? alternatives.values,
    choices,
  }
  const [only] = choices
  if (choices.length !== 1) return shown
  return nesting < maxNesting ? joined(shown, readSchema(spec, only, nesting + 1)) : { ...shown, choices: [] }
}

/** Merges a single remaining alternative into the schema around it. */
function joined(outer: ShownSchema, inner: ShownSchema): ShownSchema {
  return {
    ...inner,
    name: inner.name ?? outer.name,
    title: outer.title ?? inner.title,
    description: outer.description ?? inner.description,
    default: outer.default ?? inner.default,
    examples: outer.examples.length > 0 ? outer.examples : inner.examples,
    properties: [...outer.properties, ...inner.properties],
    limits: [...outer.limits, ...inner.limits],
    isNullable: outer.isNullable || inner.isNullable,
    isDeprecated: outer.isDeprecated || inner.isDeprecated,
    isReadOnly: outer.isReadOnly || inner.isReadOnly,
    isWriteOnly: outer.isWriteOnly || inner.isWriteOnly,
  }
}

/** Returns the schema and all schemas of its `allOf`. */
function partsOf(spec: Spec, node: unknown): { parts: Fields[]; name: string | undefined; isMissing: boolean } {
  const first = spec.resolve(node)
  const parts: Fields[] = []
  const asked = new Set<unknown>([node])
  const waiting: unknown[] = [first.value]
  for (let value = waiting.shift(); value !== undefined && parts.length < maxParts; value = waiting.shift()) {
    if (!isFields(value)) continue
    parts.push(value)
    for (const part of listIn(value, 'allOf')) {
      if (asked.has(part)) continue
      asked.add(part)
      waiting.push(spec.resolve(part).value)
    }
  }
  return { parts, name: first.name, isMissing: first.isMissing }
}

type Merged = Omit<ShownSchema, 'name' | 'types' | 'isMissing' | 'choices'>

function merge(parts: readonly Fields[]): Merged {
  const firstText = (name: string) => parts.map((part) => textIn(part, name)).find((text) => text !== undefined)
  const first = (name: string) => parts.find((part) => Object.hasOwn(part, name))?.[name]
  const isSet = (name: string) => parts.some((part) => part[name] === true)
  const required = new Set(parts.flatMap((part) => listIn(part, 'required')))
  // Schemas in `allOf` come first, so fields of the schema itself override them.
  const inOrder = [...parts.slice(1), ...parts.slice(0, 1)]
  const properties = new Map(inOrder.flatMap((part) => Object.entries(fieldsIn(part, 'properties'))))
  const additional = first('additionalProperties') ?? Object.values(fieldsIn(parts[0] ?? {}, 'patternProperties'))[0]
  return {
    title: firstText('title'),
    format: firstText('format'),
    description: firstText('description'),
    isNullable: isSet('nullable'),
    isDeprecated: isSet('deprecated'),
    isReadOnly: isSet('readOnly'),
    isWriteOnly: isSet('writeOnly'),
    values: valuesOf(parts),
    default: first('default'),
    examples: examplesOf(parts),
    limits: limitsOf(parts),
    properties: Array.from(properties, ([name, schema]) => ({ name, schema, isRequired: required.has(name) })),
    additional: additional === true || isFields(additional) ? additional : undefined,
    items: first('items') ?? parts.flatMap((part) => listIn(part, 'prefixItems'))[0],
  }
}

function typesOf(parts: readonly Fields[]): string[] {
  for (const part of parts) {
    const { type } = part
    if (typeof type === 'string') return [type]
    const several = listIn(part, 'type').filter((one): one is string => typeof one === 'string')
    if (several.length > 0) return [...new Set(several)]
  }
  if (parts.some((part) => isFields(part['properties']) || isFields(part['additionalProperties']))) return ['object']
  return parts.some((part) => part['items'] !== undefined) ? ['array'] : []
}

function valuesOf(parts: readonly Fields[]): readonly unknown[] | undefined {
  for (const part of parts) {
    if (Object.hasOwn(part, 'const')) return [part['const']]
    const values = listIn(part, 'enum')
    if (values.length > 0) return values
  }
  return undefined
}

function examplesOf(parts: readonly Fields[]): readonly unknown[] {
  for (const part of parts) {
    if (Object.hasOwn(part, 'example')) return [part['example']]
    const examples = listIn(part, 'examples')
    if (examples.length > 0) return examples
  }
  return []
}

function limitsOf(parts: readonly Fields[]): Limit[] {
  const limits: Limit[] = []
  for (const part of parts) {
    for (const kind of numericLimits) {
      const value = part[kind]
      if (typeof value === 'number') limits.push({ kind: strictIn30(part, kind), value: String(value) })
    }
    const pattern = textIn(part, 'pattern')
    if (pattern !== undefined) limits.push({ kind: 'pattern', value: pattern })
    if (part['uniqueItems'] === true) limits.push({ kind: 'uniqueItems', value: '' })
  }
  return limits
}

/** Converts the flags of OpenAPI 3.0 for exclusive bounds. */
function strictIn30(part: Fields, kind: LimitKind): LimitKind {
  if (kind === 'minimum' && part['exclusiveMinimum'] === true) return 'exclusiveMinimum'
  return kind === 'maximum' && part['exclusiveMaximum'] === true ? 'exclusiveMaximum' : kind
}

/** Returns the alternatives of a schema; those with only a constant become allowed values. */
function alternativesOf(
  spec: Spec,
  parts: readonly Fields[],
): { choices: readonly unknown[]; values: readonly unknown[] | undefined; isNullable: boolean } {
  const all = parts.flatMap((part) => [...listIn(part, 'oneOf'), ...listIn(part, 'anyOf')])
  const choices = all.filter((one) => !isNull(spec.fields(one)))
  const values = choices.map((one) => plainValues(spec.fields(one)))
  const areValues = choices.length > 1 && values.every((one) => one !== undefined)
  return {
    choices: areValues ? [] : choices,
    values: areValues ? values.flatMap((one) => one ?? []) : undefined,
    isNullable: choices.length < all.length,
  }
}

const isNull = (fields: Fields): boolean => fields['type'] === 'null' || fields['const'] === null

function plainValues(fields: Fields): readonly unknown[] | undefined {
  return isFields(fields['properties']) ? undefined : valuesOf([fields])
}
