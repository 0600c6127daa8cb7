import { hash } from 'node:crypto'
import type { EmbedData } from '../../embeds/fetch-embed.ts'
import type { Db, Row } from '../../schema/tables.ts'

export type EmbedRow = Row<'embeds'>

/** Returns the key of a URL within an organization. */
const hashUrl = (url: string): string => hash('sha256', url, 'base64url')

/** Finds what is stored about URLs. */
export async function findEmbeds(
  db: Db,
  organizationId: string,
  urls: readonly string[],
): Promise<Map<string, EmbedRow>> {
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('embeds')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('url_hash', 'in', urls.map(hashUrl))
    .execute()
  return new Map(rows.map((row) => [row.url, row]))
}

/** Stores the result of a fetch: the data, or the fact that the URL has none. */
export async function storeEmbed(
  db: Db,
  organizationId: string,
  url: string,
  { data, expiresAt }: { data: EmbedData | undefined; expiresAt: string },
): Promise<void> {
  const { title = null, site = null, description = null, icon = null, player = null } = data ?? {}
  const values = {
    state: data ? ('found' as const) : ('absent' as const),
    title,
    site,
    description,
    icon,
    player,
    requested_at: null,
    expires_at: expiresAt,
  }
  await db
    .insertInto('embeds')
    .values({ organization_id: organizationId, url_hash: hashUrl(url), url, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'url_hash']).doUpdateSet(values))
    .execute()
}

/** Keeps the stored data of a URL until a later time. */
export async function extendEmbed(db: Db, organizationId: string, url: string, expiresAt: string): Promise<void> {
  await db
    .updateTable('embeds')
    .set({ requested_at: null, expires_at: expiresAt })
    .where('organization_id', '=', organizationId)
    .where('url_hash', '=', hashUrl(url))
    .execute()
}

/** Requests that URLs are fetched in the background. */
export async function insertRequests(
  db: Db,
  organizationId: string,
  urls: readonly string[],
  now: string,
): Promise<void> {
  const rows = urls.map((url) => ({
    organization_id: organizationId,
    url_hash: hashUrl(url),
    url,
    state: 'pending' as const,
    requested_at: now,
    expires_at: now,
  }))
  await db
    .insertInto('embeds')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'url_hash'])
        .doUpdateSet({ requested_at: now })
        .where('embeds.requested_at', 'is', null),
    )
    .execute()
}

/** Finds the URLs of an organization that should be fetched, those with the oldest requests first. */
export function findRequested(db: Db, organizationId: string, limit: number): Promise<EmbedRow[]> {
  return db
    .selectFrom('embeds')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('requested_at', 'is not', null)
    .orderBy('requested_at')
    .limit(limit)
    .execute()
}

/** Counts the URLs of an organization, up to a limit. */
export async function countEmbeds(db: Db, organizationId: string, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('embeds')
        .select('url_hash')
        .where('organization_id', '=', organizationId)
        .limit(limit)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes the rows of an organization that expire first. */
export async function deleteOldestEmbeds(db: Db, organizationId: string, count: number): Promise<void> {
  await db
    .deleteFrom('embeds')
    .where('organization_id', '=', organizationId)
    .where('url_hash', 'in', (eb) =>
      eb
        .selectFrom('embeds')
        .select('url_hash')
        .where('organization_id', '=', organizationId)
        .orderBy('expires_at')
        .limit(count),
    )
    .execute()
}

/** Deletes rows that expired before a time: those with data, and those without. */
export async function deleteExpiredEmbeds(db: Db, foundBefore: string, othersBefore: string): Promise<void> {
  await db.deleteFrom('embeds').where('state', '=', 'found').where('expires_at', '<', foundBefore).execute()
  await db
    .deleteFrom('embeds')
    .where('state', 'in', ['absent', 'pending'])
    .where('expires_at', '<', othersBefore)
    .execute()
}
