import type { Guarded, Viewpoint } from './visibility.ts'

export type ItemKind = 'group' | 'section' | 'link' | 'space'

/** Something that stands on a site. */
export interface SiteItem extends Guarded {
  id: string
  kind: ItemKind
  parentId: string | null
  position: string
  title: string
  /** One segment of its address; groups and links have none. */
  path: string
  isDraft: boolean
  isHidden: boolean
  condition: string | null
  /** Of a site space. */
  spaceId: string | null
  /** Of a section: the site space that it leads to, when one was chosen. */
  defaultId: string | null
}

/** Where an address on a site leads. */
export interface Destination<Item> {
  section: Item | undefined
  space: Item
  /** What is left of the address: a path in the space. */
  rest: readonly string[]
  /** Whether the address names something that it need not, as it is the default. */
  isCanonical: boolean
  /** Whether no longer address could lead to another space. */
  isComplete: boolean
}

/** The tree of what stands on a site, with its defaults and addresses. Spaces in the trash do not stand on it. */
export class Structure<Item extends SiteItem = SiteItem> {
  readonly items: ReadonlyMap<string, Item>
  /** In the order of the navigation. */
  readonly sections: readonly Item[]
  readonly spaces: readonly Item[]
  /** What the site leads to, when it has sections. */
  readonly defaultSection: Item | undefined
  readonly #children = new Map<string | null, Item[]>()
  readonly #byPath = new Map<string, Item>()
  /** The site spaces that sections lead to, and (null) the site without sections. */
  readonly #defaultSpaces = new Map<string | null, Item | undefined>()

  /** `items` come in the order of their positions. */
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
    this.defaultSection = chosen(this.sections, defaultId)
    this.#defaultSpaces.set(null, chosen(this.#spacesIn(undefined), defaultId))
    for (const section of this.sections) {
      this.#defaultSpaces.set(section.id, chosen(this.#spacesIn(section), section.defaultId))
    }
  }

  /** What stands directly in something, or at the top of the site. */
  childrenOf(parentId: string | null): readonly Item[] {
    return this.#children.get(parentId) ?? []
  }

  /** Everything in the order of the navigation. */
  *walk(parentId: string | null = null): Iterable<Item> {
    for (const item of this.childrenOf(parentId)) {
      yield item
      yield* this.walk(item.id)
    }
  }

  /** Whether its spaces stand in sections. */
  get isSectioned(): boolean {
    return this.sections.length > 0
  }

  get(id: string, kind: ItemKind): Item | undefined {
    const item = this.items.get(id)
    return item?.kind === kind ? item : undefined
  }

  /** Everything that an item stands in, from the top, and itself. */
  chainOf(item: Item): Item[] {
    const chain = [item]
    for (let above = this.#parentOf(item); above; above = this.#parentOf(above)) chain.unshift(above)
    return chain
  }

  #parentOf({ parentId }: Item): Item | undefined {
    return parentId === null ? undefined : this.items.get(parentId)
  }

  isVisible(item: Item, viewpoint: Viewpoint): boolean {
    return viewpoint.see(this.chainOf(item)).isVisible
  }

  /** The site space that a section leads to, or the site when it has no sections. */
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

  /** The segments that lead to a section or a site space; what is the default needs none. */
  segmentsOf(item: Item): string[] {
    return this.chainOf(item)
      .filter(({ kind }) => kind !== 'group')
      .flatMap((step) => (this.#isOptional(step, item) ? [] : [step.path]))
  }

  /** Whether an address need not name the default section in it: it must where a variant is called like a section. */
  #isOptional(step: Item, item: Item): boolean {
    if (!this.isDefault(step)) return false
    return step === item || this.isDefault(item) || this.atPath('section', null, item.path) === undefined
  }

  /** Whether a path is taken at a place: sections share one level, however they are grouped. */
  atPath(kind: 'section' | 'space', parentId: string | null, path: string): Item | undefined {
    return this.#byPath.get(pathKey({ kind, parentId, path }))
  }

  /**
   * The site space that an address leads to, among those that somebody sees. A step that would name a default, which
   * needs no name, is `asPage` taken for the name of a page.
   */
  resolve(segments: readonly string[], viewpoint: Viewpoint, { asPage = false } = {}): Destination<Item> | undefined {
    const seen = (item: Item | undefined) => (item && this.isVisible(item, viewpoint) ? item : undefined)
    const meant = (item: Item | undefined) => (asPage && item && this.isDefault(item) ? undefined : seen(item))
    const [first, ...others] = segments
    const named = this.isSectioned && first !== undefined ? meant(this.atPath('section', null, first)) : undefined
    const section = named ?? seen(this.defaultSection)
    if (this.isSectioned && !section) return undefined
    const rest = named ? others : segments
    // Addresses of variants may carry a `v` in front, as those of other services do.
    const asVariant = rest[0] === 'v' ? 1 : 0
    const step = rest[asVariant]
    const variant = step === undefined ? undefined : meant(this.atPath('space', section?.id ?? null, step))
    const space =
      variant ??
      seen(this.defaultSpaceIn(section)) ??
      this.childrenOf(section?.id ?? null).find((item) => item.kind === 'space' && seen(item))
    if (!space) return undefined
    const left = variant ? rest.slice(asVariant + 1) : rest
    return {
      section,
      space,
      rest: left,
      isCanonical:
        !(named && this.#isOptional(named, space)) && !(variant && (this.isDefault(variant) || asVariant === 1)),
      isComplete: left.length > 0 || variant !== undefined || !this.#hasMoreBelow(section, named !== undefined),
    }
  }

  /** Where somebody goes who comes to the site and does not see what it leads to. */
  firstVisible(viewpoint: Viewpoint): Item | undefined {
    for (const item of this.walk()) {
      if (item.kind === 'space' && !item.isHidden && this.isVisible(item, viewpoint)) return item
    }
    return undefined
  }

  #hasMoreBelow(section: Item | undefined, isNamed: boolean): boolean {
    return this.childrenOf(section?.id ?? null).length > 1 || (this.isSectioned && !isNamed && this.sections.length > 1)
  }
}

const pathKey = ({ kind, parentId, path }: Pick<SiteItem, 'kind' | 'parentId' | 'path'>): string =>
  `${kind === 'section' ? '' : (parentId ?? '')}/${kind}/${path.toLowerCase()}`

/** The one that was chosen as default, while it is there; else the first that is no draft, else the first. */
function chosen<Item extends SiteItem>(items: readonly Item[], id: string | null): Item | undefined {
  return items.find((item) => item.id === id) ?? items.find(({ isDraft }) => !isDraft) ?? items[0]
}
