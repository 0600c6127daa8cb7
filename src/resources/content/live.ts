import type { ContentChange } from '../../contract/content-changes.ts'
import type { SpaceContentUpdate } from '../../contract/content.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import { createRevision, getRevision, moveHead } from '../../domain/revisions/revisions.ts'
import type { Gathered } from './gather.ts'
import { editContent } from './write.ts'

/** Changes the content of a space itself, as one new revision. */
export async function editLive(
  context: SpaceContext,
  changes: readonly ContentChange[],
  gathered: Gathered,
): Promise<SpaceContentUpdate> {
  const { db, space, principal, newId, now } = context
  const [before] = JSON.parse((await getRevision(db, space, space.revision_id)).parents) as string[]
  const { rootHash, formerHash, ...applied } = await editContent(context, {
    changes,
    gathered,
    revisionId: space.revision_id,
    path: `/spaces/${space.id}/content`,
    beganFrom: before ?? space.revision_id,
  })
  if (rootHash === formerHash) return { revision: space.revision_id, ...applied }
  const revision = newId()
  await createRevision(db, {
    id: revision,
    space,
    rootHash,
    type: 'edits',
    parents: [space.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
  })
  if (!(await moveHead(context, space, revision)))
    throw conflict('The content of the space was changed by another request. Try again')
  await exportAfterChange(context)
  return { revision, ...applied }
}
