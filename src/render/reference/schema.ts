import { type SpecObject, type OpenApiSpec, getObject, isSpecObject, getList, getText } from './spec.ts'

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
  /** Whether a reference is dangling. */
  isMissing: boolean
  /** Allowed values; undefined if not restricted. */
  values: readonly unknown[] | undefined
  default: unknown
  examples: readonly unknown[]
  limits: readonly SchemaLimit[]
  /** Fields of an object, as schemas that are not normalized yet. */
  properties: readonly SchemaProperty[]
  /** Schema of additional fields. */
  additional: unknown
  /** Schema of list items. */
  items: unknown
  /** Alternatives of which a value matches one. */
  choices: readonly unknown[]
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

/** Normalizes one level of a schema. Never fails: unknown parts are ignored. */
export function readSchema(spec: OpenApiSpec, node: unknown, nesting = 0): NormalizedSchema {
  const { parts, name, isMissing } = collectParts(spec, node)
  const merged = mergeParts(parts)
  const { choices, ...alternatives } = readAlternatives(spec, parts)
  const types = findTypes(parts)
  const shown: NormalizedSchema = {
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
  return nesting < maxNesting ? mergeAlternative(shown, readSchema(spec, only, nesting + 1)) : { ...shown, choices: [] }
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
  }
}

/** Returns the schema and all schemas of its `allOf`. */
function collectParts(
  spec: OpenApiSpec,
  node: unknown,
): { parts: SpecObject[]; name: string | undefined; isMissing: boolean } {
  const first = spec.resolve(node)
  const parts: SpecObject[] = []
  const visited = new Set<unknown>([node])
  const queue: unknown[] = [first.value]
  for (let value = queue.shift(); value !== undefined && parts.length < maxParts; value = queue.shift()) {
    if (!isSpecObject(value)) continue
    parts.push(value)
    for (const part of getList(value, 'allOf')) {
      if (visited.has(part)) continue
      visited.add(part)
      queue.push(spec.resolve(part).value)
    }
  }
  return { parts, name: first.name, isMissing: first.isMissing }
}

type MergedSchema = Omit<NormalizedSchema, 'name' | 'types' | 'isMissing' | 'choices'>

function mergeParts(parts: readonly SpecObject[]): MergedSchema {
  const firstText = (name: string) => parts.map((part) => getText(part, name)).find((text) => text !== undefined)
  const first = (name: string) => parts.find((part) => Object.hasOwn(part, name))?.[name]
  const isSet = (name: string) => parts.some((part) => part[name] === true)
  const required = new Set(parts.flatMap((part) => getList(part, 'required')))
  // Schemas in `allOf` come first, so fields of the schema itself override them.
  const inOrder = [...parts.slice(1), ...parts.slice(0, 1)]
  const properties = new Map(inOrder.flatMap((part) => Object.entries(getObject(part, 'properties'))))
  const additional = first('additionalProperties') ?? Object.values(getObject(parts[0] ?? {}, 'patternProperties'))[0]
  return {
    title: firstText('title'),
    format: firstText('format'),
    description: firstText('description'),
    isNullable: isSet('nullable'),
    isDeprecated: isSet('deprecated'),
    isReadOnly: isSet('readOnly'),
    isWriteOnly: isSet('writeOnly'),
    values: findValues(parts),
    default: first('default'),
    examples: findExamples(parts),
    limits: collectLimits(parts),
    properties: Array.from(properties, ([name, schema]) => ({ name, schema, isRequired: required.has(name) })),
    additional: additional === true || isSpecObject(additional) ? additional : undefined,
    items: first('items') ?? parts.flatMap((part) => getList(part, 'prefixItems'))[0],
  }
}

function findTypes(parts: readonly SpecObject[]): string[] {
  for (const part of parts) {
    const { type } = part
    if (typeof type === 'string') return [type]
    const several = getList(part, 'type').filter((one): one is string => typeof one === 'string')
    if (several.length > 0) return [...new Set(several)]
  }
  if (parts.some((part) => isSpecObject(part['properties']) || isSpecObject(part['additionalProperties'])))
    return ['object']
  return parts.some((part) => part['items'] !== undefined) ? ['array'] : []
}

function findValues(parts: readonly SpecObject[]): readonly unknown[] | undefined {
  for (const part of parts) {
    if (Object.hasOwn(part, 'const')) return [part['const']]
    const values = getList(part, 'enum')
    if (values.length > 0) return values
  }
  return undefined
}

function findExamples(parts: readonly SpecObject[]): readonly unknown[] {
  for (const part of parts) {
    if (Object.hasOwn(part, 'example')) return [part['example']]
    const examples = getList(part, 'examples')
    if (examples.length > 0) return examples
  }
  return []
}

function collectLimits(parts: readonly SpecObject[]): SchemaLimit[] {
  const limits: SchemaLimit[] = []
  for (const part of parts) {
    for (const kind of numericLimits) {
      const value = part[kind]
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

/** Returns the alternatives of a schema; those with only a constant become allowed values. */
function readAlternatives(
  spec: OpenApiSpec,
  parts: readonly SpecObject[],
): { choices: readonly unknown[]; values: readonly unknown[] | undefined; isNullable: boolean } {
  const all = parts.flatMap((part) => [...getList(part, 'oneOf'), ...getList(part, 'anyOf')])
  const choices = all.filter((one) => !isNull(spec.resolveObject(one)))
  const values = choices.map((one) => constantValues(spec.resolveObject(one)))
  const areValues = choices.length > 1 && values.every((one) => one !== undefined)
  return {
    choices: areValues ? [] : choices,
    values: areValues ? values.flatMap((one) => one ?? []) : undefined,
    isNullable: choices.length < all.length,
  }
}

const isNull = (fields: SpecObject): boolean => fields['type'] === 'null' || fields['const'] === null

function constantValues(fields: SpecObject): readonly unknown[] | undefined {
  return isSpecObject(fields['properties']) ? undefined : findValues([fields])
}
