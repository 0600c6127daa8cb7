import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { canonicalJson } from '../../src/content/document/canonical-json.ts'
import type { Conflict } from '../../src/content/revision/conflict.ts'
import { Draft, type PageBody } from '../../src/content/revision/draft.ts'
import { TreeError } from '../../src/content/revision/tree-error.ts'
import { type PageEntry, type PageType, emptyRoot, readObject } from '../../src/content/revision/objects.ts'
import { readSequence } from '../../src/content/revision/sequence.ts'
import type { PageLocation } from '../../src/content/revision/subtree.ts'
import { type PageNode, openTree, readPageNodes } from '../../src/content/revision/tree.ts'
import { DocumentEditor, blockOfSide, collectWords } from './edited-documents.ts'
import { CountingObjects } from './objects.ts'
import { randomInteger, seededRandom } from './random.ts'

const timeAt = (tick: number) => new Date(Date.UTC(2026, 0, 1) + tick * 1000).toISOString()

export const createBody = (title: string, more: Partial<PageBody> = {}): PageBody => ({
  title,
  createdAt: timeAt(0),
  updatedAt: timeAt(0),
  ...more,
})

export const textDocument = (...texts: string[]): Document =>
  assignKeys(undefined, createDocument(texts.map((text) => paragraph([{ object: 'text', leaves: [leaf(text)] }]))))

/** Pages as nested names: each is the id, the slug and the title of its page. */
export interface PageNames {
  [name: string]: PageNames
}

/** Content trees in memory. */
export class Trees {
  readonly objects = new CountingObjects()
  readonly empty = this.objects.write(emptyRoot)

  async draft(root: string, options?: { maxDepth: number }): Promise<Draft> {
    return new Draft(await openTree(this.objects, root), options)
  }

  /** Returns the root after changes. */
  async edit(root: string, change: (draft: Draft) => Promise<unknown>): Promise<string> {
    const draft = await this.draft(root)
    await change(draft)
    return draft.commit()
  }

  create(names: PageNames): Promise<string> {
    const insert = async (draft: Draft, below: PageNames, into: string | null): Promise<void> => {
      for (const [name, inside] of Object.entries(below)) {
        await insertPage(draft, name, into)
        await insert(draft, inside, name)
      }
    }
    return this.edit(this.empty, (draft) => insert(draft, names, null))
  }

  write(document: Document): string {
    return this.objects.write({ kind: 'document', document })
  }

  async readDocument(hash: string): Promise<Document> {
    return (await readObject(this.objects, 'document', hash)).document
  }

  async nodes(root: string): Promise<PageNode[]> {
    return readPageNodes(this.objects, (await openTree(this.objects, root)).root.pages)
  }

  /** Returns the nested ids of the pages. */
  async names(root: string): Promise<PageNames> {
    const namesOf = (nodes: readonly PageNode[]): PageNames =>
      Object.fromEntries(nodes.map(({ entry, children }) => [entry.id, namesOf(children)]))
    return namesOf(await this.nodes(root))
  }

  /** Returns every page with its parent and index. */
  async pages(root: string): Promise<Map<string, PageInTree>> {
    const pages = new Map<string, PageInTree>()
    const add = (nodes: readonly PageNode[], parent: string | null): void =>
      nodes.forEach((node, index) => {
        if (pages.has(node.entry.id)) throw new Error(`${node.entry.id} is in the tree twice`)
        pages.set(node.entry.id, { ...node, parent, index })
        add(node.children, node.entry.id)
      })
    add(await this.nodes(root), null)
    return pages
  }

  /** Returns the inconsistencies of a tree; empty if it is valid. */
  async findFaults(root: string): Promise<string[]> {
    const pages = await this.pages(root)
    const { parents } = (await openTree(this.objects, root)).root
    const places = new Map((await readSequence(this.objects, parents)).map(({ id, parent }) => [id, parent]))
    const faults: string[] = []
    const slugs = new Set<string>()
    for (const [id, { parent, entry, children }] of pages) {
      if (!places.has(id) || places.get(id) !== parent) faults.push(`${id} has the parent ${places.get(id)}`)
      if (entry.slug === '') faults.push(`${id} has no slug`)
      const slug = `${parent}/${entry.slug}`
      if (slugs.has(slug)) faults.push(`${slug} is there twice`)
      slugs.add(slug)
      const levels = children.reduce((most, child) => Math.max(most, 1 + (child.entry.levels ?? 0)), 0)
      if ((entry.levels ?? 0) !== levels) faults.push(`${id} has ${levels} levels below and says ${entry.levels}`)
    }
    for (const id of places.keys()) if (!pages.has(id)) faults.push(`${id} has a parent and is not there`)
    return faults
  }

  /** Returns every word of a tree: of texts, titles, names and values. Slugs are not included, as they may get a number. */
  async words(root: string): Promise<Set<string>> {
    const words = await this.wordsOfPages(await this.nodes(root))
    const { root: object } = await openTree(this.objects, root)
    for (const entry of await readSequence(this.objects, object.files)) {
      words.add((await readObject(this.objects, 'file', entry.hash)).name)
    }
    for (const entry of await readSequence(this.objects, object.reusableContents)) {
      for (const word of await this.#wordsOfReusableContent(entry.hash)) words.add(word)
    }
    for (const value of Object.values(object.variables)) words.add(String(value))
    for (const { label } of Object.values(object.tags)) words.add(label)
    return words
  }

  async wordsOfPages(nodes: readonly PageNode[]): Promise<Set<string>> {
    const words = new Set<string>()
    for (const { page, children } of nodes) {
      for (const word of [page.title, page.description, ...Object.values(page.variables ?? {})]) {
        if (word !== undefined) words.add(String(word))
      }
      if (page.document !== undefined) for (const word of await this.#wordsOfDocument(page.document)) words.add(word)
      for (const word of await this.wordsOfPages(children)) words.add(word)
    }
    return words
  }

  /** Returns every word that conflicts contain. */
  async wordsInConflicts(conflicts: readonly Conflict[]): Promise<Set<string>> {
    const words = new Set<string>()
    for (const conflict of conflicts) {
      for (const side of ['ours', 'theirs'] as const) {
        for (const word of await this.#wordsOfSide(conflict, side)) words.add(word)
      }
    }
    return words
  }

  async #wordsOfSide(conflict: Conflict, side: 'ours' | 'theirs'): Promise<Iterable<string>> {
    if ('about' in conflict && conflict.about === 'block') return collectWords([blockOfSide(conflict.block, side)])
    const value = conflict[side]
    if (value === null || value === undefined) return []
    if (conflict.on === 'page' && conflict.about === 'existence') {
      const { entry } = value as PageLocation
      return this.wordsOfPages(await readPageNodes(this.objects, { level: 0, entries: [entry] }))
    }
    if (conflict.on === 'file') return [(await readObject(this.objects, 'file', (value as PageEntry).hash)).name]
    if (conflict.on === 'reusable-content' && conflict.about === 'existence') {
      return this.#wordsOfReusableContent((value as PageEntry).hash)
    }
    const values: unknown[] = typeof value === 'object' ? Object.values(value) : [value]
    return values.filter((one) => typeof one === 'string')
  }

  async #wordsOfReusableContent(hash: string): Promise<string[]> {
    const { title, document } = await readObject(this.objects, 'reusable-content', hash)
    return [title, ...(await this.#wordsOfDocument(document))]
  }

  async #wordsOfDocument(hash: string): Promise<Set<string>> {
    return collectWords((await this.readDocument(hash)).nodes)
  }
}

export interface PageInTree extends PageNode {
  parent: string | null
  index: number
}

export const insertPage = (draft: Draft, id: string, into: string | null, at?: number): Promise<void> =>
  draft.insertPage({ id, type: 'document', slug: id, body: createBody(id) }, { into, at })

/** Generator of random changes to trees; every word is unique. */
export class TreeEditor {
  readonly #trees: Trees
  readonly #author: DocumentEditor
  readonly #chance: () => number
  /** Whether it may change a page; if given, it changes only such pages. */
  readonly #mayChange: (id: string) => boolean
  readonly #hasPagesOnly: boolean
  #tick = 0

  constructor(trees: Trees, name: string, seed: number, only?: (id: string) => boolean) {
    this.#trees = trees
    this.#author = new DocumentEditor(name, seed)
    this.#chance = seededRandom(seed)
    this.#mayChange = only ?? (() => true)
    this.#hasPagesOnly = only !== undefined
  }

  /** Creates an initial tree. */
  async createTree(size: number): Promise<string> {
    const root = await this.grow(this.#trees.empty, [null], size)
    return this.#trees.edit(root, async (draft) => {
      for (let count = 0; count < 3; count++) this.#setFile(draft, `file${count}`)
      for (let count = 0; count < 3; count++) this.#setReusableContent(draft, `content${count}`, this.#document())
      draft.setVariables({ a: this.#word(), b: this.#word(), c: this.#word() })
      draft.setTags({ x: { label: this.#word() }, y: { label: this.#word(), color: 'red' } })
    })
  }

  /** Inserts pages below some pages of a tree, and below each other. */
  grow(root: string, into: readonly (string | null)[], size: number): Promise<string> {
    const places = [...into]
    return this.#trees.edit(root, async (draft) => {
      for (let count = 0; count < size; count++) places.push(await this.#insert(draft, this.#pick(places)))
    })
  }

  /** Changes a tree in a number of steps, each of which may have no effect. */
  async change(root: string, steps: number): Promise<string> {
    const ids = [...(await this.#trees.pages(root)).keys()].filter(this.#mayChange)
    return this.#trees.edit(root, async (draft) => {
      for (let step = 0; step < steps; step++) {
        this.#tick++
        try {
          await this.#step(draft, ids)
        } catch (error) {
          // For example, a page moved below itself.
          if (!(error instanceof TreeError)) throw error
        }
      }
    })
  }

  async #step(draft: Draft, ids: string[]): Promise<void> {
    const existing: string[] = []
    for (const id of ids) if (await draft.findPage(id)) existing.push(id)
    const id = existing.length > 0 ? this.#pick(existing) : undefined
    const isFree = !this.#hasPagesOnly && this.#chance() < 0.25
    const anywhere = () => (isFree || existing.length === 0 ? null : this.#pick(existing))
    const action = randomInteger(this.#chance, 0, this.#hasPagesOnly ? 15 : 18)
    if (id === undefined && this.#hasPagesOnly) return
    if (action <= 1 || id === undefined) ids.push(await this.#insert(draft, anywhere()))
    else if (action === 2) await draft.deletePage(id)
    else if (action <= 5) await draft.movePage(id, { into: anywhere(), at: randomInteger(this.#chance, 0, 3) })
    else if (action <= 7) {
      const { parent } = await draft.getPage(id)
      await draft.movePage(id, { into: parent, at: randomInteger(this.#chance, 0, 5) })
    } else if (action === 8) await draft.renamePage(id, this.#slug())
    else if (action <= 10) await this.#update(draft, id, () => ({ title: this.#word() }))
    else if (action === 11) await this.#update(draft, id, () => ({ description: this.#word() }))
    else if (action === 12) {
      const name = this.#pick(['p', 'q', 'constructor', '__proto__'])
      await this.#update(draft, id, ({ variables }) => ({
        variables: Object.fromEntries([...Object.entries(variables ?? {}), [name, this.#word()]]),
      }))
    } else if (action <= 15) await this.#edit(draft, id)
    else if (action === 16) await this.#changeFile(draft)
    else if (action === 17) await this.#changeReusableContent(draft)
    else this.#changeNames(draft)
  }

  async #insert(draft: Draft, into: string | null): Promise<string> {
    const id = `page-${this.#word()}`
    const document = this.#trees.write(this.#document())
    const type: PageType = 'document'
    const body = createBody(this.#word(), { document, createdAt: timeAt(this.#tick), updatedAt: timeAt(this.#tick) })
    await draft.insertPage({ id, type, slug: this.#slug(), body }, { into, at: randomInteger(this.#chance, 0, 4) })
    return id
  }

  #update(draft: Draft, id: string, change: (body: PageBody) => Partial<PageBody>): Promise<void> {
    return draft.updatePage(id, (body) => ({ ...body, ...change(body), updatedAt: timeAt(this.#tick) }))
  }

  async #edit(draft: Draft, id: string): Promise<void> {
    const { document } = (await draft.getPage(id)).body
    const edited = this.#trees.write(await this.#edited(document))
    if (edited !== document) await this.#update(draft, id, () => ({ document: edited }))
  }

  async #edited(hash: string | undefined): Promise<Document> {
    if (hash === undefined) return this.#document()
    const document = await this.#trees.readDocument(hash)
    return assignKeys(document, this.#author.change(document))
  }

  #document(): Document {
    const texts = Array.from({ length: randomInteger(this.#chance, 1, 3) }, () => `${this.#word()} ${this.#word()}`)
    return textDocument(...texts)
  }

  async #changeFile(draft: Draft): Promise<void> {
    const id = `file${randomInteger(this.#chance, 0, 3)}`
    if ((await draft.files.find(id)) && this.#chance() < 0.3) draft.files.set(id, null)
    else this.#setFile(draft, id)
  }

  #setFile(draft: Draft, id: string): void {
    draft.files.set(id, { name: this.#word(), contentType: 'text/plain', size: 1, blob: 'bytes' })
  }

  async #changeReusableContent(draft: Draft): Promise<void> {
    const id = `content${randomInteger(this.#chance, 0, 3)}`
    const content = await draft.reusableContents.find(id)
    if (content && this.#chance() < 0.3) draft.reusableContents.set(id, null)
    else this.#setReusableContent(draft, id, await this.#edited(content?.document))
  }

  #setReusableContent(draft: Draft, id: string, document: Document): void {
    draft.reusableContents.set(id, { title: this.#word(), document: this.#trees.write(document) })
  }

  #changeNames(draft: Draft): void {
    if (this.#chance() < 0.5) {
      const name = this.#pick(['a', 'b', 'c', '__proto__'])
      const others = Object.entries(draft.variables).filter(([other]) => other !== name)
      const isRemoved = others.length < Object.keys(draft.variables).length && this.#chance() < 0.3
      draft.setVariables(Object.fromEntries(isRemoved ? others : [...others, [name, this.#word()]]))
    } else draft.setTags({ ...draft.tags, [this.#pick(['x', 'y', 'z'])]: { label: this.#word() } })
  }

  /** Returns one of a few slugs, so that conflicts are likely. */
  #slug(): string {
    return this.#pick(['guide', 'intro', 'setup', 'usage', 'notes', 'faq'])
  }

  #word(): string {
    return this.#author.word()
  }

  #pick<T>(items: readonly T[]): T {
    return items[randomInteger(this.#chance, 0, items.length - 1)] as T
  }
}

/** Returns the properties of a page that do not depend on its position and the pages below it. */
export function describeOwnPage({ entry, page }: Pick<PageNode, 'entry' | 'page'>): string {
  const { pages: _, ...own } = page
  return canonicalJson({ ...own, slug: entry.slug, type: entry.type })
}
