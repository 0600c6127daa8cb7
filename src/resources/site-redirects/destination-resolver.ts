import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import { type Lineage, readLineages } from '../../content/revision/lineages.ts'
import { type Tree, findPageByPath } from '../../content/revision/tree.ts'
import type { SiteRedirectDestination, SiteRedirectInputDestination } from '../../contract/site-redirects.ts'
import type { BaseContext, SiteWithAddress } from '../../kernel/context.ts'
import { invalid, unknownReference, unreachable } from '../../kernel/errors.ts'
import { splitPath } from '../../publishing/site-urls.ts'
import { pathOnSite, canSeePage } from '../../publishing/pages.ts'
import type { ItemKind, Structure } from '../../publishing/structure.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { getComputedContent } from '../../domain/revisions/revisions.ts'
import { getPathInSiteSpace } from '../site-structure/landing-page.ts'
import { itemKindLabels } from '../site-structure/item-positions.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'

/** A destination on the site itself. */
export type InternalDestination = Exclude<SiteRedirectDestination, { kind: 'external' }>

type ResolverContext = Pick<BaseContext, 'db' | 'openObjects'> & { site: SiteWithAddress }

/** Resolves the destinations of the redirects of a site. The content of each space is opened only once. */
export class DestinationResolver {
  readonly #context: ResolverContext
  readonly #structure: Structure<StoredSiteItem>
  readonly #trees = new Map<string, Promise<Tree | undefined>>()
  /** Lineages of pages that were read together, by site space and page. */
  readonly #lineages = new Map<string, Lineage>()

  private constructor(context: ResolverContext, structure: Structure<StoredSiteItem>) {
    this.#context = context
    this.#structure = structure
  }

  static async open(context: ResolverContext): Promise<DestinationResolver> {
    return new DestinationResolver(context, await loadStructure(context.db, context.site))
  }

  /** Checks a destination of a request; a path is replaced with the page that currently has it. */
  async resolveInput(input: SiteRedirectInputDestination, field: string): Promise<SiteRedirectDestination> {
    switch (input.kind) {
      case 'external':
        return input
      case 'site-section':
        this.#getItem(input.siteSectionId, 'section', `${field}.siteSectionId`)
        return input
      case 'site-space':
        this.#getItem(input.siteSpaceId, 'space', `${field}.siteSpaceId`)
        return input
      case 'site-page': {
        const item = this.#getItem(input.siteSpaceId, 'space', `${field}.siteSpaceId`)
        const lineage = await this.#findLineage(item, input.pageId)
        if (!lineage) throw unknownReference(`${field}.pageId`, 'page')
        checkHasUrl(lineage.at(-1)?.entry.type, `${field}.pageId`)
        return input
      }
      case 'path':
        return this.#resolvePath(input, field)
      case 'site-path':
        return this.#resolveSitePath(input.path, field)
      default:
        return unreachable(input)
    }
  }

  /** Reads the pages of many destinations together, so that the number of reads does not grow with their number. */
  async preload(destinations: readonly SiteRedirectDestination[]): Promise<void> {
    const pageIds = new Map<string, string[]>()
    for (const destination of destinations) {
      if (destination.kind !== 'site-page') continue
      const ids = pageIds.get(destination.siteSpaceId)
      if (ids) ids.push(destination.pageId)
      else pageIds.set(destination.siteSpaceId, [destination.pageId])
    }
    for (const [siteSpaceId, ids] of pageIds) {
      const item = this.#structure.get(siteSpaceId, 'space')
      const tree = item && (await this.#getTree(item))
      if (!tree) continue
      for (const [id, lineage] of await readLineages(tree, [...new Set(ids)]))
        this.#lineages.set(`${siteSpaceId} ${id}`, lineage)
    }
  }

  /** Returns the path of a destination on the site; undefined if it was deleted or the caller cannot see it. */
  async findPath(destination: InternalDestination, viewpoint: Viewpoint): Promise<string | undefined> {
    const structure = this.#structure
    const isSection = destination.kind === 'site-section'
    const item = isSection
      ? structure.get(destination.siteSectionId, 'section')
      : structure.get(destination.siteSpaceId, 'space')
    if (!item || !structure.isVisible(item, viewpoint)) return undefined
    if (isSection) {
      const hasVisibleSpace = structure.childrenOf(item.id).some((space) => structure.isVisible(space, viewpoint))
      return hasVisibleSpace ? pathOnSite(structure, item) : undefined
    }
    if (destination.kind === 'site-space') return pathOnSite(structure, item)
    const tree = await this.#getTree(item)
    const lineage = await this.#findLineage(item, destination.pageId)
    if (!tree || !lineage || !canSeePage(viewpoint, pagesOf(lineage), tree.root.variables)) return undefined
    return pathOnSite(structure, item, await getPathInSiteSpace(tree, item, lineage))
  }

  #getItem(id: string, kind: ItemKind, field: string): StoredSiteItem {
    const item = this.#structure.get(id, kind)
    if (!item) throw unknownReference(field, itemKindLabels[kind])
    return item
  }

  async #resolvePath(
    { spaceId, path }: Extract<SiteRedirectInputDestination, { kind: 'path' }>,
    field: string,
  ): Promise<SiteRedirectDestination> {
    const siteSpaces = this.#structure.spaces.filter((item) => item.spaceId === spaceId)
    const item = siteSpaces.find(({ isDraft }) => !isDraft) ?? siteSpaces[0]
    if (!item) throw unknownReference(`${field}.spaceId`, 'space of the site')
    return this.#resolvePathInSpace(item, splitPath(path), field)
  }

  /** Resolves a path as the site does; a page with the name of a default section or space wins. */
  async #resolveSitePath(path: string, field: string): Promise<SiteRedirectDestination> {
    const segments = splitPath(path)
    const viewpoint = Viewpoint.ofMember({ seesDrafts: true })
    const named = this.#structure.resolve(segments, viewpoint)
    const asPage =
      named?.isCanonical === false ? this.#structure.resolve(segments, viewpoint, { asPage: true }) : undefined
    if (asPage?.isCanonical && asPage.rest.length > 0) {
      const tree = await this.#getTree(asPage.space)
      if (tree && (await findPageByPath(tree, asPage.rest.join('/'))))
        return this.#resolvePathInSpace(asPage.space, asPage.rest, field)
    }
    if (!named) throw unknownReference(`${field}.path`, 'page')
    return this.#resolvePathInSpace(named.space, named.rest, field)
  }

  async #resolvePathInSpace(
    item: StoredSiteItem,
    segments: readonly string[],
    field: string,
  ): Promise<SiteRedirectDestination> {
    if (segments.length === 0) return { kind: 'site-space', siteSpaceId: item.id }
    const tree = await this.#getTree(item)
    const located = tree && (await findPageByPath(tree, segments.join('/')))
    if (!located) throw unknownReference(`${field}.path`, 'page')
    checkHasUrl(located.entry.type, `${field}.path`)
    return { kind: 'site-page', siteSpaceId: item.id, pageId: located.entry.id }
  }

  async #findLineage(item: StoredSiteItem, pageId: string): Promise<Lineage | undefined> {
    const preloaded = this.#lineages.get(`${item.id} ${pageId}`)
    if (preloaded) return preloaded
    const tree = await this.#getTree(item)
    return tree && (await readLineages(tree, [pageId])).get(pageId)
  }

  #getTree({ spaceId }: StoredSiteItem): Promise<Tree | undefined> {
    const id = spaceId ?? ''
    const opened = this.#trees.get(id) ?? this.#openTree(id)
    this.#trees.set(id, opened)
    return opened
  }

  async #openTree(id: string): Promise<Tree | undefined> {
    const { db, site } = this.#context
    const space = await findLiveSpace(db, { organization_id: site.organization_id, id })
    return space && (await getComputedContent(this.#context, space, space.revision_id)).tree
  }
}

/** Fails for links and computed pages, which have no URL of their own. */
function checkHasUrl(type: string | undefined, field: string): void {
  if (type !== 'document' && type !== 'group') throw invalid(field, 'must reference a page that can be shown')
}

const pagesOf = (lineage: Lineage) => lineage.map(({ page }) => page)
