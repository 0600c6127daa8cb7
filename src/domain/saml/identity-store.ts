import type { Insertable } from 'kysely'
import type { Db, Row, Tables } from '../../schema/tables.ts'

/** Finds the account of a person at a SAML provider. */
export function findIdentity(db: Db, providerId: string, subject: string): Promise<Row<'identities'> | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('provider_kind', '=', 'saml')
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function insertIdentity(db: Db, identity: Insertable<Tables['identities']>): Promise<void> {
  await db.insertInto('identities').values(identity).execute()
}

export async function recordIdentityUse(
  db: Db,
  { provider_id, subject }: Row<'identities'>,
  at: string,
): Promise<void> {
  await db
    .updateTable('identities')
    .set({ last_used_at: at })
    .where('provider_kind', '=', 'saml')
    .where('provider_id', '=', provider_id)
    .where('subject', '=', subject)
    .execute()
}

export async function deleteIdentitiesOfProvider(db: Db, providerId: string): Promise<void> {
  await db.deleteFrom('identities').where('provider_kind', '=', 'saml').where('provider_id', '=', providerId).execute()
}
