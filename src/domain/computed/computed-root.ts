import { assignKeys } from '../../content/document/assign-keys.ts'
import { createDocument, leaf, paragraph } from '../../content/document/build.ts'
import type { Block, ComputedSource } from '../../content/document/nodes.ts'
import { walkBlocks } from '../../content/document/walk.ts'
import { Draft, type PageBody, type PagePosition } from '../../content/revision/draft.ts'
import { type PageEntry, type ParentEntry, readObject, readObjects } from '../../content/revision/objects.ts'
import { type Sequence, findInSorted, readSequence } from '../../content/revision/sequence.ts'
import { type Tree, findPage, openTree } from '../../content/revision/tree.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { ObjectStore } from '../../kernel/context.ts'
import { deriveId } from '../../kernel/ids.ts'
import { type GeneratedPage, generateBlocks, generatePages, keyOfOperation } from '../../openapi/generate-pages.ts'
import type { Db } from '../../schema/tables.ts'
import {
  type GeneratedSubtree,
  type GeneratedSubtrees,
  findGeneratedSubtrees,
  storeGeneratedSubtrees,
} from './generated-subtrees.ts'
import { type OpenApiSource, type SpecOutlines, openApiSourceType, parseOpenApiSource } from './openapi-source.ts'
import { openSpecOutlines } from './spec-outlines.ts'

/** Content with generated pages. */
export interface ComputedRoot {
  hash: string
  /** Slugs or IDs of the specifications that the pages depend on. */
  specs: readonly string[]
}

interface ComputedRootInput {
  rootHash: string
  /** Stored content with generated pages that differs little, for example of the revision before. */
  previous?: string | undefined
}

/** A page whose source describes what is generated. */
interface ComputedPage {
  id: string
  type: PageEntry['type']
  parent: string | null
  /** Position among the pages of its parent. */
  index: number
  source: ComputedSource
  /** Fields that apply to the generated pages as well. */
  fields: Pick<PageBody, (typeof inheritedFields)[number]>
}

/**
 * Maximum number of operations from which pages of a space are generated; sources after the one that exceeds it generate nothing,
 * because writing their pages would keep other edits waiting.
 */
const maxOperations = 5000

const inheritedFields = ['condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const

/**
 * Writes content with generated pages in place of computed ones, or below pages with a source; undefined if nothing is
 * computed. Sources that are not supported, and specifications that do not exist, generate nothing.
 */
export async function writeComputedRoot(
  db: Db,
  objects: ObjectStore,
  organizationId: string,
  { rootHash, previous }: ComputedRootInput,
): Promise<ComputedRoot | undefined> {
  const tree = await openTree(objects, rootHash)
  if (!tree.root.hasComputed) return undefined
  const outlines = openSpecOutlines(db, organizationId)
  const reusable = previous === undefined ? new Map() : findGeneratedSubtrees(organizationId, previous)
  const expansion = new Expansion(tree, outlines, reusable)
  // From the last to the first, so that positions of the remaining pages do not change.
  for (const page of (await findComputedPages(tree)).toReversed()) await expansion.expand(page)
  const hash = await expansion.commit()
  storeGeneratedSubtrees(organizationId, hash, await expansion.readSubtrees(hash))
  return { hash, specs: outlines.names() }
}

async function findComputedPages({ objects, root }: Tree): Promise<ComputedPage[]> {
  const found: ComputedPage[] = []
  const visit = async (pages: Sequence<PageEntry>, parent: string | null): Promise<void> => {
    const entries = (await readSequence(objects, pages)).map((entry, index) => ({ entry, index }))
    const marked = entries.filter(({ entry }) => entry.hasComputed || entry.type === 'computed')
    const bodies = await readObjects(
      objects,
      'page',
      marked.map(({ entry }) => entry.hash),
    )
    for (const [position, { entry, index }] of marked.entries()) {
      const page = bodies[position]
      if (!page) continue
      const { id, type } = entry
      if (page.computed)
        found.push({
          id,
          type,
          parent,
          index,
          source: page.computed,
          fields: type === 'computed' ? pickInheritedFields(page) : {},
        })
      await visit(page.pages, id)
    }
  }
  await visit(root.pages, null)
  return found
}

/** Replaces computed pages in a draft. */
class Expansion {
  readonly #tree: Tree
  readonly #draft: Draft
  readonly #outlines: SpecOutlines
  readonly #reusable: GeneratedSubtrees
  readonly #generated = new Map<string, Omit<GeneratedSubtree, 'entries'> & { into: string | null }>()
  readonly #yieldIfDue = createYielder()
  #remainingOperations = maxOperations

  constructor(tree: Tree, outlines: SpecOutlines, reusable: GeneratedSubtrees) {
    this.#reusable = reusable
    this.#tree = tree
    this.#draft = new Draft(tree, { maxDepth: Infinity, yieldIfDue: this.#yieldIfDue })
    this.#outlines = outlines
  }

  commit(): Promise<string> {
    return this.#draft.commit()
  }

  /** Returns the generated pages in the written content. */
  async readSubtrees(rootHash: string): Promise<GeneratedSubtrees> {
    const { objects } = this.#tree
    const tree = await openTree(objects, rootHash)
    const subtrees = new Map<string, GeneratedSubtree>()
    for (const [id, { into, ...subtree }] of this.#generated) {
      if (subtree.parents.length === 0) {
        subtrees.set(id, { ...subtree, entries: [] })
        continue
      }
      const topIds = new Set(subtree.parents.filter(({ parent }) => parent === null).map((page) => page.id))
      const list = into === null ? tree.root.pages : (await findPage(tree, into))?.page.pages
      const entries = list ? (await readSequence(objects, list)).filter((entry) => topIds.has(entry.id)) : []
      subtrees.set(id, { ...subtree, entries })
    }
    return subtrees
  }

  async expand(page: ComputedPage): Promise<void> {
    const source = parseOpenApiSource(page.source)
    if (page.type === 'computed') await this.#draft.deletePage(page.id)
    if (!source) return
    if (this.#remainingOperations <= 0) return
    if (page.type === 'document' && source.content) return this.#addBlocks(page, source)
    const position = page.type === 'computed' ? { into: page.parent, at: page.index } : { into: page.id, at: undefined }
    await this.#addPages(page, source, position)
  }

  /** Adds generated blocks after the text of a page, except operations that the text contains. */
  async #addBlocks({ id }: ComputedPage, source: OpenApiSource): Promise<void> {
    const { ref, content } = source
    const { objects } = this.#tree
    const page = await this.#draft.getPage(id)
    const { document: hash } = page.body
    const key = JSON.stringify([await this.#outlines.identify(ref.spec), source, hash])
    const reused = this.#reusable.get(id)
    if (reused?.key === key && reused.document !== undefined) return this.#setDocument(id, reused)
    const found = await this.#outlines.find(ref.spec)
    const generated = found && content && generateBlocks(found.outline, ref, content)
    if (!generated || generated.length === 0) return
    const stored = hash === undefined ? createDocument([]) : (await readObject(objects, 'document', hash)).document
    const shown = new Set(Array.from(walkBlocks(stored), keyOfBlock))
    const added = generated.filter((block) => {
      const operation = keyOfBlock(block)
      return operation === undefined || !shown.has(operation)
    })
    const nodes = [...stored.nodes, ...added]
    const document = objects.write({ kind: 'document', document: assignKeys(stored, { ...stored, nodes }) })
    await this.#setDocument(id, { key, parents: [], redirects: [], operations: added.length, document })
  }

  async #setDocument(id: string, subtree: Omit<GeneratedSubtree, 'entries'>): Promise<void> {
    const { document, operations } = subtree
    this.#remainingOperations -= operations
    this.#generated.set(id, { ...subtree, into: null })
    await this.#draft.updatePage(id, (body) => ({ ...body, ...(document !== undefined && { document }) }))
  }

  async #addPages({ id: seed, fields }: ComputedPage, source: OpenApiSource, position: PagePosition): Promise<void> {
    const { ref, grouping, hasModels, hasDownloadLink } = source
    const { into } = position
    const key = JSON.stringify([await this.#outlines.identify(ref.spec), source, fields, into === null])
    const reused = this.#reusable.get(seed)
    if (reused?.key === key && (await this.#draft.insertStoredPages(reused.entries, reused.parents, position))) {
      this.#generated.set(seed, { ...reused, into })
      this.#remainingOperations -= reused.operations
      return this.#addRedirects(reused.redirects, into)
    }
    const found = await this.#outlines.find(ref.spec)
    if (!found) return
    const operations = found.outline.operations.length
    this.#remainingOperations -= operations
    const pages = generatePages(found.outline, {
      ref,
      grouping,
      hasModels,
      hasDownloadLink: hasDownloadLink && found.isPublic,
      hasGroups: into === null,
    })
    const idsByKey = new Map<string, string>()
    const parents: ParentEntry[] = []
    const insert = async (page: GeneratedPage, parent: string | null, at?: number): Promise<void> => {
      await this.#yieldIfDue()
      const id = deriveId(`${seed} ${page.key}`)
      parents.push({ id, parent })
      for (const one of [page.key, ...page.operations.map(keyOfOperation)])
        if (!idsByKey.has(one)) idsByKey.set(one, id)
      const operationPages = page.pages
        .filter(({ content }) => content?.doc === 'operation')
        .map((child) => ({ title: child.title, id: deriveId(`${seed} ${child.key}`) }))
      const listed = operationPages.length > 0 ? [createPageList(operationPages)] : []
      const body = { ...fields, ...this.#createBody(page, [...page.blocks, ...listed], source, found.createdAt) }
      await this.#draft.insertPage({ id, type: page.type, slug: page.slug, body }, { into: parent ?? into, at })
      for (const child of page.pages) await insert(child, id)
    }
    for (const [index, page] of pages.entries())
      await insert(page, null, position.at === undefined ? undefined : position.at + index)
    const redirects = Object.entries(found.former[grouping]).flatMap(([path, keys]) => {
      const page = keys.map((one) => idsByKey.get(one)).find((id) => id !== undefined)
      return page === undefined ? [] : [{ path, page }]
    })
    this.#generated.set(seed, { key, parents, redirects, operations, into })
    await this.#addRedirects(redirects, into)
  }

  #createBody(page: GeneratedPage, blocks: readonly Block[], { ref }: OpenApiSource, createdAt: string): PageBody {
    const { title, icon, description, content, operations } = page
    return {
      title,
      ...(icon !== undefined && { icon }),
      ...(description !== undefined && { description }),
      ...(page.type === 'link' && { target: ref }),
      ...(content && {
        computed: { type: openApiSourceType, props: { ...content }, dependencies: { spec: { ref } } },
      }),
      ...(page.type === 'document' && {
        document: this.#writeDocument(blocks),
        ...(blocks.some(isWide) && { layout: { width: 'wide' } as const }),
      }),
      createdAt,
      updatedAt: operations.reduce((latest, { changedAt }) => (changedAt > latest ? changedAt : latest), createdAt),
    }
  }

  #writeDocument(blocks: readonly Block[]): string {
    return this.#tree.objects.write({ kind: 'document', document: assignKeys(undefined, createDocument(blocks)) })
  }

  /** Adds redirects from paths of earlier versions, unless the content has redirects from them. */
  async #addRedirects(redirects: GeneratedSubtree['redirects'], into: string | null): Promise<void> {
    if (redirects.length === 0) return
    const parent = into === null ? '' : `${await this.#draft.pathOf(into)}/`.toLowerCase()
    const { objects, root } = this.#tree
    const paths = redirects.map(({ path }) => parent + path)
    const existing = root.redirects ? await findInSorted(objects, root.redirects, paths) : new Map<string, unknown>()
    for (const { path, page } of redirects) {
      const id = parent + path
      if (!existing.has(id)) this.#draft.setRedirect(id, { id, page })
    }
  }
}

const pickInheritedFields = (page: PageBody): ComputedPage['fields'] =>
  Object.fromEntries(inheritedFields.flatMap((field) => (page[field] === undefined ? [] : [[field, page[field]]])))

/** Returns a list of links to pages. */
const createPageList = (pages: readonly { id: string; title: string }[]): Block => ({
  object: 'block',
  type: 'list-unordered',
  nodes: pages.map(({ id, title }) => ({
    object: 'block',
    type: 'list-item',
    nodes: [
      paragraph([
        {
          object: 'inline',
          type: 'link',
          data: { ref: { kind: 'page', page: id } },
          nodes: [{ object: 'text', leaves: [leaf(title)] }],
        },
      ]),
    ],
  })),
})

const isWide = ({ type }: Block): boolean => type === 'openapi-operation' || type === 'openapi-webhook'

/** Returns a key of an operation or webhook that is equal for all blocks that show it; other blocks have none. */
function keyOfBlock(block: Block): string | undefined {
  if (block.type === 'openapi-operation')
    return JSON.stringify([block.data.ref.spec, block.data.method.toLowerCase(), block.data.path])
  if (block.type === 'openapi-webhook') return JSON.stringify([block.data.ref.spec, 'hook', block.data.name])
  return undefined
}
