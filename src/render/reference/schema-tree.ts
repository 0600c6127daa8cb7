import { type Html, attributes, markup, nothing } from '../html.ts'
import { fillPlaceholders, fillPlaceholderHtml } from '../texts.ts'
import { type SchemaLimit, type NormalizedSchema, readSchema } from './schema.ts'
import type { ReferenceContext } from './reference-context.ts'
import { type OpenApiSpec, getObject } from './spec.ts'

/** Maximum number and depth of rendered fields; named schemas are linked from their own maximum depth on. */
const maxFields = 400
const maxDepth = 8
const maxNamedDepth = 2

const maxValues = 24

/** A field of an object, or a parameter. */
export interface SchemaField {
  name: string
  schema: unknown
  /** Undefined if not applicable. */
  isRequired: boolean | undefined
  isDeprecated?: boolean
  description?: string | undefined
}

/** Renders the schemas of one page as trees of fields, which expand without scripts. */
export class SchemaTreeRenderer {
  readonly #spec: OpenApiSpec
  readonly #context: ReferenceContext
  #remainingFields = maxFields

  constructor(spec: OpenApiSpec, context: ReferenceContext) {
    this.#spec = spec
    this.#context = context
  }

  /** Renders a schema; `ownName` is its name on the page of a schema. */
  renderSchema(node: unknown, ownName?: string): Html {
    const schema = readSchema(this.#spec, node)
    const ancestors = ownName === undefined ? [] : [ownName]
    const own = ownName === undefined ? schema : { ...schema, name: undefined }
    const hasFields = own.properties.length > 0 && own.choices.length === 0
    const head = !hasFields && markup`<p class="field-head">${this.#type(own)}</p>`
    const text = own.description !== undefined && this.#context.renderMarkdown(own.description)
    return markup`${head}${text}${this.#details(own)}${this.#renderChildren(own, ancestors, 0, true)}`
  }

  /** Returns a short description of a schema's type. */
  renderType(node: unknown): Html {
    return this.#type(readSchema(this.#spec, node))
  }

  /** Whether a schema has a page. */
  hasOwnPage(node: unknown): boolean {
    const { name } = readSchema(this.#spec, node)
    return name !== undefined && this.#context.schemaHref(name) !== undefined
  }

  renderFields(fields: readonly SchemaField[], ancestors: readonly string[] = [], depth = 0): Html {
    return markup`<ul class="fields">${fields.map((field) => this.#field(field, ancestors, depth))}</ul>`
  }

  #field(
    { name, schema: node, isRequired, isDeprecated, description }: SchemaField,
    ancestors: readonly string[],
    depth: number,
  ): Html {
    if (this.#remainingFields === 0) return nothing
    this.#remainingFields--
    const { texts, renderMarkdown } = this.#context
    const schema = readSchema(this.#spec, node)
    const flags = [
      isRequired === true && markup`<span class="flag flag-required">${texts.required}</span>`,
      (isDeprecated === true || schema.isDeprecated) &&
        markup`<span class="flag flag-deprecated">${texts.deprecated}</span>`,
      schema.isReadOnly && markup`<span class="flag">${texts.readOnly}</span>`,
      schema.isWriteOnly && markup`<span class="flag">${texts.writeOnly}</span>`,
    ]
    const text = description ?? schema.description
    return markup`<li class="field"><p class="field-head"><code>${name}</code>${this.#type(schema)}${flags}</p>${text !== undefined && renderMarkdown(text)}${this.#details(schema)}${this.#renderChildren(schema, ancestors, depth, false)}</li>`
  }

  /** Returns text such as `list of Team or null`. */
  #type(schema: NormalizedSchema): Html {
    return markup`<span class="type">${this.#typeName(schema, 0)}${schema.isNullable && ` ${this.#context.texts.orNull}`}</span>`
  }

  #typeName(schema: NormalizedSchema, depth: number): Html {
    const { name, types, format, choices, title, values } = schema
    const { texts, schemaHref } = this.#context
    if (types[0] === 'array' && depth < 4) {
      const inner = this.#typeName(readSchema(this.#spec, schema.items), depth + 1)
      return fillPlaceholderHtml(texts.listOf, inner)
    }
    if (name !== undefined) {
      const href = schemaHref(name)
      return href === undefined ? markup`${name}` : markup`<a href="${href}">${name}</a>`
    }
    if (choices.length > 0 && depth < 4) {
      const plain = choices
        .map((choice) => readSchema(this.#spec, choice))
        .filter(({ properties }) => properties.length === 0)
      if (plain.length === choices.length && plain.length <= 4)
        return markup`${plain.map((one, index) => markup`${index > 0 && ' | '}${this.#typeName(one, depth + 1)}`)}`
      return markup`${title ?? texts.oneOf.toLowerCase()}`
    }
    if (types.length > 0)
      return markup`${types.join(' | ')}${format !== undefined && markup` <span class="format">${format}</span>`}`
    return markup`${values ? typesOfValues(values) : (title ?? texts.anything)}`
  }

  #details(schema: NormalizedSchema): Html {
    const { texts } = this.#context
    const entries: Html[] = []
    if (schema.isMissing) entries.push(markup`<em>${texts.missing}</em>`)
    if (schema.values) entries.push(this.#values(schema.values))
    const defaultValue = schema.default
    if (defaultValue !== undefined && isShort(defaultValue))
      entries.push(markup`${texts.default} <code>${formatValue(defaultValue)}</code>`)
    entries.push(...schema.limits.map((limit) => this.#limit(limit)))
    return entries.length === 0
      ? nothing
      : markup`<ul class="limits">${entries.map((entry) => markup`<li>${entry}</li>`)}</ul>`
  }

  #limit({ kind, value }: SchemaLimit): Html {
    const { texts } = this.#context
    if (value === '1' && (kind === 'minLength' || kind === 'minItems')) return markup`${texts.notEmpty}`
    return fillPlaceholderHtml(
      texts.limits[kind],
      kind === 'pattern' ? markup`<code>${value}</code>` : markup`${value}`,
    )
  }

  #values(values: readonly unknown[]): Html {
    const { texts } = this.#context
    const shown = values.slice(0, maxValues).map((value) => markup` <code>${formatValue(value)}</code>`)
    const more = values.length - shown.length
    return markup`${values.length === 1 ? texts.always : texts.oneOf}${shown}${more > 0 && ` ${fillPlaceholders(texts.moreValues, more)}`}`
  }

  /** Renders fields, items and alternatives. */
  #renderChildren(schema: NormalizedSchema, ancestors: readonly string[], depth: number, isTopLevel: boolean): Html {
    const inner = this.#innermostItems(schema)
    const { name, properties, choices, additional } = inner
    if (properties.length === 0 && choices.length === 0 && (additional === undefined || additional === true))
      return nothing
    // A named schema with its own page is described there.
    if (name !== undefined) {
      if (ancestors.includes(name)) return nothing
      if (depth >= maxNamedDepth && this.#context.schemaHref(name) !== undefined) return nothing
    }
    if (depth >= maxDepth || this.#remainingFields === 0) return markup`<p class="cut">${this.#context.texts.cut}</p>`
    const within = name === undefined ? ancestors : [...ancestors, name]
    const body = markup`${this.#properties(inner, within, depth)}${this.#choices(choices, within, depth)}`
    if (body.text === '') return nothing
    if (isTopLevel) return body
    const title =
      choices.length > 0
        ? this.#context.texts.oneOf
        : fillPlaceholders(this.#context.texts.fieldsOf, name ?? inner.title ?? 'object')
    return markup`<details class="nested"><summary>${title}</summary>${body}</details>`
  }

  /** Returns the schema of the items of a list. */
  #innermostItems(schema: NormalizedSchema): NormalizedSchema {
    let inner = schema
    for (let lists = 0; inner.types[0] === 'array' && inner.properties.length === 0 && lists < 4; lists++)
      inner = readSchema(this.#spec, inner.items)
    return inner
  }

  #properties({ properties, additional }: NormalizedSchema, within: readonly string[], depth: number): Html {
    const fields: SchemaField[] = properties.map(({ name, schema, isRequired }) => ({ name, schema, isRequired }))
    if (additional !== undefined && additional !== true)
      fields.push({ name: `[${this.#context.texts.otherFields}]`, schema: additional, isRequired: undefined })
    return fields.length === 0 ? nothing : this.renderFields(fields, within, depth + 1)
  }

  #choices(choices: readonly unknown[], within: readonly string[], depth: number): Html {
    if (choices.length === 0) return nothing
    const list = choices.map((node, index) => this.#choice(node, index, within, depth))
    return markup`<ul class="choices">${list}</ul>`
  }

  #choice(node: unknown, index: number, within: readonly string[], depth: number): Html {
    if (this.#remainingFields === 0) return nothing
    this.#remainingFields--
    const schema = readSchema(this.#spec, node)
    const label = schema.title ?? this.#discriminator(schema) ?? fillPlaceholders(this.#context.texts.option, index + 1)
    const text = schema.description !== undefined && this.#context.renderMarkdown(schema.description)
    const body = this.#renderChildren(schema, within, depth + 1, true)
    const head = markup`<span class="choice-name">${label}</span>${this.#type(schema)}`
    if (body.text === '')
      return markup`<li class="choice-alone"><p class="field-head">${head}</p>${text}${this.#details(schema)}</li>`
    return markup`<li><details${attributes({ class: 'nested' })}><summary>${head}</summary>${text}${body}</details></li>`
  }

  /** Returns the constant value of a discriminating field such as `type`. */
  #discriminator({ name, properties }: NormalizedSchema): string | undefined {
    for (const property of properties) {
      const { const: only, enum: several } = this.#spec.resolveObject(property.schema)
      const value = only ?? (Array.isArray(several) && several.length === 1 ? several[0] : undefined)
      if (typeof value === 'string') return value
    }
    return name
  }
}

/** Names of the schemas of a document. */
export const getNamedSchemas = (spec: OpenApiSpec): Readonly<Record<string, unknown>> =>
  getObject(getObject(spec.root, 'components'), 'schemas')

const isShort = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || formatValue(value).length <= 40

const maxValueLength = 120

/** Formats a value as JSON; strings without quotes. */
function formatValue(value: unknown): string {
  let text: string
  try {
    text = typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    text = '…'
  }
  if (text === '') return '""'
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

const typesOfValues = (values: readonly unknown[]): string =>
  [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))].join(' | ')
