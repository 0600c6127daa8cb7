import { type Fields, type Spec, fieldsIn, isFields, listIn, textIn } from './spec.ts'

/** A schema as it is read: references followed, parts joined, whatever version of OpenAPI it was written for. */
export interface ShownSchema {
  /** What it is called among the schemas of the document. */
  name: string | undefined
  title: string | undefined
  /** The types that a value may have, such as `string`; empty when that is not said. */
  types: readonly string[]
  format: string | undefined
  description: string | undefined
  isNullable: boolean
  isDeprecated: boolean
  isReadOnly: boolean
  isWriteOnly: boolean
  /** A reference led nowhere. */
  isMissing: boolean
  /** The values that are allowed; undefined when these are not listed. */
  values: readonly unknown[] | undefined
  default: unknown
  examples: readonly unknown[]
  limits: readonly Limit[]
  /** The fields of an object, as schemas that were not read yet. */
  properties: readonly Property[]
  /** What fields of other names hold. */
  additional: unknown
  /** What the entries of a list are. */
  items: unknown
  /** Of which a value is one. */
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

/** How many schemas may be joined into one; nobody writes more, but a circle has no end. */
const maxParts = 64

/** How often a single alternative may stand in another one. */
const maxNesting = 16

/** Reads a schema, one level of it. Never fails: what is not understood is left out. */
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

/** What one alternative that is left says, beside what was said around it. */
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

/** The schema and everything that it is composed of by `allOf`. */
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
  // What it is composed of comes first; what it says itself counts.
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

/** In OpenAPI 3.0 a flag beside the bound says that the bound itself is excluded. */
function strictIn30(part: Fields, kind: LimitKind): LimitKind {
  if (kind === 'minimum' && part['exclusiveMinimum'] === true) return 'exclusiveMinimum'
  return kind === 'maximum' && part['exclusiveMaximum'] === true ? 'exclusiveMaximum' : kind
}

/** What a value may be instead; alternatives that are nothing but values are values. */
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
