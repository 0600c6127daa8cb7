import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../../schema/tables.ts'
import { encodeBase32 } from './totp.ts'

const codeCount = 10
/** Length of codes in bytes: 80 bits, so that a plain hash is sufficient. */
const codeLength = 10

/** Returns the stored form of a code. Spaces, hyphens and case do not matter, because people copy codes by hand. */
const hashCode = (code: string): string => hash('sha256', code.replace(/[^a-z0-9]/gi, '').toUpperCase(), 'hex')

const generateCode = (): string => encodeBase32(randomBytes(codeLength)).replace(/(.{4})(?=.)/g, '$1-')

/** Replaces the recovery codes of a user and returns the new ones. Only their hashes are stored. */
export async function replaceRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, generateCode)
  await deleteRecoveryCodes(db, userId)
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, hash: hashCode(code) })))
    .execute()
  return codes
}

export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .where('user_id', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Accepts a recovery code of a user, once. */
export async function useRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hashCode(code))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
