import { type RawBuilder, sql } from 'kysely'
import type { FeedbackRating } from '../../contract/insights-events.ts'
import { type SpaceHead, selectSpaceHeads } from '../../derived/heads.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, SiteKey } from '../../schema/tables.ts'

export type SiteEvent = Row<'site_events'>
export type Feedback = Row<'site_feedback'>

export function findPublishedSite(db: Db, organizationId: string, siteId: string) {
  return db
    .selectFrom('sites')
    .select(['organization_id', 'id', 'visibility'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', siteId)
    .where('published', '=', 1)
    .executeTakeFirst()
}

/** Finds the items of a site that have one of the ids or contain one of the spaces. */
export async function findItems(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
  { ids, spaceIds }: { ids: readonly string[]; spaceIds: readonly string[] },
) {
  if (ids.length + spaceIds.length === 0) return []
  return await db
    .selectFrom('site_items')
    .select(['id', 'kind', 'space_id'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ...(spaceIds.length > 0 ? [eb('space_id', 'in', spaceIds)] : []),
      ]),
    )
    .execute()
}

/** Finds share links by their keys or ids. */
export async function findShareLinks(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
  keys: readonly string[],
) {
  if (keys.length === 0) return []
  return await db
    .selectFrom('share_links')
    .select(['id', 'key'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .where((eb) => eb.or([eb('id', 'in', keys), eb('key', 'in', keys)]))
    .execute()
}

/** Finds the heads of spaces, including deleted ones, as events may arrive after a space was deleted. */
export async function findHeads(
  db: Db,
  { organization_id: organizationId }: SiteKey,
  spaceIds: readonly string[],
): Promise<SpaceHead[]> {
  if (spaceIds.length === 0) return []
  return selectSpaceHeads(db)
    .where('spaces.organization_id', '=', organizationId)
    .where('spaces.id', 'in', spaceIds)
    .execute()
}

export async function insertEvents(db: Db, events: readonly SiteEvent[]): Promise<void> {
  await db.insertInto('site_events').values(events).execute()
}

/** A period that includes `from` and excludes `to`. */
export interface TimeRange {
  from: string
  to: string
}

/** Counts the events of each portion in a period, up to `maxCount`; portions without events are left out. */
export async function countByPortion(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
  { from, to }: TimeRange,
  maxCount: number,
): Promise<{ portion: number; count: number }[]> {
  // Each step finds the next portion through the primary key, so the cost depends on the number of existing portions.
  const { rows } = await sql<{ portion: number; count: number }>`
    with recursive portions (portion) as (
      select min(portion) from site_events where organization_id = ${organizationId} and site_id = ${id}
      union all
      select (
        select min(portion) from site_events
        where organization_id = ${organizationId} and site_id = ${id} and portion > portions.portion
      ) from portions where portions.portion is not null
    ), counted (portion, count) as (
      select portion, (
        select count(*) from (
          select 1 as one from site_events
          where organization_id = ${organizationId} and site_id = ${id} and site_events.portion = portions.portion
            and occurred_at >= ${from} and occurred_at < ${to}
          limit ${maxCount}
        ) as first_events
      ) from portions where portion is not null
    )
    select portion, count from counted where count > 0 order by portion`.execute(db)
  return rows
}

export interface EventCountQuery extends TimeRange {
  site: SiteKey
  portions: readonly number[]
  conditions: readonly RawBuilder<unknown>[]
  /** Expressions to group by; `counts` are computed for each group. */
  groups: readonly RawBuilder<unknown>[]
  counts: readonly RawBuilder<unknown>[]
  limit: number
}

/** Counts the events of some portions; each row contains the values of a group, then its counts. */
export async function countEvents(
  db: Db,
  { site, portions, from, to, conditions, groups, counts, limit }: EventCountQuery,
): Promise<unknown[][]> {
  const selected = [...groups, ...counts].map((expression, index) => sql`${expression} as ${sql.ref(`c${index}`)}`)
  const filters = conditions.map((condition) => sql` and ${condition}`)
  // By column number, because the database does not recognize a repeated expression with parameters.
  const grouping = groups.map((_, index) => String(index + 1)).join(', ')
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(selected)} from site_events
    where organization_id = ${site.organization_id} and site_id = ${site.id} and portion in (${sql.join(portions)})
      and occurred_at >= ${from} and occurred_at < ${to}${sql.join(filters, sql``)}
    ${groups.length > 0 ? sql`group by ${sql.raw(grouping)}` : sql``}
    limit ${limit}`.execute(db)
  return rows.map((row) => selected.map((_, index) => row[`c${index}`]))
}

/** Stores feedback; a comment is added to an existing rating. The list must contain each `said_by` only once. */
export async function upsertFeedback(db: Db, feedback: readonly Feedback[]): Promise<void> {
  await db
    .insertInto('site_feedback')
    .values(feedback)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'site_id', 'said_by']).doUpdateSet((eb) => ({
        rating: eb.ref('excluded.rating'),
        comment: eb.fn.coalesce('excluded.comment', 'site_feedback.comment'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .execute()
}

export interface FeedbackFilter {
  rating?: FeedbackRating | undefined
  pageId?: string | undefined
}

function selectFeedback(db: Db, { organization_id: organizationId, id }: SiteKey, { rating, pageId }: FeedbackFilter) {
  return db
    .selectFrom('site_feedback')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .$if(rating !== undefined, (query) => query.where('rating', '=', rating as FeedbackRating))
    .$if(pageId !== undefined, (query) => query.where('page_id', '=', pageId as string))
}

export function findFeedback(
  db: Db,
  site: SiteKey,
  filter: FeedbackFilter,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<Feedback[]> {
  const [createdAt = '', id = ''] = after ?? []
  return selectFeedback(db, site, filter)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(createdAt, id))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countFeedback(db: Db, site: SiteKey, filter: FeedbackFilter): Promise<number> {
  const { count } = await selectFeedback(db, site, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
