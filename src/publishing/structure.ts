import type { VisibilityRules, Viewpoint } from './visibility.ts'

export type ItemKind = 'group' | 'section' | 'link' | 'space'

/** Item in the structure of a site. */
export interface SiteItem extends VisibilityRules {
  id: string
  kind: ItemKind
  parentId: string | null
  position: string
  title: string
  /** URL segment; empty for groups and links. */
  path: string
  isDraft: boolean
  isHidden: boolean
  condition: string | null
  /** Space of a site space. */
  spaceId: string | null
  /** Chosen default site space of a section. */
  defaultId: string | null
}

/** Result of resolving a path on a site. */
export interface ResolvedSitePath<Item> {
  section: Item | undefined
  space: Item
  /** Remaining segments: the path in the space. */
  rest: readonly string[]
  /** Whether the path names neither a default that can be omitted nor the optional `v` prefix. */
  isCanonical: boolean
  /** Whether no longer path could resolve to another space. */
  isComplete: boolean
}

/** Tree of the items of a site, with defaults and paths. It does not contain deleted spaces. */
export class Structure<Item extends SiteItem = SiteItem> {
  readonly items: ReadonlyMap<string, Item>
  /** Sections in navigation order. */
  readonly sections: readonly Item[]
  readonly spaces: readonly Item[]
  /** Default section of a site with sections. */
  readonly defaultSection: Item | undefined
  readonly #children = new Map<string | null, Item[]>()
  readonly #byPath = new Map<string, Item>()
  /** Default site space by section id; null is the key for a site without sections. */
  readonly #defaultSpaces = new Map<string | null, Item | undefined>()

  /** `items` must be sorted by position. */
  constructor(items: readonly Item[], defaultId: string | null) {
    this.items = new Map(items.map((item) => [item.id, item]))
    for (const item of items) {
      const siblings = this.#children.get(item.parentId)
      if (siblings) siblings.push(item)
      else this.#children.set(item.parentId, [item])
      if (item.kind === 'section' || item.kind === 'space') this.#byPath.set(pathKey(item), item)
    }
    const inOrder = [...this.walk()]
    this.sections = inOrder.filter(({ kind }) => kind === 'section')
    this.spaces = inOrder.filter(({ kind }) => kind === 'space')
    this.defaultSection = chooseDefault(this.sections, defaultId)
    this.#defaultSpaces.set(null, chooseDefault(this.#spacesIn(undefined), defaultId))
    for (const section of this.sections) {
      this.#defaultSpaces.set(section.id, chooseDefault(this.#spacesIn(section), section.defaultId))
    }
  }

  /** Returns the direct children of an item, or the top-level items for null. */
  childrenOf(parentId: string | null): readonly Item[] {
    return this.#children.get(parentId) ?? []
  }

  /** Iterates over all items in navigation order. */
  *walk(parentId: string | null = null): Iterable<Item> {
    for (const item of this.childrenOf(parentId)) {
      yield item
      yield* this.walk(item.id)
    }
  }

  /** Whether the site has sections. */
  get hasSections(): boolean {
    return this.sections.length > 0
  }

  get(id: string, kind: ItemKind): Item | undefined {
    const item = this.items.get(id)
    return item?.kind === kind ? item : undefined
  }

  /** Returns the ancestors of an item from the top, and the item itself. */
  ancestorsAndSelf(item: Item): Item[] {
    const chain = [item]
    for (let above = this.#parentOf(item); above; above = this.#parentOf(above)) chain.unshift(above)
    return chain
  }

  #parentOf({ parentId }: Item): Item | undefined {
    return parentId === null ? undefined : this.items.get(parentId)
  }

  isVisible(item: Item, viewpoint: Viewpoint): boolean {
    return viewpoint.getVisibility(this.ancestorsAndSelf(item)).isVisible
  }

  /** Returns the default site space of a section, or of a site without sections. */
  defaultSpaceIn(section: Item | undefined): Item | undefined {
    return this.#defaultSpaces.get(section?.id ?? null)
  }

  #spacesIn(section: Item | undefined): readonly Item[] {
    return this.childrenOf(section?.id ?? null).filter(({ kind }) => kind === 'space')
  }

  isDefault(item: Item): boolean {
    if (item.kind === 'section') return this.defaultSection?.id === item.id
    return this.defaultSpaceIn(this.#parentOf(item))?.id === item.id
  }

  /** Returns the URL segments of a section or a site space; defaults are omitted. */
  segmentsOf(item: Item): string[] {
    return this.ancestorsAndSelf(item)
      .filter(({ kind }) => kind !== 'group')
      .flatMap((step) => (this.#isOptional(step, item) ? [] : [step.path]))
  }

  /** Whether a path may omit a default: not if the next segment would be resolved as a section of the same name. */
  #isOptional(step: Item, item: Item): boolean {
    if (!this.isDefault(step)) return false
    return step === item || this.isDefault(item) || this.findByPath('section', null, item.path) === undefined
  }

  /**
   * Returns the section or site space with this path; paths of sections are unique on the whole site, regardless of their groups.
   */
  findByPath(kind: 'section' | 'space', parentId: string | null, path: string): Item | undefined {
    return this.#byPath.get(pathKey({ kind, parentId, path }))
  }

  /**
   * Resolves a path to a visible site space. With `asPage`, a segment that names a default is treated as part of a page's path,
   * because defaults can be omitted.
   */
  resolve(
    segments: readonly string[],
    viewpoint: Viewpoint,
    { asPage = false } = {},
  ): ResolvedSitePath<Item> | undefined {
    const ifVisible = (item: Item | undefined) => (item && this.isVisible(item, viewpoint) ? item : undefined)
    const ifMatched = (item: Item | undefined) => (asPage && item && this.isDefault(item) ? undefined : ifVisible(item))
    const [first, ...others] = segments
    const namedSection =
      this.hasSections && first !== undefined ? ifMatched(this.findByPath('section', null, first)) : undefined
    const section = namedSection ?? ifVisible(this.defaultSection)
    if (this.hasSections && !section) return undefined
    const rest = namedSection ? others : segments
    // A `v` segment may precede a variant, as in URLs of other services.
    const prefixLength = rest[0] === 'v' ? 1 : 0
    const variantSegment = rest[prefixLength]
    const variant =
      variantSegment === undefined
        ? undefined
        : ifMatched(this.findByPath('space', section?.id ?? null, variantSegment))
    const space =
      variant ??
      ifVisible(this.defaultSpaceIn(section)) ??
      this.childrenOf(section?.id ?? null).find((item) => item.kind === 'space' && ifVisible(item))
    if (!space) return undefined
    const remaining = variant ? rest.slice(prefixLength + 1) : rest
    return {
      section,
      space,
      rest: remaining,
      isCanonical:
        !(namedSection && this.#isOptional(namedSection, space)) &&
        !(variant && (this.isDefault(variant) || prefixLength === 1)),
      isComplete:
        remaining.length > 0 || variant !== undefined || !this.#hasMoreBelow(section, namedSection !== undefined),
    }
  }

  /** Returns the first visible site space, which is shown to visitors who cannot see the default one. */
  findFirstVisible(viewpoint: Viewpoint): Item | undefined {
    for (const item of this.walk()) {
      if (item.kind === 'space' && !item.isHidden && this.isVisible(item, viewpoint)) return item
    }
    return undefined
  }

  #hasMoreBelow(section: Item | undefined, isNamed: boolean): boolean {
    return this.childrenOf(section?.id ?? null).length > 1 || (this.hasSections && !isNamed && this.sections.length > 1)
  }
}

const pathKey = ({ kind, parentId, path }: Pick<SiteItem, 'kind' | 'parentId' | 'path'>): string =>
  `${kind === 'section' ? '' : (parentId ?? '')}/${kind}/${path.toLowerCase()}`

/** Returns the chosen default if it exists; otherwise the first item that is not a draft, otherwise the first item. */
function chooseDefault<Item extends SiteItem>(items: readonly Item[], id: string | null): Item | undefined {
  return items.find((item) => item.id === id) ?? items.find(({ isDraft }) => !isDraft) ?? items[0]
}
