import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import { createRevision, moveSpaceHead } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'

/** Makes content the head of a space, which must be locked; returns the id of the revision. */
export async function publishContent(context: SpaceContext, rootHash: string): Promise<string> {
  const { space, principal, newId, now } = context
  const id = newId()
  const details = {
    type: 'edits',
    parents: [space.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
  } as const
  await createRevision(context, { id, space, rootHash, ...details })
  if (!(await moveSpaceHead(context, space, id))) throw new Error('The content of the space was not locked')
  await exportAfterChange(context)
  return id
}
