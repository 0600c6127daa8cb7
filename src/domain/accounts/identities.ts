import type { Db, Row } from '../../schema/tables.ts'

/** Identity that a provider has proven. `subject` is its ID there. */
export interface ProviderIdentity {
  providerId: string
  issuer: string
  subject: string
}

/** Returns the ID of the user with an identity, and records its use. */
export async function useIdentity(
  db: Db,
  { providerId, issuer, subject }: ProviderIdentity,
  now: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable('oidc_identities')
    .set({ last_used_at: now })
    .where('provider_id', '=', providerId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Connects an identity with a user; false if either has another connection at this provider. */
export async function connectIdentity(
  db: Db,
  userId: string,
  { providerId, issuer, subject }: ProviderIdentity,
  now: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('oidc_identities')
    .values({
      provider_id: providerId,
      issuer,
      subject,
      user_id: userId,
      created_at: now,
      last_used_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Returns the identities of a user at all providers. */
export function findIdentities(db: Db, userId: string): Promise<Row<'oidc_identities'>[]> {
  return db.selectFrom('oidc_identities').selectAll().where('user_id', '=', userId).orderBy('provider_id').execute()
}

/** Disconnects the identity of a user at a provider; false if there is none. */
export async function deleteIdentity(db: Db, userId: string, providerId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oidc_identities')
    .where('user_id', '=', userId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
