import { z } from 'zod'
import { ChangeRequest, ChangeRequestSubject } from './change-request.ts'
import { ContentChanges, appliedFields } from './content-changes.ts'
import { JsonDocument } from './document.ts'
import { operation } from './kit.ts'
import {
  ContentQuery,
  DocumentQuery,
  PageByPath,
  PageByPathQuery,
  PageMetaLinks,
  PageQuery,
  Revision,
  RevisionFile,
  RevisionPage,
  RevisionReusableContent,
  RevisionSummary,
} from './revision.ts'
import { SearchPage, SearchQuery } from './search.ts'
import { ChangesQuery, RevisionChanges } from './semantic-changes.ts'
import { Id, ListQuery, pageOf } from './shared.ts'

export const PageTree = z.object({ pages: z.array(RevisionPage) }).meta({ id: 'PageTree' })
export type PageTree = z.infer<typeof PageTree>

export const FileList = pageOf(RevisionFile)
export const FileListQuery = ListQuery.extend(ContentQuery.shape)

export const SpaceContentUpdate = z
  .object({ revision: Id.describe('The new active revision'), ...appliedFields })
  .meta({ id: 'SpaceContentUpdate' })
export type SpaceContentUpdate = z.infer<typeof SpaceContentUpdate>

export const spaceContent = {
  searchSpaceContent: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/search',
    summary: 'Search the pages of a space',
    description: 'Changes of the content can be found a moment later.',
    access: 'space:view',
    scope: 'space:read',
    query: SearchQuery,
    reply: pageOf(SearchPage),
  }),
  getCurrentRevision: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content',
    summary: 'Get the active revision of a space with all its pages and files',
    access: 'space:visit',
    scope: 'space:read',
    query: ContentQuery,
    reply: Revision,
  }),
  updateSpaceContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content',
    summary: 'Change the live content of a space',
    description:
      'Changes apply in order, all or none, as one new revision. Refused while the space is `locked`: then only change requests change its content.',
    access: 'space:edit',
    scope: 'space:write',
    body: ContentChanges,
    reply: SpaceContentUpdate,
    errors: [404, 409],
  }),
  listPages: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/pages',
    summary: 'Get the tree of pages of a space',
    access: 'space:visit',
    scope: 'space:read',
    query: ContentQuery,
    reply: PageTree,
  }),
  getPageById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/page/{pageId}',
    summary: 'Get a page of a space',
    access: 'space:visit',
    scope: 'space:read',
    query: PageQuery,
    reply: RevisionPage,
  }),
  getPageByPath: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/path/{pagePath}',
    summary: 'Get a page of a space by its path',
    description: 'Also finds pages by paths they had before.',
    access: 'space:visit',
    scope: 'space:read',
    query: PageByPathQuery,
    reply: PageByPath,
  }),
  listSpacePageMetaLinks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/page/{pageId}/meta-links',
    summary: 'Get the canonical and alternate links of a page',
    access: 'space:visit',
    scope: 'space:read',
    reply: PageMetaLinks,
  }),
  listFiles: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/files',
    summary: 'List the files of a space',
    access: 'space:view',
    scope: 'space:read',
    query: FileListQuery,
    reply: FileList,
  }),
  getFileById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/files/{fileId}',
    summary: 'Get a file of a space',
    access: 'space:visit',
    scope: 'space:read',
    query: ContentQuery,
    reply: RevisionFile,
  }),
  getReusableContentById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a space',
    access: 'space:view',
    scope: 'space:read',
    query: ContentQuery,
    reply: RevisionReusableContent,
  }),
  getDocumentById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/documents/{documentId}',
    summary: 'Get a document by the id that pages and reusable contents give for it',
    access: 'space:view',
    scope: 'space:read',
    immutable: true,
    query: z.object({
      schema: z.enum(['current', 'next']).default('current').describe('Both are the same for now'),
    }),
    reply: JsonDocument,
  }),
}

export const revisions = {
  listRevisions: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions',
    summary: 'List the revisions of a space, the newest first',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({ metadata: ContentQuery.shape.metadata }),
    reply: pageOf(RevisionSummary),
  }),
  getRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}',
    summary: 'Get a revision with all its pages and files',
    access: 'space:visit',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: ContentQuery,
    reply: Revision,
  }),
  getRevisionSemanticChanges: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/changes',
    summary: 'Get what a revision changed',
    access: 'space:view',
    scope: 'space:read',
    immutable: true,
    query: ChangesQuery.extend(ContentQuery.shape),
    reply: RevisionChanges,
  }),
  restoreRevision: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/revisions/{revisionId}/restore',
    summary: 'Restore a space or a page to an earlier revision through a change request',
    description:
      'Creates a change request whose content is that of the space with all differences to the revision taken back. The space changes when the change request is merged. Any revision of the space and of its change requests can be restored. When there is no difference, the reply is 409.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({
      subject: ChangeRequestSubject.optional().describe('Without it, the subject names the revision'),
      page: Id.optional().describe(
        'Restore only this page: its title, text and other fields. It keeps its place, its slug and the pages below it. A page that no longer exists comes back with the pages below it.',
      ),
    }),
    status: 201,
    reply: ChangeRequest,
    errors: [404, 409],
  }),
  listPagesInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/pages',
    summary: 'Get the tree of pages of a revision',
    access: 'space:visit',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: ContentQuery,
    reply: PageTree,
  }),
  getPageInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
    summary: 'Get a page of a revision',
    access: 'space:visit',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: PageQuery,
    reply: RevisionPage,
  }),
  getPageDocumentInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document',
    summary: 'Get the document of a page of a revision',
    access: 'space:visit',
    scope: 'space:read',
    immutable: true,
    query: DocumentQuery,
    reply: JsonDocument,
  }),
  listRevisionPageMetaLinks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/meta-links',
    summary: 'Get the canonical and alternate links of a page of a revision',
    access: 'space:visit',
    scope: 'space:read',
    immutable: true,
    reply: PageMetaLinks,
  }),
  getPageInRevisionByPath: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/path/{pagePath}',
    summary: 'Get a page of a revision by its path',
    description: 'Also finds pages by paths they had before.',
    access: 'space:visit',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: PageByPathQuery,
    reply: PageByPath,
  }),
  listFilesInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/files',
    summary: 'List the files of a revision',
    access: 'space:view',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: FileListQuery,
    reply: FileList,
  }),
  getFileInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/files/{fileId}',
    summary: 'Get a file of a revision',
    access: 'space:visit',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: ContentQuery,
    reply: RevisionFile,
  }),
  getReusableContentInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}',
    summary: 'Get a reusable content of a revision',
    access: 'space:view',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: ContentQuery,
    reply: RevisionReusableContent,
  }),
  getReusableContentDocumentInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document',
    summary: 'Get the document of a reusable content of a revision',
    access: 'space:view',
    scope: 'space:read',
    immutable: true,
    query: DocumentQuery,
    reply: JsonDocument,
  }),
}
