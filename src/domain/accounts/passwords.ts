import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { WorkQueue } from '../../kernel/work-queue.ts'
import { seconds } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'
import { commonPasswords } from './common-passwords.ts'

/** Parameters of scrypt for new hashes: 32 MB of memory and about 80 ms. Stored hashes contain their own. */
const cost = { N: 2 ** 15, r: 8, p: 1 }
const keyLength = 32
const saltLength = 16

/** Lengths of a password. The maximum limits the work of one request. */
export const passwordLengths = { min: 10, max: 256 }

/** Hashing uses the thread pool that files also use, so only a few passwords are hashed at a time. */
const hashing = new WorkQueue({
  maxRunning: 2,
  maxRunningPerCaller: 1,
  maxWaiting: 100,
  maxWaitingPerCaller: 10,
  maxWait: seconds(10),
})

/** Returns why a password is refused; undefined if it is acceptable. */
export function findPasswordProblem(password: string, email: string): string | undefined {
  if (password.length < passwordLengths.min) return `Use at least ${passwordLengths.min} characters.`
  if (password.length > passwordLengths.max) return `Use at most ${passwordLengths.max} characters.`
  const normalized = password.toLowerCase()
  const letters = normalized.replace(/[^a-z]/g, '')
  const account = email.slice(0, email.indexOf('@')).toLowerCase()
  if (commonPasswords.has(normalized) || commonPasswords.has(letters) || new Set(normalized).size < 4)
    return 'This password is too common.'
  if (normalized === email.toLowerCase() || (account.length > 3 && letters === account))
    return 'Do not use your email address as the password.'
  return undefined
}

/** Sets the password of a user. `hash` was made by `hashPassword`, before the transaction. */
export async function storePassword(db: Db, userId: string, hash: string, now: string): Promise<void> {
  const values = { hash, updated_at: now }
  await db
    .insertInto('passwords')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Returns when the password of a user was set; undefined if the user has none. */
export async function findPasswordTime(db: Db, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('passwords').select('updated_at').where('user_id', '=', userId).executeTakeFirst()
  return row?.updated_at
}

export async function deletePassword(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passwords').where('user_id', '=', userId).execute()
}

/** Returns the stored form of a password; `caller` is the network for which limits are counted. */
export async function hashPassword(password: string, caller: string): Promise<string> {
  const salt = randomBytes(saltLength)
  const key = await derive(password, salt, cost, caller)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/**
 * Whether the password of a user is correct. An unknown user, or one without a password, takes the same time, so that the time does
 * not reveal whether the account exists.
 */
export async function isPasswordCorrect(
  db: Db,
  userId: string | undefined,
  password: string,
  caller: string,
): Promise<boolean> {
  const row =
    userId === undefined
      ? undefined
      : await db.selectFrom('passwords').select('hash').where('user_id', '=', userId).executeTakeFirst()
  const { parameters, salt, key } = parseHash(row?.hash ?? placeholderHash)
  const derived = await derive(password.slice(0, passwordLengths.max), salt, parameters, caller)
  return derived.length === key.length && timingSafeEqual(derived, key) && row !== undefined
}

/** Hash with the current parameters that no password matches in practice. */
const placeholderHash = [
  'scrypt',
  cost.N,
  cost.r,
  cost.p,
  randomBytes(saltLength).toString('base64url'),
  randomBytes(keyLength).toString('base64url'),
].join('$')

function parseHash(stored: string) {
  const [, N, r, p, salt = '', key = ''] = stored.split('$')
  return {
    parameters: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}

/** Derives a key. Passwords are normalized, because keyboards produce different sequences for the same characters. */
function derive(password: string, salt: Buffer, parameters: typeof cost, caller: string): Promise<Buffer> {
  const maxmem = 256 * parameters.N * parameters.r
  return hashing.run(
    caller,
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, keyLength, { ...parameters, maxmem }, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}
