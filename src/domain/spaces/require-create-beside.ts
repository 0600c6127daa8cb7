import { findCollection, requireRole } from '../../access/authorize.ts'
import type { SpaceContext } from '../../kernel/context.ts'

/** Fails unless the caller may create spaces where a space is. */
export async function requireCreateBeside({
  db,
  viewer,
  space,
}: Pick<SpaceContext, 'db' | 'viewer' | 'space'>): Promise<void> {
  if (space.parent_id === null) return requireRole('organization', 'createContent', viewer.role)
  const found = await findCollection(db, viewer.userId, space.parent_id)
  requireRole('collection', 'create', found?.role ?? null)
}
