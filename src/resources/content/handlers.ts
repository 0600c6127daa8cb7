import { changeRequestContent } from '../../contract/change-request-content.ts'
import { revisions, spaceContent } from '../../contract/content.ts'
import type { SpaceContext, SpaceReadContext } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import {
  findChangeRequest,
  getChangeRequest,
  getEditableChangeRequest,
  presentChangeRequestWithUsers,
  lockEditableChangeRequest,
} from '../../domain/change-requests/change-request-queries.ts'
import { type FileServices, withChargedQuota } from '../../domain/files/store-file.ts'
import { searchSpace } from '../search/search-space.ts'
import {
  type RevisionContent,
  countHistory,
  findHistory,
  getComputedContent,
  getRevisionContent,
} from '../../domain/revisions/revisions.ts'
import { computeDocument, computeRevision } from './computed.ts'
import { listRevisionChanges } from './list-changes.ts'
import { prepareChanges } from './prepare-changes.ts'
import { editChangeRequestContent, editSpaceContent } from './edit-content.ts'
import * as reads from './reads.ts'
import type { ComputedQuery } from './stream.ts'
import { restoreRevision } from './restore.ts'

/** Query of a read; visitors and reads without the parameter get generated pages. */
type ReadQuery = Partial<ComputedQuery>

const openContent = (context: SpaceReadContext, revisionId: string, query: ReadQuery): Promise<RevisionContent> =>
  query.computed === false && !context.visitor
    ? getRevisionContent(context, context.space, revisionId)
    : getComputedContent(context, context.space, revisionId)

const getLiveContent = (context: SpaceReadContext, query: ReadQuery = {}): Promise<RevisionContent> =>
  openContent(context, context.space.revision_id, query)

async function getChangeRequestContent(
  context: SpaceContext,
  changeRequestId: string,
  query: ReadQuery = {},
): Promise<RevisionContent> {
  const request = await getChangeRequest(context, changeRequestId)
  return openContent(context, request.revision_id, query)
}

async function getReadableRevisionContent(
  context: SpaceReadContext,
  revisionId: string,
  query: ReadQuery = {},
): Promise<RevisionContent> {
  if (context.visitor && !(await canVisitorRead(context, context.visitor, revisionId))) throw notFound('revision')
  return openContent(context, revisionId, query)
}

/** Whether a visitor may read a revision: the head of the space, or the revision or change request that they preview. */
async function canVisitorRead(
  { db, space }: SpaceReadContext,
  { revisionId: previewed, changeRequestId }: NonNullable<SpaceReadContext['visitor']>,
  revisionId: string,
): Promise<boolean> {
  if (revisionId === space.revision_id || revisionId === previewed) return true
  if (changeRequestId === undefined) return false
  return (await findChangeRequest(db, space, changeRequestId))?.revision_id === revisionId
}

/** Handlers for the current content of a space. */
export const spaceContentRoutes = (services: FileServices) =>
  implement(spaceContent, {
    searchSpaceContent: (context, { query }) => searchSpace(context, query),
    getCurrentRevision: async (context, { query }) =>
      reads.readRevision(context, await getLiveContent(context, query), query),
    updateSpaceContent: withPreparation(
      (context: SpaceContext, { body }: { body: { changes: Parameters<typeof prepareChanges>[1] } }) => {
        assertUnlocked(context)
        return prepareChanges(withChargedQuota(services, context.space.organization_id), body.changes)
      },
      async (context, { body }, preparedChanges) => {
        await lockSpace(context.db, context.space)
        assertUnlocked(context)
        return editSpaceContent(context, body.changes, preparedChanges)
      },
    ),
    listPages: async (context, { query }) => reads.readPageTree(context, await getLiveContent(context, query), query),
    getTableOfContents: async (context, { query }) =>
      reads.readTableOfContents(context, await getLiveContent(context, query), query),
    getPageById: async (context, { params, query }) =>
      reads.readPage(context, await getLiveContent(context, query), params.pageId, query),
    getPageByPath: async (context, { params, query }) =>
      reads.readPageByPath(context, await getLiveContent(context, query), params.pagePath, query),
    listSpacePageMetaLinks: async (context, { params }) =>
      reads.readMetaLinks(context, await getLiveContent(context), params.pageId),
    listFiles: async (context, { query }) => reads.listFiles(context, await getLiveContent(context), query),
    getFileById: async (context, { params, query }) =>
      reads.readFile(context, await getLiveContent(context), params.fileId, query),
    getReusableContentById: async (context, { params, query }) =>
      reads.readReusableContent(context, await getLiveContent(context), params.reusableContentId, query),
    getComputedDocument: (context, { body }) => computeDocument(context, body),
    getComputedRevision: (context, { body }) => computeRevision(context, body),
    getDocumentById: (context, { params }) => reads.readDocumentById(context, params.documentId),
  })

/** Handlers for the current content of a change request. */
export const changeRequestContentRoutes = (services: FileServices) =>
  implement(changeRequestContent, {
    getRevisionOfChangeRequestById: async (context, { params, query }) =>
      reads.readRevision(context, await getChangeRequestContent(context, params.changeRequestId, query), query),
    updateChangeRequestContent: withPreparation(
      async (
        context: SpaceContext,
        {
          params,
          body,
        }: {
          params: { changeRequestId: string }
          body: { changes: Parameters<typeof prepareChanges>[1] }
          query: { compat: boolean }
        },
      ) => {
        await getEditableChangeRequest(context, params.changeRequestId)
        return prepareChanges(withChargedQuota(services, context.space.organization_id), body.changes)
      },
      async (context, { params, query, body }, preparedChanges) => {
        const request = await lockEditableChangeRequest(context, params.changeRequestId)
        const { request: edited, ...applied } = await editChangeRequestContent(
          context,
          request,
          body.changes,
          preparedChanges,
        )
        const changeRequest = await presentChangeRequestWithUsers(context, edited)
        return query.compat ? changeRequest : { changeRequest, ...applied }
      },
    ),
    listPagesInChangeRequest: async (context, { params, query }) =>
      reads.readPageTree(context, await getChangeRequestContent(context, params.changeRequestId, query), query),
    getTableOfContentsInChangeRequest: async (context, { params, query }) =>
      reads.readTableOfContents(context, await getChangeRequestContent(context, params.changeRequestId, query), query),
    getPageInChangeRequestById: async (context, { params, query }) =>
      reads.readPage(
        context,
        await getChangeRequestContent(context, params.changeRequestId, query),
        params.pageId,
        query,
      ),
    getPageInChangeRequestByPath: async (context, { params, query }) =>
      reads.readPageByPath(
        context,
        await getChangeRequestContent(context, params.changeRequestId, query),
        params.pagePath,
        query,
      ),
    listChangeRequestPageMetaLinks: async (context, { params }) =>
      reads.readMetaLinks(context, await getChangeRequestContent(context, params.changeRequestId), params.pageId),
    listFilesInChangeRequestById: async (context, { params, query }) =>
      reads.listFiles(context, await getChangeRequestContent(context, params.changeRequestId), query),
    getFileInChangeRequestById: async (context, { params, query }) =>
      reads.readFile(context, await getChangeRequestContent(context, params.changeRequestId), params.fileId, query),
    getReusableContentInChangeRequestById: async (context, { params, query }) =>
      reads.readReusableContent(
        context,
        await getChangeRequestContent(context, params.changeRequestId),
        params.reusableContentId,
        query,
      ),
  })

/** Handlers for the content of revisions, which is immutable. */
export const revisionRoutes = implement(revisions, {
  async listRevisions(context, { query }) {
    const { db, space } = context
    const after = decodeCursor(query.page, 1)
    const rows = await findHistory(db, space, { after, limit: query.limit })
    const present = await reads.loadRevisionPresenter(context, rows, query)
    return toPage(rows, query, await countHistory(db, space), (row) => [row.id], present)
  },
  getRevisionById: async (context, { params, query }) =>
    reads.readRevision(context, await getReadableRevisionContent(context, params.revisionId, query), query),
  getRevisionSemanticChanges: (context, { params, query }) => listRevisionChanges(context, params.revisionId, query),
  async restoreRevision(context, { params, body }) {
    await lockSpace(context.db, context.space)
    return presentChangeRequestWithUsers(context, await restoreRevision(context, params.revisionId, body))
  },
  listPagesInRevisionById: async (context, { params, query }) =>
    reads.readPageTree(context, await getReadableRevisionContent(context, params.revisionId, query), query),
  getPageInRevisionById: async (context, { params, query }) =>
    reads.readPage(context, await getReadableRevisionContent(context, params.revisionId, query), params.pageId, query),
  getPageDocumentInRevisionById: async (context, { params, query }) =>
    reads.readDocumentOfPage(
      context,
      await getReadableRevisionContent(context, params.revisionId),
      params.pageId,
      query,
    ),
  listRevisionPageMetaLinks: async (context, { params }) =>
    reads.readMetaLinks(context, await getReadableRevisionContent(context, params.revisionId), params.pageId),
  getPageInRevisionByPath: async (context, { params, query }) =>
    reads.readPageByPath(
      context,
      await getReadableRevisionContent(context, params.revisionId, query),
      params.pagePath,
      query,
    ),
  listFilesInRevisionById: async (context, { params, query }) =>
    reads.listFiles(context, await getReadableRevisionContent(context, params.revisionId), query),
  getFileInRevisionById: async (context, { params, query }) =>
    reads.readFile(context, await getReadableRevisionContent(context, params.revisionId), params.fileId, query),
  getReusableContentInRevisionById: async (context, { params, query }) =>
    reads.readReusableContent(
      context,
      await getReadableRevisionContent(context, params.revisionId),
      params.reusableContentId,
      query,
    ),
  getReusableContentDocumentInRevisionById: async (context, { params, query }) =>
    reads.readDocumentOfReusableContent(
      await getReadableRevisionContent(context, params.revisionId),
      params.reusableContentId,
      query,
    ),
})

function assertUnlocked({ space }: SpaceContext): void {
  if (space.edit_mode === 'locked') {
    throw conflict('The space is locked. Change its content through a change request')
  }
}
