import type { Insertable, Updateable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

export function findProviders(
  db: Db,
  organizationId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<Row<'saml_providers'>[]> {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] as string))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export async function countProviders(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('saml_providers')
    .where('organization_id', '=', organizationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Finds a provider of an organization. */
export function findProvider(db: Db, organizationId: string, providerId: string) {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', providerId)
    .executeTakeFirst()
}

/** Finds a provider of any organization, for the addresses at which people sign in. */
export function findProviderById(db: Db, providerId: string) {
  return db.selectFrom('saml_providers').selectAll().where('id', '=', providerId).executeTakeFirst()
}

/** Selects the providers with which people can sign in, see `isActive`. */
function selectActiveProviders(db: Db) {
  return db
    .selectFrom('saml_providers')
    .where('saml_providers.sso_url', '!=', '')
    .where('saml_providers.entity_id', '!=', '')
    .where('saml_providers.certificate', '!=', '')
}

/** Finds the providers of an organization with which people can sign in. */
export function findActiveProviders(db: Db, organizationId: string): Promise<Row<'saml_providers'>[]> {
  return selectActiveProviders(db).selectAll().where('organization_id', '=', organizationId).orderBy('id').execute()
}

/** Finds the active providers of organizations that have declared an email domain, the oldest first. */
export function findProvidersByEmailDomain(db: Db, domain: string, limit: number) {
  return selectActiveProviders(db)
    .innerJoin('email_domains', 'email_domains.organization_id', 'saml_providers.organization_id')
    .innerJoin('organizations', 'organizations.id', 'saml_providers.organization_id')
    .where('email_domains.domain', '=', domain)
    .select(['saml_providers.id', 'saml_providers.label', 'saml_providers.sso_url', 'organizations.title'])
    .orderBy('saml_providers.created_at')
    .orderBy('saml_providers.id')
    .limit(limit)
    .execute()
}

/** Whether any organization has a provider, configured or not. */
export async function hasProviders(db: Db): Promise<boolean> {
  return (await db.selectFrom('saml_providers').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Finds the providers whose certificates expire before a time, the first to expire first. */
export function findExpiringProviders(db: Db, before: string, limit: number): Promise<Row<'saml_providers'>[]> {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('certificate_expires_at', '<', before)
    .orderBy('certificate_expires_at')
    .limit(limit)
    .execute()
}

/** Finds the providers whose metadata was requested before a time, the first ones first. */
export function findProvidersToCheck(db: Db, before: string, limit: number): Promise<Row<'saml_providers'>[]> {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('metadata_url', 'is not', null)
    .where('metadata_checked_at', '<', before)
    .orderBy('metadata_checked_at')
    .limit(limit)
    .execute()
}

export function insertProvider(db: Db, provider: Insertable<Tables['saml_providers']>) {
  return db.insertInto('saml_providers').values(provider).returningAll().executeTakeFirstOrThrow()
}

export function updateProvider(
  db: Db,
  organizationId: string,
  providerId: string,
  values: Updateable<Tables['saml_providers']>,
) {
  return db
    .updateTable('saml_providers')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', providerId)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a provider; foreign keys delete its requests and used assertions. */
export async function deleteProvider(db: Db, organizationId: string, providerId: string): Promise<void> {
  await db
    .deleteFrom('saml_providers')
    .where('organization_id', '=', organizationId)
    .where('id', '=', providerId)
    .execute()
}

/** Whether people can sign in with a provider. */
export function isActive(provider: Pick<Row<'saml_providers'>, 'sso_url' | 'entity_id' | 'certificate'>): boolean {
  return provider.sso_url !== '' && provider.entity_id !== '' && provider.certificate !== ''
}
