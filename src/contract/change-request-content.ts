import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { ContentChanges, appliedFields } from './content-changes.ts'
import { FileList, FileListQuery, PageTree } from './content.ts'
import { operation } from './kit.ts'
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
} from './revision.ts'
import { QueryBoolean } from './shared.ts'

export const ChangeRequestContentUpdate = z
  .object({ changeRequest: ChangeRequest, ...appliedFields })
  .meta({ id: 'ChangeRequestContentUpdate' })
export type ChangeRequestContentUpdate = z.infer<typeof ChangeRequestContentUpdate>

export const changeRequestContent = {
  getRevisionOfChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Get the active revision of a change request with all its pages and files',
    access: 'space:view',
    scope: 'space:read',
    query: ContentQuery,
    reply: Revision,
  }),
  updateChangeRequestContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Change the content of a change request',
    description:
      'Changes apply in order, all or none, as one new revision of the change request. Refused when it is archived or merged.',
    access: 'space:edit',
    scope: 'space:write',
    query: z.object({
      compat: QueryBoolean.default(true).describe(
        'Whether the reply is only the change request; `false` also tells what became of each change',
      ),
    }),
    body: ContentChanges,
    reply: z.union([ChangeRequest, ChangeRequestContentUpdate]),
    errors: [404, 409],
  }),
  listPagesInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages',
    summary: 'Get the tree of pages of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ContentQuery,
    reply: PageTree,
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
    summary: 'Get a page of a change request by its path',
    description: 'Also finds pages by paths they had before.',
    access: 'space:view',
    scope: 'space:read',
    query: PageByPathQuery,
    reply: PageByPath,
  }),
  listChangeRequestPageMetaLinks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/meta-links',
    summary: 'Get the canonical and alternate links of a page of a change request',
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
    query: ContentQuery,
    reply: RevisionReusableContent,
  }),
}
