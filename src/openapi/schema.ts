import {
  type OpenApiSpec,
  type SpecObject,
  getEntries,
  getList,
  getObject,
  getOwn,
  getText,
  isSpecObject,
} from './spec.ts'

/** A normalized schema: references resolved, `allOf` merged, the same for all versions of OpenAPI. */
export interface NormalizedSchema {
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
  /** Whether `x-internal` hides it. */
  isInternal: boolean
  /** Whether a reference is dangling. */
  isMissing: boolean
  /** Allowed values; undefined if not restricted. */
  values: AllowedValues | undefined
  default: unknown
  examples: readonly unknown[]
  limits: readonly SchemaLimit[]
  /** Fields of an object, as schemas that are not normalized yet. */
  properties: readonly SchemaProperty[]
  /** Number of fields beyond the maximum. */
  omittedProperties: number
  /** Schema of additional fields. */
  additional: unknown
  /** Schema of list items. */
  items: unknown
  /** Alternatives of which a value matches one. */
  choices: readonly SchemaChoice[]
  /** Number of alternatives beyond the maximum. */
  omittedChoices: number
  /** The field whose value selects the alternative. */
  discriminator: string | undefined
}

/** The first allowed values, with their descriptions. */
export interface AllowedValues {
  list: readonly AllowedValue[]
  /** Number of all values. */
  count: number
}

export interface AllowedValue {
  value: unknown
  description: string | undefined
}

export interface SchemaChoice {
  schema: unknown
  /** Value of the discriminator that selects it. */
  label: string | undefined
}

export interface SchemaProperty {
  name: string
  schema: unknown
  isRequired: boolean
}

export type SchemaLimitKind =
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

export interface SchemaLimit {
  kind: SchemaLimitKind
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
] as const satisfies SchemaLimitKind[]

/** Maximum number of schemas merged into one, so that cycles end. */
const maxParts = 64

/** Maximum nesting of single alternatives. */
const maxNesting = 16

/** Maximum numbers of fields, alternatives and allowed values that are read. */
const maxProperties = 500
const maxChoices = 100
const maxAllowedValues = 200

/** Normalizes one level of a schema. Never fails: unknown parts are ignored. */
export function readSchema(spec: OpenApiSpec, node: unknown, nesting = 0): NormalizedSchema {
  return spec.computeOnce(node, `schema ${nesting}`, () => normalizeSchema(spec, node, nesting))
}

function normalizeSchema(spec: OpenApiSpec, node: unknown, nesting: number): NormalizedSchema {
  const { parts, name, isMissing } = collectParts(spec, node)
  const merged = mergeParts(spec, parts)
  const { choices, omittedChoices, ...alternatives } = readAlternatives(spec, parts)
  const types = findTypes(parts)
  const schema: NormalizedSchema = {
    ...merged,
    name,
    types: types.filter((type) => type !== 'null'),
    isNullable: alternatives.isNullable || types.includes('null') || merged.isNullable,
    isMissing,
    values: merged.values ?? alternatives.values,
    choices,
    omittedChoices,
  }
  const [only] = choices
  if (choices.length !== 1 || !only) return schema
  return nesting < maxNesting
    ? mergeAlternative(schema, readSchema(spec, only.schema, nesting + 1))
    : { ...schema, choices: [] }
}

/** Merges a single remaining alternative into the schema around it. */
function mergeAlternative(outer: NormalizedSchema, inner: NormalizedSchema): NormalizedSchema {
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
    isInternal: outer.isInternal || inner.isInternal,
  }
}

/** Returns the schema and all schemas of its `allOf`. */
function collectParts(
  spec: OpenApiSpec,
  node: unknown,
): { parts: SpecObject[]; name: string | undefined; isMissing: boolean } {
  const first = spec.resolve(node)
  const parts: SpecObject[] = []
  const visited = new Set<unknown>([node, first.value])
  const queue: unknown[] = [first.value]
  for (let index = 0; index < queue.length && parts.length < maxParts; index++) {
    const value = queue[index]
    if (!isSpecObject(value)) continue
    parts.push(value)
    for (const part of getList(value, 'allOf').slice(0, maxParts)) {
      const target = spec.resolve(part).value
      if (visited.has(part) || visited.has(target)) continue
      visited.add(part).add(target)
      queue.push(target)
    }
  }
  const [reference, ...others] = getList(parts[0] ?? {}, 'allOf')
  // A single reference in `allOf` is how OpenAPI 3.0 adds a description to a referenced schema.
  const isAnnotatedReference = reference !== undefined && others.length === 0 && !isSpecObject(parts[0]?.['properties'])
  const name = first.name ?? (isAnnotatedReference ? spec.resolve(reference).name : undefined)
  return { parts, name, isMissing: first.isMissing }
}

type MergedSchema = Omit<NormalizedSchema, 'name' | 'types' | 'isMissing' | 'choices' | 'omittedChoices'>

function mergeParts(spec: OpenApiSpec, parts: readonly SpecObject[]): MergedSchema {
  const firstText = (name: string) => parts.map((part) => getText(part, name)).find((text) => text !== undefined)
  const first = (name: string) => parts.find((part) => Object.hasOwn(part, name))?.[name]
  const isSet = (name: string) => parts.some((part) => getOwn(part, name) === true)
  const additional =
    first('additionalProperties') ?? getEntries(getObject(parts[0] ?? {}, 'patternProperties'), 1)[0]?.[1]
  return {
    title: firstText('title'),
    format: firstText('format') ?? firstText('contentEncoding'),
    description: firstText('description'),
    isNullable: isSet('nullable'),
    isDeprecated: isSet('deprecated'),
    isReadOnly: isSet('readOnly'),
    isWriteOnly: isSet('writeOnly'),
    isInternal: isSet('x-internal'),
    values: findValues(parts),
    default: first('default'),
    examples: findExamples(parts),
    limits: collectLimits(parts),
    ...mergeProperties(spec, parts),
    additional: additional === true || isSpecObject(additional) ? additional : undefined,
    items: first('items') ?? parts.flatMap((part) => getList(part, 'prefixItems').slice(0, 1))[0],
    discriminator: parts.map((part) => getText(getObject(part, 'discriminator'), 'propertyName')).find(Boolean),
  }
}

function mergeProperties(
  spec: OpenApiSpec,
  parts: readonly SpecObject[],
): Pick<NormalizedSchema, 'properties' | 'omittedProperties'> {
  const required = new Set<unknown>()
  for (const part of parts)
    for (const name of getList(part, 'required').slice(0, Math.max(2 * maxProperties - required.size, 0)))
      required.add(name)
  const properties = new Map<string, unknown>()
  let omittedProperties = 0
  // Schemas in `allOf` come first, so fields of the schema itself override them.
  for (const part of [...parts.slice(1), ...parts.slice(0, 1)]) {
    const own = getObject(part, 'properties')
    const { names, count } = readFieldNames(spec, own)
    omittedProperties += count - names.length
    for (const name of names)
      if (properties.size < maxProperties || properties.has(name)) properties.set(name, own[name])
      else omittedProperties++
  }
  const list = Array.from(properties, ([name, schema]) => ({ name, schema, isRequired: required.has(name) }))
  return { properties: list, omittedProperties }
}

/** Returns the first names of the fields of an object, and the number of all. Many schemas may share the object. */
function readFieldNames(spec: OpenApiSpec, fields: SpecObject): { names: readonly string[]; count: number } {
  return spec.computeOnce(fields, 'names', () => {
    const names = Object.keys(fields)
    return { names: names.slice(0, maxProperties), count: names.length }
  })
}

function findTypes(parts: readonly SpecObject[]): string[] {
  for (const part of parts) {
    const type = getOwn(part, 'type')
    if (typeof type === 'string') return [type]
    const several = getList(part, 'type')
      .slice(0, maxParts)
      .filter((one): one is string => typeof one === 'string')
    if (several.length > 0) return [...new Set(several)]
  }
  if (parts.some((part) => isSpecObject(part['properties']) || isSpecObject(part['additionalProperties'])))
    return ['object']
  return parts.some((part) => part['items'] !== undefined || getList(part, 'prefixItems').length > 0) ? ['array'] : []
}

function findValues(parts: readonly SpecObject[]): AllowedValues | undefined {
  for (const part of parts) {
    if (Object.hasOwn(part, 'const')) return { list: [{ value: part['const'], description: undefined }], count: 1 }
    const values = getList(part, 'enum')
    if (values.length > 0) return describeValues(part, values)
  }
  return undefined
}

/** Adds the descriptions of `x-enumDescriptions` and its variants: by value, or in the order of the values. */
function describeValues(part: SpecObject, values: readonly unknown[]): AllowedValues {
  const descriptions = getOwn(part, 'x-enumDescriptions') ?? getOwn(part, 'x-enum-descriptions')
  const names = getOwn(part, 'x-enum-varnames') ?? getOwn(part, 'x-enumNames')
  const describe = (value: unknown, index: number): string | undefined => {
    for (const source of [descriptions, names]) {
      const found = Array.isArray(source)
        ? (source as unknown[])[index]
        : isSpecObject(source)
          ? getOwn(source, String(value))
          : undefined
      if (typeof found === 'string' && found.trim() !== '') return found
    }
    return undefined
  }
  const list = values.slice(0, maxAllowedValues).map((value, index) => ({ value, description: describe(value, index) }))
  return { list, count: values.length }
}

function findExamples(parts: readonly SpecObject[]): readonly unknown[] {
  for (const part of parts) {
    if (Object.hasOwn(part, 'example')) return [part['example']]
    const examples = getList(part, 'examples')
    if (examples.length > 0) return examples.slice(0, maxChoices)
  }
  return []
}

function collectLimits(parts: readonly SpecObject[]): SchemaLimit[] {
  const limits: SchemaLimit[] = []
  for (const part of parts) {
    for (const kind of numericLimits) {
      const value = getOwn(part, kind)
      if (typeof value === 'number') limits.push({ kind: toExclusiveKind(part, kind), value: String(value) })
    }
    const pattern = getText(part, 'pattern')
    if (pattern !== undefined) limits.push({ kind: 'pattern', value: pattern })
    if (part['uniqueItems'] === true) limits.push({ kind: 'uniqueItems', value: '' })
  }
  return limits
}

/** Converts the flags of OpenAPI 3.0 for exclusive bounds. */
function toExclusiveKind(part: SpecObject, kind: SchemaLimitKind): SchemaLimitKind {
  if (kind === 'minimum' && part['exclusiveMinimum'] === true) return 'exclusiveMinimum'
  return kind === 'maximum' && part['exclusiveMaximum'] === true ? 'exclusiveMaximum' : kind
}

interface Alternatives {
  choices: readonly SchemaChoice[]
  omittedChoices: number
  values: AllowedValues | undefined
  isNullable: boolean
}

/** Returns the alternatives of a schema; those with only a constant become allowed values. */
function readAlternatives(spec: OpenApiSpec, parts: readonly SpecObject[]): Alternatives {
  const lists = parts.flatMap((part) => [getList(part, 'oneOf'), getList(part, 'anyOf')])
  const all = lists.flatMap((list) => list.slice(0, maxChoices)).slice(0, maxChoices)
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  const discriminator = parts
    .map((part) => getObject(part, 'discriminator'))
    .find((one) => isSpecObject(one['mapping']))
  const mapping = getEntries(getObject(discriminator ?? {}, 'mapping'), maxChoices)
  // Without `oneOf`, the mapping of the schema itself lists the schemas that extend it.
  const isBase = count === 0 && parts[0] !== undefined && isSpecObject(parts[0]['discriminator'])
  const listed: readonly unknown[] = isBase ? mapping.map(([, target]) => ({ $ref: toSchemaPointer(target) })) : all
  const choices = listed.filter((one) => !isNull(spec.resolveObject(one)))
  const values = choices.map((one) => findConstants(spec.resolveObject(one)))
  const areValues = choices.length > 1 && values.every((one) => one !== undefined)
  const labels = new Map(mapping.map(([label, target]) => [toSchemaPointer(target), label]))
  const labelOf = (one: unknown) => labels.get(isSpecObject(one) ? String(getOwn(one, '$ref')) : '')
  const list = values.flatMap((one) => one?.list ?? []).slice(0, maxAllowedValues)
  return {
    choices: areValues ? [] : choices.map((schema) => ({ schema, label: labelOf(schema) })),
    omittedChoices: areValues ? 0 : Math.max(count - maxChoices, 0),
    values: areValues ? { list, count: values.reduce((sum, one) => sum + (one?.count ?? 0), 0) } : undefined,
    isNullable: choices.length < listed.length,
  }
}

/** A mapping contains references or names of schemas. */
const toSchemaPointer = (target: unknown): string =>
  typeof target === 'string' && !target.includes('/') ? `#/components/schemas/${target}` : String(target)

const isNull = (fields: SpecObject): boolean => fields['type'] === 'null' || fields['const'] === null

/** Returns the values of a schema that allows nothing but constants. */
function findConstants(fields: SpecObject): AllowedValues | undefined {
  if (isSpecObject(fields['properties'])) return undefined
  const found = findValues([fields])
  const description = getText(fields, 'description') ?? getText(fields, 'title')
  return found?.count === 1 && description !== undefined
    ? { list: found.list.map(({ value }) => ({ value, description })), count: 1 }
    : found
}

/** Whether a field is shown in a request or in a response. */
export function isFieldUsed(
  { isReadOnly, isWriteOnly, isInternal }: NormalizedSchema,
  purpose: SchemaPurpose,
): boolean {
  if (isInternal) return false
  if (purpose === 'request') return !isReadOnly
  return purpose === 'any' || !isWriteOnly
}

/** Where a schema is used: requests omit read-only fields, responses write-only ones. */
export type SchemaPurpose = 'request' | 'response' | 'any'
