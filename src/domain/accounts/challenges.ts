import { hash, randomBytes } from 'node:crypto'
import type { Signer } from '../../kernel/signer.ts'
import { minutes, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'

/** What a challenge is for; a passkey's answer to it is accepted for nothing else. */
export interface ChallengeBinding {
  /** Purpose, with the ID of the user or link that it belongs to. */
  purpose: string
  browserId: string
}

export const challengeLifetime = minutes(5)

/**
 * Creates a challenge for a passkey. It is signed instead of stored, so that anyone can request challenges without a write to the
 * database; only those that a passkey has answered are stored, by `useChallenge`.
 */
export function createChallenge(signer: Signer, binding: ChallengeBinding, now: string): string {
  const nonce = randomBytes(16).toString('base64url')
  const expiry = String(Date.parse(now) + challengeLifetime)
  const signature = signer.sign(toSignedText(binding, nonce, expiry))
  return Buffer.from(`${nonce}.${expiry}.${signature}`).toString('base64url')
}

/** Whether a challenge was created for the same purpose and browser and has not expired. */
export function isValidChallenge(signer: Signer, binding: ChallengeBinding, challenge: string, now: string): boolean {
  const { nonce, expiry, signature } = parseChallenge(challenge)
  return signer.verify(toSignedText(binding, nonce, expiry), signature) && Number(expiry) > Date.parse(now)
}

function parseChallenge(challenge: string): { nonce: string; expiry: string; signature: string } {
  const [nonce = '', expiry = '', signature = ''] = Buffer.from(challenge, 'base64url').toString().split('.')
  return { nonce, expiry, signature }
}

const toSignedText = ({ purpose, browserId }: ChallengeBinding, nonce: string, expiry: string): string =>
  `challenge ${JSON.stringify([purpose, browserId, nonce, expiry])}`

/** Marks a valid challenge as used; false if it was used before. */
export async function useChallenge(db: Db, challenge: string, now: string): Promise<boolean> {
  // Only what is signed identifies a challenge, because a signature has several encodings.
  const { nonce, expiry } = parseChallenge(challenge)
  const key = hash('sha256', `${nonce}.${expiry}`, 'hex')
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ hash: key, expires_at: timestamp(Date.parse(now) + challengeLifetime) })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

export async function deleteExpiredChallenges(db: Db, now: string): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<=', now).execute()
}
