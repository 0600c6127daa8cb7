import { sql } from 'kysely'
import type { Db, Row } from '../../schema/tables.ts'
import type { CommentFilter, CommentScope, CountedPost } from './comment-store.ts'

type CountRow = Row<'comment_counts'>

/** Change of the number of comments or replies like this one. */
export interface CountChange {
  post: CountedPost
  by: number
}

/** Adds changes to the stored numbers of comments. */
export async function addCommentCounts(db: Db, changes: readonly CountChange[]): Promise<void> {
  const rows = new Map<string, CountRow>()
  for (const { post, by } of changes) {
    for (const key of countKeysOf(post)) {
      const id = JSON.stringify([key.page_id, key.author_id, key.status])
      rows.set(id, { ...key, count: (rows.get(id)?.count ?? 0) + by })
    }
  }
  const changed = [...rows.values()].filter(({ count }) => count !== 0)
  if (changed.length === 0) return
  await db
    .insertInto('comment_counts')
    .values(changed)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'space_id', 'change_request_id', 'page_id', 'author_id', 'status'])
        .doUpdateSet({ count: sql`comment_counts.count + excluded.count` }),
    )
    .execute()
}

/** Returns the keys of all rows that count a comment or reply. */
function countKeysOf(post: CountedPost): Omit<CountRow, 'count'>[] {
  const { organization_id, space_id, change_request_id, page_id: page, author_id: author } = post
  const scope = { organization_id, space_id, change_request_id: change_request_id ?? '' }
  if (post.parent_id !== null) {
    return author === null ? [] : [{ ...scope, page_id: '', author_id: author, status: 'reply' }]
  }
  const pages = page === null ? [''] : ['', page]
  const authors = author === null ? [''] : ['', author]
  return pages.flatMap((page_id) => authors.map((author_id) => ({ ...scope, page_id, author_id, status: post.status })))
}

function selectCounts(db: Db, { organizationId, spaceId, changeRequestId }: CommentScope) {
  return db
    .selectFrom('comment_counts')
    .where('comment_counts.organization_id', '=', organizationId)
    .where('comment_counts.space_id', '=', spaceId)
    .where('comment_counts.change_request_id', '=', changeRequestId ?? '')
}

/** Returns the number of comments that match a filter. */
export async function findCommentCount(
  db: Db,
  scope: CommentScope,
  { status, targetPage = '', authors }: CommentFilter,
): Promise<number> {
  const { count } = await selectCounts(db, scope)
    .where('page_id', '=', targetPage)
    .where('status', 'in', status === 'all' ? ['open', 'resolved'] : [status])
    .$if(authors === undefined, (query) => query.where('author_id', '=', ''))
    // The rows of a deleted account remain, but its comments have no author.
    .$if(authors !== undefined, (query) =>
      query.where('author_id', 'in', (eb) =>
        eb
          .selectFrom('users')
          .select('id')
          .where('id', 'in', authors ?? []),
      ),
    )
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), sql.lit(0)).as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Selects the members who posted comments or replies. */
function selectCommenters(db: Db, scope: CommentScope) {
  return selectCounts(db, scope)
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'comment_counts.organization_id')
        .onRef('members.user_id', '=', 'comment_counts.author_id'),
    )
    .where('comment_counts.page_id', '=', '')
    .where('comment_counts.count', '>', 0)
}

/** Returns the ids of the members who posted comments or replies, after an id. */
export async function findCommenterIds(
  db: Db,
  scope: CommentScope,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await selectCommenters(db, scope)
    .select('comment_counts.author_id')
    .distinct()
    .$if(after !== undefined, (query) => query.where('comment_counts.author_id', '>', after as string))
    .orderBy('comment_counts.author_id')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => row.author_id)
}

export async function countCommenters(db: Db, scope: CommentScope): Promise<number> {
  const { count } = await selectCommenters(db, scope)
    .select((eb) => eb.fn.count<number>('comment_counts.author_id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
