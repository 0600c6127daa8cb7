import { type PageEntry, type PageObject, readObjects } from './objects.ts'
import { findInSorted, readSequence } from './sequence.ts'
import type { Tree } from './tree.ts'

export interface LineagePage {
  entry: PageEntry
  page: PageObject
}

/** A page with its ancestors, from the top level to the page itself. */
export type Lineage = readonly [...LineagePage[], LineagePage]

/** Reads the lineages of many pages and omits missing pages; common ancestors are read once. */
export async function readLineages(tree: Tree, ids: readonly string[]): Promise<Map<string, Lineage>> {
  const parents = await readParents(tree, ids)
  const wantedByParent = new Map<string | null, Set<string>>()
  for (const [id, parent] of parents) wantedByParent.set(parent, (wantedByParent.get(parent) ?? new Set()).add(id))
  const lineages = new Map<string, Lineage>()
  let level: (string | null)[] = [null]
  while (level.length > 0) {
    const found = (
      await Promise.all(level.map((parent) => readWantedChildren(tree, lineages, parent, wantedByParent)))
    ).flat()
    const pages = await readObjects(
      tree.objects,
      'page',
      found.map(({ entry }) => entry.hash),
    )
    found.forEach(({ entry, above }, index) =>
      lineages.set(entry.id, [...above, { entry, page: pages[index] as PageObject }]),
    )
    level = found.flatMap(({ entry }) => (wantedByParent.has(entry.id) ? [entry.id] : []))
  }
  return lineages
}

/** Returns the parents of these pages and of all their ancestors. */
async function readParents({ objects, root }: Tree, ids: readonly string[]): Promise<Map<string, string | null>> {
  const parents = new Map<string, string | null>()
  let pending = [...new Set(ids)]
  while (pending.length > 0) {
    const found = await findInSorted(objects, root.parents, pending)
    for (const { id, parent } of found.values()) parents.set(id, parent)
    const nextParents = Array.from(found.values(), ({ parent }) => parent)
    pending = [...new Set(nextParents)].filter((id): id is string => id !== null && !parents.has(id))
  }
  return parents
}

async function readWantedChildren(
  { objects, root }: Tree,
  lineages: ReadonlyMap<string, Lineage>,
  parent: string | null,
  wantedByParent: ReadonlyMap<string | null, ReadonlySet<string>>,
): Promise<{ entry: PageEntry; above: readonly LineagePage[] }[]> {
  const above = parent === null ? [] : (lineages.get(parent) ?? [])
  const entries = await readSequence(objects, above.at(-1)?.page.pages ?? root.pages)
  const wanted = wantedByParent.get(parent)
  return entries.filter(({ id }) => wanted?.has(id)).map((entry) => ({ entry, above }))
}
