import { deleteAuthenticatorApp, findAuthenticatorAppTime } from '../domain/accounts/authenticator-apps.ts'
import { findIdentities } from '../domain/accounts/identities.ts'
import { deletePasskey, findPasskeysOfUser, hasPasskey } from '../domain/accounts/passkeys.ts'
import { findPasswordTime } from '../domain/accounts/passwords.ts'
import { deleteRecoveryCodes } from '../domain/accounts/recovery-codes.ts'
import type { Db } from '../schema/tables.ts'
import type { PageContext } from './context.ts'
import { findPasskeyParty } from './passkeys.ts'

/** Whether a user has a second factor that can be used on this server. */
export async function hasSecondFactor(db: Db, context: PageContext, userId: string): Promise<boolean> {
  if ((await findAuthenticatorAppTime(db, userId)) !== undefined) return true
  return findPasskeyParty(context) !== undefined && (await hasPasskey(db, userId))
}

/** A way to sign in that a user is about to remove. */
type RemovedWay = 'password' | { passkeyId: string } | { providerId: string }

/** Whether a user could still sign in after one way was removed. */
export async function hasOtherWayToSignIn(
  db: Db,
  context: PageContext,
  userId: string,
  without: RemovedWay,
): Promise<boolean> {
  const isRemoved = (way: RemovedWay) => JSON.stringify(way) === JSON.stringify(without)
  const passkeys = findPasskeyParty(context) ? await findPasskeysOfUser(db, userId) : []
  const identities = (await findIdentities(db, userId)).filter(({ provider_id: id }) => context.oidc.findProvider(id))
  const hasPassword = context.settings.methods.has('password') && (await findPasswordTime(db, userId)) !== undefined
  const ways: RemovedWay[] = [
    ...(hasPassword ? (['password'] as const) : []),
    ...passkeys.map(({ id }) => ({ passkeyId: id })),
    ...identities.map(({ provider_id: id }) => ({ providerId: id })),
  ]
  return ways.some((way) => !isRemoved(way))
}

/** Removes a passkey of a user, and the recovery codes with the last second factor. */
export async function removePasskey(db: Db, userId: string, passkeyId: string): Promise<boolean> {
  const isRemoved = await deletePasskey(db, userId, passkeyId)
  await removeUnusedRecoveryCodes(db, userId)
  return isRemoved
}

/** Removes the authenticator app of a user, and the recovery codes with the last second factor. */
export async function removeAuthenticatorApp(db: Db, userId: string): Promise<void> {
  await deleteAuthenticatorApp(db, userId)
  await removeUnusedRecoveryCodes(db, userId)
}

async function removeUnusedRecoveryCodes(db: Db, userId: string): Promise<void> {
  const isUsed = (await findAuthenticatorAppTime(db, userId)) !== undefined || (await hasPasskey(db, userId))
  if (!isUsed) await deleteRecoveryCodes(db, userId)
}
