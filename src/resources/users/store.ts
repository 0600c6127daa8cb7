import type { Insertable, Updateable } from 'kysely'
import type { Cursor } from '../../kernel/page.ts'
import type { Db, Tables } from '../../storage/tables.ts'

export function findUser(db: Db, userId: string) {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
}

export function findUsers(db: Db, userIds: readonly string[]) {
  if (userIds.length === 0) return Promise.resolve([])
  return db.selectFrom('users').selectAll().where('id', 'in', userIds).execute()
}

export function insertUser(db: Db, user: Insertable<Tables['users']>) {
  return db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()
}

export async function updateUser(db: Db, userId: string, values: Updateable<Tables['users']>) {
  return db.updateTable('users').set(values).where('id', '=', userId).returningAll().executeTakeFirstOrThrow()
}

/** Whether two users are members of one organization. */
export async function shareOrganization(db: Db, userId: string, otherId: string): Promise<boolean> {
  const shared = await db
    .selectFrom('members as mine')
    .innerJoin('members as theirs', 'theirs.organization_id', 'mine.organization_id')
    .where('mine.user_id', '=', userId)
    .where('mine.disabled', '=', 0)
    .where('theirs.user_id', '=', otherId)
    .select('mine.organization_id')
    .executeTakeFirst()
  return shared !== undefined
}

export function findTokens(db: Db, userId: string, { after, limit }: { after: Cursor | undefined; limit: number }) {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countTokens(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('tokens')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function insertToken(db: Db, token: Insertable<Tables['tokens']>) {
  return db.insertInto('tokens').values(token).returningAll().executeTakeFirstOrThrow()
}

export async function deleteToken(db: Db, userId: string, tokenId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
