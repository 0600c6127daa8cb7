import { identify } from '../../content/document/identify.ts'
import { revertBlocks, unknownKeys } from '../../content/document/revert.ts'
import { slugOf } from '../../content/markdown/slug.ts'
import type { PageMetadata } from '../../content/markdown/front-matter.ts'
import { insertSubtree, withValue } from '../../content/revision/conflict.ts'
import { sameValue } from '../../content/revision/diff.ts'
import { type Draft, type OpenPage, type PageBody, type Place, TreeError } from '../../content/revision/draft.ts'
import type { FileObject, PageFields, PageType, TagDefinition } from '../../content/revision/objects.ts'
import { type Tree, findPage } from '../../content/revision/tree.ts'
import type { AppliedChange, ContentChange } from '../../contract/content-changes.ts'
import { invalid, unreachable } from '../../kernel/errors.ts'
import { readDocumentObject } from './body.ts'
import { type BatchRefs, type WrittenDocument, checkCondition, readWritten, resolveLinks } from './documents.ts'

type ChangeOf<Operation extends ContentChange['operation']> = Extract<ContentChange, { operation: Operation }>

export interface Applying {
  draft: Draft
  /** What the changes are made to. */
  tree: Tree
  now: string
  newId: () => string
  /** Where a page can be read in what the changes are made to. */
  locationOf(pageId: string): string
  /** The files of `insert_files`, by the place of the change and of the file in it. */
  fileAt(change: number, file: number): Promise<Omit<FileObject, 'kind'>>
  /** The content of a revision to go back to; the one the changes began from when none is named. */
  revisionTree(revisionId: string | undefined, field: string): Promise<Tree>
}

export interface Applied {
  changes: AppliedChange[]
  /** The ids of the files that were inserted. */
  insertedFiles: string[]
}

/** Work on a text that waits until all pages are in place, as its links may lead to any of them. */
interface Waiting {
  /** The page or reusable content that the text is of. */
  owner: string
  /** Where in the request the change stands that it is part of. */
  field: string
  work: () => Promise<void>
}

const variableName = /^[\p{L}_][\p{L}\p{N}_]*$/u
const defaultTitle = 'Untitled'

/** Applies changes in order. The first that cannot be applied fails with its place in the list; nothing is kept then. */
export async function applyChanges(changes: readonly ContentChange[], applying: Applying): Promise<Applied> {
  return new Application(changes, applying).run()
}

class Application {
  readonly #changes: readonly ContentChange[]
  readonly #applying: Applying
  readonly #draft: Draft
  readonly #refs: BatchRefs
  readonly #newIds = new Map<string, string>()
  #waiting: Waiting[] = []
  readonly #touched = new Map<string, AppliedChange>()
  readonly #insertedFiles: string[] = []
  /** Where in the request the change stands that is being applied. */
  #field = 'body.changes'

  constructor(changes: readonly ContentChange[], applying: Applying) {
    this.#changes = changes
    this.#applying = applying
    this.#draft = applying.draft
    this.#refs = this.#nameRefs()
  }

  async run(): Promise<Applied> {
    for (const [index, change] of this.#changes.entries()) {
      await this.#at(`body.changes.${index}`, () => this.#apply(change, index))
    }
    for (const { field, work } of this.#waiting) await this.#at(field, work)
    return { changes: [...this.#touched.values()], insertedFiles: this.#insertedFiles }
  }

  /** Every name in the list with the id that it will stand for, so that changes can refer to later ones too. */
  #nameRefs(): BatchRefs {
    const kinds = {
      pages: new Map<string, string>(),
      files: new Map<string, string>(),
      reusableContents: new Map<string, string>(),
    }
    const seen = new Set<string>()
    const name = (into: Map<string, string>, ref: string | undefined, field: string) => {
      const id = this.#applying.newId()
      this.#newIds.set(field, id)
      if (ref === undefined) return
      if (seen.has(ref)) throw invalid(`${field}.ref`, `the name ${ref} is used twice`)
      seen.add(ref)
      into.set(ref, id)
    }
    this.#changes.forEach((change, index) => {
      const field = `body.changes.${index}`
      if (change.operation === 'insert_files') {
        change.files.forEach(({ ref }, at) => name(kinds.files, ref, `${field}.files.${at}`))
      } else if (change.operation === 'insert_reusable_content') name(kinds.reusableContents, change.ref, field)
      else if ('ref' in change) name(kinds.pages, change.ref, field)
      else if (change.operation.startsWith('insert_')) name(kinds.pages, undefined, field)
    })
    return kinds
  }

  async #at(field: string, work: () => Promise<void>): Promise<void> {
    this.#field = field
    try {
      await work()
    } catch (error) {
      if (error instanceof TreeError) throw invalid(`${field}.${error.field}`, error.message)
      throw error
    }
  }

  #wait(owner: string, work: () => Promise<void>): void {
    this.#waiting.push({ owner, field: this.#field, work })
  }

  /** What changes before have written of a text no longer counts. */
  #forgetWritten(owner: string): void {
    this.#waiting = this.#waiting.filter((one) => one.owner !== owner)
  }

  async #apply(change: ContentChange, index: number): Promise<void> {
    switch (change.operation) {
      case 'insert_page':
        return this.#insertPage(change)
      case 'update_page':
        return this.#updatePage(change)
      case 'delete_page':
        return this.#deletePage(change)
      case 'revert_page':
        return this.#revertPage(change)
      case 'insert_files':
        return this.#insertFiles(change, index)
      case 'update_file':
        return this.#updateFile(change)
      case 'delete_files':
        return this.#deleteFiles(change)
      case 'insert_group':
        return this.#insertNode('group', change, { into: null, at: change.at }, {})
      case 'insert_link':
        return this.#insertNode('link', change, this.#place(change), { target: change.target })
      case 'update_group':
        return this.#updateNode('group', change, { at: change.at, slug: change.slug })
      case 'update_link':
        return this.#updateNode('link', change, { into: change.into, at: change.at })
      case 'set_variables':
        return this.#setVariables(change)
      case 'set_tags':
        return this.#setTags(change)
      case 'insert_reusable_content':
        return this.#insertReusableContent(change)
      case 'update_reusable_content':
        return this.#updateReusableContent(change)
      case 'delete_reusable_content':
        return this.#deleteReusableContent(change)
      default:
        return unreachable(change)
    }
  }

  // Pages

  async #insertPage(change: ChangeOf<'insert_page'>): Promise<void> {
    const written = readWritten(change.document, `${this.#field}.document`)
    const title = written.metadata.title ?? change.title ?? defaultTitle
    const id = this.#newId()
    await this.#insert(id, 'document', change, title, this.#place(change), this.#fieldsOf(written.metadata, change))
    this.#wait(id, () => this.#putPageDocument(id, written))
  }

  async #insertNode(
    type: PageType,
    change: ChangeOf<'insert_group' | 'insert_link'>,
    place: Place,
    own: Partial<PageFields>,
  ): Promise<void> {
    const fields = this.#fieldsOf({}, change)
    await this.#insert(this.#newId(), type, change, change.title, place, { ...fields, ...own })
  }

  async #insert(
    id: string,
    type: PageType,
    { slug, ref }: { slug?: string | undefined; ref?: string | undefined },
    title: string,
    place: Place,
    fields: Partial<PageFields>,
  ): Promise<void> {
    const { now: createdAt } = this.#applying
    const body = cleaned({ ...fields, title, createdAt, updatedAt: createdAt })
    const wanted = slug ? slugOf(slug) : slugOf(title)
    if (place.into !== null) await this.#draft.getPage(place.into, 'into')
    if (slug && (await this.#draft.isSlugTaken(place.into, wanted))) throw slugTaken(wanted)
    await this.#draft.insertPage({ id, type, slug: wanted, body }, place)
    const page = this.#presentTouched(id)
    this.#touched.set(id, { object: 'created_page', ...(ref !== undefined && { ref }), page })
  }

  async #updatePage(change: ChangeOf<'update_page'>): Promise<void> {
    const page = await this.#getOfType(change.page, 'document')
    const written = change.document && readWritten(change.document, `${this.#field}.document`)
    const metadata = written?.metadata ?? {}
    const title = metadata.title ?? change.title
    await this.#change(page, { ...this.#fieldsOf(metadata, change, page.body), ...(title !== undefined && { title }) })
    if (written) this.#wait(page.id, () => this.#putPageDocument(page.id, written))
    await this.#relocate(page, change)
    this.#noteUpdated(page.id)
  }

  async #updateNode(
    type: PageType,
    change: ChangeOf<'update_group' | 'update_link'>,
    place: { into?: string | null | undefined; at?: number | undefined; slug?: string | undefined },
  ): Promise<void> {
    const page = await this.#getOfType(change.page, type)
    const own = change.operation === 'update_link' && change.target !== undefined && { target: change.target }
    const title = change.title !== undefined && { title: change.title }
    await this.#change(page, { ...this.#fieldsOf({}, change, page.body), ...own, ...title })
    await this.#relocate(page, place)
    this.#noteUpdated(page.id)
  }

  async #deletePage({ page }: ChangeOf<'delete_page'>): Promise<void> {
    for (const id of await this.#draft.deletePage(this.#resolvePage(page))) {
      this.#forgetWritten(id)
      this.#noteDeleted(id)
    }
  }

  async #revertPage(change: ChangeOf<'revert_page'>): Promise<void> {
    const former = await this.#applying.revisionTree(change.revision, `${this.#field}.revision`)
    const [was, is] = [await findPage(former, change.page), await this.#draft.findPage(change.page)]
    if (!was && !is) throw new TreeError('page', `There is no page ${change.page}`)
    if (change.block) {
      if (!was || !is) throw new TreeError('block', 'Blocks can be reverted only of a page that both revisions have')
      const { block } = change
      return this.#wait(is.id, () => this.#revertBlocks(is.id, former, was.page.document, block))
    }
    if (!was) return this.#deletePage({ operation: 'delete_page', page: change.page })
    const parent = was.ancestors.at(-1)?.id ?? null
    if (!is) {
      const { inserted } = await insertSubtree(former, this.#draft, { entry: was.entry, parent })
      for (const id of inserted) this.#noteCreated(id)
      return
    }
    const { kind: _, pages: __, ...body } = was.page
    this.#forgetWritten(is.id)
    await this.#draft.updatePage(is.id, (current) =>
      sameValue({ ...body, updatedAt: current.updatedAt }, current)
        ? current
        : { ...body, updatedAt: this.#applying.now },
    )
    if (is.parent !== parent && (await this.#canStandIn(is.id, parent))) {
      await this.#draft.movePage(is.id, { into: parent })
    }
    if (is.slug !== was.entry.slug) {
      await this.#draft.renamePage(is.id, await this.#draft.freeSlug(is.parent, was.entry.slug, is.id))
    }
    this.#noteUpdated(is.id)
  }

  /** Whether a page is there, and neither the other page itself nor below it. */
  async #canStandIn(id: string, parent: string | null): Promise<boolean> {
    for (let above = parent; above !== null;) {
      const page = above === id ? undefined : await this.#draft.findPage(above)
      if (!page) return false
      above = page.parent
    }
    return true
  }

  async #revertBlocks(id: string, former: Tree, formerHash: string | undefined, keys: string[]): Promise<void> {
    const { tree, now } = this.#applying
    const page = await this.#draft.findPage(id)
    // It may have been removed by a later change.
    if (!page) return
    const [document, before] = [
      await readDocumentObject(tree, page.body.document),
      await readDocumentObject(former, formerHash),
    ]
    const [unknown] = unknownKeys(document, before, keys)
    if (unknown !== undefined) throw new TreeError(`block.${keys.indexOf(unknown)}`, `There is no block ${unknown}`)
    const reverted = identify(document, revertBlocks(document, before, keys))
    const hash = tree.objects.write({ kind: 'document', document: reverted })
    if (hash !== page.body.document) {
      await this.#draft.updatePage(id, (body) => ({ ...body, document: hash, updatedAt: now }))
    }
    this.#noteUpdated(id)
  }

  async #change(page: OpenPage, fields: Partial<PageBody>): Promise<void> {
    if (Object.keys(fields).length === 0) return
    await this.#draft.updatePage(page.id, (body) => {
      const changed = cleaned({ ...body, ...fields })
      return sameValue(changed, body) ? body : { ...changed, updatedAt: this.#applying.now }
    })
  }

  /** Gives a page another place, another slug, or both; the slug must be free where the page goes. */
  async #relocate(
    page: OpenPage,
    { into, at, slug }: { into?: string | null | undefined; at?: number | undefined; slug?: string | undefined },
  ): Promise<void> {
    const parent = into === undefined ? page.parent : this.#resolveParent(into)
    const wanted = slug === undefined ? page.slug : slugOf(slug === '' ? page.body.title : slug)
    const changesAddress = parent !== page.parent || wanted !== page.slug
    if (parent !== page.parent || at !== undefined) await this.#draft.movePage(page.id, { into: parent, at })
    if (!changesAddress) return
    if (await this.#draft.isSlugTaken(parent, wanted, page.id)) throw slugTaken(wanted)
    await this.#draft.renamePage(page.id, wanted)
  }

  #place({ into, at }: { into?: string | null | undefined; at?: number | undefined }): Place {
    return { into: this.#resolveParent(into ?? null), at }
  }

  /** A parent may be named by the name that the list gives it. */
  #resolveParent(into: string | null): string | null {
    return into === null ? null : this.#resolvePage(into)
  }

  #resolvePage(id: string): string {
    return this.#refs.pages.get(id) ?? id
  }

  #resolveReusableContent(id: string): string {
    return this.#refs.reusableContents.get(id) ?? id
  }

  async #getOfType(id: string, type: PageType): Promise<OpenPage> {
    const page = await this.#draft.getPage(this.#resolvePage(id))
    if (page.type !== type) throw new TreeError('page', `This is a ${page.type} and not a ${type}`)
    return page
  }

  /** The fields that a change sets; null removes one. What the change says itself counts more than what its text says. */
  #fieldsOf(metadata: PageMetadata, change: FieldsOfChange, current?: PageBody): Partial<PageFields> {
    const { title: _, ...said } = metadata
    if (said.condition !== undefined) checkCondition(said.condition, `${this.#field}.document.markdown`)
    if (change.condition !== undefined) checkCondition(change.condition, `${this.#field}.condition`)
    for (const name of Object.keys(change.variables ?? {})) this.#checkVariable(name, 'variables')
    const own = {
      linkTitle: change.linkTitle,
      emoji: change.emoji,
      icon: change.icon,
      description: change.description,
      hidden: change.hidden,
      noIndex: change.noIndex,
      noRobotsIndex: change.noRobotsIndex,
      condition: change.condition,
      layout: change.layout && { ...current?.layout, ...change.layout },
      cover: change.cover,
      tags:
        change.tags &&
        change.tags.map(({ tag, primary }) => ({ tag: tag.tag, ...(primary !== undefined && { primary }) })),
      variables: change.variables,
      metaLinks: change.metaLinks,
    }
    const set = Object.entries({ ...said, ...withoutUndefined(own) })
    // One of the two shows; an empty text removes.
    const icons = change.emoji ? { icon: null } : change.icon ? { emoji: null } : {}
    return { ...Object.fromEntries(set), ...icons } as Partial<PageFields>
  }

  #checkVariable(name: string, field: string): void {
    if (variableName.test(name)) return
    throw new TreeError(`${field}.${name}`, 'A name begins with a letter and holds letters, digits and _ only')
  }

  /** Stores the text of a page, now that everything that it may refer to is in place. */
  async #putPageDocument(id: string, written: WrittenDocument): Promise<void> {
    const page = await this.#draft.findPage(id)
    if (!page) return
    const hash = await this.#writeDocument(page.body.document, written, id)
    if (hash === page.body.document) return
    await this.#draft.updatePage(id, (body) => ({ ...body, document: hash, updatedAt: this.#applying.now }))
  }

  async #putReusableDocument(id: string, written: WrittenDocument): Promise<void> {
    const content = await this.#draft.findReusableContent(id)
    // It may have been removed by a later change.
    if (!content) return
    const document = await this.#writeDocument(content.document, written, undefined)
    this.#draft.setReusableContent(id, { title: content.title, document })
  }

  async #writeDocument(
    previous: string | undefined,
    { document, hasPaths }: WrittenDocument,
    pageId: string | undefined,
  ): Promise<string> {
    const { objects } = this.#applying.tree
    const before = previous === undefined ? undefined : await readDocumentObject(this.#applying.tree, previous)
    const linked = hasPaths ? await resolveLinks(this.#draft, document, pageId, this.#refs) : document
    return objects.write({ kind: 'document', document: identify(before, linked) })
  }

  // Files

  async #insertFiles({ files }: ChangeOf<'insert_files'>, index: number): Promise<void> {
    for (const at of files.keys()) {
      const id = this.#newIds.get(`${this.#field}.files.${at}`) as string
      this.#draft.setFile(id, await this.#applying.fileAt(index, at))
      this.#insertedFiles.push(id)
    }
  }

  async #updateFile({ file: id, name }: ChangeOf<'update_file'>): Promise<void> {
    const file = await this.#draft.findFile(id)
    if (!file) throw new TreeError('file', `There is no file ${id}`)
    this.#draft.setFile(id, { ...file, name })
    this.#touched.set(id, { object: 'updated_file', file: id })
  }

  async #deleteFiles({ files }: ChangeOf<'delete_files'>): Promise<void> {
    for (const [index, id] of files.entries()) {
      if (!(await this.#draft.findFile(id))) throw new TreeError(`files.${index}`, `There is no file ${id}`)
      this.#draft.setFile(id, null)
      this.#touched.set(id, { object: 'deleted_file', file: id })
    }
  }

  // Variables, tags and reusable contents

  async #setVariables({ variables }: ChangeOf<'set_variables'>): Promise<void> {
    for (const [name, value] of Object.entries(variables)) {
      this.#checkVariable(name, 'variables')
      this.#draft.setVariables(withValue(this.#draft.variables, name, value))
    }
    this.#touched.set('variables', { object: 'updated_variables' })
  }

  async #setTags({ tags }: ChangeOf<'set_tags'>): Promise<void> {
    const definitions = new Map<string, TagDefinition>()
    tags.forEach(({ slug, ...definition }, index) => {
      if (definitions.has(slug)) throw new TreeError(`tags.${index}.slug`, `The tag ${slug} is given twice`)
      definitions.set(slug, definition)
    })
    this.#draft.setTags(Object.fromEntries(definitions))
    this.#touched.set('tags', { object: 'updated_tags' })
  }

  async #insertReusableContent(change: ChangeOf<'insert_reusable_content'>): Promise<void> {
    const written = readWritten(change.document, `${this.#field}.document`)
    const id = this.#newId()
    const document = this.#applying.tree.objects.write({
      kind: 'document',
      document: identify(undefined, written.document),
    })
    this.#draft.setReusableContent(id, { title: change.title, document })
    this.#wait(id, () => this.#putReusableDocument(id, written))
    const ref = change.ref !== undefined && { ref: change.ref }
    this.#touched.set(id, { object: 'created_reusable_content', ...ref, reusableContent: id })
  }

  async #updateReusableContent(change: ChangeOf<'update_reusable_content'>): Promise<void> {
    const id = this.#resolveReusableContent(change.reusableContent)
    const content = await this.#draft.findReusableContent(id)
    if (!content) throw new TreeError('reusableContent', `There is no reusable content ${id}`)
    if (change.title !== undefined) this.#draft.setReusableContent(id, { ...content, title: change.title })
    if (change.document) {
      const written = readWritten(change.document, `${this.#field}.document`)
      this.#wait(id, () => this.#putReusableDocument(id, written))
    }
    if (!this.#touched.has(id)) this.#touched.set(id, { object: 'updated_reusable_content', reusableContent: id })
  }

  async #deleteReusableContent({ reusableContent }: ChangeOf<'delete_reusable_content'>): Promise<void> {
    const id = this.#resolveReusableContent(reusableContent)
    if (!(await this.#draft.findReusableContent(id))) {
      throw new TreeError('reusableContent', `There is no reusable content ${id}`)
    }
    this.#draft.setReusableContent(id, null)
    if (this.#touched.get(id)?.object === 'created_reusable_content') this.#touched.delete(id)
    else this.#touched.set(id, { object: 'deleted_reusable_content', reusableContent: id })
  }

  // What became of the pages

  #newId(): string {
    return this.#newIds.get(this.#field) as string
  }

  #presentTouched(id: string) {
    return { object: 'page' as const, id, urls: { location: this.#applying.locationOf(id) } }
  }

  #noteCreated(id: string): void {
    this.#touched.set(id, { object: 'created_page', page: this.#presentTouched(id) })
  }

  #noteUpdated(id: string): void {
    if (!this.#touched.has(id)) this.#touched.set(id, { object: 'updated_page', page: this.#presentTouched(id) })
  }

  /** What came and went within one list never was there. */
  #noteDeleted(id: string): void {
    if (this.#touched.get(id)?.object === 'created_page') this.#touched.delete(id)
    else this.#touched.set(id, { object: 'deleted_page', page: id })
  }
}

type FieldsOfChange = Partial<
  Pick<
    ChangeOf<'update_page'>,
    | 'linkTitle'
    | 'emoji'
    | 'icon'
    | 'description'
    | 'hidden'
    | 'noIndex'
    | 'noRobotsIndex'
    | 'condition'
    | 'layout'
    | 'cover'
    | 'tags'
    | 'variables'
    | 'metaLinks'
  >
>

const slugTaken = (slug: string) => new TreeError('slug', `The slug ${slug} is taken by a page beside it`)

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>
}

/** Without the fields that say nothing: absent ones are not stored. */
function cleaned(body: Partial<PageBody> & Pick<PageBody, 'title' | 'createdAt' | 'updatedAt'>): PageBody {
  const says = ([, value]: [string, unknown]) =>
    value !== undefined &&
    value !== null &&
    value !== '' &&
    value !== false &&
    !(Array.isArray(value) && value.length === 0)
  const required = { title: body.title, createdAt: body.createdAt, updatedAt: body.updatedAt }
  return { ...(Object.fromEntries(Object.entries(body).filter(says)) as Partial<PageBody>), ...required }
}
