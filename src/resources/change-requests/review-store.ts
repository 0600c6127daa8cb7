import type { Insertable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

type RequestKey = Pick<Row<'change_requests'>, 'organization_id' | 'id'>

export function insertReview(
  db: Db,
  review: Insertable<Tables['change_request_reviews']>,
): Promise<Row<'change_request_reviews'>> {
  return db.insertInto('change_request_reviews').values(review).returningAll().executeTakeFirstOrThrow()
}

/** Selects the reviews of the current revision of a change request (false), of earlier revisions (true) or all (undefined). */
function selectReviews(
  db: Db,
  request: Pick<Row<'change_requests'>, 'organization_id' | 'id' | 'revision_id'>,
  outdated: boolean | undefined,
) {
  return db
    .selectFrom('change_request_reviews')
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
    .$if(outdated === false, (query) => query.where('revision_id', '=', request.revision_id))
    .$if(outdated === true, (query) => query.where('revision_id', '<>', request.revision_id))
}

export function findReviews(
  db: Db,
  request: Row<'change_requests'>,
  { outdated, after, limit }: { outdated: boolean | undefined; after: Cursor | undefined; limit: number },
) {
  return selectReviews(db, request, outdated)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countReviews(
  db: Db,
  request: Row<'change_requests'>,
  outdated: boolean | undefined,
): Promise<number> {
  const { count } = await selectReviews(db, request, outdated)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findReview(db: Db, request: Row<'change_requests'>, id: string) {
  return selectReviews(db, request, undefined).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the latest review of each reviewer. */
export async function findLatestReviews(db: Db, request: Row<'change_requests'>) {
  const rows = await selectReviews(db, request, undefined)
    .select(['reviewer_id', 'status', 'revision_id'])
    .orderBy('id')
    .execute()
  return [...new Map(rows.map((row) => [row.reviewer_id, row])).values()]
}

/** Stores requested reviewers; an existing request is replaced. */
export async function upsertRequestedReviewers(
  db: Db,
  reviewers: readonly Insertable<Tables['change_request_reviewers']>[],
): Promise<void> {
  await db
    .insertInto('change_request_reviewers')
    .values(reviewers)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'change_request_id', 'user_id']).doUpdateSet((eb) => ({
        revision_id: eb.ref('excluded.revision_id'),
        requested_by: eb.ref('excluded.requested_by'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .execute()
}

function selectRequestedReviewers(db: Db, request: RequestKey) {
  return db
    .selectFrom('change_request_reviewers')
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
}

export function findRequestedReviewers(
  db: Db,
  request: RequestKey,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return selectRequestedReviewers(db, request)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('user_id', '>', after?.[0] as string))
    .orderBy('user_id')
    .limit(limit + 1)
    .execute()
}

export async function countRequestedReviewers(db: Db, request: RequestKey): Promise<number> {
  const { count } = await selectRequestedReviewers(db, request)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes a requested reviewer; returns the id of the user who requested the review. */
export async function deleteRequestedReviewer(
  db: Db,
  request: RequestKey,
  userId: string,
): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('change_request_reviewers')
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
    .where('user_id', '=', userId)
    .returning('requested_by')
    .executeTakeFirst()
  return deleted?.requested_by
}
