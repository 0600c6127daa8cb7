import { hash } from 'node:crypto'
import type { Sealer } from '../../kernel/sealer.ts'
import { minutes, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'

/** Values that only this server and the browser know during a sign-in at a provider. */
export interface OidcSecrets {
  state: string
  nonce: string
  codeVerifier: string
}

export interface OidcRequest {
  providerId: string
  browserId: string
  /** User who is signed in and connects an identity; undefined for a sign-in. */
  userId: string | undefined
  secrets: OidcSecrets
  nextPath: string | undefined
}

/** Time that people have for signing in at the provider. */
const lifetime = minutes(10)

const hashText = (text: string): string => hash('sha256', text, 'hex')

/** Stores a sign-in that a browser starts. */
export async function insertOidcRequest(
  db: Db,
  sealer: Sealer,
  now: string,
  { providerId, browserId, userId, secrets, nextPath }: OidcRequest,
): Promise<void> {
  await db
    .insertInto('oidc_requests')
    .values({
      state_hash: hashText(secrets.state),
      provider_id: providerId,
      browser_hash: hashText(browserId),
      user_id: userId ?? null,
      secrets: sealer.seal(JSON.stringify([secrets.nonce, secrets.codeVerifier])),
      next_path: nextPath ?? null,
      expires_at: timestamp(Date.parse(now) + lifetime),
    })
    .execute()
}

/**
 * Removes a sign-in that this browser has started with this provider, and returns it; a state can be used only once. The sign-in of
 * another browser is kept.
 */
export async function takeOidcRequest(
  db: Db,
  sealer: Sealer,
  now: string,
  { state, providerId, browserId }: { state: string; providerId: string; browserId: string },
): Promise<OidcRequest | undefined> {
  const row = await db
    .deleteFrom('oidc_requests')
    .where('state_hash', '=', hashText(state))
    .where('provider_id', '=', providerId)
    .where('browser_hash', '=', hashText(browserId))
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  const opened = row && sealer.open(row.secrets)
  if (!row || opened === undefined) return undefined
  const [nonce, codeVerifier] = JSON.parse(opened) as [string, string]
  return {
    providerId,
    browserId,
    userId: row.user_id ?? undefined,
    secrets: { state, nonce, codeVerifier },
    nextPath: row.next_path ?? undefined,
  }
}

/** Removes sign-ins that were not completed in time. */
export async function deleteExpiredOidcRequests(db: Db, now: string): Promise<void> {
  await db.deleteFrom('oidc_requests').where('expires_at', '<=', now).execute()
}
