import type { Draft, PageBody } from './draft.ts'
import type { Objects, PageEntry } from './objects.ts'
import { findInSorted } from './sequence.ts'
import { type PageNode, type Tree, readPages } from './tree.ts'

/** Where a page is, with all that is below it. */
export interface PlacedPage {
  entry: PageEntry
  parent: string | null
}

/** The ids of a page and of all pages below it, parents first. */
export async function idsOf(objects: Objects, { entry }: Pick<PlacedPage, 'entry'>): Promise<Set<string>> {
  const ids = new Set<string>()
  const waiting = await readPages(objects, { level: 0, entries: [entry] })
  for (const node of waiting) {
    ids.add(node.entry.id)
    waiting.push(...node.children)
  }
  return ids
}

/**
 * Removes a page and those pages below it that `isRemoved` names. Every other page below it moves up to the nearest page
 * that stays. Returns the slugs of the pages that moved.
 */
export async function removeSubtree(
  draft: Draft,
  id: string,
  isRemoved: (id: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const below = await draft.idsBelow(id)
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
  // The slug of a removed page is free now.
  await draft.renamePages(slugs)
  return slugs
}

/** Which pages of a subtree are put back. */
export interface PutBack {
  /** Whether a page that is missing is inserted again; without it, every one is. */
  mayInsert?: (id: string) => boolean
  /**
   * Whether a page that is beside the page that is put back returns below it. Such a page moved up when the page above it
   * was removed.
   */
  mayReturn?: (id: string) => boolean
}

/**
 * Puts a page and those below it back as they were in a tree. Pages that are elsewhere by now stay there with all below
 * them. Returns the ids of the pages that were inserted, parents first.
 */
export async function insertSubtree(
  tree: Tree,
  draft: Draft,
  { entry, parent }: PlacedPage,
  { mayInsert = () => true, mayReturn = () => false }: PutBack = {},
): Promise<string[]> {
  const inserted: string[] = []
  const home = await nearestAbove(tree, draft, parent)
  const waiting = (await readPages(tree.objects, { level: 0, entries: [entry] })).map((node) => ({ node, into: home }))
  for (const { node, into } of waiting) {
    const { id, type, slug } = node.entry
    const present = await draft.findPage(id)
    if (present) {
      if (id !== entry.id) {
        if (into === present.parent || present.parent !== home || !mayReturn(id)) continue
        await moveInto(draft, id, into, slug)
      }
    } else {
      if (id !== entry.id && !mayInsert(id)) continue
      await draft.insertPage({ id, type, slug, body: bodyOf(node) }, { into })
      inserted.push(id)
    }
    for (const child of node.children) waiting.push({ node: child, into: id })
  }
  return inserted
}

async function moveInto(draft: Draft, id: string, into: string | null, slug: string): Promise<void> {
  // A page may have been moved below one that is to return.
  if (into !== null && (into === id || (await draft.isBelow(into, id)))) return
  await draft.movePage(id, { into })
  await draft.renamePage(id, await draft.freeSlug(into, slug, id))
}

/** The page itself if the draft has it, else the nearest of those above it in a tree; null is the top. */
export async function nearestAbove(tree: Tree, draft: Draft, id: string | null): Promise<string | null> {
  for (let next = id; next !== null;) {
    if (await draft.findPage(next)) return next
    const found: Map<string, { parent: string | null }> = await findInSorted(tree.objects, tree.root.parents, [next])
    next = found.get(next)?.parent ?? null
  }
  return null
}

export function bodyOf({ page }: Pick<PageNode, 'page'>): PageBody {
  const { kind: _, pages: __, ...body } = page
  return body
}
