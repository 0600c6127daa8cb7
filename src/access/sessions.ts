import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Principal, SsoSession } from '../kernel/context.ts'
import { hashToken } from '../kernel/hash-token.ts'
import { timestamp } from '../kernel/time.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { SignInMethod } from '../schema/sign-in.ts'
import { toFlag } from '../schema/values.ts'
import { defineLookup } from '../storage/lookup.ts'
import { resolveReach, selectSsoCount } from './sso.ts'

/** Lifetimes of sessions in milliseconds. */
export interface SessionLifetimes {
  /** Time without a request after which a session ends. */
  idle: number
  /** Time after the sign-in at which a session ends. */
  absolute: number
}

/** Browser from which a request was sent. */
export interface ClientInfo {
  address: string
  userAgent: string
}

/** Maximum length of a stored user agent. */
const maxUserAgentLength = 256

const generateSessionToken = (): string => randomBytes(32).toString('base64url')

/** Prefix of the `tokenId` of a principal that was authenticated by a session. */
const sessionIdPrefix = 'session:'

/** Returns the ID of the session with this `tokenId`; undefined if it belongs to an API token. */
export function toSessionId(tokenId: string): string | undefined {
  return tokenId.startsWith(sessionIdPrefix) ? tokenId.slice(sessionIdPrefix.length) : undefined
}

export interface NewSession {
  userId: string
  method: SignInMethod
  hasSecondFactor: boolean
  /** Identity provider of an organization that signed the user in. */
  sso?: SsoSession | undefined
  client: ClientInfo
  lifetimes: SessionLifetimes
}

/** Starts a session. Only the hash of its token is stored, so the result is the only place that contains the token. */
export async function createSession(
  db: Db,
  { newId, now }: { newId: () => string; now: () => string },
  session: NewSession,
): Promise<{ id: string; token: string; expiresAt: string }> {
  const token = generateSessionToken()
  const id = newId()
  const createdAt = now()
  const expiresAt = timestamp(Date.parse(createdAt) + session.lifetimes.absolute)
  await db
    .insertInto('sessions')
    .values({
      id,
      user_id: session.userId,
      hash: hashToken(token),
      method: session.method,
      has_second_factor: toFlag(session.hasSecondFactor),
      sso_organization_id: session.sso?.organizationId ?? null,
      sso_provider_id: session.sso?.providerId ?? null,
      sso_subject: session.sso?.subject ?? null,
      sso_subject_format: session.sso?.subjectFormat ?? null,
      sso_session_index: session.sso?.sessionIndex ?? null,
      created_at: createdAt,
      last_used_at: createdAt,
      expires_at: expiresAt,
      client_address: session.client.address,
      user_agent: session.client.userAgent.slice(0, maxUserAgentLength),
    })
    .execute()
  return { id, token, expiresAt }
}

const findSession = defineLookup((db, { hash: wanted }: { hash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.hash', '=', wanted)
    .selectAll('users')
    .select([
      'sessions.id as session_id',
      'sessions.has_second_factor',
      'sessions.method',
      'sessions.created_at as session_created_at',
      'sessions.sso_organization_id',
      'sessions.sso_provider_id',
      'sessions.sso_subject',
      'sessions.sso_subject_format',
      'sessions.sso_session_index',
      'sessions.last_used_at',
      'sessions.expires_at',
      selectSsoCount,
    ]),
)

/** Returns the principal of a session token; undefined if the session is unknown or has ended. */
export async function findSessionPrincipal(
  db: Db,
  token: string,
  now: string,
  lifetimes: SessionLifetimes,
): Promise<Principal | undefined> {
  const row = await findSession(db, { hash: hashToken(token) })
  if (!row) return undefined
  const { session_id: id, method, has_second_factor, last_used_at, expires_at, sso_count: ssoCount, ...rest } = row
  const { session_created_at: createdAt, sso_organization_id, sso_provider_id, ...others } = rest
  const { sso_subject, sso_subject_format, sso_session_index, ...user } = others
  const idleEnd = timestamp(Date.parse(last_used_at) + lifetimes.idle)
  if (expires_at <= now || idleEnd <= now) return undefined
  return {
    user,
    tokenId: `${sessionIdPrefix}${id}`,
    scopes: null,
    reach: await resolveReach(db, { userId: user.id, ssoOrganizationId: sso_organization_id, ssoCount }),
    session: {
      id,
      method,
      hasSecondFactor: has_second_factor === 1,
      createdAt,
      sso:
        sso_organization_id === null || sso_provider_id === null
          ? undefined
          : {
              organizationId: sso_organization_id,
              providerId: sso_provider_id,
              subject: sso_subject ?? undefined,
              subjectFormat: sso_subject_format ?? undefined,
              sessionIndex: sso_session_index ?? undefined,
            },
    },
  }
}

/** User whose sessions are managed, and the organization whose identity providers started them; undefined for all sessions. */
export interface SessionOwner {
  user: Pick<Row<'users'>, 'id'>
  reach: { only?: string | undefined }
}

/** Sessions that a caller can manage: all of the user, or only those of the organization whose identity provider signed the caller in. */
function isManageable({ user, reach }: SessionOwner): RawBuilder<boolean> {
  return reach.only === undefined
    ? sql`user_id = ${user.id}`
    : sql`(user_id = ${user.id} and sso_organization_id = ${reach.only})`
}

/** Returns the sessions of a user that have not expired, the most recent first. */
export function findSessions(
  db: Db,
  principal: SessionOwner,
  now: string,
  lifetimes: SessionLifetimes,
): Promise<Row<'sessions'>[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where(isManageable(principal))
    .where('expires_at', '>', now)
    .where('last_used_at', '>', timestamp(Date.parse(now) - lifetimes.idle))
    .orderBy('id', 'desc')
    .limit(maxListedSessions)
    .execute()
}

/** Maximum number of sessions in a list; older ones expire unseen. */
const maxListedSessions = 200

/** Ends one session of a user. */
export async function deleteSession(db: Db, principal: SessionOwner, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where(isManageable(principal))
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the sessions of a user, optionally except one or only those of one organization's identity providers; returns their number. */
export async function deleteSessionsOfUser(
  db: Db,
  userId: string,
  { except, ssoOrganizationId }: { except?: string | undefined; ssoOrganizationId?: string | undefined } = {},
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except as string))
    .$if(ssoOrganizationId !== undefined, (query) =>
      query.where('sso_organization_id', '=', ssoOrganizationId as string),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends the sessions of an identity provider: all of them, those of one person, or some of that person. */
export async function deleteSessionsOfProvider(
  db: Db,
  providerId: string,
  person?: { subject: string; sessionIndexes: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('sso_provider_id', '=', providerId)
    .$if(person !== undefined, (query) => query.where('sso_subject', '=', person?.subject ?? ''))
    .$if(person !== undefined && person.sessionIndexes.length > 0, (query) =>
      query.where('sso_session_index', 'in', person?.sessionIndexes ?? []),
    )
    .execute()
}

/** Removes sessions that have expired. */
export async function deleteExpiredSessions(db: Db, now: string): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}
