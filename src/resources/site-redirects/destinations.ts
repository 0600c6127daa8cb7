import { type StoredItem, loadStructure } from '../../access/sites.ts'
import { type Lineage, readLineages } from '../../content/revision/lineages.ts'
import { type Tree, findPageByPath } from '../../content/revision/tree.ts'
import type { SiteRedirectDestination, SiteRedirectInputDestination } from '../../contract/site-redirects.ts'
import type { BaseContext, PlacedSite } from '../../kernel/context.ts'
import { invalid, unknownReference, unreachable } from '../../kernel/errors.ts'
import { segmentsOf } from '../../publishing/addresses.ts'
import { pathOnSite, seesPages } from '../../publishing/pages.ts'
import type { ItemKind, Structure } from '../../publishing/structure.ts'
import type { Viewpoint } from '../../publishing/visibility.ts'
import { getContent } from '../../domain/revisions/revisions.ts'
import { pagePathIn } from '../site-structure/addresses.ts'
import { nameOf } from '../site-structure/places.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'

/** A destination on the site itself. */
export type OwnDestination = Exclude<SiteRedirectDestination, { kind: 'external' }>

type Reading = Pick<BaseContext, 'db' | 'openObjects'> & { site: PlacedSite }

/** Resolves the destinations of the redirects of a site. The content of each space is opened only once. */
export class Destinations {
  readonly #context: Reading
  readonly #structure: Structure<StoredItem>
  readonly #trees = new Map<string, Promise<Tree | undefined>>()

  private constructor(context: Reading, structure: Structure<StoredItem>) {
    this.#context = context
    this.#structure = structure
  }

  static async open(context: Reading): Promise<Destinations> {
    return new Destinations(context, await loadStructure(context.db, context.site))
  }

  /** Checks a destination of a request; a path is replaced with the page that currently has it. */
  async settle(input: SiteRedirectInputDestination, field: string): Promise<SiteRedirectDestination> {
    switch (input.kind) {
      case 'external':
        return input
      case 'site-section':
        this.#get(input.siteSectionId, 'section', `${field}.siteSectionId`)
        return input
      case 'site-space':
        this.#get(input.siteSpaceId, 'space', `${field}.siteSpaceId`)
        return input
      case 'site-page': {
        const item = this.#get(input.siteSpaceId, 'space', `${field}.siteSpaceId`)
        const lineage = await this.#lineageOf(item, input.pageId)
        if (!lineage) throw unknownReference(`${field}.pageId`, 'page')
        demandShown(lineage.at(-1)?.entry.type, `${field}.pageId`)
        return input
      }
      case 'path':
        return this.#atPath(input, field)
      default:
        return unreachable(input)
    }
  }

  /** Returns the path of a destination on the site; undefined if it was deleted or the caller cannot see it. */
  async pathTo(destination: OwnDestination, viewpoint: Viewpoint): Promise<string | undefined> {
    const structure = this.#structure
    const isSection = destination.kind === 'site-section'
    const item = isSection
      ? structure.get(destination.siteSectionId, 'section')
      : structure.get(destination.siteSpaceId, 'space')
    if (!item || !structure.isVisible(item, viewpoint)) return undefined
    if (isSection) {
      const leadsOn = structure.childrenOf(item.id).some((space) => structure.isVisible(space, viewpoint))
      return leadsOn ? pathOnSite(structure, item) : undefined
    }
    if (destination.kind === 'site-space') return pathOnSite(structure, item)
    const tree = await this.#treeOf(item)
    const lineage = await this.#lineageOf(item, destination.pageId)
    if (!tree || !lineage || !seesPages(viewpoint, pagesOf(lineage), tree.root.variables)) return undefined
    return pathOnSite(structure, item, await pagePathIn(tree, item, lineage))
  }

  #get(id: string, kind: ItemKind, field: string): StoredItem {
    const item = this.#structure.get(id, kind)
    if (!item) throw unknownReference(field, nameOf[kind])
    return item
  }

  async #atPath(
    { spaceId, path }: Extract<SiteRedirectInputDestination, { kind: 'path' }>,
    field: string,
  ): Promise<SiteRedirectDestination> {
    const placed = this.#structure.spaces.filter((item) => item.spaceId === spaceId)
    const item = placed.find(({ isDraft }) => !isDraft) ?? placed[0]
    if (!item) throw unknownReference(`${field}.spaceId`, 'space of the site')
    const steps = segmentsOf(path)
    if (steps.length === 0) return { kind: 'site-space', siteSpaceId: item.id }
    const tree = await this.#treeOf(item)
    const located = tree && (await findPageByPath(tree, steps.join('/')))
    if (!located) throw unknownReference(`${field}.path`, 'page')
    demandShown(located.entry.type, `${field}.path`)
    return { kind: 'site-page', siteSpaceId: item.id, pageId: located.entry.id }
  }

  async #lineageOf(item: StoredItem, pageId: string): Promise<Lineage | undefined> {
    const tree = await this.#treeOf(item)
    return tree && (await readLineages(tree, [pageId])).get(pageId)
  }

  #treeOf({ spaceId }: StoredItem): Promise<Tree | undefined> {
    const id = spaceId ?? ''
    const opened = this.#trees.get(id) ?? this.#openTree(id)
    this.#trees.set(id, opened)
    return opened
  }

  async #openTree(id: string): Promise<Tree | undefined> {
    const { db, site } = this.#context
    const space = await findLiveSpace(db, { organization_id: site.organization_id, id })
    return space && (await getContent(this.#context, space, space.revision_id)).tree
  }
}

/** Fails for links and computed pages, which have no URL of their own. */
function demandShown(type: string | undefined, field: string): void {
  if (type !== 'document' && type !== 'group') throw invalid(field, 'must reference a page that can be shown')
}

const pagesOf = (lineage: Lineage) => lineage.map(({ page }) => page)
