import { hash } from 'node:crypto'
import { limitVisitorToSpace } from '../access/authorize.ts'
import type { StoredItem } from '../access/sites.ts'
import { seesOnSite } from '../access/visits.ts'
import { PageAnchors } from '../content/document/anchors.ts'
import type { Document } from '../content/document/nodes.ts'
import { withAnchors } from '../content/document/outline.ts'
import { slugOf } from '../content/markdown/slug.ts'
import { type Lineage, type PageInLine, readLineages } from '../content/revision/lineages.ts'
import { type PageEntry, type PageObject, readObjects } from '../content/revision/objects.ts'
import { type Sequence, readSequence } from '../content/revision/sequence.ts'
import { type Tree, findLinkByPath, findPageByPath } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { BaseContext, SiteVisitor } from '../kernel/context.ts'
import { seesPages } from '../publishing/pages.ts'
import { Viewpoint } from '../publishing/visibility.ts'
import { findChangeRequest } from '../domain/change-requests/change-request-queries.ts'
import { prepared, readDocumentObject } from '../resources/content/body.ts'
import { Sight } from '../resources/content/sight.ts'
import { getContent } from '../domain/revisions/revisions.ts'
import { landingPageOf } from '../resources/site-structure/addresses.ts'
import { findLiveSpace } from '../domain/spaces/space-queries.ts'
import { type SiteSession, type SiteLocation, addressIn } from '../resources/urls/locate.ts'
import type { Row } from '../schema/tables.ts'

/** A change request or revision of one of the spaces, which is shown instead of what is live. */
type PreviewLocation = Pick<SiteLocation, 'space' | 'changeRequest' | 'revision' | 'previewPath'>

/**
 * A site as one visitor sees it. Everything that is told of a site, in whatever form, is read through this, and so
 * through one decision about what is for them.
 */
export class SiteView {
  readonly context: BaseContext
  readonly session: SiteSession
  readonly #preview: PreviewLocation | undefined
  readonly #base: URL
  readonly #opened = new Map<string, Promise<SpaceView | undefined>>()
  /** What was live in the spaces that were read: what was made of them holds while it is. */
  readonly heads = new Map<string, string>()
  /** Whether somebody was named, who may have left tomorrow: nothing that is kept would show that. */
  namesPeople = false

  constructor(context: BaseContext, session: SiteSession, preview?: PreviewLocation) {
    this.context = context
    this.session = session
    this.#preview = preview?.previewPath.length ? preview : undefined
    this.#base = new URL(session.siteBase)
  }

  /** An address as pages name it: without the host, where that is the one that they are read on. */
  href(address: string): string {
    const { origin, host } = this.#base
    return host === this.session.host && address.startsWith(origin) ? address.slice(origin.length) : address
  }

  /** The address of a section or site space. */
  addressOf(item: StoredItem): string {
    return addressIn(this.session, item)
  }

  /** Whether something else than what is live is shown. */
  get isAside(): boolean {
    return this.#preview !== undefined
  }

  /** The site space of which something else is shown. */
  get previewItem(): StoredItem | undefined {
    return this.#preview?.space
  }

  /** Where what is shown is searched. */
  get searchAddress(): string {
    const { siteBase } = this.session
    return this.#preview
      ? addressIn(this.session, this.#preview.space, [...this.#preview.previewPath, '~search'])
      : `${siteBase}~search`
  }

  /** The site spaces that they see, in the order of the navigation. */
  get items(): StoredItem[] {
    const { structure, viewpoint } = this.session
    return structure.spaces.filter((item) => structure.isVisible(item, viewpoint))
  }

  /** The site spaces that are shown to those who did not ask for them. */
  get listedItems(): StoredItem[] {
    const { structure, viewpoint } = this.session
    return structure.spaces.filter((item) => viewpoint.see(structure.chainOf(item)).isListed)
  }

  /** The content of a site space, unless it is not for them. */
  open(item: StoredItem): Promise<SpaceView | undefined> {
    let opened = this.#opened.get(item.id)
    if (!opened) this.#opened.set(item.id, (opened = this.#open(item)))
    return opened
  }

  /** The place of a space on the site that they see. */
  async openSpace(spaceId: string): Promise<SpaceView | undefined> {
    const item = this.items.find((one) => one.spaceId === spaceId)
    return item && this.open(item)
  }

  async #open(item: StoredItem): Promise<SpaceView | undefined> {
    const { context } = this
    const { site, structure, identity } = this.session
    const id = item.spaceId ?? ''
    // Who lets somebody preview a site shows them no more than they see themselves.
    const visitor = await limitVisitorToSpace(context.db, identity.visitor, id)
    if (!seesOnSite(site, structure, item, visitor)) return undefined
    const key = { organization_id: site.organization_id, id }
    const space = await findLiveSpace(context.db, key)
    if (!space) return undefined
    const preview = this.#preview?.space.id === item.id ? this.#preview : undefined
    const proposed = preview?.changeRequest && (await findChangeRequest(context.db, key, preview.changeRequest))
    const revisionId = (proposed && proposed.revision_id) || preview?.revision || space.revision_id
    this.heads.set(id, headOf(space))
    const { tree } = await getContent(context, space, revisionId)
    const landing = await landingPageOf(tree, item)
    return new SpaceView(this, item, { tree, visitor, landing, revisionId, previewPath: preview?.previewPath ?? [] })
  }
}

/** Another one whenever something else is live in a space, or lies in another repository, in which pages are edited. */
export const headOf = ({ revision_id, git_sync }: Pick<Row<'spaces'>, 'revision_id' | 'git_sync'>): string =>
  git_sync === null ? revision_id : hash('sha256', `${revision_id} ${git_sync}`, 'base64url')

interface Opened {
  tree: Tree
  visitor: SiteVisitor
  /** The page that the address of the site space itself shows. */
  landing: string | undefined
  revisionId: string
  /** The steps by which addresses name what is shown instead of what is live. */
  previewPath: readonly string[]
}

/** A page with its address. */
export interface PlacedPage extends PageInLine {
  lineage: Lineage
  address: string
}

/** A space on a site as one visitor sees it. */
export class SpaceView {
  readonly site: SiteView
  readonly item: StoredItem
  readonly tree: Tree
  readonly landing: string | undefined
  readonly revisionId: string
  readonly viewpoint: Viewpoint
  /** What visitors see of the content; it is asked by everything that reads documents. */
  readonly sight: Sight
  /** The steps by which addresses name a change request or revision that is shown instead of what is live. */
  readonly previewPath: readonly string[]
  readonly #anchors = new Map<string, PageAnchors>()

  constructor(site: SiteView, item: StoredItem, { tree, visitor, landing, revisionId, previewPath }: Opened) {
    this.site = site
    this.item = item
    this.tree = tree
    this.landing = landing
    this.revisionId = revisionId
    // All conditions of a request have one budget.
    const { identity, viewpoint } = site.session
    this.viewpoint = visitor === identity.visitor ? viewpoint : Viewpoint.of(visitor)
    this.sight = Sight.of({ visitor }, tree) as Sight
    this.previewPath = previewPath
  }

  /** The address of a page, given the steps of its path. */
  addressOf(pageId: string, path: readonly string[]): string {
    return this.addressAt(pageId === this.landing ? [] : path)
  }

  /** The address of a path, whether or not something is there. */
  addressAt(path: readonly string[] = []): string {
    return addressIn(this.site.session, this.item, [...this.previewPath, ...path])
  }

  sees(page: PageObject): boolean {
    return seesPages(this.viewpoint, [page], this.tree.root.variables)
  }

  /** The page at a path, also one of former times; the empty path is the landing page. */
  async findPage(path: readonly string[]): Promise<PlacedPage | undefined> {
    const id = path.length === 0 ? this.landing : await this.#findIdByPath(path.join('/'))
    return id === undefined ? undefined : (await this.pagesWith([id])).get(id)
  }

  async #findIdByPath(path: string): Promise<string | undefined> {
    const located = (await findPageByPath(this.tree, path)) ?? (await findLinkByPath(this.tree, path))
    return located?.entry.id
  }

  /** Pages by their ids, as far as they are there and seen. */
  async pagesWith(ids: readonly string[]): Promise<Map<string, PlacedPage>> {
    const found = new Map<string, PlacedPage>()
    for (const [id, lineage] of await readLineages(this.tree, ids)) {
      const isSeen = seesPages(
        this.viewpoint,
        lineage.map(({ page }) => page),
        this.tree.root.variables,
      )
      if (isSeen) found.set(id, this.placed(lineage))
    }
    return found
  }

  /** The last page of a line, with its address. */
  placed(lineage: Lineage): PlacedPage {
    const self = lineage.at(-1) as PageInLine
    const steps = lineage.map(({ entry }) => entry.slug)
    return { ...self, lineage, address: this.addressOf(self.entry.id, steps) }
  }

  /** The pages of a list that they see. */
  async seenIn(pages: Sequence<PageEntry>): Promise<PageInLine[]> {
    const entries = await readSequence(this.tree.objects, pages)
    const hashes = entries.map((entry) => entry.hash)
    const found = await readObjects(this.tree.objects, 'page', hashes)
    const yieldIfDue = createYielder()
    const seen: PageInLine[] = []
    for (const [index, entry] of entries.entries()) {
      const page = found[index] as PageObject
      if (this.sees(page)) seen.push({ entry, page })
      await yieldIfDue()
    }
    return seen
  }

  /** All pages that the navigation shows, in its order; a list at a time, however many there are. */
  async *listedPages(within: readonly PageInLine[] = []): AsyncIterable<PlacedPage> {
    const pages = within.at(-1)?.page.pages ?? this.tree.root.pages
    for (const one of await this.seenIn(pages)) {
      if (one.page.hidden === true) continue
      const lineage: Lineage = [...within, one]
      yield this.placed(lineage)
      if (one.entry.levels !== undefined) yield* this.listedPages(lineage)
    }
  }

  /** The document of a page as they read it. */
  async readDocument(page: PageObject): Promise<Document> {
    const yieldIfDue = createYielder()
    const stored = await readDocumentObject(this.tree, page.document)
    await yieldIfDue()
    const query = { evaluated: true, dereferenced: true } as const
    const document = await prepared(this.tree, stored, query, { pageVariables: page.variables, sight: this.sight })
    await yieldIfDue()
    return withAnchors(document, slugOf)
  }

  /** Whether the anchors of a page were read before. */
  hasAnchorsOf({ entry }: PageInLine): boolean {
    return this.#anchors.has(entry.id)
  }

  /** The anchors of a page as they read it; the document is read unless the caller has it. */
  async anchorsOf({ entry, page }: PageInLine, document?: Document): Promise<PageAnchors> {
    const known = this.#anchors.get(entry.id)
    if (known) return known
    const anchors = new PageAnchors(page.title, document ?? (await this.readDocument(page)), slugOf)
    this.#anchors.set(entry.id, anchors)
    return anchors
  }
}
