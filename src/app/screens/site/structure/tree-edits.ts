import {
  type Addition,
  type ItemChange,
  type SiteItem,
  type SiteNode,
  type SitePosition,
  findLineage,
} from './site-tree.ts'

type Nodes = readonly SiteNode[]

/** Start of the ID of an item that the server has not stored yet. */
const pendingPrefix = 'pending-'
let additions = 0

export const isPending = ({ id }: Pick<SiteItem, 'id'>): boolean => id.startsWith(pendingPrefix)

const mapNodes = (nodes: Nodes, change: (node: SiteNode) => SiteNode): SiteNode[] =>
  nodes.map((node) => change({ ...node, pages: mapNodes(node.pages, change) }))

/** Returns the tree without an item. */
export const withoutNode = (nodes: Nodes, id: string): SiteNode[] =>
  nodes.flatMap((node) => (node.id === id ? [] : [{ ...node, pages: withoutNode(node.pages, id) }]))

/** Returns the tree with a node below a parent, or at the top level. */
function withNode(nodes: Nodes, node: SiteNode, { parent, before, after }: SitePosition): SiteNode[] {
  const insert = (siblings: Nodes): SiteNode[] => {
    const next = siblings.findIndex(({ id }) => id === before?.id)
    const previous = siblings.findIndex(({ id }) => id === after?.id)
    const at = next >= 0 ? next : previous >= 0 ? previous + 1 : siblings.length
    return siblings.toSpliced(at, 0, node)
  }
  if (!parent) return insert(nodes)
  return mapNodes(nodes, (one) => (one.id === parent.id ? { ...one, pages: insert(one.pages) } : one))
}

/** Returns the tree with an item at another position. */
export function withMovedNode(nodes: Nodes, moved: SiteItem, to: SitePosition): Nodes {
  const node = findLineage(nodes, moved.id).at(-1)
  const rest = withoutNode(nodes, moved.id)
  if (!node || (to.parent && findLineage(rest, to.parent.id).length === 0)) return nodes
  return withNode(rest, node, to)
}

/** Returns the tree with changed fields of an item. */
export function withChangedNode(nodes: Nodes, changed: SiteItem, change: ItemChange): Nodes {
  const fields = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? undefined]))
  return mapNodes(nodes, (node) => {
    if (node.id !== changed.id) return node
    return { ...node, title: change.title ?? node.title, item: { ...node.item, ...fields } }
  })
}

/** Returns the tree with another default item among siblings. */
export function withDefaultNode(nodes: Nodes, chosen: SiteItem, rivals: readonly SiteItem[]): Nodes {
  const ids = new Set(rivals.map(({ id }) => id))
  return mapNodes(nodes, (node) => {
    if (!ids.has(node.id) || !('default' in node.item)) return node
    return { ...node, item: { ...node.item, default: node.id === chosen.id } }
  })
}

const objects: Record<Addition['kind'], SiteItem['object']> = {
  section: 'site-section',
  variant: 'site-space',
  group: 'site-section-group',
  link: 'site-external-link',
}

/** Returns a function that adds an item which the server has not stored yet. */
export function prepareAddition(addition: Addition, title: string): (nodes: Nodes) => Nodes {
  const id = `${pendingPrefix}${additions++}`
  // Only the fields that the tree shows; the server sets the others.
  const item = { object: objects[addition.kind], id, title, draft: false } as SiteItem
  const sectionId = 'sectionId' in addition ? addition.sectionId : undefined
  return (nodes) => {
    const parent = sectionId === undefined ? undefined : findLineage(nodes, sectionId).at(-1)?.item
    return withNode(nodes, { id, title, item, pages: [] }, { parent, before: undefined, after: undefined })
  }
}
