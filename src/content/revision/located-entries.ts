import type { PageEntry, ParentEntry } from './objects.ts'
import { findInSorted } from './sequence.ts'
import { type Tree, findPages } from './tree.ts'

/** A page in the list of its parent; the parent is null at the top level. */
export interface LocatedEntry {
  entry: PageEntry
  parent: string | null
}

/** Finds pages by their ids; missing pages are omitted. */
export async function locateEntries(tree: Tree, ids: readonly string[]): Promise<Map<string, LocatedEntry>> {
  const pages = await findPages(tree, ids)
  return new Map([...pages].map(([id, { entry, ancestors }]) => [id, { entry, parent: ancestors.at(-1)?.id ?? null }]))
}

/** Returns the parents of these pages in a tree; missing pages are omitted. */
export function findParents(
  { objects, root }: Tree,
  located: readonly LocatedEntry[],
): Promise<Map<string, ParentEntry>> {
  const ids = located.map(({ entry }) => entry.id)
  return findInSorted(objects, root.parents, ids)
}
