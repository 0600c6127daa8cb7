import { type Role, roleRank } from '../../contract/roles.ts'
import type { Db } from '../../schema/tables.ts'
import { findGrant, upsertGrants } from './grant-store.ts'

interface Share {
  kind: 'space' | 'collection'
  organizationId: string
  contentId: string
  userId: string
  role: Role
}

/** Shares content with a member; a role that the member has already is never lowered. Returns whether the role changed. */
export async function shareWithUser(
  db: Db,
  now: () => string,
  { kind, organizationId, contentId, userId, role }: Share,
): Promise<boolean> {
  const content = { kind, organizationId, id: contentId }
  const existingGrant = await findGrant(db, content, 'user', userId)
  if (existingGrant && roleRank(existingGrant.role) >= roleRank(role)) return false
  await upsertGrants(db, content, 'user', [userId], role, now())
  return true
}
