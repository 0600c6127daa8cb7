import type { BaseContext } from '../../kernel/context.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'

type FollowRow = Row<'follows'>

/** What users follow. */
export type FollowTarget = Pick<FollowRow, 'organization_id' | 'space_id' | 'target' | 'target_id'>

export const spaceTarget = ({ organization_id, id }: Pick<Row<'spaces'>, 'organization_id' | 'id'>): FollowTarget => ({
  organization_id,
  space_id: id,
  target: 'space',
  target_id: id,
})

export const changeRequestTarget = ({
  organization_id,
  space_id,
  id,
}: Pick<Row<'change_requests'>, 'organization_id' | 'space_id' | 'id'>): FollowTarget => ({
  organization_id,
  space_id,
  target: 'change-request',
  target_id: id,
})

const selectFollows = (db: Db, { organization_id, space_id, target }: Omit<FollowTarget, 'target_id'>) =>
  db
    .selectFrom('follows')
    .where('organization_id', '=', organization_id)
    .where('space_id', '=', space_id)
    .where('target', '=', target)

/** Makes users follow what they take part in, unless they have decided otherwise. */
export async function followByTakingPart(
  { db, now }: Pick<BaseContext, 'db' | 'now'>,
  target: FollowTarget,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return
  await db
    .insertInto('follows')
    .values(userIds.map((userId) => ({ ...target, user_id: userId, is_following: 1 as const, created_at: now() })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores whether a user wants to follow something. */
export async function storeFollow(
  { db, now }: Pick<BaseContext, 'db' | 'now'>,
  target: FollowTarget,
  userId: string,
  isFollowing: boolean,
): Promise<void> {
  const is_following = toFlag(isFollowing)
  await db
    .insertInto('follows')
    .values({ ...target, user_id: userId, is_following, created_at: now() })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'space_id', 'target', 'target_id', 'user_id']).doUpdateSet({ is_following }),
    )
    .execute()
}

/** Returns whether a user follows something; undefined if they have not decided and do not take part. */
export async function findFollow(db: Db, target: FollowTarget, userId: string): Promise<boolean | undefined> {
  const row = await selectFollows(db, target)
    .where('target_id', '=', target.target_id)
    .where('user_id', '=', userId)
    .select('is_following')
    .executeTakeFirst()
  return row && row.is_following === 1
}

/** Counts what a user follows, or has decided not to follow, up to a limit. */
export async function countFollows(db: Db, userId: string, limit: number): Promise<number> {
  const rows = await db.selectFrom('follows').select('target_id').where('user_id', '=', userId).limit(limit).execute()
  return rows.length
}

/** Returns those of some users who do not want to follow something. */
export async function findUnfollowed(
  db: Db,
  target: FollowTarget,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await selectFollows(db, target)
    .where('target_id', '=', target.target_id)
    .where('user_id', 'in', userIds)
    .where('is_following', '=', 0)
    .select('user_id')
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

/** Returns the users who follow something, in portions. */
export async function* findFollowers(db: Db, target: FollowTarget, portion: number): AsyncGenerator<string[]> {
  let after = ''
  for (;;) {
    const rows = await selectFollows(db, target)
      .where('target_id', '=', target.target_id)
      .where('user_id', '>', after)
      .where('is_following', '=', 1)
      .select('user_id')
      .orderBy('user_id')
      .limit(portion)
      .execute()
    if (rows.length > 0) yield rows.map((row) => row.user_id)
    if (rows.length < portion) return
    after = rows.at(-1)?.user_id ?? ''
  }
}

/** Returns the pages of a space that users follow, up to a limit. */
export async function findFollowedPageIds(
  db: Db,
  { organization_id, id }: Pick<Row<'spaces'>, 'organization_id' | 'id'>,
  limit: number,
): Promise<string[]> {
  const rows = await selectFollows(db, { organization_id, space_id: id, target: 'page' })
    .where('is_following', '=', 1)
    .select('target_id')
    .distinct()
    .orderBy('target_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.target_id)
}
