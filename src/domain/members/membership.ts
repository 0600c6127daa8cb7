import { fromStoredRole } from '../../access/content-roles.ts'
import { roleRank } from '../../contract/roles.ts'
import { conflict } from '../../kernel/errors.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { type StoredRole, toFlag } from '../../schema/values.ts'
import { toMemberSearchColumns } from './member-queries.ts'
import { findMemberRole, hasOtherAdmin, insertMember, updateMember } from './member-store.ts'

/** Adds a user to an organization; returns false and keeps the role if the user is a member already. */
export function addMember(
  db: Db,
  now: () => string,
  {
    organizationId,
    user,
    role,
    sso = false,
  }: { organizationId: string; user: Row<'users'>; role: StoredRole; sso?: boolean },
): Promise<boolean> {
  return insertMember(db, {
    organization_id: organizationId,
    user_id: user.id,
    role,
    disabled: 0,
    sso: toFlag(sso),
    joined_at: now(),
    last_seen_at: null,
    ...toMemberSearchColumns(user),
  })
}

/**
 * Adds a user to an organization, or raises the role of an existing member; a role is never lowered. Returns what changed.
 */
export async function addOrPromoteMember(
  db: Db,
  now: () => string,
  member: { organizationId: string; user: Row<'users'>; role: StoredRole; sso?: boolean },
): Promise<'added' | 'promoted' | undefined> {
  if (await addMember(db, now, member)) return 'added'
  const { organizationId, user, role } = member
  const current = await findMemberRole(db, organizationId, user.id)
  if (current === undefined || roleRank(fromStoredRole(current)) >= roleRank(fromStoredRole(role))) return undefined
  await updateMember(db, organizationId, user.id, { role })
  return 'promoted'
}

/** Fails if the user is the only active administrator: an organization without one could never get one again. */
export async function requireOtherAdmin(db: Db, organizationId: string, userId: string): Promise<void> {
  if (!(await hasOtherAdmin(db, organizationId, userId))) {
    throw conflict('An organization must have at least one administrator. Make another member an administrator first')
  }
}
