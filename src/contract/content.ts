import { z } from 'zod'
import { ChangeRequest, ChangeRequestSubject } from './change-request.ts'
import { ComputationSeed, ComputedDocumentInput, ComputedRevisionInput } from './computed.ts'
import { ContentChanges, contentUpdateFields } from './content-changes.ts'
import { JsonDocument } from './document.ts'
import { operation } from './operation.ts'
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
  ReusableContentQuery,
  RevisionSummary,
  TableOfContentsPage,
} from './revision.ts'
import { SearchPage, SearchQuery } from './search.ts'
import { ChangesQuery, RevisionChanges } from './semantic-changes.ts'
import { Id, ListQuery, paginated } from './shared.ts'
import { TextMatches, TextMatchesQuery, textMatchesDescription } from './text-matches.ts'

export const PageTree = z.object({ pages: z.array(RevisionPage) }).meta({ id: 'PageTree' })
export type PageTree = z.infer<typeof PageTree>

export const TableOfContents = z.object({ pages: z.array(TableOfContentsPage) }).meta({ id: 'TableOfContents' })
export type TableOfContents = z.infer<typeof TableOfContents>

/** Query of a table of contents. */
export const TableOfContentsQuery = ContentQuery.pick({ computed: true })

export const FileList = paginated(RevisionFile)
export const FileListQuery = ListQuery.extend(ContentQuery.shape)

export const ComputedRevision = z
  .object({
    pages: z.array(RevisionPage),
    files: z.array(RevisionFile),
    reusableContents: z.array(RevisionReusableContent),
  })
  .meta({ id: 'ComputedRevision' })
export type ComputedRevision = z.infer<typeof ComputedRevision>

export const SpaceContentUpdate = z
  .object({ revision: Id.describe('ID of the new current revision'), ...contentUpdateFields })
  .meta({ id: 'SpaceContentUpdate' })
export type SpaceContentUpdate = z.infer<typeof SpaceContentUpdate>

export const spaceContent = {
  searchSpaceContent: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/search',
    summary: 'Search a space',
    description: 'The index is updated shortly after the content changes.',
    access: 'space:view',
    scope: 'space:read',
    query: SearchQuery,
    reply: paginated(SearchPage),
  }),
  getCurrentRevision: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content',
    summary: 'Get the content of a space',
    description: 'Returns the current revision with all pages, files, reusable contents, tags and variables.',
    access: 'space:visit',
    scope: 'space:read',
    query: ContentQuery,
    reply: Revision,
  }),
  updateSpaceContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content',
    summary: 'Update the content of a space',
    description:
      'Applies the changes in order, all or none, as one new revision. Returns 409 when the space is `locked`: use a change request instead.',
    access: 'space:edit',
    scope: 'space:write',
    body: ContentChanges,
    reply: SpaceContentUpdate,
    errors: [404, 409],
  }),
  listPages: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/pages',
    summary: 'List the pages of a space',
    access: 'space:visit',
    scope: 'space:read',
    query: ContentQuery,
    reply: PageTree,
  }),
  getTableOfContents: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/table-of-contents',
    summary: 'Get the table of contents of a space',
    description:
      'Returns all pages, with only the fields that a navigation shows. The reply is about a fifth of the size of the list of pages.',
    access: 'space:visit',
    scope: 'space:read',
    query: TableOfContentsQuery,
    reply: TableOfContents,
  }),
  findTextInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/text-matches',
    summary: 'Find text in the pages of a space',
    description: textMatchesDescription,
    access: 'space:view',
    scope: 'space:read',
    query: TextMatchesQuery,
    reply: TextMatches,
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
    summary: 'Get a page of a space by path',
    description: 'Also finds pages by their former paths.',
    access: 'space:visit',
    scope: 'space:read',
    query: PageByPathQuery,
    reply: PageByPath,
  }),
  listSpacePageMetaLinks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/page/{pageId}/meta-links',
    summary: 'Get the meta links of a page',
    description: 'Returns the canonical and alternate links of the page.',
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
    query: ReusableContentQuery,
    reply: RevisionReusableContent,
  }),
  getComputedDocument: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/computed/document',
    summary: 'Compute a document from a source',
    description: 'Returns what a page with this source contains, without storing it.',
    access: 'space:view',
    scope: 'space:read',
    readOnly: true,
    body: z.object({ source: ComputedDocumentInput, seed: ComputationSeed }),
    reply: JsonDocument,
    errors: [404],
  }),
  getComputedRevision: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/computed/revision',
    summary: 'Compute pages from a source',
    description: 'Returns the pages that replace a computed page with this source, without storing them.',
    access: 'space:view',
    scope: 'space:read',
    readOnly: true,
    body: z.object({ source: ComputedRevisionInput, seed: ComputationSeed }),
    reply: ComputedRevision,
    errors: [404],
  }),
  getDocumentById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/documents/{documentId}',
    summary: 'Get a document',
    description: 'Pages and reusable contents contain the id of their document.',
    access: 'space:view',
    scope: 'space:read',
    immutable: true,
    query: z.object({
      schema: z
        .enum(['current', 'next'])
        .default('current')
        .describe('Schema version of the document; both values currently return the same schema'),
    }),
    reply: JsonDocument,
  }),
}

export const revisions = {
  listRevisions: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions',
    summary: 'List the revisions of a space',
    description: 'Sorted by creation time, newest first.',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({ metadata: ContentQuery.shape.metadata }),
    reply: paginated(RevisionSummary),
  }),
  getRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}',
    summary: 'Get a revision',
    description: 'Returns the revision with all pages, files, reusable contents, tags and variables.',
    access: 'space:visit',
    scope: 'space:read',
    immutable: 'without-metadata',
    query: ContentQuery,
    reply: Revision,
  }),
  getRevisionSemanticChanges: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/changes',
    summary: 'List the changes of a revision',
    description: 'Compares the revision with its parent, or with the revision in `comparedWith`.',
    access: 'space:view',
    scope: 'space:read',
    immutable: true,
    query: ChangesQuery.extend(ContentQuery.shape),
    reply: RevisionChanges,
  }),
  restoreRevision: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/revisions/{revisionId}/restore',
    summary: 'Restore a revision',
    description:
      'Creates a change request that restores the space, or one page, to the state of the revision. The space changes when the change request is merged. The revision can be any revision of the space or of its change requests. Returns 409 when the content does not differ.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({
      subject: ChangeRequestSubject.optional().describe(
        'Subject of the change request; defaults to a text with the time of the revision',
      ),
      page: Id.optional().describe(
        'Restore only the title, the document and the other fields of this page. It keeps its position, its slug and its child pages. A deleted page is restored together with its child pages.',
      ),
    }),
    status: 201,
    reply: ChangeRequest,
    errors: [404, 409],
  }),
  listPagesInRevisionById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/pages',
    summary: 'List the pages of a revision',
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
    summary: 'Get the meta links of a page of a revision',
    description: 'Returns the canonical and alternate links of the page.',
    access: 'space:visit',
    scope: 'space:read',
    immutable: true,
    reply: PageMetaLinks,
  }),
  getPageInRevisionByPath: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/path/{pagePath}',
    summary: 'Get a page of a revision by path',
    description: 'Also finds pages by their former paths.',
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
    query: ReusableContentQuery,
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
