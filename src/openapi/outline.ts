import { createHash } from 'node:crypto'
import type { Block } from '../content/document/nodes.ts'
import { type ApiOperation, getNamedSchemas, listOperations, listWebhooks } from './model.ts'
import { parseDescription } from './description.ts'
import { type OpenApiSpec, type SpecObject, getEntries, getList, getObject, getText, isSpecObject } from './spec.ts'
import { type ApiTag, listTagGroups, listTags } from './tags.ts'

/**
 * The parts of a document from which pages are generated. It is stored with each version, because it is much smaller than the
 * document.
 */
export interface SpecOutline {
  title: string
  /** Description of the API; empty if there is none. */
  introduction: readonly Block[]
  tags: readonly OutlineTag[]
  groups: readonly OutlineGroup[]
  operations: readonly OutlineOperation[]
  /** Names of the schemas. */
  schemas: readonly string[]
}

export interface OutlineTag {
  name: string
  title: string
  icon?: string
  /** Short text for lists of pages. */
  summary?: string
  /** Name of the tag above it. */
  parent?: string
  description: readonly Block[]
}

export interface OutlineGroup {
  title: string
  /** Names of its tags. */
  tags: readonly string[]
}

export interface OutlineOperation {
  kind: 'operation' | 'webhook'
  /** In lower case. */
  method: string
  /** Path, or the name of a webhook. */
  path: string
  id?: string
  title: string
  icon?: string
  summary?: string
  isDeprecated?: true
  /** Names of its tags. */
  tags: readonly string[]
  /** Hash of the operation, without the values that it refers to. */
  hash: string
  /** Time of the version in which it was added or last changed. */
  changedAt: string
}

/** Maximum numbers of items from which pages are generated; a generated page can have many operations, but not thousands. */
const maxOperations = 5000
const maxSchemas = 5000
const maxTitleLength = 200
const maxSummaryLength = 300

/** Returns the outline of a document that was added at a given time. */
export function createOutline(spec: OpenApiSpec, changedAt: string): SpecOutline {
  const info = getObject(spec.root, 'info')
  const internalTags = listInternalTags(spec)
  const operations = [...listOperations(spec), ...listWebhooks(spec)]
    .map((operation) => toOutlineOperation(operation, internalTags, changedAt))
    .filter((operation) => operation !== undefined)
    .slice(0, maxOperations)
  const declared = listTags(spec)
  const names = new Set(declared.map(({ name }) => name))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  const undeclared = [...used].filter((name) => !names.has(name))
  return {
    title: shorten(getText(info, 'title') ?? '', maxTitleLength),
    introduction: parseDescription(getText(info, 'description')),
    tags: [
      ...declared.map(toOutlineTag),
      ...undeclared.map((name) => ({ name, title: shorten(name), description: [] })),
    ],
    groups: listTagGroups(spec).map(({ title, tags }) => ({
      title: shorten(title),
      tags: tags.map(({ name }) => name),
    })),
    operations,
    schemas: listSchemaNames(spec),
  }
}

function listSchemaNames(spec: OpenApiSpec): string[] {
  return getEntries(getNamedSchemas(spec), maxSchemas).flatMap(([name, schema]) =>
    spec.resolveObject(schema)['x-internal'] === true ? [] : [name],
  )
}

const toOutlineTag = ({ name, title, icon, summary, parent, description }: ApiTag): OutlineTag => ({
  name,
  title: shorten(title),
  ...(icon !== undefined && { icon }),
  ...(summary !== undefined && { summary: shorten(summary, maxSummaryLength) }),
  ...(parent !== undefined && { parent }),
  description: parseDescription(description),
})

/** Returns the names of the tags that `x-internal` hides. */
function listInternalTags(spec: OpenApiSpec): Set<string> {
  const tags = getList(spec.root, 'tags').filter(isSpecObject)
  return new Set(tags.filter((tag) => tag['x-internal'] === true).flatMap((tag) => getText(tag, 'name') ?? []))
}

/** Returns the outline of an operation; undefined if all of its tags are internal. */
function toOutlineOperation(
  operation: ApiOperation,
  internalTags: ReadonlySet<string>,
  changedAt: string,
): OutlineOperation | undefined {
  const { kind, method, path, id, isDeprecated } = operation
  const tags = operation.tags.filter((name) => !internalTags.has(name))
  if (tags.length === 0 && operation.tags.length > 0) return undefined
  const extensions = readPageExtensions(operation.source)
  const title = extensions.title ?? operation.summary ?? (kind === 'webhook' ? path : `${method} ${path}`)
  return {
    kind,
    method: method.toLowerCase(),
    path,
    ...(id !== undefined && { id }),
    title: shorten(title),
    ...(extensions.icon !== undefined && { icon: extensions.icon }),
    ...(extensions.summary !== undefined && { summary: shorten(extensions.summary, maxSummaryLength) }),
    ...(isDeprecated && { isDeprecated }),
    tags,
    hash: createHash('sha256').update(JSON.stringify(operation.source)).digest('base64url').slice(0, 16),
    changedAt,
  }
}

const readPageExtensions = (fields: SpecObject) => ({
  title: getText(fields, 'x-page-title'),
  icon: getText(fields, 'x-page-icon'),
  summary: getText(fields, 'x-page-description'),
})

/** Returns the text on one line, without its end if it is too long. */
function shorten(text: string, maxLength = maxTitleLength): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trimEnd()}…`
}
