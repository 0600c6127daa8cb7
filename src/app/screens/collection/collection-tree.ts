interface Nested {
  id: string
  title: string
  parent?: string | undefined
}

/** Returns the collections above a collection, from the top level down. */
export function findCollectionPath<Item extends Nested>(all: readonly Item[], collection: Nested): Item[] {
  const byId = new Map(all.map((one) => [one.id, one]))
  const path: Item[] = []
  for (let id = collection.parent; id !== undefined && path.length < byId.size;) {
    const found = byId.get(id)
    if (!found) break
    path.unshift(found)
    id = found.parent
  }
  return path
}

/** Returns the IDs of a collection and of all collections in it. */
export function findNestedIds(all: readonly Nested[], id: string): Set<string> {
  const found = new Set([id])
  // A set can grow while it is iterated: collections found later are visited, too.
  for (const parentId of found) for (const one of all) if (one.parent === parentId) found.add(one.id)
  return found
}
