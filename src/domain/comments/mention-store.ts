import type { Insertable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

type CommentKey = Pick<Row<'comments'>, 'organization_id' | 'id'>

/** Replaces the mentions in a comment or reply; users who were mentioned before keep the time of their mention. */
export async function replaceMentions(
  db: Db,
  { organization_id, id }: CommentKey,
  mentions: readonly Insertable<Tables['comment_mentions']>[],
): Promise<void> {
  const userIds = mentions.map((mention) => mention.user_id)
  await db
    .deleteFrom('comment_mentions')
    .where('organization_id', '=', organization_id)
    .where('comment_id', '=', id)
    .$if(userIds.length > 0, (query) => query.where('user_id', 'not in', userIds))
    .execute()
  if (mentions.length === 0) return
  await db
    .insertInto('comment_mentions')
    .values(mentions)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Finds the spaces in which a user is mentioned. */
export function findSpacesWithMentions(db: Db, userId: string) {
  return db
    .selectFrom('comment_mentions')
    .select(['organization_id', 'space_id'])
    .distinct()
    .where('user_id', '=', userId)
    .execute()
}

function selectMentions(db: Db, userId: string, spaceIds: readonly string[]) {
  return db
    .selectFrom('comment_mentions')
    .where('comment_mentions.user_id', '=', userId)
    .where('comment_mentions.space_id', 'in', spaceIds)
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
  return selectMentions(db, userId, spaceIds)
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

export async function countMentions(db: Db, userId: string, spaceIds: readonly string[]): Promise<number> {
  const { count } = await selectMentions(db, userId, spaceIds)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
