import { changeRequestContent } from '../../contract/change-request-content.ts'
import { revisions, spaceContent } from '../../contract/content.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import {
  getEditableChangeRequest,
  presentChangeRequestWithUsers,
  lockEditableChangeRequest,
} from '../../domain/change-requests/change-request-queries.ts'
import { type FileServices, withChargedQuota } from '../../domain/files/store-file.ts'
import { searchSpace } from '../search/search-space.ts'
import { countHistory, findHistory } from '../../domain/revisions/revisions.ts'
import { computeDocument, computeRevision } from './computed.ts'
import { findTextInPages } from './find-text-in-pages.ts'
import { listRevisionChanges } from './list-changes.ts'
import { prepareChanges } from './prepare-changes.ts'
import { editChangeRequestContent, editSpaceContent } from './edit-content.ts'
import { getChangeRequestContent, getLiveContent, getReadableRevisionContent } from './open-content.ts'
import * as reads from './reads.ts'
import { restoreRevision } from './restore.ts'

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
    findTextInSpace: async (context, { query }) =>
      findTextInPages(await getLiveContent(context, { computed: false }), query),
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
    findTextInChangeRequest: async (context, { params, query }) =>
      findTextInPages(await getChangeRequestContent(context, params.changeRequestId, { computed: false }), query),
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
