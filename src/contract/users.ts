import { z } from 'zod'
import { operation } from './operation.ts'
import { TokenScope } from './roles.ts'
import { HttpUrl, Id, ListQuery, Timestamp, User, paginated } from './shared.ts'

export const ApiToken = z
  .object({
    object: z.literal('api-token'),
    id: Id,
    label: z.string(),
    scopes: z.array(TokenScope).nullable().describe('Scopes of the token; null for all permissions of its user'),
    createdAt: Timestamp,
    expiresAt: Timestamp.optional(),
    lastUsedAt: Timestamp.optional().describe('Time of the last use, accurate to the minute'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof ApiToken>

/** Name of a user as others see it. */
export const DisplayName = z.string().trim().min(1).max(64)

export const Session = z
  .object({
    object: z.literal('session'),
    id: Id,
    method: z
      .enum(['password', 'passkey', 'email', 'oidc', 'saml', 'link'])
      .describe('How the user signed in; `link` is a link that the operator created'),
    secondFactor: z.boolean().describe('Whether the user signed in with a second factor'),
    current: z.boolean().describe('Whether the request was sent with this session'),
    userAgent: z.string(),
    browser: z.string().describe('Name of the browser and the system, as far as the user agent reveals them'),
    clientAddress: z.string().describe('IP address from which the user signed in'),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.describe('Time of the last use, accurate to the minute'),
    expiresAt: Timestamp,
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const AuthorizedApp = z
  .object({
    object: z.literal('authorized-app'),
    id: Id,
    name: z.string(),
    scopes: z.array(TokenScope),
    createdAt: Timestamp.describe('When the user allowed the access'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'AuthorizedApp' })
export type AuthorizedApp = z.infer<typeof AuthorizedApp>

export const users = {
  getAuthenticatedUser: operation({
    method: 'GET',
    path: '/user',
    summary: 'Get the current user',
    access: 'user',
    scope: 'user:read',
    reply: User.extend({
      operator: z.literal(true).optional().describe('Present if the user operates the server'),
    }).meta({ id: 'AuthenticatedUser' }),
  }),
  getUserById: operation({
    method: 'GET',
    path: '/users/{userId}',
    summary: 'Get a user',
    description: 'The user must be a member of an organization of the caller.',
    access: 'user',
    scope: 'user:read',
    reply: User,
    errors: [404],
  }),
  updateUserById: operation({
    method: 'PATCH',
    path: '/users/{userId}',
    summary: 'Update the current user',
    access: 'user',
    scope: 'unscoped',
    body: z.object({ displayName: DisplayName, photoURL: HttpUrl.nullable() }).partial(),
    reply: User,
    errors: [404],
  }),
  listTokens: operation({
    method: 'GET',
    path: '/user/tokens',
    summary: 'List API tokens',
    description: 'Returns the tokens of the current user.',
    access: 'user',
    scope: 'unscoped',
    query: ListQuery,
    reply: paginated(ApiToken),
  }),
  createToken: operation({
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create an API token',
    description: 'The token itself is returned only in this reply.',
    access: 'user',
    scope: 'unscoped',
    body: z.object({
      label: z.string().trim().min(1).max(50),
      scopes: z.array(TokenScope).min(1).max(100).nullable().default(null),
      expiresAt: Timestamp.optional().describe('Must be in the future'),
    }),
    status: 201,
    reply: ApiToken.extend({ token: z.string() }).meta({ id: 'NewApiToken' }),
    secret: true,
  }),
  listSessions: operation({
    method: 'GET',
    path: '/user/sessions',
    summary: 'List sessions',
    description: 'Returns the browsers in which the current user is signed in, the most recent sign-in first.',
    access: 'user',
    scope: 'unscoped',
    reply: z.object({ items: z.array(Session) }),
  }),
  revokeSession: operation({
    method: 'DELETE',
    path: '/user/sessions/{sessionId}',
    summary: 'End a session',
    access: 'user',
    scope: 'unscoped',
  }),
  listAuthorizedApps: operation({
    method: 'GET',
    path: '/user/apps',
    summary: 'List authorized apps',
    description: 'Returns the apps to which the current user gave access with OAuth.',
    access: 'user',
    scope: 'unscoped',
    reply: z.object({ items: z.array(AuthorizedApp) }),
  }),
  revokeAuthorizedApp: operation({
    method: 'DELETE',
    path: '/user/apps/{grantId}',
    summary: 'Revoke the access of an app',
    description: 'The tokens of the app stop working immediately.',
    access: 'user',
    scope: 'unscoped',
  }),
  revokeToken: operation({
    method: 'DELETE',
    path: '/user/tokens/{tokenId}',
    summary: 'Revoke an API token',
    access: 'user',
    scope: 'unscoped',
  }),
}
