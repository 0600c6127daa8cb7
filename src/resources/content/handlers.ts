import { changeRequestContent } from '../../contract/change-request-content.ts'
import { revisions, spaceContent } from '../../contract/content.ts'
import type { SpaceContext, SpaceReadContext } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { implement, prepared } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import {
  findChangeRequest,
  getChangeRequest,
  getEditable,
  presentChangeRequestOf,
  lockEditable,
} from '../../domain/change-requests/change-request-queries.ts'
import { type FileServices, chargeTo } from '../../domain/files/store-file.ts'
import { searchSpace } from '../search/space.ts'
import { type Content, countHistory, findHistory, getContent } from '../../domain/revisions/revisions.ts'
import { changesOfRevision } from './changes.ts'
import { gather } from './gather.ts'
import { editChangeRequestContent, editSpaceContent } from './edit-content.ts'
import * as reads from './reads.ts'
import { restoreRevision } from './restore.ts'

const live = (context: SpaceReadContext): Promise<Content> =>
  getContent(context, context.space, context.space.revision_id)

async function proposed(context: SpaceContext, changeRequestId: string): Promise<Content> {
  const request = await getChangeRequest(context, changeRequestId)
  return getContent(context, context.space, request.revision_id)
}

async function former(context: SpaceReadContext, revisionId: string): Promise<Content> {
  if (context.visitor && !(await mayVisit(context, context.visitor, revisionId))) throw notFound('revision')
  return getContent(context, context.space, revisionId)
}

/** Whether a visitor may read a revision: the head of the space, or the revision or change request that they preview. */
async function mayVisit(
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
    getCurrentRevision: async (context, { query }) => reads.readRevision(context, await live(context), query),
    updateSpaceContent: prepared(
      (context: SpaceContext, { body }: { body: { changes: Parameters<typeof gather>[1] } }) => {
        demandUnlocked(context)
        return gather(chargeTo(services, context.space.organization_id), body.changes)
      },
      async (context, { body }, gathered) => {
        await lockSpace(context.db, context.space)
        demandUnlocked(context)
        return editSpaceContent(context, body.changes, gathered)
      },
    ),
    listPages: async (context, { query }) => reads.readPageTree(context, await live(context), query),
    getPageById: async (context, { params, query }) =>
      reads.readPage(context, await live(context), params.pageId, query),
    getPageByPath: async (context, { params, query }) =>
      reads.readPageByPath(context, await live(context), params.pagePath, query),
    listSpacePageMetaLinks: async (context, { params }) =>
      reads.readMetaLinks(context, await live(context), params.pageId),
    listFiles: async (context, { query }) => reads.listFiles(context, await live(context), query),
    getFileById: async (context, { params, query }) =>
      reads.readFile(context, await live(context), params.fileId, query),
    getReusableContentById: async (context, { params, query }) =>
      reads.readReusableContent(context, await live(context), params.reusableContentId, query),
    getDocumentById: (context, { params }) => reads.readDocumentById(context, params.documentId),
  })

/** Handlers for the current content of a change request. */
export const changeRequestContentRoutes = (services: FileServices) =>
  implement(changeRequestContent, {
    getRevisionOfChangeRequestById: async (context, { params, query }) =>
      reads.readRevision(context, await proposed(context, params.changeRequestId), query),
    updateChangeRequestContent: prepared(
      async (
        context: SpaceContext,
        {
          params,
          body,
        }: {
          params: { changeRequestId: string }
          body: { changes: Parameters<typeof gather>[1] }
          query: { compat: boolean }
        },
      ) => {
        await getEditable(context, params.changeRequestId)
        return gather(chargeTo(services, context.space.organization_id), body.changes)
      },
      async (context, { params, query, body }, gathered) => {
        const request = await lockEditable(context, params.changeRequestId)
        const { request: edited, ...applied } = await editChangeRequestContent(context, request, body.changes, gathered)
        const changeRequest = await presentChangeRequestOf(context, edited)
        return query.compat ? changeRequest : { changeRequest, ...applied }
      },
    ),
    listPagesInChangeRequest: async (context, { params, query }) =>
      reads.readPageTree(context, await proposed(context, params.changeRequestId), query),
    getPageInChangeRequestById: async (context, { params, query }) =>
      reads.readPage(context, await proposed(context, params.changeRequestId), params.pageId, query),
    getPageInChangeRequestByPath: async (context, { params, query }) =>
      reads.readPageByPath(context, await proposed(context, params.changeRequestId), params.pagePath, query),
    listChangeRequestPageMetaLinks: async (context, { params }) =>
      reads.readMetaLinks(context, await proposed(context, params.changeRequestId), params.pageId),
    listFilesInChangeRequestById: async (context, { params, query }) =>
      reads.listFiles(context, await proposed(context, params.changeRequestId), query),
    getFileInChangeRequestById: async (context, { params, query }) =>
      reads.readFile(context, await proposed(context, params.changeRequestId), params.fileId, query),
    getReusableContentInChangeRequestById: async (context, { params, query }) =>
      reads.readReusableContent(
        context,
        await proposed(context, params.changeRequestId),
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
    const present = await reads.summarizer(context, rows, query)
    return toPage(rows, query, await countHistory(db, space), (row) => [row.id], present)
  },
  getRevisionById: async (context, { params, query }) =>
    reads.readRevision(context, await former(context, params.revisionId), query),
  getRevisionSemanticChanges: async (context, { params, query }) =>
    changesOfRevision(context, await former(context, params.revisionId), query.limit),
  async restoreRevision(context, { params, body }) {
    await lockSpace(context.db, context.space)
    return presentChangeRequestOf(context, await restoreRevision(context, params.revisionId, body))
  },
  listPagesInRevisionById: async (context, { params, query }) =>
    reads.readPageTree(context, await former(context, params.revisionId), query),
  getPageInRevisionById: async (context, { params, query }) =>
    reads.readPage(context, await former(context, params.revisionId), params.pageId, query),
  getPageDocumentInRevisionById: async (context, { params, query }) =>
    reads.readDocumentOfPage(context, await former(context, params.revisionId), params.pageId, query),
  listRevisionPageMetaLinks: async (context, { params }) =>
    reads.readMetaLinks(context, await former(context, params.revisionId), params.pageId),
  getPageInRevisionByPath: async (context, { params, query }) =>
    reads.readPageByPath(context, await former(context, params.revisionId), params.pagePath, query),
  listFilesInRevisionById: async (context, { params, query }) =>
    reads.listFiles(context, await former(context, params.revisionId), query),
  getFileInRevisionById: async (context, { params, query }) =>
    reads.readFile(context, await former(context, params.revisionId), params.fileId, query),
  getReusableContentInRevisionById: async (context, { params, query }) =>
    reads.readReusableContent(context, await former(context, params.revisionId), params.reusableContentId, query),
  getReusableContentDocumentInRevisionById: async (context, { params, query }) =>
    reads.readDocumentOfReusableContent(await former(context, params.revisionId), params.reusableContentId, query),
})

function demandUnlocked({ space }: SpaceContext): void {
  if (space.edit_mode === 'locked') {
    throw conflict('The space is locked. Change its content through a change request')
  }
}
