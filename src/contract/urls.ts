import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { Collection } from './collections.ts'
import { operation } from './kit.ts'
import { PageByPath } from './revision.ts'
import { Id, QueryBoolean } from './shared.ts'
import { Space } from './space.ts'

const Address = z.string().min(1).max(8192).describe('An address of a published site')

export const PublishedContentLookup = z
  .union([
    z
      .object({
        target: z.enum(['application', 'content']),
        redirect: z.string().describe('The address that this one leads on to'),
      })
      .strict(),
    z
      .object({
        target: z.literal('external'),
        site: Id,
        redirect: z.string().describe('Where visitors of the site sign in'),
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
        pathname: z.string().describe('The path in the space'),
        basePath: z.string().describe('The path that leads to the space'),
        siteBasePath: z.string().describe('The path that leads to the site'),
        canonicalUrl: z.string(),
        apiToken: z.string().describe('Reads the site, and what of its spaces the visitor sees'),
        shareKey: z.string().optional(),
        complete: z.boolean().describe('Whether no longer address could lead to another space'),
        contextId: z.string().optional().describe('Another one for visitors who may see something else'),
        preview: z.boolean().optional(),
      })
      .strict(),
  ])
  .meta({ id: 'PublishedContentLookup' })
export type PublishedContentLookup = z.infer<typeof PublishedContentLookup>

export const urls = {
  resolvePublishedContentByUrl: operation({
    method: 'POST',
    path: '/urls/published',
    summary: 'Find what an address of a published site shows to a visitor',
    description: 'Needs no token. The answer holds one, which reads what that visitor sees.',
    access: 'public',
    scope: 'any',
    readOnly: true,
    maxBody: 64 * 1024,
    body: z.object({
      url: Address,
      redirectOnError: z
        .boolean()
        .default(false)
        .describe('Whether visitors whose token is not valid are sent to where they sign in'),
      visitor: z
        .object({
          type: z.enum(['human', 'agent']).optional(),
          jwtToken: z.string().max(8192).optional().describe('The token that the visitor signed in with'),
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
    summary: 'Find what an address of a published site shows to a visitor',
    description: 'Needs no token.',
    access: 'public',
    scope: 'any',
    query: z.object({
      url: Address,
      visitorAuthToken: z.string().max(8192).optional(),
      redirectOnError: QueryBoolean.default(false),
    }),
    reply: PublishedContentLookup,
    errors: [404],
  }),
  getContentByUrl: operation({
    method: 'GET',
    path: '/urls/content',
    summary: 'Find the content behind an address of the application',
    access: 'user',
    scope: 'space:read',
    query: z.object({ url: Address }),
    reply: z.union([
      z.object({ collection: Collection }).strict(),
      z.object({ space: Space, changeRequest: ChangeRequest.optional(), page: PageByPath.optional() }).strict(),
    ]),
    errors: [404],
  }),
}
