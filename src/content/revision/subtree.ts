import type { Draft, PageBody } from './draft.ts'
import type { Objects, PageEntry } from './objects.ts'
import { findInSorted } from './sequence.ts'
import { type PageNode, type Tree, readPageNodes } from './tree.ts'

/** A page, with all pages below it, and its parent. */
export interface PageLocation {
  entry: PageEntry
  parent: string | null
}

/** Returns the ids of a page and of all pages below it, parents first. */
export async function readSubtreeIds(objects: Objects, { entry }: Pick<PageLocation, 'entry'>): Promise<Set<string>> {
  const ids = new Set<string>()
  const pending = await readPageNodes(objects, { level: 0, entries: [entry] })
  for (const node of pending) {
    ids.add(node.entry.id)
    pending.push(...node.children)
  }
  return ids
}

/**
 * Removes a page and the pages below it for which `isRemoved` is true. Every other page below it moves up to the nearest
 * remaining ancestor. Returns the slugs of the pages that moved.
 */
export async function removeSubtree(
  draft: Draft,
  id: string,
  isRemoved: (id: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const below = await draft.descendantIds(id)
  const removed = new Set([id, ...below.filter(isRemoved)])
  const slugs = new Map<string, string>()
  for (const one of below) {
    if (removed.has(one)) continue
    const { parent, slug } = await draft.getPage(one)
    let into = parent
    while (into !== null && removed.has(into)) into = (await draft.getPage(into)).parent
    if (into === parent) continue
    slugs.set(one, slug)
    await draft.movePage(one, { into })
  }
  for (const one of removed) if (await draft.findPage(one)) await draft.deletePage(one)
  // The slugs of the removed pages are available now.
  await draft.renamePages(slugs)
  return slugs
}

/** Selects the pages of a subtree that are restored. */
export interface InsertSubtreeOptions {
  /** Whether a missing page is inserted again; by default, all are. */
  shouldInsert?: (id: string) => boolean
  /**
   * Whether a page that is now a sibling of the restored page is moved back below it. Such a page moved up when its ancestor was
   * removed.
   */
  shouldMoveBack?: (id: string) => boolean
}

/**
 * Restores a page and the pages below it as they were in a tree. Pages that are elsewhere now remain there with all pages below
 * them. Returns the ids of the inserted pages, parents first.
 */
export async function insertSubtree(
  tree: Tree,
  draft: Draft,
  { entry, parent }: PageLocation,
  { shouldInsert = () => true, shouldMoveBack = () => false }: InsertSubtreeOptions = {},
): Promise<string[]> {
  const inserted: string[] = []
  const targetParent = await findNearestExisting(tree, draft, parent)
  const pending = (await readPageNodes(tree.objects, { level: 0, entries: [entry] })).map((node) => ({
    node,
    into: targetParent,
  }))
  for (const { node, into } of pending) {
    const { id, type, slug } = node.entry
    const present = await draft.findPage(id)
    if (present) {
      if (id !== entry.id) {
        if (into === present.parent || present.parent !== targetParent || !shouldMoveBack(id)) continue
        await moveBackInto(draft, id, into, slug)
      }
    } else {
      if (id !== entry.id && !shouldInsert(id)) continue
      await draft.insertPage({ id, type, slug, body: toPageBody(node) }, { into })
      inserted.push(id)
    }
    for (const child of node.children) pending.push({ node: child, into: id })
  }
  return inserted
}

async function moveBackInto(draft: Draft, id: string, into: string | null, slug: string): Promise<void> {
  // The page may have become an ancestor of the page that it would return to.
  if (into !== null && (into === id || (await draft.isDescendantOf(into, id)))) return
  await draft.movePage(id, { into })
  await draft.renamePage(id, await draft.findFreeSlug(into, slug, id))
}

/**
 * Returns the page itself if the draft contains it, otherwise its nearest ancestor in a tree that the draft contains; null is the
 * top level.
 */
export async function findNearestExisting(tree: Tree, draft: Draft, id: string | null): Promise<string | null> {
  for (let next = id; next !== null;) {
    if (await draft.findPage(next)) return next
    const found: Map<string, { parent: string | null }> = await findInSorted(tree.objects, tree.root.parents, [next])
    next = found.get(next)?.parent ?? null
  }
  return null
}

export function toPageBody({ page }: Pick<PageNode, 'page'>): PageBody {
  const { kind: _, pages: __, ...body } = page
  return body
}
