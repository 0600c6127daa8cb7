import type {
  SiteExternalLink,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
} from '../../../../contract/site.ts'

/** An item of a site as the API returns it. */
export type SiteItem = SiteSection | SiteSectionGroup | SiteSpace | SiteExternalLink

/** Changes of an item; each kind of item uses those that it has. */
export interface ItemChange {
  title?: string
  path?: string
  icon?: string | null
  description?: string | null
  url?: string
  condition?: string | null
  draft?: boolean
  hidden?: boolean
}

/** A new item of a site. */
export type Addition =
  | { kind: 'section' | 'variant'; spaceId: string | null; title: string; sectionId?: string | undefined }
  | { kind: 'group'; title: string }
  | { kind: 'link'; title: string; url: string }

/** An item in the tree of a site, with the fields that trees of pages have too. */
export interface SiteNode {
  id: string
  title: string
  item: SiteItem
  pages: readonly SiteNode[]
}

export const toSiteNodes = ({ structure }: SiteStructure): SiteNode[] => structure.map(toNode)

function toNode(item: SiteItem): SiteNode {
  const children =
    item.object === 'site-section' ? item.siteSpaces : item.object === 'site-section-group' ? item.children : []
  return { id: item.id, title: item.title, item, pages: children.map(toNode) }
}

/** Returns the items above one, from the top, and the item itself; empty if there is none. */
export function findLineage(nodes: readonly SiteNode[], id: string): readonly SiteNode[] {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const below = findLineage(node.pages, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** Returns the path of a section or site space below the address of the site. */
export const toItemPath = (structure: SiteStructure, id: string): string => toNodePath(toSiteNodes(structure), id)

/** Returns the path of a section or site space of a tree below the address of the site. */
export function toNodePath(nodes: readonly SiteNode[], id: string): string {
  const lineage = findLineage(nodes, id)
  return lineage.flatMap(({ item }) => ('path' in item && !item.default ? [`${item.path}/`] : [])).join('')
}

/** Kind of an item for which an item can be a parent. */
const childKinds: Readonly<Record<SiteItem['object'], readonly SiteItem['object'][]>> = {
  'site-section-group': ['site-section', 'site-section-group', 'site-external-link'],
  'site-section': ['site-space'],
  'site-space': [],
  'site-external-link': [],
}

/** Whether an item can be at the top level, or below a parent. */
export function canContain(parent: SiteItem | undefined, child: SiteItem, hasSections: boolean): boolean {
  if (parent) return childKinds[parent.object].includes(child.object)
  return hasSections === (child.object !== 'site-space')
}

/** Where an item is dropped: beside another one, or below it as the last. */
export interface SiteDrop {
  page: string
  position: 'before' | 'after' | 'inside'
}

/** Position of an item: its parent, and the siblings around it. */
export interface SitePosition {
  parent: SiteItem | undefined
  before: SiteItem | undefined
  after: SiteItem | undefined
}

/** Returns the position for a drop; undefined if the item cannot be there. */
export function toSitePosition(nodes: readonly SiteNode[], moved: SiteItem, drop: SiteDrop): SitePosition | undefined {
  const lineage = findLineage(nodes, drop.page)
  if (lineage.length === 0 || lineage.some(({ id }) => id === moved.id)) return undefined
  const parent = drop.position === 'inside' ? lineage.at(-1) : lineage.at(-2)
  const hasSections = nodes.some(({ item }) => item.object !== 'site-space')
  if (!canContain(parent?.item, moved, hasSections)) return undefined
  // A site space can only be ordered within its section: the API cannot move it to another one.
  const former = findLineage(nodes, moved.id).at(-2)
  if (moved.object === 'site-space' && former?.id !== parent?.id) return undefined
  const siblings = (parent?.pages ?? nodes).filter(({ id }) => id !== moved.id)
  const target = siblings.findIndex(({ id }) => id === drop.page)
  const at = drop.position === 'inside' ? siblings.length : drop.position === 'before' ? target : target + 1
  return { parent: parent?.item, before: siblings[at]?.item, after: siblings[at - 1]?.item }
}

/** Returns the position after moving an item with the keyboard; undefined if it cannot move further. */
export function toSiteNeighbor(
  nodes: readonly SiteNode[],
  moved: SiteItem,
  direction: 'up' | 'down' | 'in' | 'out',
): SitePosition | undefined {
  const parent = findLineage(nodes, moved.id).at(-2)
  const siblings = parent?.pages ?? nodes
  const at = siblings.findIndex(({ id }) => id === moved.id)
  const drops: Record<typeof direction, SiteDrop | undefined> = {
    up: siblings[at - 1] && { page: siblings[at - 1]?.id ?? '', position: 'before' },
    down: siblings[at + 1] && { page: siblings[at + 1]?.id ?? '', position: 'after' },
    in: siblings[at - 1] && { page: siblings[at - 1]?.id ?? '', position: 'inside' },
    out: parent && { page: parent.id, position: 'after' },
  }
  const drop = drops[direction]
  return drop && toSitePosition(nodes, moved, drop)
}

/** Returns where an item is now. */
export function findSitePosition(nodes: readonly SiteNode[], moved: SiteItem): SitePosition {
  const parent = findLineage(nodes, moved.id).at(-2)
  const siblings = parent?.pages ?? nodes
  const at = siblings.findIndex(({ id }) => id === moved.id)
  return { parent: parent?.item, before: siblings[at + 1]?.item, after: siblings[at - 1]?.item }
}
