import { sql } from 'kysely'
import type { Db, Tables } from '../schema/tables.ts'

/** Number of rows that are deleted in one transaction, so that others need not wait long. */
const portionSize = 500

/** Tables with rows of an organization, and a column by which a portion of them is selected. */
const keyColumns = {
  audit_events: 'id',
  email_invites: 'id',
  glossary_entries: 'id',
  link_invites: 'id',
  live_events: 'number',
  members: 'user_id',
  objects: 'hash',
  openapi_versions: 'id',
  saml_identities: 'user_id',
  saml_providers: 'id',
  scim_accounts: 'user_id',
  scim_tokens: 'id',
  site_events: 'id',
  site_feedback: 'id',
  translation_memory: 'text_hash',
  uploads: 'id',
} as const satisfies Partial<Record<keyof Tables, string>>

export type OrganizationTable = keyof typeof keyColumns

/** Deletes a portion of the rows of an organization; returns whether there may be more. */
export async function deleteRowsOfOrganization(
  db: Db,
  table: OrganizationTable,
  organizationId: string,
): Promise<boolean> {
  const [name, key] = [sql.table(table), sql.ref(keyColumns[table])]
  const { rows } = await sql<{ deleted: unknown }>`delete from ${name}
    where organization_id = ${organizationId} and ${key} in (
      select ${key} from ${name} where organization_id = ${organizationId} limit ${sql.lit(portionSize)}
    ) returning 1 as deleted`.execute(db)
  return rows.length >= portionSize
}
