import {
  type AllowedValues,
  type NormalizedSchema,
  type SchemaChoice,
  type SchemaLimit,
  type SchemaPurpose,
  isFieldUsed,
  readSchema,
} from '../../openapi/schema.ts'
import { formatValue } from '../../openapi/samples/request.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { fillPlaceholderHtml, fillPlaceholders } from '../texts.ts'
import type { OpenApiContext } from './openapi-context.ts'

/** Maximum number of fields by default, and maximum depth; named schemas are linked from their own maximum depth on. */
const maxFields = 400
const maxDepth = 8
const maxNamedDepth = 2

/** Maximum number of allowed values before the rest is collapsed. */
const maxVisibleValues = 16

const maxIdLength = 150
const maxNameLength = 200

/** A field of an object, or a parameter. */
export interface SchemaField {
  name: string
  schema: unknown
  /** Undefined if not applicable. */
  isRequired: boolean | undefined
  isDeprecated?: boolean
  description?: string | undefined
  example?: unknown
}

/** Position in the tree: where ids start, which schemas contain it, and for what it is used. */
interface TreePosition {
  id: string
  depth: number
  /** Ids of the enclosing named schemas, by name. */
  ancestors: ReadonlyMap<string, string>
  purpose: SchemaPurpose
}

/** Renders the schemas of one page as trees of fields, which expand without scripts. */
export class SchemaTreeRenderer {
  readonly #spec: OpenApiSpec
  readonly #context: OpenApiContext
  readonly #usedIds = new Set<string>()
  #remainingFields: number
  /** Positions at which fields are missing, because there were too many before. */
  readonly #incomplete = new WeakSet<TreePosition>()

  /** `fieldLimit` is the maximum number of fields of all schemas together. */
  constructor(spec: OpenApiSpec, context: OpenApiContext, fieldLimit = maxFields) {
    this.#spec = spec
    this.#context = context
    this.#remainingFields = fieldLimit
  }

  /**
   * Renders a schema. `id` is the id of the element around it and the prefix of the ids of its fields, `ownName` its name on the page of
   * a schema.
   */
  renderSchema(node: unknown, id: string, purpose: SchemaPurpose, ownName?: string): Html {
    const schema = readSchema(this.#spec, node)
    const own = ownName === undefined ? schema : { ...schema, name: undefined }
    const position: TreePosition = {
      id,
      depth: 0,
      ancestors: ownName === undefined ? new Map() : new Map([[ownName, id]]),
      purpose,
    }
    const hasFields = own.properties.length > 0 && own.choices.length === 0
    const description = this.#description(own.description)
    const children = this.#renderChildren(own, position, true)
    const head = (!hasFields || children.text === '') && markup`<p class="field-head">${this.#type(own, position)}</p>`
    return markup`${head}${description}${this.#details(own)}${children}`
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

  /** Renders parameters or headers. `id` is the prefix of their ids. */
  renderFields(fields: readonly SchemaField[], id: string, purpose: SchemaPurpose): Html {
    return this.#fieldList(fields, { id, depth: 0, ancestors: new Map(), purpose })
  }

  #fieldList(fields: readonly SchemaField[], position: TreePosition): Html {
    return markup`<ul class="fields">${fields.map((field) => this.#field(field, position))}</ul>`
  }

  #field(
    { name, schema: node, isRequired, isDeprecated, description, example }: SchemaField,
    position: TreePosition,
  ): Html {
    const { texts } = this.#context
    if (this.#remainingFields === 0) {
      this.#incomplete.add(position)
      return nothing
    }
    const schema = readSchema(this.#spec, node)
    if (!isFieldUsed(schema, position.purpose)) return nothing
    this.#remainingFields--
    this.#context.renderedSchemas?.countField()
    const id = this.#newFieldId(position.id, name)
    const flags = [
      isRequired === true && markup`<span class="flag flag-required">${texts.required}</span>`,
      (isDeprecated === true || schema.isDeprecated) &&
        markup`<span class="flag flag-deprecated">${texts.deprecated}</span>`,
      position.purpose === 'any' && schema.isReadOnly && markup`<span class="flag">${texts.readOnly}</span>`,
      position.purpose === 'any' && schema.isWriteOnly && markup`<span class="flag">${texts.writeOnly}</span>`,
    ]
    const label = markup`<code>${name.slice(0, maxNameLength)}</code>`
    const linked =
      id === undefined ? label : markup`<a class="field-name" href="#${encodeURIComponent(id)}">${label}</a>`
    const within = { ...position, id: id ?? position.id }
    return markup`<li${attributes({ class: 'field', id })}><p class="field-head">${linked}${this.#type(schema, position)}${flags}</p>${this.#description(description ?? schema.description)}${this.#details(schema, example)}${this.#renderChildren(schema, within, false)}</li>`
  }

  /** Returns an id from the names of the field and those around it; undefined if it would be too long. */
  #newFieldId(parent: string, name: string): string | undefined {
    const own = name.replace(/[^\w$@[\]-]+/g, '-').slice(0, maxIdLength)
    const base = `${parent}.${own}`
    if (base.length > maxIdLength) return undefined
    let id = base
    for (let count = 2; this.#usedIds.has(id); count++) id = `${base}-${count}`
    this.#usedIds.add(id)
    return id
  }

  #description(text: string | undefined): Html {
    return text === undefined ? nothing : this.#context.renderMarkdown(text)
  }

  /** Returns text such as `array of Team or null`. */
  #type(schema: NormalizedSchema, position?: TreePosition): Html {
    return markup`<span class="type">${this.#typeName(schema, 0, position)}${schema.isNullable && ` ${this.#context.texts.orNull}`}</span>`
  }

  #typeName(schema: NormalizedSchema, depth: number, position?: TreePosition): Html {
    const { name, types, format, choices, title, values } = schema
    const { texts } = this.#context
    if (types[0] === 'array' && depth < 4) {
      const inner = this.#typeName(readSchema(this.#spec, schema.items), depth + 1, position)
      return fillPlaceholderHtml(texts.arrayOf, inner)
    }
    if (name !== undefined) return this.#schemaName(name, position)
    if (choices.length > 0 && depth < 4) {
      const plain = choices
        .slice(0, 5)
        .map((choice) => readSchema(this.#spec, choice.schema))
        .filter(({ properties }) => properties.length === 0)
      if (plain.length === choices.length && plain.length <= 4)
        return markup`${plain.map((one, index) => markup`${index > 0 && ' | '}${this.#typeName(one, depth + 1, position)}`)}`
      return markup`${title ?? texts.oneOf.toLowerCase()}`
    }
    if (types.length > 0)
      return markup`${types.slice(0, 8).join(' | ')}${format !== undefined && markup` <span class="format">${format.slice(0, maxNameLength)}</span>`}`
    return markup`${values ? listTypes(values) : (title ?? texts.anyValue)}`
  }

  /** Links a schema to its page, or one that is not rendered again to the enclosing or an earlier occurrence. */
  #schemaName(name: string, position: TreePosition | undefined): Html {
    const id = position && (position.ancestors.get(name) ?? this.#findRendered(name, position))
    const href = this.#context.schemaHref(name) ?? (id === undefined ? undefined : `#${encodeURIComponent(id)}`)
    const shown = name.slice(0, maxNameLength)
    return href === undefined ? markup`${shown}` : markup`<a href="${href}">${shown}</a>`
  }

  /** Returns the id of an earlier occurrence of a schema that is not rendered again. */
  #findRendered(name: string, { purpose, depth }: TreePosition): string | undefined {
    return this.#context.renderedSchemas?.find(this.#spec, name, purpose, depth > 0 ? 'nested' : 'whole')
  }

  #details(schema: NormalizedSchema, parameterExample?: unknown): Html {
    const { texts } = this.#context
    const entries: Html[] = []
    if (schema.isMissing) entries.push(markup`<em>${texts.missing}</em>`)
    const defaultValue = schema.default
    if (defaultValue !== undefined && isShort(defaultValue))
      entries.push(markup`${texts.default} <code>${formatShort(defaultValue)}</code>`)
    const example = parameterExample ?? schema.examples[0]
    if (example !== undefined && !schema.values && typeof example !== 'object' && isShort(example))
      entries.push(markup`${texts.example} <code>${formatShort(example)}</code>`)
    entries.push(...schema.limits.slice(0, 16).map((limit) => this.#limit(limit)))
    const values = schema.values ? this.#values(schema.values) : nothing
    return markup`${values}${entries.length > 0 && markup`<ul class="limits">${entries.map((entry) => markup`<li>${entry}</li>`)}</ul>`}`
  }

  #limit({ kind, value }: SchemaLimit): Html {
    const { texts } = this.#context
    if (value === '1' && (kind === 'minLength' || kind === 'minItems')) return markup`${texts.notEmpty}`
    const shown = value.slice(0, maxNameLength)
    return fillPlaceholderHtml(
      texts.limits[kind],
      kind === 'pattern' ? markup`<code>${shown}</code>` : markup`${shown}`,
    )
  }

  /** Renders allowed values; those after the first are collapsed. */
  #values({ list, count }: AllowedValues): Html {
    const { texts } = this.#context
    if (list.some(({ description }) => description !== undefined)) {
      const rows = list.map(
        ({ value, description = '' }) =>
          markup`<div><dt><code>${formatShort(value)}</code></dt><dd>${description.slice(0, 500)}</dd></div>`,
      )
      const visible = markup`<dl class="values">${rows.slice(0, maxVisibleValues)}</dl>`
      return markup`${visible}${this.#moreValues(markup`<dl class="values">${rows.slice(maxVisibleValues)}</dl>`, list.length, count)}`
    }
    const codes = list.map(({ value }) => markup` <code>${formatShort(value)}</code>`)
    const label = count === 1 ? texts.always : texts.oneOf
    return markup`<p class="values">${label}${codes.slice(0, maxVisibleValues)}</p>${this.#moreValues(markup`<p class="values">${codes.slice(maxVisibleValues)}</p>`, list.length, count)}`
  }

  #moreValues(values: Html, listed: number, count: number): Html {
    if (count <= maxVisibleValues) return nothing
    const { texts } = this.#context
    const rest = count > listed && markup`<p class="cut">${fillPlaceholders(texts.more, count - listed)}</p>`
    return markup`<details class="nested"><summary>${fillPlaceholders(texts.more, count - maxVisibleValues)}</summary>${values}${rest}</details>`
  }

  /** Renders fields, items and alternatives. */
  #renderChildren(schema: NormalizedSchema, position: TreePosition, isTopLevel: boolean): Html {
    const { texts, schemaHref } = this.#context
    const inner = this.#innermostItems(schema)
    const { name, properties, choices, additional } = inner
    const { ancestors, depth } = position
    if (properties.length === 0 && choices.length === 0 && (additional === undefined || additional === true))
      return nothing
    // A named schema with its own page is described there.
    if (name !== undefined) {
      if (ancestors.has(name)) return nothing
      if (depth >= maxNamedDepth && schemaHref(name) !== undefined) return nothing
      if ((depth === 0 || !isTopLevel) && this.#findRendered(name, position) !== undefined) return nothing
    }
    if (depth >= maxDepth || this.#remainingFields === 0) return markup`<p class="cut">${texts.tooDeep}</p>`
    const within: TreePosition = {
      ...position,
      depth: depth + 1,
      ancestors: name === undefined ? ancestors : new Map([...ancestors, [name, position.id]]),
    }
    const body = markup`${this.#properties(inner, within)}${this.#choices(inner, within)}`
    if (body.text === '') return nothing
    if (name !== undefined && !this.#incomplete.has(within))
      this.#context.renderedSchemas?.add(this.#spec, name, position.purpose, position.id)
    if (isTopLevel) return body
    const title =
      choices.length > 0 && properties.length === 0
        ? texts.oneOf
        : fillPlaceholders(texts.fieldsOf, (name ?? inner.title ?? 'object').slice(0, maxNameLength))
    return markup`<details class="nested"><summary>${title}</summary>${body}</details>`
  }

  /** Returns the schema of the items of a list. */
  #innermostItems(schema: NormalizedSchema): NormalizedSchema {
    let inner = schema
    for (let lists = 0; inner.types[0] === 'array' && inner.properties.length === 0 && lists < 4; lists++)
      inner = readSchema(this.#spec, inner.items)
    return inner
  }

  #properties({ properties, omittedProperties, additional }: NormalizedSchema, within: TreePosition): Html {
    const { texts } = this.#context
    const fields: SchemaField[] = properties.map(({ name, schema, isRequired }) => ({ name, schema, isRequired }))
    if (additional !== undefined && additional !== true)
      fields.push({ name: `[${texts.otherFields}]`, schema: additional, isRequired: undefined })
    if (fields.length === 0) return nothing
    const before = this.#remainingFields
    const list = this.#fieldList(fields, within)
    if (before === this.#remainingFields && omittedProperties === 0) return nothing
    return markup`${list}${omittedProperties > 0 && markup`<p class="cut">${fillPlaceholders(texts.more, omittedProperties)}</p>`}`
  }

  #choices({ choices, omittedChoices, discriminator }: NormalizedSchema, within: TreePosition): Html {
    if (choices.length === 0) return nothing
    const { texts } = this.#context
    const list = choices.map((choice, index) => this.#choice(choice, index, within, discriminator))
    const more = omittedChoices > 0 && markup`<p class="cut">${fillPlaceholders(texts.more, omittedChoices)}</p>`
    return markup`<ul class="choices">${list}</ul>${more}`
  }

  #choice(choice: SchemaChoice, index: number, within: TreePosition, discriminator: string | undefined): Html {
    if (this.#remainingFields === 0) {
      this.#incomplete.add(within)
      return nothing
    }
    this.#remainingFields--
    const schema = readSchema(this.#spec, choice.schema)
    const label =
      choice.label ??
      schema.title ??
      this.#findDiscriminatorValue(schema, discriminator) ??
      fillPlaceholders(this.#context.texts.option, index + 1)
    const id = this.#newFieldId(within.id, label)
    const body = this.#renderChildren(schema, { ...within, id: id ?? within.id }, true)
    const text = this.#description(schema.description)
    const head = markup`<span class="choice-name">${label.slice(0, maxNameLength)}</span>${label !== schema.name && this.#type(schema, within)}`
    if (body.text === '')
      return markup`<li${attributes({ class: 'choice-alone', id })}><p class="field-head">${head}</p>${text}${this.#details(schema)}</li>`
    return markup`<li><details${attributes({ class: 'nested', id })}><summary>${head}</summary>${text}${body}</details></li>`
  }

  /** Returns the constant value of the discriminator or of a similar field such as `type`; otherwise the name. */
  #findDiscriminatorValue(
    { name, properties }: NormalizedSchema,
    discriminator: string | undefined,
  ): string | undefined {
    const candidates = properties.filter((property) => property.name === discriminator)
    for (const property of [...candidates, ...properties].slice(0, 20)) {
      const { values } = readSchema(this.#spec, property.schema)
      const value = values?.count === 1 ? values.list[0]?.value : undefined
      if (typeof value === 'string') return value
    }
    return name
  }
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= 80 : typeof value !== 'object' || formatValue(value).length <= 40

const maxValueLength = 120

/** Formats a value as JSON; strings without quotes. */
function formatShort(value: unknown): string {
  const text = formatValue(value)
  if (text === '') return '""'
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

const listTypes = ({ list }: AllowedValues): string =>
  [...new Set(list.map(({ value }) => (value === null ? 'null' : typeof value)))].join(' | ')
