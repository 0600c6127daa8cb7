import { type Html, attributes, markup, nothing } from '../html.ts'
import { fill, fillHtml } from '../texts.ts'
import { type Limit, type ShownSchema, readSchema } from './schema.ts'
import type { ReferenceSetting } from './setting.ts'
import { type Spec, fieldsIn } from './spec.ts'

/** Maximum number and depth of rendered fields; named schemas are linked from their own maximum depth on. */
const maxFields = 400
const maxDepth = 8
const maxNamedDepth = 2

const maxValues = 24

/** A field of an object, or a parameter. */
export interface ShownField {
  name: string
  schema: unknown
  /** Undefined if not applicable. */
  isRequired: boolean | undefined
  isDeprecated?: boolean
  description?: string | undefined
}

/** Renders the schemas of one page as trees of fields, which expand without scripts. */
export class SchemaTrees {
  readonly #spec: Spec
  readonly #setting: ReferenceSetting
  #left = maxFields

  constructor(spec: Spec, setting: ReferenceSetting) {
    this.#spec = spec
    this.#setting = setting
  }

  /** Renders a schema; `itself` is its name on the page of a schema. */
  whole(node: unknown, itself?: string): Html {
    const schema = readSchema(this.#spec, node)
    const above = itself === undefined ? [] : [itself]
    const own = itself === undefined ? schema : { ...schema, name: undefined }
    const hasFields = own.properties.length > 0 && own.choices.length === 0
    const head = !hasFields && markup`<p class="field-head">${this.#type(own)}</p>`
    const text = own.description !== undefined && this.#setting.prose(own.description)
    return markup`${head}${text}${this.#details(own)}${this.#below(own, above, 0, true)}`
  }

  /** Returns a short description of a schema's type. */
  type(node: unknown): Html {
    return this.#type(readSchema(this.#spec, node))
  }

  /** Whether a schema has a page. */
  isToldElsewhere(node: unknown): boolean {
    const { name } = readSchema(this.#spec, node)
    return name !== undefined && this.#setting.schemaHref(name) !== undefined
  }

  fields(fields: readonly ShownField[], above: readonly string[] = [], depth = 0): Html {
    return markup`<ul class="fields">${fields.map((field) => this.#field(field, above, depth))}</ul>`
  }

  #field(
    { name, schema: node, isRequired, isDeprecated, description }: ShownField,
    above: readonly string[],
    depth: number,
  ): Html {
    if (this.#left === 0) return nothing
    this.#left--
    const { texts, prose } = this.#setting
    const schema = readSchema(this.#spec, node)
    const flags = [
      isRequired === true && markup`<span class="flag flag-required">${texts.required}</span>`,
      (isDeprecated === true || schema.isDeprecated) &&
        markup`<span class="flag flag-deprecated">${texts.deprecated}</span>`,
      schema.isReadOnly && markup`<span class="flag">${texts.readOnly}</span>`,
      schema.isWriteOnly && markup`<span class="flag">${texts.writeOnly}</span>`,
    ]
    const text = description ?? schema.description
    return markup`<li class="field"><p class="field-head"><code>${name}</code>${this.#type(schema)}${flags}</p>${text !== undefined && prose(text)}${this.#details(schema)}${this.#below(schema, above, depth, false)}</li>`
  }

  /** Returns text such as `list of Team or null`. */
  #type(schema: ShownSchema): Html {
    return markup`<span class="type">${this.#typeName(schema, 0)}${schema.isNullable && ` ${this.#setting.texts.orNull}`}</span>`
  }

  #typeName(schema: ShownSchema, depth: number): Html {
    const { name, types, format, choices, title, values } = schema
    const { texts, schemaHref } = this.#setting
    if (types[0] === 'array' && depth < 4) {
      const inner = this.#typeName(readSchema(this.#spec, schema.items), depth + 1)
      return fillHtml(texts.listOf, inner)
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

  #details(schema: ShownSchema): Html {
    const { texts } = this.#setting
    const entries: Html[] = []
    if (schema.isMissing) entries.push(markup`<em>${texts.missing}</em>`)
    if (schema.values) entries.push(this.#values(schema.values))
    const given = schema.default
    if (given !== undefined && isShort(given)) entries.push(markup`${texts.default} <code>${valueText(given)}</code>`)
    entries.push(...schema.limits.map((limit) => this.#limit(limit)))
    return entries.length === 0
      ? nothing
      : markup`<ul class="limits">${entries.map((entry) => markup`<li>${entry}</li>`)}</ul>`
  }

  #limit({ kind, value }: Limit): Html {
    const { texts } = this.#setting
    if (value === '1' && (kind === 'minLength' || kind === 'minItems')) return markup`${texts.notEmpty}`
    return fillHtml(texts.limits[kind], kind === 'pattern' ? markup`<code>${value}</code>` : markup`${value}`)
  }

  #values(values: readonly unknown[]): Html {
    const { texts } = this.#setting
    const shown = values.slice(0, maxValues).map((value) => markup` <code>${valueText(value)}</code>`)
    const more = values.length - shown.length
    return markup`${values.length === 1 ? texts.always : texts.oneOf}${shown}${more > 0 && ` ${fill(texts.moreValues, more)}`}`
  }

  /** Renders fields, items and alternatives. */
  #below(schema: ShownSchema, above: readonly string[], depth: number, isWhole: boolean): Html {
    const inner = this.#innermost(schema)
    const { name, properties, choices, additional } = inner
    if (properties.length === 0 && choices.length === 0 && (additional === undefined || additional === true))
      return nothing
    // A named schema with its own page is described there.
    if (name !== undefined) {
      if (above.includes(name)) return nothing
      if (depth >= maxNamedDepth && this.#setting.schemaHref(name) !== undefined) return nothing
    }
    if (depth >= maxDepth || this.#left === 0) return markup`<p class="cut">${this.#setting.texts.cut}</p>`
    const within = name === undefined ? above : [...above, name]
    const body = markup`${this.#properties(inner, within, depth)}${this.#choices(choices, within, depth)}`
    if (body.text === '') return nothing
    if (isWhole) return body
    const title =
      choices.length > 0
        ? this.#setting.texts.oneOf
        : fill(this.#setting.texts.fieldsOf, name ?? inner.title ?? 'object')
    return markup`<details class="nested"><summary>${title}</summary>${body}</details>`
  }

  /** Returns the schema of the items of a list. */
  #innermost(schema: ShownSchema): ShownSchema {
    let inner = schema
    for (let lists = 0; inner.types[0] === 'array' && inner.properties.length === 0 && lists < 4; lists++)
      inner = readSchema(this.#spec, inner.items)
    return inner
  }

  #properties({ properties, additional }: ShownSchema, within: readonly string[], depth: number): Html {
    const fields: ShownField[] = properties.map(({ name, schema, isRequired }) => ({ name, schema, isRequired }))
    if (additional !== undefined && additional !== true)
      fields.push({ name: `[${this.#setting.texts.otherFields}]`, schema: additional, isRequired: undefined })
    return fields.length === 0 ? nothing : this.fields(fields, within, depth + 1)
  }

  #choices(choices: readonly unknown[], within: readonly string[], depth: number): Html {
    if (choices.length === 0) return nothing
    const list = choices.map((node, index) => this.#choice(node, index, within, depth))
    return markup`<ul class="choices">${list}</ul>`
  }

  #choice(node: unknown, index: number, within: readonly string[], depth: number): Html {
    if (this.#left === 0) return nothing
    this.#left--
    const schema = readSchema(this.#spec, node)
    const label = schema.title ?? this.#discriminator(schema) ?? fill(this.#setting.texts.option, index + 1)
    const text = schema.description !== undefined && this.#setting.prose(schema.description)
    const body = this.#below(schema, within, depth + 1, true)
    const head = markup`<span class="choice-name">${label}</span>${this.#type(schema)}`
    if (body.text === '')
      return markup`<li class="choice-alone"><p class="field-head">${head}</p>${text}${this.#details(schema)}</li>`
    return markup`<li><details${attributes({ class: 'nested' })}><summary>${head}</summary>${text}${body}</details></li>`
  }

  /** Returns the constant value of a discriminating field such as `type`. */
  #discriminator({ name, properties }: ShownSchema): string | undefined {
    for (const property of properties) {
      const { const: only, enum: several } = this.#spec.fields(property.schema)
      const value = only ?? (Array.isArray(several) && several.length === 1 ? several[0] : undefined)
      if (typeof value === 'string') return value
    }
    return name
  }
}

/** Names of the schemas of a document. */
export const namedSchemas = (spec: Spec): Readonly<Record<string, unknown>> =>
  fieldsIn(fieldsIn(spec.root, 'components'), 'schemas')

const isShort = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || valueText(value).length <= 40

const longestValue = 120

/** Formats a value as JSON; strings without quotes. */
function valueText(value: unknown): string {
  let text: string
  try {
    text = typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    text = '…'
  }
  if (text === '') return '""'
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

const typesOfValues = (values: readonly unknown[]): string =>
  [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))].join(' | ')
