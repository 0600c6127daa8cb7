import { toSlug } from '../../content/markdown/slug.ts'
import type { OutlineEntry } from '../../content/document/outline.ts'
import { type Html, attributes, markup } from '../../render/html.ts'
import { type ApiOperation, findSchema, getNamedSchemas, listOperations } from '../../openapi/model.ts'
import { OpenApiSpec, getObject, getText } from '../../openapi/spec.ts'
import type { OpenApiContext } from '../../render/openapi/openapi-context.ts'
import { renderMethodBadge, renderOperation } from '../../render/openapi/operation.ts'
import { renderNamedSchema } from '../../render/openapi/schemas.ts'
import type { Link, SidebarItem } from '../../render/shell/parts.ts'

/** Page of the API reference. */
export interface ReferencePage {
  /** Path relative to the reference; empty for its first page. */
  path: string
  title: string
  description: string | undefined
  crumbs: readonly Link[]
  outline: readonly OutlineEntry[]
  isOperation: boolean
  content: (context: OpenApiContext) => Html
}

interface Group {
  title: string
  slug: string
  operations: readonly NamedOperation[]
}

type NamedOperation = ApiOperation & { id: string }

/** Titles of the parts of the API, by their first group. */
const areas: ReadonlyMap<string, string> = new Map([
  ['System', 'Organizations and people'],
  ['Collections', 'Content'],
  ['Sites', 'Sites'],
])

const schemasPath = 'schemas'

/** Pages of the API reference: an overview, and one for each group, operation and schema. */
export class ReferencePages {
  readonly #spec: OpenApiSpec
  readonly #base: string
  readonly #groups: readonly Group[]
  readonly #schemas: Readonly<Record<string, unknown>>
  /** Links in reading order. */
  readonly #linksInOrder: readonly Link[]

  /** `base` is the URL path of the reference without a trailing slash. */
  constructor(document: unknown, base: string) {
    this.#spec = new OpenApiSpec(document)
    this.#base = base
    this.#groups = groupOperations(this.#spec)
    this.#schemas = getNamedSchemas(this.#spec)
    this.#linksInOrder = [
      { title: 'Overview', href: base },
      ...this.#groups.flatMap((group) => [
        this.#groupLink(group),
        ...group.operations.map((one) => this.#operationLink(one)),
      ]),
    ]
  }

  find(path: string): ReferencePage | undefined {
    if (path === '') return this.#overview()
    if (path === schemasPath) return this.#schemaList()
    const [first = '', name] = path.split('/')
    if (first === schemasPath && name !== undefined) return this.#schema(name)
    const group = this.#groups.find(({ slug }) => slug === path)
    if (group) return this.#group(group)
    for (const candidate of this.#groups) {
      const operation = candidate.operations.find(({ id }) => id === path)
      if (operation) return this.#operation(operation, candidate)
    }
    return undefined
  }

  schemaHref(name: string): string | undefined {
    return Object.hasOwn(this.#schemas, name) ? `${this.#base}/${schemasPath}/${encodeURIComponent(name)}` : undefined
  }

  /** Returns the previous and the next page. */
  neighbours(path: string): { previous: Link | undefined; next: Link | undefined } {
    const index = this.#linksInOrder.findIndex(({ href }) => href === this.#href(path))
    return {
      previous: index > 0 ? this.#linksInOrder[index - 1] : undefined,
      next: index < 0 ? undefined : this.#linksInOrder[index + 1],
    }
  }

  /** Returns the groups by part of the API, with the operations of the current group. */
  sidebar(path: string): SidebarItem[] {
    const overview = this.#item('Overview', '', path)
    const parts: SidebarItem[] = []
    for (const group of this.#groups) {
      const area = areas.get(group.title)
      if (area !== undefined || parts.length === 0)
        parts.push({ ...this.#item(area ?? 'Operations', '', '?'), kind: 'group', href: undefined })
      const isOpen = group.slug === path || group.operations.some(({ id }) => id === path)
      const children = isOpen
        ? group.operations.map((one) => ({
            ...this.#item(one.summary ?? one.id, one.id, path),
            icon: renderMethodBadge(one.method),
          }))
        : []
      const part = parts.at(-1)
      if (part)
        parts[parts.length - 1] = {
          ...part,
          children: [...part.children, { ...this.#item(group.title, group.slug, path), children }],
        }
    }
    return [overview, ...parts, this.#item('Schemas', schemasPath, path)]
  }

  #item(title: string, to: string, path: string): SidebarItem {
    return {
      kind: 'page',
      title,
      href: this.#href(to),
      icon: undefined,
      isCurrent: to === path,
      branchHref: undefined,
      children: [],
    }
  }

  #href(path: string): string {
    return path === '' ? this.#base : `${this.#base}/${path}`
  }

  #groupLink({ title, slug }: Group): Link {
    return { title, href: this.#href(slug) }
  }

  #operationLink({ id, summary }: NamedOperation): Link {
    return { title: summary ?? id, href: this.#href(id) }
  }

  get #crumbs(): Link[] {
    return [{ title: 'API reference', href: this.#base }]
  }

  #overview(): ReferencePage {
    const info = getObject(this.#spec.root, 'info')
    const [server] = this.#groups.flatMap(({ operations }) => operations.map((one) => one.servers[0]?.url))
    const endpoint = (server ?? '').replace(/\/v1$/, '')
    const client = `import { GitBookAPI } from '@gitbook/api'\n\nconst client = new GitBookAPI({ endpoint: '${endpoint}', authToken: token })`
    return {
      path: '',
      title: 'API reference',
      description: getText(info, 'description'),
      crumbs: [],
      outline: [
        outlineEntry('calling', 'Calling the API'),
        ...this.#groups.map(({ slug, title }) => outlineEntry(slug, title)),
      ],
      isOperation: false,
      content: ({ renderCode }) =>
        markup`<h2 id="calling">Calling the API</h2><p>All paths begin with <code>${server}</code>. Requests need a token: <code>Authorization: Bearer $TOKEN</code>.</p>${renderCode(`curl -H "Authorization: Bearer $TOKEN" ${server}/user`, 'sh')}<p>The examples of the official client use one that was made like this:</p>${renderCode(client, 'js')}${this.#groups.map((group) => markup`<h2 id="${group.slug}"><a class="plain" href="${this.#href(group.slug)}">${group.title}</a></h2>${this.#operationList(group)}`)}`,
    }
  }

  #operationList({ operations }: Group): Html {
    const one = ({ id, method, path, summary, isDeprecated }: NamedOperation) =>
      markup`<li id="${id}"><a href="${this.#href(id)}">${renderMethodBadge(method)}<span><strong${attributes({ class: isDeprecated ? 'outdated' : undefined })}>${summary ?? id}</strong><code>${path.replaceAll('/', '/\u200b')}</code></span></a></li>`
    return markup`<ul class="operations">${operations.map(one)}</ul>`
  }

  #group(group: Group): ReferencePage {
    return {
      path: group.slug,
      title: group.title,
      description: undefined,
      crumbs: this.#crumbs,
      outline: group.operations.map(({ id, summary }) => outlineEntry(id, summary ?? id)),
      isOperation: false,
      content: () => this.#operationList(group),
    }
  }

  #operation(operation: NamedOperation, group: Group): ReferencePage {
    return {
      path: operation.id,
      title: operation.summary ?? operation.id,
      description: undefined,
      crumbs: [...this.#crumbs, this.#groupLink(group)],
      outline: [],
      isOperation: true,
      content: (context) => renderOperation(operation, context),
    }
  }

  #schemaList(): ReferencePage {
    const names = Object.keys(this.#schemas).sort()
    return {
      path: schemasPath,
      title: 'Schemas',
      description: 'What requests and replies consist of.',
      crumbs: this.#crumbs,
      outline: [],
      isOperation: false,
      content: () =>
        markup`<ul class="names">${names.map((name) => markup`<li><a href="${this.schemaHref(name)}">${name}</a></li>`)}</ul>`,
    }
  }

  #schema(name: string): ReferencePage | undefined {
    if (findSchema(this.#spec, name) === undefined) return undefined
    return {
      path: `${schemasPath}/${name}`,
      title: name,
      description: undefined,
      crumbs: [...this.#crumbs, { title: 'Schemas', href: this.#href(schemasPath) }],
      outline: [],
      isOperation: true,
      content: (context) => renderNamedSchema(this.#spec, name, context),
    }
  }
}

const outlineEntry = (id: string, title: string): OutlineEntry => ({ id, title, depth: 1, type: 'heading-1' })

function groupOperations(spec: OpenApiSpec): Group[] {
  const groups = new Map<string, NamedOperation[]>()
  for (const operation of listOperations(spec)) {
    const { id, tags } = operation
    if (id === undefined) continue
    const title = tags[0] ?? 'Operations'
    groups.set(title, [...(groups.get(title) ?? []), { ...operation, id }])
  }
  return Array.from(groups, ([title, operations]) => ({ title, slug: toSlug(title), operations }))
}
