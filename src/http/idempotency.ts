import { createHash } from 'node:crypto'
import { AppError, invalid } from '../kernel/errors.ts'
import type { Db, Row } from '../schema/tables.ts'

/** A request that may be sent again without being carried out again. */
export interface Repeatable {
  userId: string
  key: string
  /** Of method, path and body: the same key must not be used for another request. */
  fingerprint: string
}

export function repeatable(userId: string, key: string, method: string, url: string, body: Uint8Array): Repeatable {
  if (key.length > 255) throw invalid('header.Idempotency-Key', 'must have at most 255 characters')
  const fingerprint = createHash('sha256').update(`${method} ${url}\n`).update(body).digest('hex')
  return { userId, key, fingerprint }
}

/** The reply that was given to this request before, if it was. */
export async function findEarlierReply(db: Db, request: Repeatable): Promise<Row<'idempotency_keys'> | undefined> {
  const earlier = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .executeTakeFirst()
  if (earlier && earlier.fingerprint !== request.fingerprint) {
    throw new AppError('unprocessable', 'This Idempotency-Key was already used for a different request. Use a new key')
  }
  return earlier
}

/** Keeps a reply, in the transaction that did the work, so that both are there or neither. */
export async function keepReply(
  db: Db,
  request: Repeatable,
  reply: { status: number; location: string | null; body: string | null },
  now: string,
): Promise<void> {
  const { userId, key, fingerprint } = request
  await db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, fingerprint, ...reply, created_at: now })
    .execute()
}
