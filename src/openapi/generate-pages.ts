import type { Block, ContentRef, OpenApiOperation, OpenApiWebhook } from '../content/document/nodes.ts'
import { toSlug, uniqueSlug } from '../content/markdown/slug.ts'
import type { OutlineOperation, OutlineTag, SpecOutline } from './outline.ts'

export type SpecRef = Extract<ContentRef, { kind: 'openapi' }>

/** How operations are divided into pages. */
export type PageGrouping = 'by-tag' | 'by-operation'

export interface GenerationOptions {
  ref: SpecRef
  grouping: PageGrouping
  /** Whether there is a page with all schemas. */
  hasModels: boolean
  /** Whether there is a link to the document. */
  hasDownloadLink: boolean
  /** Whether groups of tags become groups of pages, which are only possible at the top level. */
  hasGroups: boolean
}

/** Content of the document of a generated page, as in the `props` of its source. */
export type GeneratedContent =
  | { doc: 'info' | 'operations' | 'tag'; page: string }
  | { doc: 'operation'; page: string; method: string; deprecated?: boolean }
  | { doc: 'models' }

export interface GeneratedPage {
  /** Identifies the page among all pages that are generated from a document, even after it has moved. */
  key: string
  type: 'document' | 'group' | 'link'
  title: string
  slug: string
  icon?: string
  description?: string
  content?: GeneratedContent
  blocks: readonly Block[]
  /** Operations that it shows. */
  operations: readonly OutlineOperation[]
  pages: readonly GeneratedPage[]
}

/** Maximum number of operations of a page; if there are more, each has a page below it. */
const maxOperationsOfPage = 30

/** Maximum depth of tags below other tags. */
const maxTagDepth = 5

/** Returns the pages that are generated from the outline of a document. */
export function generatePages(outline: SpecOutline, options: GenerationOptions): GeneratedPage[] {
  return new PageGenerator(outline, options).generate()
}

/** Returns the blocks of a generated page; undefined if the document has nothing of that kind. */
export function generateBlocks(
  outline: SpecOutline,
  ref: SpecRef,
  content: GeneratedContent,
): readonly Block[] | undefined {
  const { operations } = outline
  switch (content.doc) {
    case 'info':
      return outline.introduction
    case 'models':
      return createModelBlocks(outline, ref)
    case 'operations':
      return operations.filter(({ tags }) => tags.length === 0).map((operation) => createBlock(operation, ref))
    case 'tag': {
      const tag = outline.tags.find(({ name }) => name === content.page)
      return tag && createTagBlocks(outline, ref, tag)
    }
    case 'operation': {
      const kind = content.method === 'hook' ? 'webhook' : 'operation'
      const found = operations.find(
        (one) =>
          one.kind === kind && one.path === content.page && (kind === 'webhook' || one.method === content.method),
      )
      return found && [createBlock(found, ref, true)]
    }
  }
}

/** Returns a key for an operation that does not change as long as its method and path do not. */
export const keyOfOperation = ({ kind, method, path }: Pick<OutlineOperation, 'kind' | 'method' | 'path'>): string =>
  `${kind} ${method} ${path}`

class PageGenerator {
  readonly #outline: SpecOutline
  readonly #options: GenerationOptions
  readonly #operationsByTag = new Map<string | undefined, OutlineOperation[]>()
  readonly #childTags = new Map<string | undefined, OutlineTag[]>()

  constructor(outline: SpecOutline, options: GenerationOptions) {
    this.#outline = outline
    this.#options = options
    for (const operation of outline.operations) {
      const tags = operation.tags.length === 0 ? [undefined] : operation.tags
      for (const tag of options.grouping === 'by-operation' ? tags.slice(0, 1) : tags) {
        const operations = this.#operationsByTag.get(tag)
        if (operations) operations.push(operation)
        else this.#operationsByTag.set(tag, [operation])
      }
    }
    const byName = new Map(outline.tags.map((tag) => [tag.name, tag]))
    for (const tag of outline.tags) {
      const parent = findParentTag(byName, tag)
      const siblings = this.#childTags.get(parent)
      if (siblings) siblings.push(tag)
      else this.#childTags.set(parent, [tag])
    }
  }

  generate(): GeneratedPage[] {
    const { schemas } = this.#outline
    const { hasModels, hasDownloadLink } = this.#options
    return withUniqueSlugs([
      ...this.#createIntroduction(),
      ...this.#createUntaggedPages(),
      ...this.#createTagPages(),
      ...(hasModels && schemas.length > 0 ? [this.#createModelsPage()] : []),
      ...(hasDownloadLink ? [createDownloadLink()] : []),
    ])
  }

  #createIntroduction(): GeneratedPage[] {
    const { title, introduction } = this.#outline
    if (introduction.length === 0) return []
    const pageTitle = title === '' ? 'Introduction' : title
    return [
      {
        ...createPage('info', pageTitle),
        slug: 'introduction',
        content: { doc: 'info', page: pageTitle },
        blocks: introduction,
      },
    ]
  }

  #createUntaggedPages(): GeneratedPage[] {
    const operations = this.#operationsByTag.get(undefined) ?? []
    if (operations.length === 0) return []
    const isOnly = this.#outline.tags.length === 0
    if (isOnly && this.#options.grouping === 'by-operation')
      return operations.map((operation) => this.#createOperationPage(operation))
    const title = isOnly && this.#outline.title !== '' ? this.#outline.title : 'Operations'
    return [this.#withOperations({ ...createPage('operations', title), slug: 'operations' }, operations, 'operations')]
  }

  #createTagPages(): GeneratedPage[] {
    const topTags = this.#childTags.get(undefined) ?? []
    const grouped = new Set(this.#outline.groups.flatMap(({ tags }) => tags))
    const { hasGroups } = this.#options
    if (!hasGroups || this.#outline.groups.length === 0)
      return sortLike(topTags, [...grouped]).flatMap((tag) => this.#createTagPage(tag))
    const byName = new Map(topTags.map((tag) => [tag.name, tag]))
    const groups = this.#outline.groups.flatMap(({ title, tags }) => {
      const pages = tags.flatMap((name) => {
        const tag = byName.get(name)
        // A tag that is in several groups is shown in the first one.
        byName.delete(name)
        return tag ? this.#createTagPage(tag) : []
      })
      return pages.length === 0
        ? []
        : [{ ...createPage(`group ${title}`, title), type: 'group' as const, pages: withUniqueSlugs(pages) }]
    })
    return [...[...byName.values()].flatMap((tag) => this.#createTagPage(tag)), ...groups]
  }

  /** Returns the page of a tag; none if it has neither operations nor a description. */
  #createTagPage(tag: OutlineTag): GeneratedPage[] {
    const operations = this.#operationsByTag.get(tag.name) ?? []
    const children = (this.#childTags.get(tag.name) ?? []).flatMap((child) => this.#createTagPage(child))
    if (operations.length === 0 && children.length === 0 && tag.description.length === 0) return []
    const page: GeneratedPage = {
      ...createPage(`tag ${tag.name}`, tag.title),
      ...(tag.icon !== undefined && { icon: tag.icon }),
      ...(tag.summary !== undefined && { description: tag.summary }),
      blocks: tag.description,
      pages: withUniqueSlugs(children),
    }
    return [this.#withOperations(page, operations, 'tag', tag.name)]
  }

  /** Adds operations to a page, or pages of operations below it. */
  #withOperations(
    page: GeneratedPage,
    operations: readonly OutlineOperation[],
    doc: 'tag' | 'operations',
    name = page.title,
  ): GeneratedPage {
    const { ref, grouping } = this.#options
    const content = { doc, page: name }
    if (grouping === 'by-operation' || operations.length > maxOperationsOfPage) {
      const pages = operations.map((operation) => this.#createOperationPage(operation))
      return { ...page, content, pages: withUniqueSlugs([...pages, ...page.pages]) }
    }
    return {
      ...page,
      content,
      blocks: [...page.blocks, ...operations.map((operation) => createBlock(operation, ref))],
      operations,
    }
  }

  #createOperationPage(operation: OutlineOperation): GeneratedPage {
    const { kind, method, path, id, title, icon, summary, isDeprecated } = operation
    return {
      ...createPage(keyOfOperation(operation), title),
      slug: toOperationSlug(id ?? (kind === 'webhook' ? path : `${method} ${path}`)),
      ...(icon !== undefined && { icon }),
      ...(summary !== undefined && { description: summary }),
      content: {
        doc: 'operation',
        page: path,
        method: kind === 'webhook' ? 'hook' : method,
        ...(isDeprecated && { deprecated: true }),
      },
      blocks: [createBlock(operation, this.#options.ref, true)],
      operations: [operation],
    }
  }

  #createModelsPage(): GeneratedPage {
    return {
      ...createPage('models', 'Models'),
      content: { doc: 'models' },
      blocks: createModelBlocks(this.#outline, this.#options.ref),
    }
  }
}

/** Returns the name of the tag above a tag; undefined if there is none, or if its ancestors are too many or a cycle. */
function findParentTag(tags: ReadonlyMap<string, OutlineTag>, { parent }: OutlineTag): string | undefined {
  let ancestor = parent === undefined ? undefined : tags.get(parent)
  const name = ancestor?.name
  for (let depth = 1; ancestor; depth++) {
    if (depth >= maxTagDepth) return undefined
    ancestor = ancestor.parent === undefined ? undefined : tags.get(ancestor.parent)
  }
  return name
}

function createPage(key: string, title: string): GeneratedPage {
  const shown = title === '' ? 'Untitled' : title
  return { key, type: 'document', title: shown, slug: toSlug(shown), blocks: [], operations: [], pages: [] }
}

const createDownloadLink = (): GeneratedPage => ({
  ...createPage('download', 'OpenAPI specification'),
  type: 'link',
  icon: 'download',
})

const createTagBlocks = (outline: SpecOutline, ref: SpecRef, { name, description }: OutlineTag): readonly Block[] => [
  ...description,
  ...outline.operations.filter(({ tags }) => tags.includes(name)).map((operation) => createBlock(operation, ref)),
]

const createModelBlocks = ({ schemas }: SpecOutline, ref: SpecRef): readonly Block[] =>
  schemas.length === 0
    ? []
    : [{ object: 'block', type: 'openapi-schemas', isVoid: true, data: { ref, schemas, grouped: true } }]

function createBlock(
  { kind, method, path }: OutlineOperation,
  ref: SpecRef,
  headless = false,
): OpenApiOperation | OpenApiWebhook {
  const common = { object: 'block', isVoid: true } as const
  const fields = { ref, method, ...(headless && { headless }) }
  return kind === 'webhook'
    ? { ...common, type: 'openapi-webhook', data: { ...fields, name: path } }
    : { ...common, type: 'openapi-operation', data: { ...fields, path } }
}

/** Returns a slug in which the words of an operation id are separated: `listPets` becomes `list-pets`. */
const toOperationSlug = (name: string): string => toSlug(name.replace(/([a-z\d])([A-Z])/g, '$1 $2'))

/** Adds numbers to equal slugs of siblings. */
function withUniqueSlugs(pages: readonly GeneratedPage[]): GeneratedPage[] {
  const taken = new Set<string>()
  return pages.map((page) => {
    const slug = uniqueSlug(page.slug, (one) => taken.has(one))
    taken.add(slug)
    return slug === page.slug ? page : { ...page, slug }
  })
}

/** Sorts tags in the order of a list of names; other tags follow in their own order. */
function sortLike(tags: readonly OutlineTag[], names: readonly string[]): OutlineTag[] {
  const positions = new Map(names.map((name, index) => [name, index]))
  return tags.toSorted((a, b) => (positions.get(a.name) ?? Infinity) - (positions.get(b.name) ?? Infinity) || 0)
}
