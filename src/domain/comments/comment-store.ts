import { type Insertable, type Updateable, sql } from 'kysely'
import { maxListedReactors, maxListedRepliers } from '../../contract/comment.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

/** The comments of a space, or those of one of its change requests. */
export interface CommentScope {
  organizationId: string
  spaceId: string
  /** Null for the comments of the space itself. */
  changeRequestId: string | null
}

type CommentKey = Pick<Row<'comments'>, 'organization_id' | 'id'>

interface PageOptions {
  after: Cursor | undefined
  limit: number
}

export interface CommentFilter {
  status: 'all' | Row<'comments'>['status']
  targetPage?: string | undefined
  authors?: readonly string[] | undefined
}

function selectComments(
  db: Db,
  { organizationId, spaceId, changeRequestId }: CommentScope,
  { status, targetPage, authors }: CommentFilter,
) {
  return db
    .selectFrom('comments')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('change_request_id', changeRequestId === null ? 'is' : '=', changeRequestId)
    .where('parent_id', 'is', null)
    .$if(status !== 'all', (query) => query.where('status', '=', status as Row<'comments'>['status']))
    .$if(targetPage !== undefined, (query) => query.where('page_id', '=', targetPage as string))
    .$if(authors !== undefined, (query) => query.where('author_id', 'in', authors as string[]))
}

export function findComments(
  db: Db,
  scope: CommentScope,
  filter: CommentFilter,
  { after, limit, order }: PageOptions & { order: 'asc' | 'desc' },
): Promise<Row<'comments'>[]> {
  return (
    selectComments(db, scope, filter)
      .selectAll()
      .$if(after !== undefined, (query) => query.where('id', order === 'asc' ? '>' : '<', after?.[0] as string))
      // This column has one value in a scope. PostgreSQL needs it here to read the rows in the order of the index.
      .orderBy('change_request_id', order)
      .orderBy('id', order)
      .limit(limit + 1)
      .execute()
  )
}

export function findComment(db: Db, scope: CommentScope, id: string): Promise<Row<'comments'> | undefined> {
  return selectComments(db, scope, { status: 'all' }).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the comments that reviews contain, by the id of the review. */
export async function findCommentsOfReviews(
  db: Db,
  organizationId: string,
  reviewIds: readonly string[],
): Promise<Row<'comments'>[]> {
  if (reviewIds.length === 0) return []
  return db
    .selectFrom('comments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('review_id', 'in', reviewIds)
    .execute()
}

function selectReplies(db: Db, comment: CommentKey) {
  return db
    .selectFrom('comments')
    .where('organization_id', '=', comment.organization_id)
    .where('parent_id', '=', comment.id)
}

export function findReplies(db: Db, comment: CommentKey, { after, limit }: PageOptions): Promise<Row<'comments'>[]> {
  return selectReplies(db, comment)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] as string))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export function findReply(db: Db, comment: CommentKey, id: string): Promise<Row<'comments'> | undefined> {
  return selectReplies(db, comment).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertComment(db: Db, comment: Insertable<Tables['comments']>): Promise<Row<'comments'>> {
  return db.insertInto('comments').values(comment).returningAll().executeTakeFirstOrThrow()
}

export function updateComment(
  db: Db,
  { organization_id, id }: CommentKey,
  values: Updateable<Tables['comments']>,
): Promise<Row<'comments'>> {
  return db
    .updateTable('comments')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function addReplyCount(db: Db, { organization_id, id }: CommentKey, added: number): Promise<void> {
  await db
    .updateTable('comments')
    .set((eb) => ({ reply_count: eb('reply_count', '+', added) }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** The columns of a comment or reply that `comment_counts` depends on. */
export type CountedPost = Pick<
  Row<'comments'>,
  'organization_id' | 'id' | 'space_id' | 'change_request_id' | 'parent_id' | 'page_id' | 'author_id' | 'status'
>

/**
 * Deletes a comment with its replies, or a reply; foreign keys delete reactions and mentions. Returns what is needed to update
 * the stored counts.
 */
export async function deletePosts(db: Db, { organization_id, id }: CommentKey): Promise<CountedPost[]> {
  const deleted: CountedPost[] = []
  for (const column of ['parent_id', 'id'] as const) {
    const rows = await db
      .deleteFrom('comments')
      .where('organization_id', '=', organization_id)
      .where(column, '=', id)
      .returning([
        'organization_id',
        'id',
        'space_id',
        'change_request_id',
        'parent_id',
        'page_id',
        'author_id',
        'status',
      ])
      .execute()
    for (const row of rows) deleted.push(row)
  }
  return deleted
}

/** Finds comments and replies by their IDs. */
export function findPostsById(db: Db, organizationId: string, ids: readonly string[]): Promise<Row<'comments'>[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('comments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Finds the users who wrote a comment or replied to it. */
export async function findThreadAuthorIds(db: Db, { organization_id, id }: CommentKey): Promise<string[]> {
  const rows = await db
    .selectFrom('comments')
    .select('author_id')
    .distinct()
    .where('organization_id', '=', organization_id)
    .where((eb) => eb.or([eb('id', '=', id), eb('parent_id', '=', id)]))
    .execute()
  return rows.flatMap((row) => row.author_id ?? [])
}

/** A user who replied to a comment. */
export interface ReplierRow {
  comment_id: string
  author_id: string | null
  count: number
  updated_at: string
}

/** Finds the users who replied last to each comment. */
export async function findRepliers(
  db: Db,
  organizationId: string,
  commentIds: readonly string[],
): Promise<ReplierRow[]> {
  if (commentIds.length === 0) return []
  const { rows } = await sql<ReplierRow>`
    select comment_id, author_id, count, updated_at from (
      select parent_id as comment_id, author_id, count(*) as count, max(created_at) as updated_at,
        row_number() over (partition by parent_id order by max(created_at) desc) as position
      from comments
      where organization_id = ${organizationId} and parent_id in (${sql.join(commentIds)})
      group by parent_id, author_id
    ) as repliers
    where position <= ${sql.lit(maxListedRepliers)}
    order by comment_id, position`.execute(db)
  return rows
}

export interface ReactionRow {
  comment_id: string
  emoji: string
  user_id: string
  created_at: string
  /** Number of all reactions with this emoji. */
  count: number
}

/** Finds the first reactions to comments and replies with each emoji, in the order in which the emojis were first used. */
export async function findReactions(
  db: Db,
  organizationId: string,
  commentIds: readonly string[],
): Promise<ReactionRow[]> {
  if (commentIds.length === 0) return []
  const { rows } = await sql<ReactionRow>`
    select comment_id, emoji, user_id, created_at, count from (
      select comment_id, emoji, user_id, created_at,
        count(*) over (partition by comment_id, emoji) as count,
        min(created_at) over (partition by comment_id, emoji) as first_at,
        row_number() over (partition by comment_id, emoji order by created_at, user_id) as position
      from comment_reactions
      where organization_id = ${organizationId} and comment_id in (${sql.join(commentIds)})
    ) as reactions
    where position <= ${sql.lit(maxListedReactors)}
    order by comment_id, first_at, emoji, position`.execute(db)
  return rows
}

export async function insertReactions(
  db: Db,
  reactions: readonly Insertable<Tables['comment_reactions']>[],
): Promise<void> {
  if (reactions.length === 0) return
  await db
    .insertInto('comment_reactions')
    .values(reactions)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteReactions(
  db: Db,
  { organization_id, id }: CommentKey,
  userId: string,
  emojis: readonly string[],
): Promise<void> {
  if (emojis.length === 0) return
  await db
    .deleteFrom('comment_reactions')
    .where('organization_id', '=', organization_id)
    .where('comment_id', '=', id)
    .where('user_id', '=', userId)
    .where('emoji', 'in', emojis)
    .execute()
}

/** Returns the emojis of all reactions to a comment or reply. */
export async function findReactionEmojis(db: Db, { organization_id, id }: CommentKey): Promise<string[]> {
  const rows = await db
    .selectFrom('comment_reactions')
    .select('emoji')
    .distinct()
    .where('organization_id', '=', organization_id)
    .where('comment_id', '=', id)
    .execute()
  return rows.map(({ emoji }) => emoji)
}
