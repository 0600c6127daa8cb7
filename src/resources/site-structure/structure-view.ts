import { resolveRoleInRow } from '../../access/content-roles.ts'
import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import { isShareKey } from '../../access/sites.ts'
import type { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from '../../contract/site.ts'
import type { Space } from '../../contract/space.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import type { Structure } from '../../publishing/structure.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { toBatches } from '../../storage/batches.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import { presentSpaceForVisitor, presentSpace } from '../../domain/spaces/present-space.ts'
import { findSpacesById, findSpacesWithRank } from '../../domain/spaces/space-queries.ts'

type Localized = NonNullable<SiteSection['localizedTitle']>
type SectionLevelItem = SiteSection | SiteSectionGroup | SiteExternalLink

interface StructureViewOptions {
  shareKey?: string | undefined
  /** Whether members see drafts; visitors see them only in previews. */
  seesDrafts?: boolean
  /** Items to present; without them, all spaces of the site are loaded. */
  only?: readonly StoredSiteItem[]
}

/** The structure of a site as one caller sees it. */
export class StructureView {
  readonly structure: Structure<StoredSiteItem>
  readonly #viewpoint: Viewpoint
  readonly #spaces: ReadonlyMap<string, Space>
  readonly #baseUrl: string | undefined

  private constructor(
    structure: Structure<StoredSiteItem>,
    viewpoint: Viewpoint,
    spaces: ReadonlyMap<string, Space>,
    baseUrl: string | undefined,
  ) {
    this.structure = structure
    this.#viewpoint = viewpoint
    this.#spaces = spaces
    this.#baseUrl = baseUrl
  }

  static async open(context: SiteReadContext, options: StructureViewOptions = {}): Promise<StructureView> {
    const { db, site, urls, visitor } = context
    const shareKey = await resolveShareKey(context, options.shareKey)
    const structure = await loadStructure(db, site)
    const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: options.seesDrafts ?? true })
    const shown = options.only ? options.only.flatMap((item) => [item, ...structure.walk(item.id)]) : structure.spaces
    const spaces = await presentSpaces(context, shown)
    return new StructureView(structure, viewpoint, spaces, getPublishedUrl(site, urls, shareKey))
  }

  isVisible(item: StoredSiteItem): boolean {
    return this.structure.isVisible(item, this.#viewpoint)
  }

  present(item: StoredSiteItem): SiteSpace | SectionLevelItem {
    switch (item.kind) {
      case 'space':
        return this.presentSiteSpace(item)
      case 'section':
        return this.presentSection(item)
      case 'group':
        return this.presentGroup(item)
      default:
        return this.presentLink(item)
    }
  }

  presentSiteSpace(item: StoredSiteItem): SiteSpace {
    const { row } = item
    const space = this.#spaces.get(row.space_id ?? '')
    if (!space) throw new Error(`The site space ${item.id} has no space`)
    const urls = this.#urlsOf(item)
    return {
      object: 'site-space',
      id: item.id,
      path: item.path,
      ...(row.parent_id !== null && { section: row.parent_id }),
      space: { ...space, urls: { ...space.urls, ...urls } },
      title: item.title,
      ...(row.localized_title !== null && { localizedTitle: JSON.parse(row.localized_title) as Localized }),
      default: this.structure.isDefault(item),
      ...this.#conditionOf(item),
      pageId: row.page_id,
      draft: item.isDraft,
      hidden: item.isHidden,
      hasAdvancedCustomizationFeature: true,
      urls,
    }
  }

  presentSection(item: StoredSiteItem): SiteSection {
    return {
      object: 'site-section',
      ...this.#presentCommonFields(item),
      default: this.structure.isDefault(item),
      path: item.path,
      siteSpaces: this.structure
        .childrenOf(item.id)
        .filter((child) => this.isVisible(child))
        .map((child) => this.presentSiteSpace(child)),
      urls: this.#urlsOf(item),
    }
  }

  presentGroup(item: StoredSiteItem): SiteSectionGroup {
    const children = this.structure.childrenOf(item.id).filter((child) => this.#isShown(child))
    const {
      description: _,
      localizedDescription: __,
      condition: ___,
      ...commonFields
    } = this.#presentCommonFields(item)
    return {
      object: 'site-section-group',
      ...commonFields,
      sections: children.filter(({ kind }) => kind === 'section').map((child) => this.presentSection(child)),
      children: children.map((child) => this.present(child) as SectionLevelItem),
    }
  }

  presentLink(item: StoredSiteItem): SiteExternalLink {
    return { object: 'site-external-link', ...this.#presentCommonFields(item), url: item.row.url ?? '' }
  }

  /** Presents all visible items. */
  presentAll(): SiteStructure {
    const top = this.structure.childrenOf(null).filter((item) => this.#isShown(item))
    return this.structure.hasSections
      ? { type: 'sections', structure: top.map((item) => this.present(item) as SectionLevelItem) }
      : {
          type: 'siteSpaces',
          structure: top.filter(({ kind }) => kind === 'space').map((item) => this.presentSiteSpace(item)),
        }
  }

  /** Whether an item is shown: sections and groups without visible items are hidden from visitors, but not from editors. */
  #isShown(item: StoredSiteItem): boolean {
    if (!this.isVisible(item)) return false
    if (!this.#viewpoint.isOfVisitor || (item.kind !== 'section' && item.kind !== 'group')) return true
    return this.structure.childrenOf(item.id).some((child) => this.#isShown(child))
  }

  #urlsOf(item: StoredSiteItem): { published?: string } {
    if (this.#baseUrl === undefined) return {}
    return { published: this.#baseUrl + pathOnSite(this.structure, item) }
  }

  /** Returns the condition for members only, because conditions may name customers. */
  #conditionOf({ condition }: StoredSiteItem): { condition?: string } {
    return condition === null || this.#viewpoint.isOfVisitor ? {} : { condition }
  }

  #presentCommonFields(item: StoredSiteItem) {
    const { id, title, isDraft, row } = item
    return {
      id,
      title,
      ...(row.localized_title !== null && { localizedTitle: JSON.parse(row.localized_title) as Localized }),
      ...(row.description !== null && { description: row.description }),
      ...(row.localized_description !== null && {
        localizedDescription: JSON.parse(row.localized_description) as Localized,
      }),
      ...(row.icon !== null && { icon: row.icon }),
      ...(row.parent_id !== null && { sectionGroup: row.parent_id }),
      draft: isDraft,
      ...this.#conditionOf(item),
    }
  }
}

/** Returns the share key for URLs; fails if the given key does not belong to the site. */
export async function resolveShareKey(
  { db, site, visitor }: SiteReadContext,
  givenShareKey: string | undefined,
): Promise<string | undefined> {
  if (site.visibility !== 'share-link') return undefined
  if (givenShareKey === undefined) return visitor?.shareKey
  if (!(await isShareKey(db, site, givenShareKey))) throw notFound('share link')
  return givenShareKey
}

/** Presents the spaces of site spaces, with the caller's permissions in each. */
async function presentSpaces(
  { db, site, urls, viewer }: SiteReadContext,
  items: readonly StoredSiteItem[],
): Promise<Map<string, Space>> {
  const ids = [...new Set(items.flatMap(({ spaceId }) => spaceId ?? []))]
  const found = new Map<string, Space>()
  for (const batch of toBatches(ids)) {
    if (!viewer) {
      for (const row of await findSpacesById(db, site.organization_id, batch))
        found.set(row.id, presentSpaceForVisitor(row, urls))
      continue
    }
    for (const { own_rank, ...row } of await findSpacesWithRank(db, viewer, batch)) {
      const role = resolveRoleInRow(viewer, { resolved_level: row.resolved_level, own_rank })
      found.set(row.id, role === null ? presentSpaceForVisitor(row, urls, null) : presentSpace(row, role, urls))
    }
  }
  return found
}
