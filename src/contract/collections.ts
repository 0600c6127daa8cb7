import { z } from 'zod'
import { operation } from './operation.ts'
import { DefaultLevel } from './roles.ts'
import { Id, ListQuery, QueryBoolean, paginated } from './shared.ts'
import { MoveBody, Space } from './space.ts'

const CollectionTitle = z.string().max(50)

export const Collection = z
  .object({
    object: z.literal('collection'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    organization: Id,
    parent: Id.optional(),
    defaultLevel: DefaultLevel,
    urls: z.object({ location: z.string(), app: z.string() }),
    permissions: z.object({
      view: z.boolean(),
      admin: z.boolean(),
      viewInviteLinks: z.boolean(),
      create: z.boolean(),
    }),
  })
  .meta({ id: 'Collection' })
export type Collection = z.infer<typeof Collection>

export const collections = {
  listCollectionsInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/collections',
    summary: 'List the collections of an organization',
    description: 'Returns only collections that the caller can see.',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery.extend({
      nested: QueryBoolean.default(true).describe('Whether to include nested collections'),
    }),
    reply: paginated(Collection),
  }),
  createCollection: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/collections',
    summary: 'Create a collection',
    description: 'Requires the role `create` in the organization, or in the parent collection when `parent` is given.',
    access: 'container:create',
    scope: 'space:write',
    body: z.object({ title: CollectionTitle.optional(), parent: Id.optional() }),
    status: 201,
    reply: Collection,
    errors: [404],
  }),
  getCollectionById: operation({
    method: 'GET',
    path: '/collections/{collectionId}',
    summary: 'Get a collection',
    access: 'collection:view',
    scope: 'space:read',
    reply: Collection,
  }),
  updateCollectionById: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}',
    summary: 'Update a collection',
    access: 'collection:admin',
    scope: 'space:write',
    body: z
      .object({
        title: CollectionTitle,
        description: z.string().max(100),
        defaultLevel: DefaultLevel,
      })
      .partial(),
    reply: Collection,
  }),
  deleteCollectionById: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}',
    summary: 'Delete a collection',
    description:
      'Also deletes all nested collections. Their spaces are deleted as by `deleteSpaceById` and can be restored, outside any collection, for 7 days.',
    access: 'collection:create',
    scope: 'space:write',
    errors: [412],
  }),
  listSpacesInCollectionById: operation({
    method: 'GET',
    path: '/collections/{collectionId}/spaces',
    summary: 'List the spaces of a collection',
    description: 'Returns the spaces that the caller can see, in their display order.',
    access: 'collection:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Space),
  }),
  moveCollection: operation({
    method: 'POST',
    path: '/collections/{collectionId}/move',
    summary: 'Move a collection',
    description: 'Changes its position, its parent collection, or both.',
    access: 'collection:create',
    scope: 'space:write',
    body: MoveBody,
    reply: Collection,
    errors: [404, 409, 412],
  }),
  transferCollection: operation({
    method: 'POST',
    path: '/collections/{collectionId}/transfer',
    summary: 'Transfer a collection to another organization',
    description: 'Transfers all nested collections and spaces with it.',
    access: 'collection:admin',
    scope: 'space:write',
    body: z.object({ organization: Id }),
    reply: Collection,
    errors: [404, 409, 412],
  }),
}
