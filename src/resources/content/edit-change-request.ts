import type { ContentChange } from '../../contract/content-changes.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import type { Gathered } from './gather.ts'
import { type Edited, editContent } from './write.ts'
import { ancestorOf } from '../../domain/change-requests/present-change-request.ts'
import { putRevision } from '../../domain/change-requests/change-request-revisions.ts'

/** Changes the content of a change request, as one new revision of it. */
export async function editChangeRequest(
  context: SpaceContext,
  request: Row<'change_requests'>,
  changes: readonly ContentChange[],
  gathered: Gathered,
): Promise<Pick<Edited, 'changes' | 'insertedFiles'> & { request: Row<'change_requests'> }> {
  const { space } = context
  const { rootHash, formerHash, ...applied } = await editContent(context, {
    changes,
    gathered,
    revisionId: request.revision_id,
    path: `/spaces/${space.id}/change-requests/${request.id}/content`,
    beganFrom: ancestorOf(request),
  })
  if (rootHash === formerHash) return { request, ...applied }
  const edited = await putRevision(context, request, { rootHash, type: 'edits', parents: [request.revision_id] })
  return { request: edited, ...applied }
}
