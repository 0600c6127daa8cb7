import { randomBytes } from 'node:crypto'
import { hashToken } from '../../kernel/hash-token.ts'
import { minutes, timestamp } from '../../kernel/time.ts'
import type { Db, Row } from '../../schema/tables.ts'

/** Time in which the second factor has to be given. */
export const pendingLifetime = minutes(10)

/** Stores a sign-in that waits for the second factor, and returns its token. Only the hash is stored. */
export async function createPendingSignIn(
  db: Db,
  pending: Omit<Row<'pending_sign_ins'>, 'hash' | 'browser_hash' | 'expires_at'>,
  { browserId, now }: { browserId: string; now: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('pending_sign_ins')
    .values({
      ...pending,
      hash: hashToken(token),
      browser_hash: hashToken(browserId),
      expires_at: timestamp(Date.parse(now) + pendingLifetime),
    })
    .execute()
  return token
}

/** Returns a sign-in that has not expired. From another browser it is not found. */
export function findPendingSignIn(
  db: Db,
  token: string,
  { browserId, now }: { browserId: string; now: string },
): Promise<Row<'pending_sign_ins'> | undefined> {
  return db
    .selectFrom('pending_sign_ins')
    .selectAll()
    .where('hash', '=', hashToken(token))
    .where('browser_hash', '=', hashToken(browserId))
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Ends a pending sign-in; false if another request has completed it in the meantime. */
export async function usePendingSignIn(db: Db, { hash: key }: Pick<Row<'pending_sign_ins'>, 'hash'>): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pending_sign_ins').where('hash', '=', key).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends all pending sign-ins of a user. */
export async function deletePendingSignIns(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}

export async function deleteExpiredPendingSignIns(db: Db, now: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
}
