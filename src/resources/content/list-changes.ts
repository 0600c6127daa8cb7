import type { BlockAddress } from '../../content/revision/merge-values.ts'
import { emptyRoot } from '../../content/revision/objects.ts'
import { type Tree, openTree } from '../../content/revision/tree.ts'
import type { ChangesQuery, RevisionChanges } from '../../contract/semantic-changes.ts'
import { getChangeRequest, presentChangeRequestWithUsers } from '../../domain/change-requests/change-request-queries.ts'
import { findRevision, getRevision } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { describeChangesBetween } from './changes.ts'

/** Revisions to compare; `before` is undefined for a comparison with nothing. */
interface ComparedRevisions {
  before: Row<'revisions'> | undefined
  after: Row<'revisions'>
}

/** Returns the changes between a revision and its parent, or the revision that the query names. */
export async function listRevisionChanges(
  context: SpaceContext,
  revisionId: string,
  query: ChangesQuery,
): Promise<RevisionChanges> {
  const { db, space } = context
  const after = await getRevision(db, space, revisionId)
  const [parent] = JSON.parse(after.parents) as string[]
  const beforeId = query.comparedWith ?? parent
  const before = beforeId === undefined ? undefined : await getRevision(db, space, beforeId)
  const isMerge = after.merged_from_id !== null && query.comparedWith === undefined
  const mergedFrom = isMerge && {
    mergedFrom: await presentChangeRequestWithUsers(
      context,
      await getChangeRequest(context, after.merged_from_id as string),
    ),
  }
  return { ...mergedFrom, ...(await listChanges(context, { before, after }, query)) }
}

/** Returns the changes between two revisions, or those after the cursor of the query. */
export async function listChanges(
  context: SpaceContext,
  compared: ComparedRevisions,
  query: ChangesQuery,
  combined: readonly BlockAddress[] = [],
): Promise<Omit<RevisionChanges, 'mergedFrom'>> {
  const { before, after, start } = (await openCursor(context, query.page)) ?? { ...compared, start: 0 }
  const objects = context.openObjects(context.db, context.space.organization_id)
  const treeOf = async (revision: Row<'revisions'> | undefined): Promise<Tree> =>
    revision ? openTree(objects, revision.root_hash) : { objects, root: emptyRoot }
  const { changes, remaining } = await describeChangesBetween(context, await treeOf(before), await treeOf(after), {
    start,
    limit: query.limit,
    withBlocks: query.blocks,
    combined,
  })
  if (remaining <= 0) return { changes }
  if (changes.length === 0) return { changes, more: remaining }
  const next = { page: encodeCursor([before?.id ?? '', after.id, String(start + changes.length)]) }
  return { changes, more: remaining, next }
}

/** Opens a cursor: it contains the compared revisions, so that all pages of a list are about the same content. */
async function openCursor({ db, space }: SpaceContext, page: string | undefined) {
  const cursor = decodeCursor(page, 3, ([, , start = '']) => /^\d{1,9}$/.test(start))
  if (!cursor) return undefined
  const [beforeId = '', afterId = '', start] = cursor
  const before = beforeId === '' ? undefined : await findRevision(db, space, beforeId)
  const after = await findRevision(db, space, afterId)
  if (!after || (beforeId !== '' && !before)) throw invalid('query.page', 'is not a valid cursor of this list')
  return { before, after, start: Number(start) }
}
