import { restoreStoredDocument } from '../../content/document/restore.ts'
import { printPage } from '../../content/markdown/print.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import { Draft } from '../../content/revision/draft.ts'
import { type RenderedDocument, type RenderedPage, rendered } from '../../contract/rendered.ts'
import { getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { baseRevisionIdOf } from '../../domain/change-requests/present-change-request.ts'
import { parseDocumentBodyOfAnySize } from '../../domain/documents/document-body.ts'
import { presentDocument } from '../../domain/documents/present-document.ts'
import { type RevisionContent, getComputedContent } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { type OperationInput, implement } from '../../kernel/implement.ts'
import { seconds } from '../../kernel/time.ts'
import { WorkQueue } from '../../kernel/work-queue.ts'
import type { PlainObject } from '../../publishing/plain-data.ts'
import { resolveLinks } from '../content/apply/links.ts'
import { readDocumentObject } from '../content/body.ts'
import { getReusableContent } from '../content/reads.ts'
import { MemberReader, MemberSpace } from './member-space.ts'
import { parseVisitorClaims } from './visitor-claims.ts'
import { type RenderServices, renderPage, renderReusableContent, renderUnstoredDocument } from './render-page.ts'

export type { RenderServices as RenderedServices }

/** Limits of concurrent rendering, so that other requests are served in between. */
const renderingLimits = {
  maxRunning: 2,
  maxRunningPerCaller: 1,
  maxWaiting: 1000,
  maxWaitingPerCaller: 200,
  maxWait: seconds(10),
}

/** Version of a space that a request reads. */
interface Version {
  revisionId: string
  /** Number of the change request, if its content is read. */
  changeRequest?: number
  /** Revision that `comparedWith=base` names. */
  base?: string
  /** Claims of the visitor for whom it is rendered; undefined to show all content. */
  visitorClaims?: PlainObject | undefined
}

type PageQuery = OperationInput<typeof rendered.getRenderedPageById>['query']

/** Handlers for content as HTML. */
export function renderedRoutes(services: RenderServices) {
  const queue = new WorkQueue(renderingLimits)
  const enqueue = <T>({ principal }: SpaceContext, work: () => Promise<T>): Promise<T> =>
    queue.run(principal.user.id, work)
  const readPage = (context: SpaceContext, version: Version, pageId: string, query: PageQuery) => {
    const visitorClaims = parseVisitorClaims(query.visitorClaims, 'query.visitorClaims')
    return enqueue(context, () => renderPageOf(services, context, { ...version, visitorClaims }, pageId, query))
  }
  const readReusableContent = (context: SpaceContext, version: Version, id: string) =>
    enqueue(context, () => renderReusableContentOf(services, context, version, id))
  const renderBody = (context: SpaceContext, version: Version, body: RenderBody) => {
    const visitorClaims = parseVisitorClaims(body.visitorClaims, 'body.visitorClaims')
    return enqueue(context, () => renderBodyIn(services, context, { ...version, visitorClaims }, body))
  }

  return implement(rendered, {
    getRenderedPageById: (context, { params, query }) =>
      readPage(context, liveVersionOf(context), params.pageId, query),
    getRenderedPageInChangeRequest: async (context, { params, query }) =>
      readPage(context, await getProposedVersion(context, params.changeRequestId), params.pageId, query),
    getRenderedPageInRevision: (context, { params, query }) =>
      readPage(context, { revisionId: params.revisionId }, params.pageId, query),
    renderDocumentInSpace: (context, { body }) => renderBody(context, liveVersionOf(context), body),
    renderDocumentInChangeRequest: async (context, { params, body }) =>
      renderBody(context, await getProposedVersion(context, params.changeRequestId), body),
    getRenderedReusableContent: (context, { params }) =>
      readReusableContent(context, liveVersionOf(context), params.reusableContentId),
    getRenderedReusableContentInChangeRequest: async (context, { params }) =>
      readReusableContent(context, await getProposedVersion(context, params.changeRequestId), params.reusableContentId),
  })
}

const liveVersionOf = ({ space }: SpaceContext): Version => ({ revisionId: space.revision_id })

async function getProposedVersion(context: SpaceContext, idOrNumber: string): Promise<Version> {
  const request = await getChangeRequest(context, idOrNumber)
  return { revisionId: request.revision_id, changeRequest: request.number, base: baseRevisionIdOf(request) }
}

async function openVersion(
  context: SpaceContext,
  { revisionId, changeRequest, visitorClaims }: Version,
): Promise<{ content: RevisionContent; space: MemberSpace }> {
  const content = await getComputedContent(context, context.space, revisionId)
  const reader = new MemberReader(context, visitorClaims)
  return { content, space: new MemberSpace(reader, context.space, content.tree, changeRequest) }
}

async function renderPageOf(
  services: RenderServices,
  context: SpaceContext,
  version: Version,
  pageId: string,
  { comparedWith }: PageQuery,
): Promise<RenderedPage> {
  const { space } = await openVersion(context, version)
  if (comparedWith === undefined) return renderPage(services, space, pageId, undefined)
  const revisionId = comparedWith === 'base' && version.base !== undefined ? version.base : comparedWith
  const { space: other } = await openVersion(context, { ...version, revisionId })
  return renderPage(services, space, pageId, other)
}

async function renderReusableContentOf(
  services: RenderServices,
  context: SpaceContext,
  version: Version,
  id: string,
): Promise<RenderedPage> {
  const { content, space } = await openVersion(context, version)
  const { title, document } = await getReusableContent(content, id)
  return renderReusableContent(services, space, id, {
    title,
    document: await readDocumentObject(content.tree, document),
  })
}

type RenderBody = OperationInput<typeof rendered.renderDocumentInSpace>['body']

async function renderBodyIn(
  services: RenderServices,
  context: SpaceContext,
  version: Version,
  { document: body, page: pageId, include = [] }: RenderBody,
): Promise<RenderedDocument> {
  const { content, space } = await openVersion(context, version)
  const page = pageId === undefined ? undefined : (await space.findPagesById([pageId])).get(pageId)?.page
  if (pageId !== undefined && !page) throw unknownReference('body.page', 'page')
  const { document, metadata, hasPathLinks } = await parseDocumentBodyOfAnySize(body, 'body.document')
  const isVisible = pageId === undefined ? undefined : await space.isVisible(pageId)
  const draft = new Draft(content.tree, { yieldIfDue: createYielder() })
  const linked = hasPathLinks ? await resolveLinks(draft, document, pageId) : restoreStoredDocument(document, undefined)
  return {
    ...(metadata.title !== undefined && { title: metadata.title }),
    ...(metadata.description !== undefined && { description: metadata.description }),
    ...(await renderUnstoredDocument(services, space, linked, { pageId, page })),
    ...(isVisible !== undefined && { isVisible }),
    ...(include.includes('document') && { document: presentDocument(linked) }),
    ...(include.includes('markdown') && {
      markdown: printPage({ title: metadata.title ?? page?.title ?? '', document: linked }, verbatimReferences),
    }),
  }
}
