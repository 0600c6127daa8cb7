import { createHash } from 'node:crypto'
import { AppError, invalid } from '../kernel/errors.ts'
import type { Db, Row } from '../schema/tables.ts'

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  userId: string
  key: string
  /** Hash of method, path and body, which detects a key that is used for another request. */
  fingerprint: string
}

export function toIdempotentRequest(
  userId: string,
  key: string,
  method: string,
  url: string,
  body: Uint8Array,
): IdempotentRequest {
  if (key.length > 255) throw invalid('header.Idempotency-Key', 'must have at most 255 characters')
  const fingerprint = createHash('sha256').update(`${method} ${url}\n`).update(body).digest('hex')
  return { userId, key, fingerprint }
}

/** Returns the stored reply to an earlier request with the same key. */
export async function findStoredReply(
  db: Db,
  request: IdempotentRequest,
): Promise<Row<'idempotency_keys'> | undefined> {
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

/** Stores a reply in the transaction of its request, so that both are committed or neither. */
export async function storeReply(
  db: Db,
  request: IdempotentRequest,
  reply: { status: number; location: string | null; body: string | null },
  now: string,
): Promise<void> {
  const { userId, key, fingerprint } = request
  await db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, fingerprint, ...reply, created_at: now })
    .execute()
}
