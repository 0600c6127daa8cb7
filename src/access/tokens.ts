import { randomBytes } from 'node:crypto'
import type { TokenScope } from '../contract/roles.ts'
import type { Principal } from '../kernel/context.ts'
import { hashToken } from '../kernel/hash-token.ts'
import type { Log } from '../kernel/log.ts'
import { type Clock, minutes, timestamp } from '../kernel/time.ts'
import type { Database } from '../storage/database.ts'
import { defineLookup } from '../storage/lookup.ts'
import type { Db } from '../schema/tables.ts'
import { toScimTokenId } from './scim-tokens.ts'
import { toSessionId } from './sessions.ts'
import { resolveReach, selectSsoCount } from './sso.ts'

/** Creates a token: 240 random bits after a prefix that helps to find leaked tokens. */
export function generateToken(): string {
  return `oct_${randomBytes(30).toString('base64url')}`
}

const findToken = defineLookup((db, { hash: wanted }: { hash: string }) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .where('tokens.hash', '=', wanted)
    .selectAll('users')
    .select(['tokens.id as token_id', 'tokens.scopes', 'tokens.expires_at'])
    .select(['tokens.sso_organization_id', 'tokens.is_from_operator', selectSsoCount]),
)

/** Returns the principal of a token; undefined if the token is unknown or has expired. */
export async function findPrincipal(db: Db, token: string, now: string): Promise<Principal | undefined> {
  const row = await findToken(db, { hash: hashToken(token) })
  if (!row) return undefined
  const { token_id, scopes, expires_at, sso_organization_id, is_from_operator, sso_count, ...user } = row
  if (expires_at !== null && expires_at <= now) return undefined
  return {
    user,
    tokenId: token_id,
    scopes: scopes === null ? null : (JSON.parse(scopes) as TokenScope[]),
    reach: await resolveReach(db, {
      userId: user.id,
      ssoOrganizationId: sso_organization_id,
      isFromOperator: is_from_operator === 1,
      ssoCount: sso_count,
    }),
  }
}

/** Collects when tokens and sessions were last used and stores it every minute instead of with every request. */
export class TokenUseRecorder {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #pending = new Map<string, number>()
  readonly #timer: NodeJS.Timeout

  constructor(database: Database, clock: Clock, log: Log) {
    this.#database = database
    this.#clock = clock
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), minutes(1)).unref()
  }

  recordUse(tokenId: string): void {
    this.#pending.set(tokenId, this.#clock())
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Stores the collected times. */
  async flush(): Promise<void> {
    const uses = [...this.#pending]
    this.#pending.clear()
    if (uses.length === 0) return
    try {
      await this.#database.transaction(async (db) => {
        for (const [id, time] of uses) await updateLastUse(db, id, timestamp(time))
      })
    } catch (error) {
      this.#log.warn('The last use of tokens and sessions could not be written', { error })
    }
  }
}

/** Stores when a session, a SCIM token or an API token was last used; its ID contains which of them it is. */
async function updateLastUse(db: Db, id: string, time: string): Promise<void> {
  const values = { last_used_at: time }
  const [sessionId, scimTokenId] = [toSessionId(id), toScimTokenId(id)]
  if (sessionId !== undefined) await db.updateTable('sessions').set(values).where('id', '=', sessionId).execute()
  else if (scimTokenId !== undefined)
    await db.updateTable('scim_tokens').set(values).where('id', '=', scimTokenId).execute()
  else await db.updateTable('tokens').set(values).where('id', '=', id).execute()
}
