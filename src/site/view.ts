import { hash } from 'node:crypto'
import { limitVisitorToSpace } from '../visitors/visitor.ts'
import type { StoredSiteItem } from '../access/sites.ts'
import { canSeeSiteItem } from '../access/sites.ts'
import { PageAnchors } from '../content/document/anchors.ts'
import type { ContentRef, Document } from '../content/document/nodes.ts'
import { withAnchorIds } from '../content/document/outline.ts'
import { toSlug } from '../content/markdown/slug.ts'
import { type Lineage, type LineagePage, readLineages } from '../content/revision/lineages.ts'
import { type PageEntry, type PageObject, readObjects } from '../content/revision/objects.ts'
import { type Sequence, readSequence } from '../content/revision/sequence.ts'
import { type Tree, findLinkByPath, findPageByPath } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { BaseContext, SiteVisitor } from '../kernel/context.ts'
import { canSeePage } from '../publishing/pages.ts'
import { Viewpoint } from '../publishing/visibility.ts'
import { findChangeRequest } from '../domain/change-requests/change-request-queries.ts'
import { type LoadedSpecs, loadSpecs } from '../domain/openapi/load-specs.ts'
import type { SpecDocuments } from '../domain/openapi/spec-documents.ts'
import { prepareDocument, readDocumentObject } from '../resources/content/body.ts'
import type { ReferenceReader, ReferenceSpace } from '../resources/rendered/references.ts'
import { VisitorView } from '../visitors/visitor-view.ts'
import { getComputedContent } from '../domain/revisions/revisions.ts'
import { findLandingPageId } from '../resources/site-structure/landing-page.ts'
import { findLiveSpace } from '../domain/spaces/space-queries.ts'
import { type SiteSession, type SiteLocation, buildSiteItemUrl } from '../visitors/locate.ts'
import type { Row } from '../schema/tables.ts'

/** Change request or revision of a space that is shown instead of the published content. */
type PreviewLocation = Pick<SiteLocation, 'space' | 'changeRequest' | 'revision' | 'previewPath'>

/** Context of requests to sites. */
export interface SiteViewContext extends BaseContext {
  documents: SpecDocuments
  /** Requests the processing of files and URLs that pages show as specifications; does not wait for it. */
  requestLinkedSpecs: (organizationId: string, linked: LoadedSpecs['linked']) => void
}

/**
 * View of a site for one visitor. All outputs of a site read it through this class, so that visibility is decided in one place.
 */
export class SiteView implements ReferenceReader {
  readonly context: SiteViewContext
  readonly session: SiteSession
  readonly #preview: PreviewLocation | undefined
  readonly #base: URL
  readonly #opened = new Map<string, Promise<SpaceView | undefined>>()
  /** Heads of the spaces that were read; a cached reply is valid while they are unchanged. */
  readonly heads = new Map<string, string>()
  /** Versions of the specifications that were read; a cached reply is valid while they are unchanged. */
  readonly specVersions = new Map<string, string>()
  /** Time in milliseconds when specifications that were read should be loaded again; a cached reply expires then. */
  expiresAt = Infinity
  /** Whether names of members were read; such replies are not cached, because they would not change when a member leaves. */
  showsMemberNames = false

  constructor(context: SiteViewContext, session: SiteSession, preview?: PreviewLocation) {
    this.context = context
    this.session = session
    this.#preview = preview?.previewPath.length ? preview : undefined
    this.#base = new URL(session.siteBase)
  }

  /** Returns a URL for links in pages: without the host if the page is requested from the same host. */
  href(address: string): string {
    const { origin, host } = this.#base
    return host === this.session.host && address.startsWith(origin) ? address.slice(origin.length) : address
  }

  get organizationId(): string {
    return this.session.site.organization_id
  }

  isExternalUrl(url: string): boolean {
    return !url.startsWith(this.session.siteBase)
  }

  /** Returns the URL of a section or site space. */
  urlOf(item: StoredSiteItem): string {
    return buildSiteItemUrl(this.session, item)
  }

  /** Whether a preview is shown instead of the published content. */
  get isPreview(): boolean {
    return this.#preview !== undefined
  }

  /** Site space that is previewed. */
  get previewItem(): StoredSiteItem | undefined {
    return this.#preview?.space
  }

  /** URL of the search in the shown content. */
  get searchUrl(): string {
    const { siteBase } = this.session
    return this.#preview
      ? buildSiteItemUrl(this.session, this.#preview.space, [...this.#preview.previewPath, '~search'])
      : `${siteBase}~search`
  }

  /** Site spaces that the visitor can see, in navigation order. */
  get visibleItems(): StoredSiteItem[] {
    const { structure, viewpoint } = this.session
    return structure.spaces.filter((item) => structure.isVisible(item, viewpoint))
  }

  /** Site spaces that are listed in the navigation. */
  get listedItems(): StoredSiteItem[] {
    const { structure, viewpoint } = this.session
    return structure.spaces.filter((item) => viewpoint.getVisibility(structure.ancestorsAndSelf(item)).isListed)
  }

  /** Opens the content of a site space; undefined if the visitor cannot see it. */
  openItem(item: StoredSiteItem): Promise<SpaceView | undefined> {
    let opened = this.#opened.get(item.id)
    if (!opened) this.#opened.set(item.id, (opened = this.#loadItem(item)))
    return opened
  }

  /** Opens the first visible site space of a space. */
  async openSpace(spaceId: string): Promise<SpaceView | undefined> {
    const item = this.visibleItems.find((one) => one.spaceId === spaceId)
    return item && this.openItem(item)
  }

  async #loadItem(item: StoredSiteItem): Promise<SpaceView | undefined> {
    const { context } = this
    const { site, structure, identity } = this.session
    const id = item.spaceId ?? ''
    // A preview shows only spaces that the member who created it can see.
    const visitor = await limitVisitorToSpace(context.db, identity.visitor, id)
    if (!canSeeSiteItem(site, structure, item, visitor)) return undefined
    const key = { organization_id: site.organization_id, id }
    const space = await findLiveSpace(context.db, key)
    if (!space) return undefined
    const preview = this.#preview?.space.id === item.id ? this.#preview : undefined
    const changeRequest = preview?.changeRequest && (await findChangeRequest(context.db, key, preview.changeRequest))
    const revisionId = (changeRequest && changeRequest.revision_id) || preview?.revision || space.revision_id
    this.heads.set(id, headVersionOf(space))
    const { tree } = await getComputedContent(context, space, revisionId)
    const landingPageId = await findLandingPageId(tree, item)
    return new SpaceView(this, item, {
      tree,
      visitor,
      landingPageId,
      revisionId,
      previewPath: preview?.previewPath ?? [],
    })
  }
}

/**
 * Returns a value that changes when the head of a space, its generated pages, or its repository, which is used in edit links,
 * changes.
 */
export const headVersionOf = ({
  revision_id,
  git_sync,
  computed_version,
}: Pick<Row<'spaces'>, 'revision_id' | 'git_sync' | 'computed_version'>): string =>
  git_sync === null && computed_version === ''
    ? revision_id
    : hash('sha256', JSON.stringify([revision_id, git_sync, computed_version]), 'base64url')

interface SpaceContent {
  tree: Tree
  visitor: SiteVisitor
  /** Id of the page shown at the URL of the site space. */
  landingPageId: string | undefined
  revisionId: string
  /** Path segments of the preview; empty for the published content. */
  previewPath: readonly string[]
}

/** Page with its ancestors and URL. */
export interface SitePage extends LineagePage {
  lineage: Lineage
  address: string
}

/** View of a space on a site for one visitor. */
export class SpaceView implements ReferenceSpace<SitePage> {
  readonly site: SiteView
  readonly item: StoredSiteItem
  readonly tree: Tree
  readonly landingPageId: string | undefined
  readonly revisionId: string
  readonly viewpoint: Viewpoint
  /** Visibility of content for the visitor, used by everything that reads documents. */
  readonly visitorView: VisitorView
  /** Path segments of the previewed change request or revision; empty for the published content. */
  readonly previewPath: readonly string[]
  readonly #anchors = new Map<string, PageAnchors>()

  constructor(
    site: SiteView,
    item: StoredSiteItem,
    { tree, visitor, landingPageId, revisionId, previewPath }: SpaceContent,
  ) {
    this.site = site
    this.item = item
    this.tree = tree
    this.landingPageId = landingPageId
    this.revisionId = revisionId
    // All conditions of a request share one budget.
    const { identity, viewpoint } = site.session
    this.viewpoint = visitor === identity.visitor ? viewpoint : Viewpoint.of(visitor)
    this.visitorView = VisitorView.of({ visitor }, tree) as VisitorView
    this.previewPath = previewPath
  }

  get reader(): SiteView {
    return this.site
  }

  get spaceId(): string {
    return this.item.spaceId ?? ''
  }

  get title(): string {
    return this.item.title
  }

  get href(): string {
    return this.site.href(this.urlAt())
  }

  hrefOf({ address }: SitePage): string {
    return this.site.href(address)
  }

  /** Returns the URL of a page, given the segments of its path. */
  urlOf(pageId: string, path: readonly string[]): string {
    return this.urlAt(pageId === this.landingPageId ? [] : path)
  }

  /** Returns the URL of a path, whether or not a page exists there. */
  urlAt(path: readonly string[] = []): string {
    return buildSiteItemUrl(this.site.session, this.item, [...this.previewPath, ...path])
  }

  canSee(page: PageObject): boolean {
    return canSeePage(this.viewpoint, [page], this.tree.root.variables)
  }

  /** Returns the page at a current or former path; the empty path is the landing page. */
  async findPage(path: readonly string[]): Promise<SitePage | undefined> {
    const id = path.length === 0 ? this.landingPageId : await this.#findIdByPath(path.join('/'))
    return id === undefined ? undefined : (await this.findPagesById([id])).get(id)
  }

  async #findIdByPath(path: string): Promise<string | undefined> {
    const located = (await findPageByPath(this.tree, path)) ?? (await findLinkByPath(this.tree, path))
    return located?.entry.id
  }

  /** Returns the pages with these ids that exist and are visible. */
  async findPagesById(ids: readonly string[]): Promise<Map<string, SitePage>> {
    const found = new Map<string, SitePage>()
    for (const [id, lineage] of await readLineages(this.tree, ids)) {
      const isVisible = canSeePage(
        this.viewpoint,
        lineage.map(({ page }) => page),
        this.tree.root.variables,
      )
      if (isVisible) found.set(id, this.toSitePage(lineage))
    }
    return found
  }

  /** Returns the last page of a lineage, with its URL. */
  toSitePage(lineage: Lineage): SitePage {
    const self = lineage.at(-1) as LineagePage
    const slugs = lineage.map(({ entry }) => entry.slug)
    return { ...self, lineage, address: this.urlOf(self.entry.id, slugs) }
  }

  /** Returns the visible pages of a list. */
  async readVisiblePages(pages: Sequence<PageEntry>): Promise<LineagePage[]> {
    const entries = await readSequence(this.tree.objects, pages)
    const hashes = entries.map((entry) => entry.hash)
    const found = await readObjects(this.tree.objects, 'page', hashes)
    const yieldIfDue = createYielder()
    const visible: LineagePage[] = []
    for (const [index, entry] of entries.entries()) {
      const page = found[index] as PageObject
      if (this.canSee(page)) visible.push({ entry, page })
      await yieldIfDue()
    }
    return visible
  }

  /** Iterates over all pages in the navigation, in its order; reads one list at a time to limit memory. */
  async *listedPages(ancestors: readonly LineagePage[] = []): AsyncIterable<SitePage> {
    const pages = ancestors.at(-1)?.page.pages ?? this.tree.root.pages
    for (const one of await this.readVisiblePages(pages)) {
      if (one.page.hidden === true) continue
      const lineage: Lineage = [...ancestors, one]
      yield this.toSitePage(lineage)
      if (one.entry.levels !== undefined) yield* this.listedPages(lineage)
    }
  }

  /** Returns the document of a page for the visitor, with expressions evaluated and reusable contents included. */
  async readDocument(page: PageObject): Promise<Document> {
    const yieldIfDue = createYielder()
    const stored = await readDocumentObject(this.tree, page.document)
    await yieldIfDue()
    const query = { evaluated: true, dereferenced: true } as const
    const document = await prepareDocument(this.tree, stored, query, {
      pageVariables: page.variables,
      visitorView: this.visitorView,
    })
    await yieldIfDue()
    return withAnchorIds(document, toSlug)
  }

  /** Loads the OpenAPI specifications that references name. */
  async loadSpecs(refs: readonly ContentRef[]): Promise<LoadedSpecs> {
    const { context, session, specVersions } = this.site
    const { organization_id: organizationId } = session.site
    const { tree, item } = this
    const loaded = await loadSpecs(context, { organizationId, spaceId: item.spaceId ?? '', tree }, refs)
    for (const [name, version] of loaded.versions) specVersions.set(name, version)
    const { due, used } = loaded.linked
    if (due.length > 0 || used.length > 0) context.requestLinkedSpecs(organizationId, loaded.linked)
    if (loaded.reloadAt !== undefined) this.site.expiresAt = Math.min(this.site.expiresAt, Date.parse(loaded.reloadAt))
    return loaded
  }

  /** Whether the anchors of a page are already loaded. */
  hasLoadedAnchors({ entry }: LineagePage): boolean {
    return this.#anchors.has(entry.id)
  }

  /** Returns the anchors of a page for the visitor; reads the document unless it is passed. */
  async readAnchors({ entry, page }: LineagePage, document?: Document): Promise<PageAnchors> {
    const cached = this.#anchors.get(entry.id)
    if (cached) return cached
    const anchors = new PageAnchors(page.title, document ?? (await this.readDocument(page)), toSlug)
    this.#anchors.set(entry.id, anchors)
    return anchors
  }
}
