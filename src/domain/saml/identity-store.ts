import type { Insertable } from 'kysely'
import type { Db, Row, Tables } from '../../schema/tables.ts'

/** Finds the account of a person at a SAML provider. */
export function findIdentity(db: Db, providerId: string, subject: string): Promise<Row<'saml_identities'> | undefined> {
  return db
    .selectFrom('saml_identities')
    .selectAll()
    .where('provider_kind', '=', 'saml')
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function insertIdentity(db: Db, identity: Insertable<Tables['saml_identities']>): Promise<void> {
  await db.insertInto('saml_identities').values(identity).execute()
}

export async function recordIdentityUse(
  db: Db,
  { provider_id, subject }: Row<'saml_identities'>,
  at: string,
): Promise<void> {
  await db
    .updateTable('saml_identities')
    .set({ last_used_at: at })
    .where('provider_kind', '=', 'saml')
    .where('provider_id', '=', provider_id)
    .where('subject', '=', subject)
    .execute()
}

export async function deleteIdentitiesOfProvider(db: Db, providerId: string): Promise<void> {
  await db
    .deleteFrom('saml_identities')
    .where('provider_kind', '=', 'saml')
    .where('provider_id', '=', providerId)
    .execute()
}
