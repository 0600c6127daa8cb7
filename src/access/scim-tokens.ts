import { randomBytes } from 'node:crypto'
import { hashToken } from '../kernel/hash-token.ts'
import { defineLookup } from '../storage/lookup.ts'
import type { Db, Row } from '../schema/tables.ts'

const prefix = 'octscim_'

/** Creates a SCIM token: 240 random bits after a prefix that distinguishes it from the API token of a user. */
export function generateScimToken(): string {
  return prefix + randomBytes(30).toString('base64url')
}

/** Prefix of the `tokenId` of a principal, which distinguishes it from that of an API token. */
const scimIdPrefix = 'scim:'

/** Returns the ID of the SCIM token with this `tokenId`; undefined if it belongs to an API token. */
export function toScimTokenId(tokenId: string): string | undefined {
  return tokenId.startsWith(scimIdPrefix) ? tokenId.slice(scimIdPrefix.length) : undefined
}

const findToken = defineLookup((db, { hash: wanted, organizationId }: Record<'hash' | 'organizationId', string>) =>
  db
    .selectFrom('scim_tokens')
    .innerJoin('organizations', 'organizations.id', 'scim_tokens.organization_id')
    .where('scim_tokens.hash', '=', wanted)
    .where('scim_tokens.organization_id', '=', organizationId)
    .selectAll('organizations')
    .select(['scim_tokens.id as token_id', 'scim_tokens.expires_at']),
)

/** Organization that a SCIM token gives access to. */
export interface ScimPrincipal {
  tokenId: string
  organization: Row<'organizations'>
}

/** Returns the organization of a SCIM token; undefined if the token is unknown, expired, or of another organization. */
export async function findScimPrincipal(
  db: Db,
  { token, organizationId, now }: Record<'token' | 'organizationId' | 'now', string>,
): Promise<ScimPrincipal | undefined> {
  if (!token.startsWith(prefix)) return undefined
  const row = await findToken(db, { hash: hashToken(token), organizationId })
  if (!row) return undefined
  const { token_id, expires_at, ...organization } = row
  if (expires_at !== null && expires_at <= now) return undefined
  return { tokenId: `${scimIdPrefix}${token_id}`, organization }
}
