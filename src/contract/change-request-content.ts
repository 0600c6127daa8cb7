import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { ContentChanges, contentUpdateFields } from './content-changes.ts'
import { FileList, FileListQuery, PageTree, TableOfContents, TableOfContentsQuery } from './content.ts'
import { operation } from './operation.ts'
import {
  ContentQuery,
  PageByPath,
  PageByPathQuery,
  PageMetaLinks,
  PageQuery,
  Revision,
  RevisionFile,
  RevisionPage,
  RevisionReusableContent,
  ReusableContentQuery,
} from './revision.ts'
import { QueryBoolean } from './shared.ts'
import { TextMatches, TextMatchesQuery, textMatchesDescription } from './text-matches.ts'

export const ChangeRequestContentUpdate = z
  .object({ changeRequest: ChangeRequest, ...contentUpdateFields })
  .meta({ id: 'ChangeRequestContentUpdate' })
export type ChangeRequestContentUpdate = z.infer<typeof ChangeRequestContentUpdate>

export const changeRequestContent = {
  getRevisionOfChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Get the current revision of a change request',
    description: 'Returns all pages, files, reusable contents, tags and variables of the change request.',
    access: 'space:view',
    scope: 'space:read',
    query: ContentQuery,
    reply: Revision,
  }),
  updateChangeRequestContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Update the content of a change request',
    description:
      'Applies the changes in order, all or none, as one new revision of the change request. Returns 409 when the change request is archived or merged.',
    access: 'space:edit',
    scope: 'space:write',
    query: z.object({
      compat: QueryBoolean.default(true).describe(
        'When true, the reply is the change request only; `false` adds the result of each change',
      ),
    }),
    body: ContentChanges,
    reply: z.union([ChangeRequest, ChangeRequestContentUpdate]),
    errors: [404, 409],
  }),
  listPagesInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages',
    summary: 'List the pages of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ContentQuery,
    reply: PageTree,
  }),
  getTableOfContentsInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/table-of-contents',
    summary: 'Get the table of contents of a change request',
    description: 'Returns all pages, with only the fields that a navigation shows.',
    access: 'space:view',
    scope: 'space:read',
    query: TableOfContentsQuery,
    reply: TableOfContents,
  }),
  findTextInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/text-matches',
    summary: 'Find text in the pages of a change request',
    description: textMatchesDescription,
    access: 'space:view',
    scope: 'space:read',
    query: TextMatchesQuery,
    reply: TextMatches,
  }),
  getPageInChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}',
    summary: 'Get a page of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: PageQuery,
    reply: RevisionPage,
  }),
  getPageInChangeRequestByPath: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/path/{pagePath}',
    summary: 'Get a page of a change request by path',
    description: 'Also finds pages by their former paths.',
    access: 'space:view',
    scope: 'space:read',
    query: PageByPathQuery,
    reply: PageByPath,
  }),
  listChangeRequestPageMetaLinks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/meta-links',
    summary: 'Get the meta links of a page of a change request',
    description: 'Returns the canonical and alternate links of the page.',
    access: 'space:view',
    scope: 'space:read',
    reply: PageMetaLinks,
  }),
  listFilesInChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/files',
    summary: 'List the files of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: FileListQuery,
    reply: FileList,
  }),
  getFileInChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}',
    summary: 'Get a file of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ContentQuery,
    reply: RevisionFile,
  }),
  getReusableContentInChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ReusableContentQuery,
    reply: RevisionReusableContent,
  }),
}
