import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TokenScope } from '../../contract/roles.ts'
import { days, hours, minutes, timestamp } from '../../kernel/time.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { createToken } from '../users/accounts.ts'

/** Lifetimes of what an app receives. */
export const lifetimes = { code: minutes(1), access: hours(1), refresh: days(60) }

interface GrantContext {
  newId: () => string
  now: () => string
}

/** Tokens that an app receives for a code or a refresh token. */
export interface IssuedTokens {
  accessToken: string
  refreshToken: string
  scopes: readonly TokenScope[]
}

const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')
const generateSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`
const isExpired = (row: { expires_at: string }, now: string): boolean => row.expires_at <= now

/** Stores the permission of a user for an app and returns a code, which the app exchanges for tokens. */
export async function createGrant(
  db: Db,
  { newId, now }: GrantContext,
  grant: {
    clientId: string
    userId: string
    scopes: readonly TokenScope[]
    redirectUri: string
    challenge: string
    ssoOrganizationId: string | null
  },
): Promise<string> {
  const id = newId()
  await db
    .insertInto('oauth_grants')
    .values({
      id,
      client_id: grant.clientId,
      user_id: grant.userId,
      scopes: JSON.stringify(grant.scopes),
      sso_organization_id: grant.ssoOrganizationId,
      created_at: now(),
      used_at: now(),
    })
    .execute()
  await db.updateTable('oauth_clients').set({ used_at: now() }).where('id', '=', grant.clientId).execute()
  const code = generateSecret('octcode_')
  await db
    .insertInto('oauth_codes')
    .values({
      hash: hashSecret(code),
      grant_id: id,
      redirect_uri: grant.redirectUri,
      challenge: grant.challenge,
      used: 0,
      expires_at: timestamp(Date.parse(now()) + lifetimes.code),
    })
    .execute()
  return code
}

/**
 * Exchanges a code for tokens; undefined if it is invalid. A code that is used twice was stolen from one of its two users, so the
 * grant is deleted with all tokens.
 */
export async function exchangeCode(
  db: Db,
  context: GrantContext,
  { code, clientId, redirectUri, verifier }: Record<'code' | 'clientId' | 'redirectUri' | 'verifier', string>,
): Promise<IssuedTokens | undefined> {
  const row = await db.selectFrom('oauth_codes').selectAll().where('hash', '=', hashSecret(code)).executeTakeFirst()
  const grant = row && (await findGrant(db, row.grant_id))
  if (!row || !grant || grant.client_id !== clientId || isExpired(row, context.now())) return undefined
  if (!(await markUsed(db, 'oauth_codes', row.hash))) {
    await deleteGrant(db, grant.user_id, grant.id)
    return undefined
  }
  if (row.redirect_uri !== redirectUri || !isVerifierOf(row.challenge, verifier)) return undefined
  return issueTokens(db, context, grant)
}

/**
 * Exchanges a refresh token for new tokens; undefined if it is invalid. A token that is used twice was stolen, so the grant is
 * deleted with all tokens.
 */
export async function refreshTokens(
  db: Db,
  context: GrantContext,
  { refreshToken, clientId, scopes }: { refreshToken: string; clientId: string; scopes: readonly string[] | undefined },
): Promise<IssuedTokens | undefined> {
  const row = await findRefreshToken(db, refreshToken)
  const grant = row && (await findGrant(db, row.grant_id))
  if (!row || !grant || grant.client_id !== clientId || isExpired(row, context.now())) return undefined
  if (!(await markUsed(db, 'oauth_refresh_tokens', row.hash))) {
    await deleteGrant(db, grant.user_id, grant.id)
    return undefined
  }
  const allowed = scopesOf(grant)
  const requested = scopes === undefined ? allowed : allowed.filter((scope) => scopes.includes(scope))
  if (requested.length === 0 || (scopes !== undefined && requested.length < scopes.length)) return undefined
  await deleteAccessTokens(db, grant.id)
  return issueTokens(db, context, grant, requested)
}

/** Deletes the grant to which an access token or a refresh token of an app belongs. Unknown tokens are ignored. */
export async function revokeByToken(db: Db, token: string, clientId: string): Promise<void> {
  const row =
    (await findRefreshToken(db, token)) ??
    (await db
      .selectFrom('tokens')
      .select('grant_id')
      .where('hash', '=', hashSecret(token))
      .where('grant_id', 'is not', null)
      .executeTakeFirst())
  const grant = row?.grant_id ? await findGrant(db, row.grant_id) : undefined
  if (grant?.client_id === clientId) await deleteGrant(db, grant.user_id, grant.id)
}

/** Returns the apps that a user has given permissions to, the most recent first; optionally only in sessions of an organization. */
export function findGrants(db: Db, userId: string, ssoOrganizationId?: string) {
  return db
    .selectFrom('oauth_grants')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .where('oauth_grants.user_id', '=', userId)
    .$if(ssoOrganizationId !== undefined, (query) =>
      query.where('oauth_grants.sso_organization_id', '=', ssoOrganizationId as string),
    )
    .selectAll('oauth_grants')
    .select('oauth_clients.name as client_name')
    .orderBy('oauth_grants.id', 'desc')
    .limit(200)
    .execute()
}

/** Withdraws a permission of a user; foreign keys delete the tokens. */
export async function deleteGrant(
  db: Db,
  userId: string,
  grantId: string,
  ssoOrganizationId?: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_grants')
    .where('user_id', '=', userId)
    .where('id', '=', grantId)
    .$if(ssoOrganizationId !== undefined, (query) =>
      query.where('sso_organization_id', '=', ssoOrganizationId as string),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Withdraws all permissions of a user. */
export async function deleteGrantsOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('oauth_grants').where('user_id', '=', userId).execute()
}

/** Removes codes and refresh tokens that have expired, and grants that have no token left. */
export async function deleteExpiredGrants(db: Db, now: string): Promise<void> {
  await db.deleteFrom('oauth_codes').where('expires_at', '<=', now).execute()
  await db.deleteFrom('oauth_refresh_tokens').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('oauth_grants')
    .where('used_at', '<', timestamp(Date.parse(now) - lifetimes.refresh))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('oauth_refresh_tokens')
            .select('hash')
            .whereRef('oauth_refresh_tokens.grant_id', '=', 'oauth_grants.id'),
        ),
      ),
    )
    .execute()
}

export const scopesOf = (grant: Pick<Row<'oauth_grants'>, 'scopes'>): TokenScope[] =>
  JSON.parse(grant.scopes) as TokenScope[]

const findGrant = (db: Db, grantId: string) =>
  db.selectFrom('oauth_grants').selectAll().where('id', '=', grantId).executeTakeFirst()

const findRefreshToken = (db: Db, token: string) =>
  db.selectFrom('oauth_refresh_tokens').selectAll().where('hash', '=', hashSecret(token)).executeTakeFirst()

/** Marks a code or refresh token as used; false if it was used before. */
async function markUsed(db: Db, table: 'oauth_codes' | 'oauth_refresh_tokens', key: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ used: 1 })
    .where('hash', '=', key)
    .where('used', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether a PKCE verifier belongs to a challenge. */
function isVerifierOf(challenge: string, verifier: string): boolean {
  const [left, right] = [Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge)]
  return left.length === right.length && timingSafeEqual(left, right)
}

async function deleteAccessTokens(db: Db, grantId: string): Promise<void> {
  await db.deleteFrom('tokens').where('grant_id', '=', grantId).execute()
}

async function issueTokens(
  db: Db,
  context: GrantContext,
  grant: Row<'oauth_grants'>,
  scopes: readonly TokenScope[] = scopesOf(grant),
): Promise<IssuedTokens> {
  const now = context.now()
  const { token: accessToken } = await createToken(db, context, {
    userId: grant.user_id,
    label: 'OAuth',
    scopes,
    expiresAt: timestamp(Date.parse(now) + lifetimes.access),
    grantId: grant.id,
    ssoOrganizationId: grant.sso_organization_id,
  })
  const refreshToken = generateSecret('octref_')
  await db
    .insertInto('oauth_refresh_tokens')
    .values({
      hash: hashSecret(refreshToken),
      grant_id: grant.id,
      used: 0,
      expires_at: timestamp(Date.parse(now) + lifetimes.refresh),
    })
    .execute()
  await db.updateTable('oauth_grants').set({ used_at: now }).where('id', '=', grant.id).execute()
  return { accessToken, refreshToken, scopes }
}
