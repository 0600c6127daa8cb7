import { type Insertable, type RawBuilder, type Updateable, sql } from 'kysely'
import { reachCondition } from '../../access/sso.ts'
import type { Principal } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { defineLookup } from '../../storage/lookup.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

const findById = defineLookup((db, { userId }: { userId: string }) =>
  db.selectFrom('users').selectAll().where('id', '=', userId),
)

/** Maximum number of users that are found one by one, through the cache of lookups. */
const maxCachedLookups = 2

export async function findUsers(db: Db, userIds: readonly string[]): Promise<Row<'users'>[]> {
  if (userIds.length > maxCachedLookups) return db.selectFrom('users').selectAll().where('id', 'in', userIds).execute()
  const found = await Promise.all(userIds.map((userId) => findById(db, { userId })))
  return found.filter((user) => user !== undefined)
}

export function findUsersByEmail(db: Db, emails: readonly string[]): Promise<Row<'users'>[]> {
  return db.selectFrom('users').selectAll().where('email', 'in', emails).execute()
}

/** Finds another user who is a member of one of the user's organizations in reach. */
export async function findFellowMember(
  db: Db,
  { user: { id: userId }, reach }: Principal,
  fellowId: string,
): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', fellowId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('members as mine')
          .innerJoin('members as theirs', 'theirs.organization_id', 'mine.organization_id')
          .where('mine.user_id', '=', userId)
          .where('mine.disabled', '=', 0)
          .where(reachCondition(reach, 'mine.organization_id'))
          .where('theirs.user_id', '=', fellowId)
          .select('mine.organization_id'),
      ),
    )
    .executeTakeFirst()
}

export function insertUser(db: Db, user: Insertable<Tables['users']>) {
  return db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()
}

export async function updateUser(db: Db, userId: string, values: Updateable<Tables['users']>) {
  return db.updateTable('users').set(values).where('id', '=', userId).returningAll().executeTakeFirstOrThrow()
}

/** Tokens that a caller can manage: all of the user, or only those of the organization whose identity provider signed the caller in. */
function manageableTokens({ user, reach }: Principal): RawBuilder<boolean> {
  const { only } = reach
  return only === undefined ? sql`user_id = ${user.id}` : sql`(user_id = ${user.id} and sso_organization_id = ${only})`
}

export function findTokens(
  db: Db,
  principal: Principal,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where(manageableTokens(principal))
    .where('grant_id', 'is', null)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countTokens(db: Db, principal: Principal): Promise<number> {
  const { count } = await db
    .selectFrom('tokens')
    .where(manageableTokens(principal))
    .where('grant_id', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function insertToken(db: Db, token: Insertable<Tables['tokens']>) {
  return db.insertInto('tokens').values(token).returningAll().executeTakeFirstOrThrow()
}

export async function deleteToken(db: Db, principal: Principal, tokenId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tokens')
    .where(manageableTokens(principal))
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all API tokens of a user. */
export async function deleteTokensOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('tokens').where('user_id', '=', userId).execute()
}
