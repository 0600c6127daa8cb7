import { selectVisibleCollections, selectVisibleSpaces } from '../../access/content-roles.ts'
import type { Db } from '../../schema/tables.ts'
import type { Viewer } from '../../kernel/context.ts'
import { toBatches } from '../../storage/batches.ts'

/** Spaces and collections that a member can see. */
export interface VisibleContainers {
  has(id: string): boolean
  /** Returns the current revision of a space. */
  revisionOf(spaceId: string): string | undefined
}

/** Finds those of the spaces and collections that a member can see. */
export async function findVisibleContainers(
  { db, viewer }: { db: Db; viewer: Viewer },
  ids: Iterable<string>,
): Promise<VisibleContainers> {
  const revisions = new Map<string, string>()
  const collections = new Set<string>()
  for (const batch of toBatches([...new Set(ids)].filter((id) => id !== ''))) {
    const spaces = selectVisibleSpaces(db, viewer).where('spaces.id', 'in', batch)
    for (const space of await spaces.select(['spaces.id', 'spaces.revision_id']).execute())
      revisions.set(space.id, space.revision_id)
    const remaining = batch.filter((id) => !revisions.has(id))
    if (remaining.length === 0) continue
    const found = selectVisibleCollections(db, viewer).where('collections.id', 'in', remaining)
    for (const { id } of await found.select('collections.id').execute()) collections.add(id)
  }
  return {
    has: (id) => revisions.has(id) || collections.has(id),
    revisionOf: (spaceId) => revisions.get(spaceId),
  }
}
