import { type Insertable, sql } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

type CommentKey = Pick<Row<'comments'>, 'organization_id' | 'space_id' | 'id'>

/**
 * Replaces the mentions in a comment or reply; users who were mentioned before keep the time of their mention. Returns the users who
 * were not mentioned before.
 */
export async function replaceMentions(
  db: Db,
  comment: CommentKey,
  mentions: readonly Insertable<Tables['comment_mentions']>[],
): Promise<string[]> {
  const userIds = mentions.map((mention) => mention.user_id)
  const removed = await db
    .deleteFrom('comment_mentions')
    .where('organization_id', '=', comment.organization_id)
    .where('comment_id', '=', comment.id)
    .$if(userIds.length > 0, (query) => query.where('user_id', 'not in', userIds))
    .returning('user_id')
    .execute()
  const added =
    mentions.length === 0
      ? []
      : await db
          .insertInto('comment_mentions')
          .values(mentions)
          .onConflict((conflict) => conflict.doNothing())
          .returning('user_id')
          .execute()
  await addMentionCounts(db, comment, [
    ...removed.map((row) => ({ ...row, count: -1 })),
    ...added.map((row) => ({ ...row, count: 1 })),
  ])
  return added.map((row) => row.user_id)
}

/** Deletes the mentions in a comment and its replies, or in a reply. */
export async function deleteMentions(db: Db, comment: CommentKey): Promise<void> {
  const selectIds = (column: 'id' | 'parent_id') =>
    db
      .selectFrom('comments')
      .select('id')
      .where('organization_id', '=', comment.organization_id)
      .where(column, '=', comment.id)
  const deleted = await db
    .deleteFrom('comment_mentions')
    .where('organization_id', '=', comment.organization_id)
    .where('comment_id', 'in', selectIds('id').union(selectIds('parent_id')))
    .returning('user_id')
    .execute()
  const mentions = new Map<string, number>()
  for (const { user_id: userId } of deleted) mentions.set(userId, (mentions.get(userId) ?? 0) + 1)
  await addMentionCounts(
    db,
    comment,
    Array.from(mentions, ([userId, count]) => ({ user_id: userId, count: -count })),
  )
}

/** Adds to the numbers of mentions of users in a space. */
async function addMentionCounts(
  db: Db,
  { organization_id, space_id }: CommentKey,
  changes: readonly Pick<Row<'mention_counts'>, 'user_id' | 'count'>[],
): Promise<void> {
  for (const batch of toBatches(changes)) {
    await db
      .insertInto('mention_counts')
      .values(batch.map((change) => ({ ...change, organization_id, space_id })))
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'organization_id', 'space_id'])
          .doUpdateSet({ count: sql`mention_counts.count + excluded.count` }),
      )
      .execute()
  }
}

/** Finds the spaces in which a user is mentioned, with the number of mentions. */
export function findMentionCounts(db: Db, userId: string): Promise<Omit<Row<'mention_counts'>, 'user_id'>[]> {
  return db
    .selectFrom('mention_counts')
    .select(['organization_id', 'space_id', 'count'])
    .where('user_id', '=', userId)
    .where('count', '>', 0)
    .execute()
}

/** A comment or reply with the time at which a user was mentioned in it. */
export type MentionRow = Awaited<ReturnType<typeof findMentions>>[number]

/** Finds the comments and replies of spaces in which a user is mentioned, newest first. */
export function findMentions(
  db: Db,
  userId: string,
  spaceIds: readonly string[],
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return db
    .selectFrom('comment_mentions')
    .where('comment_mentions.user_id', '=', userId)
    .where('comment_mentions.space_id', 'in', spaceIds)
    .innerJoin('comments', (join) =>
      join
        .onRef('comments.organization_id', '=', 'comment_mentions.organization_id')
        .onRef('comments.id', '=', 'comment_mentions.comment_id'),
    )
    .selectAll('comments')
    .select('comment_mentions.created_at as mentioned_at')
    .$if(after !== undefined, (query) => query.where('comment_mentions.comment_id', '<', after?.[0] as string))
    .orderBy('comment_mentions.comment_id', 'desc')
    .limit(limit + 1)
    .execute()
}
