import type { SpaceContext, SpaceReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { findChangeRequest, getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { type RevisionContent, getComputedContent, getRevisionContent } from '../../domain/revisions/revisions.ts'
import type { ComputedQuery } from './stream.ts'

// Opens the content that a request reads: of the space, of a change request, or of a revision.

/** Query of a read; visitors and reads without the parameter get generated pages. */
type ReadQuery = Partial<ComputedQuery>

const openContent = (context: SpaceReadContext, revisionId: string, query: ReadQuery): Promise<RevisionContent> =>
  query.computed === false && !context.visitor
    ? getRevisionContent(context, context.space, revisionId)
    : getComputedContent(context, context.space, revisionId)

export const getLiveContent = (context: SpaceReadContext, query: ReadQuery = {}): Promise<RevisionContent> =>
  openContent(context, context.space.revision_id, query)

export async function getChangeRequestContent(
  context: SpaceContext,
  changeRequestId: string,
  query: ReadQuery = {},
): Promise<RevisionContent> {
  const request = await getChangeRequest(context, changeRequestId)
  return openContent(context, request.revision_id, query)
}

export async function getReadableRevisionContent(
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
