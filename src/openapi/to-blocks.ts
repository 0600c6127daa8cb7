import { leaf, mark, paragraph } from '../content/document/build.ts'
import type { Block, HeadingType, InlineNode, Leaf, OpenApiSchemas } from '../content/document/nodes.ts'
import { mapNodes } from '../content/document/walk.ts'
import { isExpression } from '../content/expression/index.ts'
import { createCodeBlock } from '../content/markdown/make-blocks.ts'
import { createTextTable } from '../content/markdown/parse-table.ts'
import { type ParseOptions, parsePage } from '../content/markdown/parse.ts'
import { verbatimReferences } from '../content/markdown/references.ts'
import { type OpenApiBlock, findBlockOperation, readBlockName, titleOfOperation } from './blocks.ts'
import { type OpenApiLabels, englishLabels } from './labels.ts'
import { type ApiOperation, type MediaTypeContent, type OperationResponse, findSchema } from './model.ts'
import { createContentExample, createSampleRequest, formatContent, formatValue, preferJson } from './samples/request.ts'
import { createCodeSamples } from './samples/code-samples.ts'
import { type NormalizedSchema, type SchemaPurpose, isFieldUsed, readSchema } from './schema.ts'
import type { RequiredScheme } from './security.ts'
import type { OpenApiSpec } from './spec.ts'

/** Maximum number of fields of an operation or of all schemas of a block, and maximum depth. */
const maxFields = 200
const maxDepth = 5

/** Maximum number of schemas, of alternatives of a schema, and of allowed values that are listed. */
const maxSchemas = 100
const maxChoices = 8
const maxValues = 30

/** Maximum length of one description, of one in a cell, of all descriptions of a block, and of a name. */
const maxDescriptionLength = 4000
const maxCellLength = 500
const maxTotalLength = 30_000
const maxNameLength = 200

/** Maximum length of an example or code sample. */
const maxCodeLength = 20_000

/**
 * Converts a block that shows a part of an OpenAPI document into headings, text, tables and code, for outputs other than HTML. `spec` is
 * the document; without it, or if it does not contain the part, the result is the name of the part and a notice.
 */
export function convertOpenApiBlock(
  block: OpenApiBlock,
  spec: OpenApiSpec | undefined,
  labels: OpenApiLabels = englishLabels,
): Block[] {
  if (!spec) return createNotice(block, labels.specUnavailable)
  if (block.type === 'openapi-schemas') return convertSchemas(block, spec, labels)
  const operation = findBlockOperation(block, spec)
  if (!operation) return createNotice(block, labels.notInSpec)
  const isHeadless = block.type !== 'swagger' && block.data.headless === true
  const title = isHeadless ? [] : [heading('heading-1', titleOfOperation(operation), block.meta)]
  return [...title, ...new OperationConverter(operation.spec, labels).convertOperation(operation)]
}

/** Returns a line with the name of the part that a block shows. */
export function createNameBlock(block: OpenApiBlock): Block {
  const { method, name } = readBlockName(block)
  return paragraph([text(...endpoint(method, name))])
}

function createNotice(block: OpenApiBlock, notice: string): Block[] {
  const { ref } = block.data
  const link: InlineNode[] =
    ref.kind === 'url'
      ? [text(leaf(' ')), { object: 'inline', type: 'link', data: { ref }, nodes: [text(leaf(ref.url))] }]
      : []
  return [createNameBlock(block), paragraph([text(leaf(notice, [mark('italic')])), ...link])]
}

function convertSchemas({ data, meta }: OpenApiSchemas, spec: OpenApiSpec, labels: OpenApiLabels): Block[] {
  const names = data.schemas.filter((name) => findSchema(spec, name) !== undefined).slice(0, maxSchemas)
  if (names.length === 0)
    return createNotice({ object: 'block', type: 'openapi-schemas', isVoid: true, data }, labels.notInSpec)
  const converter = new OperationConverter(spec, labels)
  const title = data.title ? [heading('heading-1', data.title.slice(0, maxNameLength), meta)] : []
  return [...title, ...names.flatMap((name) => converter.convertNamedSchema(name))]
}

interface Row {
  name: string
  type: string
  isRequired: boolean
  isDeprecated: boolean
  description: string | undefined
  schema: NormalizedSchema
}

/** Converts an operation or schemas; all their parts share the limits. */
class OperationConverter {
  readonly #spec: OpenApiSpec
  readonly #labels: OpenApiLabels
  #remainingFields = maxFields
  #remainingLength = maxTotalLength

  constructor(spec: OpenApiSpec, labels: OpenApiLabels) {
    this.#spec = spec
    this.#labels = labels
  }

  convertOperation(operation: ApiOperation): Block[] {
    const { kind, method, path, servers, isDeprecated, description, body, responses } = operation
    const labels = this.#labels
    const isWebhook = kind === 'webhook'
    return [
      paragraph([text(...endpoint(method, isWebhook ? path : `${servers[0]?.url ?? ''}${path}`))]),
      ...(isDeprecated
        ? [paragraph([text(leaf(labels.deprecated, [mark('bold')]), leaf(` ${labels.deprecatedHint}`))])]
        : []),
      ...this.#description(description),
      ...this.#security(operation),
      ...this.#parameters(operation),
      ...(body
        ? [
            heading('heading-2', isWebhook ? labels.payload : labels.body),
            ...this.#description(body.description),
            ...this.#content(preferJson(body.contents), isWebhook ? 'any' : 'request'),
          ]
        : []),
      ...this.#responses(responses),
      ...this.#samples(operation),
    ]
  }

  convertNamedSchema(name: string): Block[] {
    const node = findSchema(this.#spec, name)
    const { description } = readSchema(this.#spec, node)
    return [
      heading('heading-2', name.slice(0, maxNameLength)),
      ...this.#description(description),
      ...this.#schemaTable(node, 'any'),
    ]
  }

  #security({ security }: ApiOperation): Block[] {
    const alternatives = security.filter((requirement) => requirement.length > 0)
    if (alternatives.length === 0) return []
    const items = alternatives.map((requirement) => [
      paragraph([
        text(
          ...requirement.flatMap((one, index) => [
            ...(index > 0 ? [leaf(' + ')] : []),
            leaf(one.name.slice(0, maxNameLength), [mark('code')]),
            ...describeScheme(one, this.#labels).map((part) => leaf(`: ${part}`)),
          ]),
        ),
      ]),
    ])
    return [heading('heading-2', this.#labels.authorization), list(items)]
  }

  #parameters({ parameters }: ApiOperation): Block[] {
    const locations = [...new Set(parameters.map(({ location }) => location))]
    return locations.flatMap((location) => {
      const rows = parameters
        .filter((parameter) => parameter.location === location)
        .flatMap((parameter) => this.#rowsOf({ ...parameter, depth: maxDepth, purpose: 'request' }))
      return rows.length === 0 ? [] : [heading('heading-2', this.#labels.parameters[location]), this.#table(rows)]
    })
  }

  #responses(responses: readonly OperationResponse[]): Block[] {
    if (responses.length === 0) return []
    return [
      heading('heading-2', this.#labels.responses),
      ...responses.flatMap(({ status, description, headers, contents }) => {
        const headerRows = headers.flatMap((header) =>
          this.#rowsOf({ ...header, isRequired: false, depth: maxDepth, purpose: 'response' }),
        )
        const [first, ...rest] = this.#description(description)
        const name = leaf(status.slice(0, 20), [mark('bold')])
        const introduction: Block[] =
          first?.type === 'paragraph'
            ? [{ ...first, nodes: [text(name, leaf(' ')), ...first.nodes] }, ...rest]
            : [paragraph([text(name)]), ...(first ? [first] : []), ...rest]
        return [
          ...introduction,
          ...(headerRows.length > 0 ? [paragraph([text(leaf(this.#labels.headers))]), this.#table(headerRows)] : []),
          // The fields of errors are the same in most responses; their example shows them.
          ...this.#content(preferJson(contents), 'response', status.startsWith('2')),
        ]
      }),
    ]
  }

  #content(content: MediaTypeContent | undefined, purpose: SchemaPurpose, hasFields = true): Block[] {
    if (!content) return []
    const type = this.#typeOf(readSchema(this.#spec, content.schema))
    return [
      paragraph([text(leaf(content.mediaType.slice(0, maxNameLength), [mark('code')]), leaf(` ${type}`))]),
      ...(hasFields ? this.#schemaTable(content.schema, purpose) : []),
    ]
  }

  #samples(operation: ApiOperation): Block[] {
    const { request, response, payload } = this.#labels
    const { body, responses } = operation
    if (operation.kind === 'webhook')
      return this.#example(payload, operation, body && preferJson(body.contents), 'response')
    const samples = createCodeSamples(createSampleRequest(operation))
    const sample = samples.find(({ title }) => title === 'curl') ?? samples[0]
    const success = responses.find(({ status }) => status.startsWith('2')) ?? responses[0]
    return [
      ...(sample
        ? [
            heading('heading-2', request),
            createCodeBlock(sample.code.slice(0, maxCodeLength), { syntax: sample.syntax }),
          ]
        : []),
      ...this.#example(response, operation, success && preferJson(success.contents), 'response'),
    ]
  }

  #example(
    title: string,
    operation: ApiOperation,
    content: MediaTypeContent | undefined,
    purpose: SchemaPurpose,
  ): Block[] {
    const value = content && createContentExample(operation, content, purpose)
    if (!content || value === undefined || value === '<binary>') return []
    const example = formatContent(operation, content, value)
    return [
      heading('heading-2', title),
      createCodeBlock(example.text.slice(0, maxCodeLength), { syntax: example.syntax }),
    ]
  }

  #schemaTable(node: unknown, purpose: SchemaPurpose): Block[] {
    const rows = this.#childRows(readSchema(this.#spec, node), '', { depth: 0, purpose, ancestors: new Set() })
    return rows.length === 0 ? [] : [this.#table(rows)]
  }

  /** Returns the rows of the fields in an object, of the items of a list, or of the alternatives of a schema. */
  #childRows(
    schema: NormalizedSchema,
    prefix: string,
    position: { depth: number; purpose: SchemaPurpose; ancestors: ReadonlySet<string> },
  ): Row[] {
    let inner = schema
    let name = prefix
    for (let lists = 0; inner.types[0] === 'array' && inner.properties.length === 0 && lists < 4; lists++) {
      inner = readSchema(this.#spec, inner.items)
      name = `${name}[]`
    }
    const { depth, purpose } = position
    // A schema that contains itself is not repeated.
    if (depth >= maxDepth || (inner.name !== undefined && position.ancestors.has(inner.name))) return []
    const ancestors = inner.name === undefined ? position.ancestors : new Set([...position.ancestors, inner.name])
    const fields = inner.properties.flatMap((property) => {
      const path = name === '' ? property.name : `${name}.${property.name}`
      return this.#rowsOf({ ...property, name: path, depth: depth + 1, purpose, ancestors })
    })
    const choices = inner.choices.slice(0, maxChoices).flatMap((choice) => {
      const alternative = readSchema(this.#spec, choice.schema)
      return this.#childRows(alternative, name, { depth: depth + 1, purpose, ancestors })
    })
    return [...fields, ...choices]
  }

  #rowsOf({
    name,
    schema: node,
    isRequired,
    isDeprecated,
    description,
    depth,
    purpose,
    ancestors = new Set(),
  }: {
    name: string
    schema: unknown
    isRequired: boolean
    isDeprecated?: boolean
    description?: string | undefined
    depth: number
    purpose: SchemaPurpose
    ancestors?: ReadonlySet<string>
  }): Row[] {
    if (this.#remainingFields === 0) return []
    const schema = readSchema(this.#spec, node)
    if (!isFieldUsed(schema, purpose)) return []
    this.#remainingFields--
    const row: Row = {
      name: name.slice(0, maxNameLength),
      type: this.#typeOf(schema),
      isRequired,
      isDeprecated: isDeprecated === true || schema.isDeprecated,
      description: description ?? schema.description,
      schema,
    }
    return [row, ...this.#childRows(schema, name, { depth, purpose, ancestors })]
  }

  #table(rows: readonly Row[]): Block {
    const { columns, required, deprecated } = this.#labels
    return createTextTable(
      [columns.name, columns.type, columns.description],
      rows.map(({ name, type, isRequired, isDeprecated, description, schema }) => {
        const flags = [isRequired && required, isDeprecated && deprecated].filter((flag) => flag !== false)
        return [
          [paragraph([text(leaf(name, [mark('code')]))])],
          [paragraph([text(leaf([type, ...flags].join(', ')))])],
          joinParagraphs([...this.#description(description, maxCellLength), ...this.#details(schema)]),
        ]
      }),
    )
  }

  /** Returns the default and the allowed values of a field. */
  #details({ default: value, values }: NormalizedSchema): Block[] {
    const labels = this.#labels
    const parts: Leaf[][] = []
    if (value !== undefined)
      parts.push([leaf(`${labels.default}: `), leaf(formatValue(value).slice(0, maxNameLength), [mark('code')])])
    if (values && values.list.length > 0) {
      const shown = values.list.slice(0, maxValues)
      const omitted = values.count - shown.length
      parts.push([
        leaf(`${labels.oneOf}: `),
        ...shown.flatMap((one, index) => [
          ...(index > 0 ? [leaf(', ')] : []),
          leaf(formatValue(one.value).slice(0, maxNameLength) || '""', [mark('code')]),
        ]),
        ...(omitted > 0 ? [leaf(`, ${labels.more.replace('{0}', String(omitted))}`)] : []),
      ])
    }
    return parts.map((leaves) => paragraph([text(...leaves)]))
  }

  #typeOf(schema: NormalizedSchema, depth = 0): string {
    const { name, types, format, choices, title, isNullable, values } = schema
    const labels = this.#labels
    const suffix = isNullable ? ` ${labels.orNull}` : ''
    if (types[0] === 'array' && depth < 4)
      return labels.arrayOf.replace('{0}', () => this.#typeOf(readSchema(this.#spec, schema.items), depth + 1)) + suffix
    if (name !== undefined) return name.slice(0, maxNameLength) + suffix
    if (choices.length > 0 && depth < 4) {
      const names = choices.slice(0, maxChoices).map((choice) => this.#typeOf(readSchema(this.#spec, choice.schema), 4))
      return `${[...new Set(names)].join(' | ')}${suffix}`
    }
    if (types.length > 0)
      return `${types.slice(0, 8).join(' | ')}${format === undefined ? '' : ` (${format.slice(0, 40)})`}${suffix}`
    return (values ? 'string' : (title?.slice(0, maxNameLength) ?? labels.anyValue)) + suffix
  }

  /** Parses a description, which is Markdown. */
  #description(markdown = '', maxLength = maxDescriptionLength): Block[] {
    const limit = Math.min(maxLength, this.#remainingLength)
    const written = (markdown.length > limit ? `${markdown.slice(0, limit).trimEnd()}…` : markdown).trim()
    this.#remainingLength -= written.length
    if (limit <= 0 || written === '') return []
    if (/^[\w ,;.%'’–—-]*$/.test(written) && !/^\s*(\d+\.|-)|__/.test(written))
      return [paragraph([text(leaf(written))])]
    const { nodes } = parsePage(written, parseOptions).document
    return [...mapNodes(nodes.filter(isText), toSmallHeading, withoutReference)].filter(isText)
  }
}

// A heading at the start of a description is not the title of a page.
const parseOptions: ParseOptions = { references: verbatimReferences, isExpression, hasTitle: false }

/** Whether a block of a description is text; other blocks refer to content that a specification does not have. */
const isText = ({ type }: Block): boolean =>
  type === 'paragraph' ||
  type === 'heading-1' ||
  type === 'heading-2' ||
  type === 'heading-3' ||
  type === 'list-ordered' ||
  type === 'list-unordered' ||
  type === 'list-item' ||
  type === 'code' ||
  type === 'code-line' ||
  type === 'blockquote' ||
  type === 'table' ||
  type === 'divider'

/** Turns headings of a description into the smallest ones, because they are below those of the operation. */
const toSmallHeading = (block: Block): Block | readonly Block[] => {
  if (!isText(block)) return []
  return block.type === 'heading-1' || block.type === 'heading-2' ? { ...block, type: 'heading-3' } : block
}

/** Replaces inlines by their text, except links to URLs. */
const withoutReference = (node: InlineNode): InlineNode | readonly InlineNode[] => {
  if (node.object === 'text') return node
  if (node.type === 'link') return node.data.ref.kind === 'url' ? node : node.nodes
  return []
}

/** Joins paragraphs into one, because a table with one line in each cell is easier to read as Markdown; omits other blocks. */
function joinParagraphs(blocks: readonly Block[]): Block[] {
  const texts = blocks.flatMap((block) => (block.type === 'paragraph' ? [block.nodes] : []))
  return texts.length === 0
    ? []
    : [paragraph(texts.flatMap((nodes, index) => (index > 0 ? [text(leaf(' ')), ...nodes] : nodes)))]
}

function describeScheme({ scheme, scopes }: RequiredScheme, { apiKeyIn }: OpenApiLabels): string[] {
  const described = ((): string | undefined => {
    switch (scheme?.type) {
      case 'apiKey':
        return apiKeyIn[scheme.location].replace('{0}', () => scheme.parameterName.slice(0, maxNameLength))
      case 'http':
        return `HTTP ${scheme.scheme.slice(0, 40)}`
      case 'oauth2':
        return 'OAuth 2.0'
      case 'openIdConnect':
        return 'OpenID Connect'
      case 'mutualTLS':
        return 'mutual TLS'
      default:
        return undefined
    }
  })()
  const listed = scopes.slice(0, maxValues).join(', ')
  return [described, listed === '' ? undefined : listed].filter((part) => part !== undefined)
}

const text = (...leaves: Leaf[]): InlineNode => ({ object: 'text', leaves })

const endpoint = (method: string | undefined, path: string): Leaf[] => [
  ...(method === undefined ? [] : [leaf(method, [mark('bold')]), leaf(' ')]),
  leaf(path.slice(0, 2000), [mark('code')]),
]

const heading = (type: HeadingType, title: string, meta?: Block['meta']): Block => ({
  object: 'block',
  type,
  ...(meta && { meta }),
  nodes: [text(leaf(title))],
})

const list = (items: readonly (readonly Block[])[]): Block => ({
  object: 'block',
  type: 'list-unordered',
  nodes: items.map((nodes) => ({ object: 'block', type: 'list-item', nodes })),
})
