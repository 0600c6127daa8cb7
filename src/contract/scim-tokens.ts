import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, ListQuery, Timestamp, paginated } from './shared.ts'

export const ScimToken = z
  .object({
    object: z.literal('scim-token'),
    id: Id,
    label: z.string(),
    createdAt: Timestamp,
    expiresAt: Timestamp.optional(),
    lastUsedAt: Timestamp.optional().describe('Time of the last use, accurate to the minute'),
    urls: z.object({
      location: z.string(),
      scim: z.string().describe('Base URL of the SCIM API of the organization, for the identity provider'),
    }),
  })
  .meta({ id: 'ScimToken' })
export type ScimToken = z.infer<typeof ScimToken>

export const scimTokens = {
  listScimTokens: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/scim-tokens',
    summary: 'List SCIM tokens',
    access: 'organization:admin',
    scope: 'unscoped',
    query: ListQuery,
    reply: paginated(ScimToken),
  }),
  createScimToken: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/scim-tokens',
    summary: 'Create a SCIM token',
    description:
      'An identity provider uses the token to manage the members and teams of the organization. The token itself is returned only in this reply.',
    access: 'organization:admin',
    scope: 'unscoped',
    body: z.object({
      label: z.string().trim().min(1).max(50),
      expiresAt: Timestamp.optional().describe('Must be in the future'),
    }),
    status: 201,
    reply: ScimToken.extend({ token: z.string() }).meta({ id: 'NewScimToken' }),
    secret: true,
  }),
  revokeScimToken: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/scim-tokens/{scimTokenId}',
    summary: 'Revoke a SCIM token',
    access: 'organization:admin',
    scope: 'unscoped',
  }),
}
