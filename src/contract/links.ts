import { z } from 'zod'
import { operation } from './operation.ts'
import { Count, Id, ListQuery, paginated } from './shared.ts'

export const LinkStatus = z
  .enum(['ok', 'broken', 'in-app'])
  .describe('`broken` when the target or its anchor does not exist, `in-app` for a URL of the app')
export type LinkStatus = z.infer<typeof LinkStatus>

const VersionContext = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('revision'), revision: Id }),
    z.object({ type: z.literal('changeRequest'), changeRequest: Id }),
  ])
  .describe('Version of the content; absent when the caller cannot see the space')

const locationFields = {
  organization: Id,
  space: Id,
  versionContext: VersionContext.optional(),
}

/** A place in content: the target of a link, or where the link is. */
export const ContentLocation = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('file'), ...locationFields, file: Id }),
    z.object({ kind: z.literal('url'), url: z.string() }),
    z.object({
      kind: z.literal('page'),
      ...locationFields,
      page: Id,
      internalLocation: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('anchor'), anchor: z.string() }),
          z.object({ type: z.literal('node'), node: z.string().describe('Key of the block') }),
        ])
        .optional(),
    }),
    z.object({ kind: z.literal('user'), user: Id }),
    z.object({ kind: z.literal('collection'), organization: Id, collection: Id }),
    z.object({ kind: z.literal('space'), organization: Id, space: Id }),
    z.object({ kind: z.literal('reusable-content'), ...locationFields, reusableContent: Id }),
    z.object({ kind: z.literal('openapi'), organization: Id, openAPISpec: z.string() }),
  ])
  .meta({ id: 'ContentLocation' })
export type ContentLocation = z.infer<typeof ContentLocation>

export const LinkItem = z
  .object({
    status: LinkStatus,
    relation: z.literal('reference'),
    targetReference: ContentLocation,
    locationReferences: z
      .array(ContentLocation)
      .optional()
      .describe('Locations of the link. Lists of a whole space contain only the first ones'),
  })
  .meta({ id: 'LinkItem' })
export type LinkItem = z.infer<typeof LinkItem>

export const LinkList = paginated(LinkItem)
  .extend({
    stats: z.object({
      total: Count.describe('Number of link targets'),
      broken: z.object({
        total: Count.describe('Number of broken link targets'),
        changeRequest: Count.describe('Number of those that are not broken in the space; 0 outside of change requests'),
      }),
    }),
  })
  .meta({ id: 'LinkList' })
export type LinkList = z.infer<typeof LinkList>

const LinkListQuery = ListQuery.extend({ status: LinkStatus.optional() })
export type LinkListQuery = z.infer<typeof LinkListQuery>

export const LocationList = paginated(ContentLocation)
export type LocationList = z.infer<typeof LocationList>

const read = { method: 'GET', access: 'space:view', scope: 'space:read' } as const

export const links = {
  listSpaceLinks: operation({
    ...read,
    path: '/spaces/{spaceId}/links',
    summary: 'List the links of a space',
    description:
      'Returns all targets of links in the pages and reusable contents of the space, each once. Links in a change of many pages are listed shortly after the change.',
    query: LinkListQuery,
    reply: LinkList,
  }),
  listPageLinksInSpace: operation({
    ...read,
    path: '/spaces/{spaceId}/content/page/{pageId}/links',
    summary: 'List the links of a page',
    query: LinkListQuery,
    reply: LinkList,
  }),
  listSpacePageBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/content/page/{pageId}/backlinks',
    summary: 'List the links to a page',
    description:
      'Returns the pages and reusable contents that link to the page, in all spaces that the caller can see.',
    query: ListQuery,
    reply: LocationList,
  }),
  listSpaceFileBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/content/files/{fileId}/backlinks',
    summary: 'List the links to a file',
    description: 'Returns the pages and reusable contents that use the file, in all spaces that the caller can see.',
    query: ListQuery,
    reply: LocationList,
  }),
  listSpaceReusableContentBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/content/reusable-contents/{reusableContentId}/backlinks',
    summary: 'List the uses of a reusable content',
    description: 'Returns the pages and reusable contents that include the reusable content.',
    query: ListQuery,
    reply: LocationList,
  }),
  listSpaceVariableBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/content/variables/{variableName}/backlinks',
    summary: 'List the uses of a variable',
    description:
      'Returns the pages of the space whose content or condition uses the variable, including uses inside reusable contents. Uses are listed shortly after a change.',
    query: ListQuery,
    reply: LocationList,
  }),
  listChangeRequestLinks: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/links',
    summary: 'List the links that a change request affects',
    description:
      'Returns the targets of links in the pages and reusable contents that the change request changes, and the targets that it breaks in others.',
    query: LinkListQuery,
    reply: LinkList,
  }),
  listPageLinksInChangeRequest: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links',
    summary: 'List the links of a page of a change request',
    query: LinkListQuery,
    reply: LinkList,
  }),
  listChangeRequestPageBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/backlinks',
    summary: 'List the links to a page of a change request',
    description:
      'Returns the locations as they would be after a merge: those of the space, with the changes of the change request.',
    query: ListQuery,
    reply: LocationList,
  }),
  listChangeRequestFileBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks',
    summary: 'List the links to a file of a change request',
    description:
      'Returns the locations as they would be after a merge: those of the space, with the changes of the change request.',
    query: ListQuery,
    reply: LocationList,
  }),
  listChangeRequestReusableContentBacklinks: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}/backlinks',
    summary: 'List the uses of a reusable content of a change request',
    description:
      'Returns the locations as they would be after a merge: those of the space, with the changes of the change request.',
    query: ListQuery,
    reply: LocationList,
  }),
}
