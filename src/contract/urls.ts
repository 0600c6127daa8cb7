import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { Collection } from './collections.ts'
import { operation } from './operation.ts'
import { PageByPath } from './revision.ts'
import { Id, QueryBoolean } from './shared.ts'
import { Space } from './space.ts'

const LookupUrl = z.string().min(1).max(8192).describe('URL of a published site')

export const PublishedContentLookup = z
  .union([
    z
      .object({
        target: z.enum(['application', 'content']),
        redirect: z.string().describe('URL to which this URL redirects'),
      })
      .strict(),
    z
      .object({
        target: z.literal('external'),
        site: Id,
        redirect: z.string().describe('URL of the sign-in page for visitors of the site'),
      })
      .strict(),
    z
      .object({
        organization: Id,
        site: Id,
        siteSection: Id.optional(),
        siteSpace: Id,
        space: Id,
        changeRequest: Id.optional(),
        revision: Id.optional(),
        pathname: z.string().describe('Path within the space'),
        basePath: z.string().describe('Base path of the space'),
        siteBasePath: z.string().describe('Base path of the site'),
        canonicalUrl: z.string(),
        apiToken: z.string().describe('Token for reading the site and the content that the visitor can see'),
        shareKey: z.string().optional(),
        complete: z.boolean().describe('Whether no longer URL with this prefix can resolve to another space'),
        contextId: z.string().optional().describe('Differs between visitors who can see different content'),
        preview: z.boolean().optional(),
      })
      .strict(),
  ])
  .meta({ id: 'PublishedContentLookup' })
export type PublishedContentLookup = z.infer<typeof PublishedContentLookup>

export const publishedUrls = {
  resolvePublishedContentByUrl: operation({
    method: 'POST',
    path: '/urls/published',
    summary: 'Resolve a published URL',
    description: 'Requires no token. The reply contains a token for reading the content that the visitor can see.',
    access: 'public',
    scope: 'any',
    readOnly: true,
    maxBody: 64 * 1024,
    body: z.object({
      url: LookupUrl,
      redirectOnError: z
        .boolean()
        .default(false)
        .describe('Whether to redirect visitors with an invalid token to the sign-in page'),
      visitor: z
        .object({
          type: z.enum(['human', 'agent']).optional(),
          jwtToken: z.string().max(8192).optional().describe('Token with which the visitor signed in'),
          unsignedClaims: z.record(z.string(), z.unknown()).optional(),
        })
        .optional(),
    }),
    reply: PublishedContentLookup,
    errors: [404],
  }),
  getPublishedContentByUrl: operation({
    method: 'GET',
    path: '/urls/published',
    summary: 'Resolve a published URL',
    description: 'Requires no token.',
    access: 'public',
    scope: 'any',
    query: z.object({
      url: LookupUrl,
      visitorAuthToken: z.string().max(8192).optional(),
      redirectOnError: QueryBoolean.default(false),
    }),
    reply: PublishedContentLookup,
    errors: [404],
  }),
  getContentByUrl: operation({
    method: 'GET',
    path: '/urls/content',
    summary: 'Resolve an application URL',
    description: 'Returns the collection, space, change request or page at the URL.',
    access: 'user',
    scope: 'space:read',
    query: z.object({ url: LookupUrl }),
    reply: z.union([
      z.object({ collection: Collection }).strict(),
      z.object({ space: Space, changeRequest: ChangeRequest.optional(), page: PageByPath.optional() }).strict(),
    ]),
    errors: [404],
  }),
}
