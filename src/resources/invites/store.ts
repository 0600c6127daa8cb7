import type { Insertable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import type { StoredRole } from '../../schema/values.ts'
import { findCollectionsById } from '../../domain/spaces/collection-store.ts'
import { selectLiveSpaceIds, selectLiveSpaces } from '../../domain/spaces/space-queries.ts'

interface PageOptions {
  after: Cursor | undefined
  limit: number
}

/** Selects the invite links except those to deleted spaces, which are hidden until the space is restored. */
function selectLiveLinkInvites(db: Db, organizationId: string) {
  return db
    .selectFrom('link_invites')
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('space_id', 'is', null), eb('space_id', 'in', selectLiveSpaceIds(db, organizationId))]))
}

export function findLinkInvites(db: Db, organizationId: string, { after, limit }: PageOptions) {
  return selectLiveLinkInvites(db, organizationId)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] as string))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export function findLinkInvite(db: Db, organizationId: string, inviteId: string) {
  return selectLiveLinkInvites(db, organizationId).selectAll().where('id', '=', inviteId).executeTakeFirst()
}

export async function countLinkInvites(db: Db, organizationId: string): Promise<number> {
  const { count } = await selectLiveLinkInvites(db, organizationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function insertLinkInvite(db: Db, invite: Insertable<Tables['link_invites']>) {
  return db.insertInto('link_invites').values(invite).returningAll().executeTakeFirstOrThrow()
}

export function updateLinkInvite(db: Db, organizationId: string, inviteId: string, role: StoredRole) {
  return db
    .updateTable('link_invites')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('id', '=', inviteId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findEmailInvites(db: Db, organizationId: string, { after, limit }: PageOptions) {
  return db
    .selectFrom('email_invites')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] as string))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export function findEmailInvite(db: Db, organizationId: string, inviteId: string) {
  return db
    .selectFrom('email_invites')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', inviteId)
    .executeTakeFirst()
}

/** Maximum number of invites of one address that are accepted at once. */
const maxInvitesOfAddress = 100

/** Finds the invites of an email address in all organizations. */
export function findEmailInvitesOf(db: Db, email: string): Promise<Row<'email_invites'>[]> {
  return db.selectFrom('email_invites').selectAll().where('email', '=', email).limit(maxInvitesOfAddress).execute()
}

/** Invites an email address; an existing invite gets the new role, and new teams if any are given, and keeps its link. */
export function upsertEmailInvite(db: Db, invite: Insertable<Tables['email_invites']>): Promise<Row<'email_invites'>> {
  return db
    .insertInto('email_invites')
    .values(invite)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'email']).doUpdateSet({
        role: invite.role,
        sso: invite.sso,
        ...(invite.team_ids !== undefined && { team_ids: invite.team_ids }),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function countEmailInvites(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('email_invites')
    .where('organization_id', '=', organizationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteInvite(
  db: Db,
  table: 'link_invites' | 'email_invites',
  organizationId: string,
  inviteId: string,
): Promise<void> {
  await db.deleteFrom(table).where('organization_id', '=', organizationId).where('id', '=', inviteId).execute()
}

/** Deletes and returns the invite of an email address. */
export function takeEmailInvite(
  db: Db,
  organizationId: string,
  email: string,
): Promise<Row<'email_invites'> | undefined> {
  return db
    .deleteFrom('email_invites')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .returningAll()
    .executeTakeFirst()
}

/** Finds the spaces and collections of an organization by their ids; deleted spaces are left out. */
export async function findInvitedContent(db: Db, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return { spaces: [], collections: [] }
  const spaces = await selectLiveSpaces(db, organizationId).selectAll().where('id', 'in', ids).execute()
  const collections = await findCollectionsById(db, organizationId, ids)
  return { spaces, collections }
}
