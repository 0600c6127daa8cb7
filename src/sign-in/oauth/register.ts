import { z } from 'zod'
import { requireUse } from '../../domain/accounts/attempts.ts'
import { insertClient, isAllowedRedirectUri } from '../../domain/oauth/clients.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { hours } from '../../kernel/time.ts'
import type { PageContext, PageRoute } from '../context.ts'
import { oauthPaths } from './metadata.ts'
import { jsonReply, oauthError } from './reply.ts'

/** Registrations that one network may send, because they are stored and anyone may send them. */
const registrationLimit = { max: 30, period: hours(1) }

const Registration = z.object({
  client_name: z.string().trim().min(1).max(100).default('Unnamed app'),
  redirect_uris: z.array(z.string()).min(1).max(10),
  grant_types: z.array(z.string()).max(10).default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.string()).max(10).default(['code']),
  token_endpoint_auth_method: z.string().max(100).default('none'),
})

/** Registers an app (RFC 7591). Apps get no secret: they prove with PKCE that they started an authorization. */
async function register(context: PageContext): Promise<PageReply> {
  const { database, request, now } = context
  const parsed = Registration.safeParse(await request.json())
  if (!parsed.success) return oauthError('invalid_client_metadata', z.prettifyError(parsed.error).slice(0, 500))
  const { client_name: name, redirect_uris: redirectUris, ...metadata } = parsed.data
  const refused = redirectUris.find((uri) => !isAllowedRedirectUri(uri))
  if (refused !== undefined)
    return oauthError('invalid_redirect_uri', 'Redirect URIs must use https, or http on the loopback interface')
  const client = await database.transaction(async (db) => {
    await requireUse(db, { ...registrationLimit, key: ['oauth-register', request.clientNetwork] }, now())
    return insertClient(db, context, { name, redirectUris })
  })
  return jsonReply(201, {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.parse(client.created_at) / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: metadata.grant_types.filter((type) => type === 'authorization_code' || type === 'refresh_token'),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
}

export const registerRoutes: readonly PageRoute[] = [
  { method: 'POST', path: oauthPaths.register, kind: 'open', handler: register },
]
