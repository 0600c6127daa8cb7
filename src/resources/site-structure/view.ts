import { roleInRow } from '../../access/content.ts'
import { type StoredItem, loadStructure } from '../../access/sites.ts'
import { isShareKey } from '../../access/visits.ts'
import type { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from '../../contract/site.ts'
import type { Space } from '../../contract/space.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import type { Structure } from '../../publishing/structure.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { batches } from '../../storage/batches.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import { presentSpaceForVisitor, presentSpace } from '../../domain/spaces/present-space.ts'
import { findSpacesById, findSpacesWithRank } from '../../domain/spaces/space-queries.ts'

type Localized = NonNullable<SiteSection['localizedTitle']>
type SectionLevel = SiteSection | SiteSectionGroup | SiteExternalLink

interface Options {
  shareKey?: string | undefined
  /** Whether members see drafts; visitors see them only in previews. */
  seesDrafts?: boolean
  /** Items to present; without them, all spaces of the site are loaded. */
  only?: readonly StoredItem[]
}

/** The structure of a site as one caller sees it. */
export class StructureView {
  readonly structure: Structure<StoredItem>
  readonly #viewpoint: Viewpoint
  readonly #spaces: ReadonlyMap<string, Space>
  readonly #base: string | undefined

  private constructor(
    structure: Structure<StoredItem>,
    viewpoint: Viewpoint,
    spaces: ReadonlyMap<string, Space>,
    base: string | undefined,
  ) {
    this.structure = structure
    this.#viewpoint = viewpoint
    this.#spaces = spaces
    this.#base = base
  }

  static async open(context: SiteReadContext, options: Options = {}): Promise<StructureView> {
    const { db, site, urls, visitor } = context
    const shareKey = await usableShareKey(context, options.shareKey)
    const structure = await loadStructure(db, site)
    const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: options.seesDrafts ?? true })
    const shown = options.only ? options.only.flatMap((item) => [item, ...structure.walk(item.id)]) : structure.spaces
    const spaces = await presentSpaces(context, shown)
    return new StructureView(structure, viewpoint, spaces, getPublishedUrl(site, urls, shareKey))
  }

  isVisible(item: StoredItem): boolean {
    return this.structure.isVisible(item, this.#viewpoint)
  }

  present(item: StoredItem): SiteSpace | SectionLevel {
    switch (item.kind) {
      case 'space':
        return this.space(item)
      case 'section':
        return this.section(item)
      case 'group':
        return this.group(item)
      default:
        return this.link(item)
    }
  }

  space(item: StoredItem): SiteSpace {
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

  section(item: StoredItem): SiteSection {
    return {
      object: 'site-section',
      ...this.#head(item),
      default: this.structure.isDefault(item),
      path: item.path,
      siteSpaces: this.structure
        .childrenOf(item.id)
        .filter((child) => this.isVisible(child))
        .map((child) => this.space(child)),
      urls: this.#urlsOf(item),
    }
  }

  group(item: StoredItem): SiteSectionGroup {
    const children = this.structure.childrenOf(item.id).filter((child) => this.#isShown(child))
    const { description: _, localizedDescription: __, condition: ___, ...head } = this.#head(item)
    return {
      object: 'site-section-group',
      ...head,
      sections: children.filter(({ kind }) => kind === 'section').map((child) => this.section(child)),
      children: children.map((child) => this.present(child) as SectionLevel),
    }
  }

  link(item: StoredItem): SiteExternalLink {
    return { object: 'site-external-link', ...this.#head(item), url: item.row.url ?? '' }
  }

  /** Presents all visible items. */
  all(): SiteStructure {
    const top = this.structure.childrenOf(null).filter((item) => this.#isShown(item))
    return this.structure.isSectioned
      ? { type: 'sections', structure: top.map((item) => this.present(item) as SectionLevel) }
      : { type: 'siteSpaces', structure: top.filter(({ kind }) => kind === 'space').map((item) => this.space(item)) }
  }

  /** Whether an item is shown: sections and groups without visible items are hidden from visitors, but not from editors. */
  #isShown(item: StoredItem): boolean {
    if (!this.isVisible(item)) return false
    if (!this.#viewpoint.isOfVisitor || (item.kind !== 'section' && item.kind !== 'group')) return true
    return this.structure.childrenOf(item.id).some((child) => this.#isShown(child))
  }

  #urlsOf(item: StoredItem): { published?: string } {
    if (this.#base === undefined) return {}
    return { published: this.#base + pathOnSite(this.structure, item) }
  }

  /** Returns the condition for members only, because conditions may name customers. */
  #conditionOf({ condition }: StoredItem): { condition?: string } {
    return condition === null || this.#viewpoint.isOfVisitor ? {} : { condition }
  }

  #head(item: StoredItem) {
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
export async function usableShareKey(
  { db, site, visitor }: SiteReadContext,
  given: string | undefined,
): Promise<string | undefined> {
  if (site.visibility !== 'share-link') return undefined
  if (given === undefined) return visitor?.shareKey
  if (!(await isShareKey(db, site, given))) throw notFound('share link')
  return given
}

/** Presents the spaces of site spaces, with the caller's permissions in each. */
async function presentSpaces(
  { db, site, urls, viewer }: SiteReadContext,
  items: readonly StoredItem[],
): Promise<Map<string, Space>> {
  const ids = [...new Set(items.flatMap(({ spaceId }) => spaceId ?? []))]
  const found = new Map<string, Space>()
  for (const some of batches(ids)) {
    if (!viewer) {
      for (const row of await findSpacesById(db, site.organization_id, some))
        found.set(row.id, presentSpaceForVisitor(row, urls))
      continue
    }
    for (const { own_rank, ...row } of await findSpacesWithRank(db, viewer, some)) {
      const role = roleInRow(viewer, { resolved_level: row.resolved_level, own_rank })
      found.set(row.id, role === null ? presentSpaceForVisitor(row, urls, null) : presentSpace(row, role, urls))
    }
  }
  return found
}
