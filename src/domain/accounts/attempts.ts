import { hash } from 'node:crypto'
import { BusyError } from '../../kernel/errors.ts'
import { hours, minutes, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'

/** Limit of failed attempts within a time. */
interface AttemptLimit {
  failures: number
  period: number
}

/**
 * Limits of failed attempts. Attempts from one network at one account are limited most. The limit for an account from all networks
 * does not apply to browsers in which its owner signed in before, so that nobody can lock the owner out.
 */
const limits = {
  pair: { failures: 5, period: minutes(15) },
  network: { failures: 50, period: minutes(15) },
  account: { failures: 100, period: hours(1) },
} satisfies Record<string, AttemptLimit>

/** Limits for an account by what is guessed. A code of six digits can be guessed with far fewer attempts than a password. */
const accountLimits: Readonly<Record<string, AttemptLimit>> = { totp: { failures: 20, period: hours(24) } }

/** Attempt to prove an identity with something that can be guessed. */
export interface Attempt {
  /** What is guessed, for example `password` or `totp`. */
  kind: string
  /** Account as the caller named it, whether it exists or not. */
  account: string
  /** Network of the client. */
  network: string
  /** ID of the browser, if the owner of the account signed in with it before. */
  knownBrowser: string | undefined
}

/**
 * Counts an attempt as failed, before it is verified, so that concurrent attempts cannot exceed the limit; throws if there were too
 * many. After a success, call `clearAttempts`.
 */
export async function countAttempt(db: Db, attempt: Attempt, now: string): Promise<void> {
  const message = 'Too many failed attempts. Try again later, or use another way to sign in'
  for (const { key, limit } of toCounters(attempt)) await countKey(db, key, limit, now, message)
}

async function countKey(db: Db, key: string, limit: AttemptLimit, now: string, message: string): Promise<void> {
  const { failures, expires_at } = await increment(db, key, limit.period, now)
  if (failures <= limit.failures) return
  const wait = Math.max(1, Math.ceil((Date.parse(expires_at) - Date.parse(now)) / 1000))
  throw new BusyError('rateLimited', message, wait)
}

const toKey = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url')

/** Removes the counters of an account and network after a success; the other counters are reduced by the attempt. */
export async function clearAttempts(db: Db, attempt: Attempt): Promise<void> {
  const [pair, ...others] = toCounters(attempt).map(({ key }) => key)
  if (pair !== undefined) await db.deleteFrom('sign_in_attempts').where('key', '=', pair).execute()
  if (others.length > 0) {
    await db
      .updateTable('sign_in_attempts')
      .set((eb) => ({ failures: eb('failures', '-', 1) }))
      .where('key', 'in', others)
      .where('failures', '>', 0)
      .execute()
  }
}

/** Limit on how often someone may do something, for example send a message. */
export interface UseLimit {
  /** What is counted, and for whom. */
  key: readonly string[]
  max: number
  period: number
}

/** Counts a use; false if the limit is exceeded. */
export async function countUse(db: Db, { key, max, period }: UseLimit, now: string): Promise<boolean> {
  const { failures } = await increment(db, toKey(key), period, now)
  return failures <= max
}

/** Counts a use; throws if the limit is exceeded. */
export function requireUse(db: Db, { key, max, period }: UseLimit, now: string): Promise<void> {
  const message = 'Too many requests of this kind from your network. Try again later'
  return countKey(db, toKey(key), { failures: max, period }, now, message)
}

export async function deleteExpiredAttempts(db: Db, now: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('expires_at', '<=', now).execute()
}

/** Returns the counters of an attempt; the first belongs to the account and the network or browser. */
function toCounters({ kind, account, network, knownBrowser }: Attempt): { key: string; limit: AttemptLimit }[] {
  if (knownBrowser !== undefined) return [{ key: toKey([kind, 'pair', account, knownBrowser]), limit: limits.pair }]
  return [
    { key: toKey([kind, 'pair', account, network]), limit: limits.pair },
    { key: toKey([kind, 'network', network]), limit: limits.network },
    { key: toKey([kind, 'account', account]), limit: accountLimits[kind] ?? limits.account },
  ]
}

/** Adds one failure to a counter, which starts again when its period is over. */
function increment(db: Db, key: string, period: number, now: string) {
  const expiresAt = timestamp(Date.parse(now) + period)
  return db
    .insertInto('sign_in_attempts')
    .values({ key, failures: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        failures: eb
          .case()
          .when('sign_in_attempts.expires_at', '<=', now)
          .then(1)
          .else(eb('sign_in_attempts.failures', '+', 1))
          .end(),
        expires_at: eb
          .case()
          .when('sign_in_attempts.expires_at', '<=', now)
          .then(expiresAt)
          .else(eb.ref('sign_in_attempts.expires_at'))
          .end(),
      })),
    )
    .returning(['failures', 'expires_at'])
    .executeTakeFirstOrThrow()
}
