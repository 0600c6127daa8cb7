import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordSpaceEvent } from '../../domain/live/record-event.ts'
import { copyGrantsOfSpace } from '../../domain/permissions/grant-store.ts'
import { createRevision, getRevision, listedContentOf } from '../../domain/revisions/revisions.ts'
import { requireCreateBeside } from '../../domain/spaces/require-create-beside.ts'
import { resolvePosition } from '../../domain/spaces/sibling-positions.ts'
import { insertSpace } from '../../domain/spaces/space-store.ts'
import { enqueueDerivations } from '../../derived/jobs.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

/** Differences between a space and its copy. */
interface SpaceCopy {
  fields: Pick<Row<'spaces'>, 'title'> & Partial<Pick<Row<'spaces'>, 'language' | 'edit_mode'>>
  /** Hash of the root of the content; by default that of the space. */
  rootHash?: string
  /** Values of the audit event that describe why the copy was made. */
  reason: Readonly<Record<string, string>>
}

/** Creates a space beside another one, with its settings and permissions; fails if the caller may not create one there. */
export async function copySpace(
  context: SpaceContext,
  { fields, rootHash, reason }: SpaceCopy,
): Promise<Row<'spaces'>> {
  const { db, space, principal, newId, now } = context
  const { organization_id: organizationId, parent_id: parentId } = space
  await requireCreateBeside(context)
  const revisionId = newId()
  const copy = await insertSpace(db, {
    ...space,
    id: newId(),
    ...fields,
    position: await resolvePosition(
      db,
      { organizationId, parentId },
      { after: { type: 'space', space: space.id } },
      { id: '', parent_id: null, position: '' },
    ),
    revision_id: revisionId,
    comments_open: 0,
    change_requests: 0,
    change_requests_open: 0,
    change_requests_draft: 0,
    git_sync: null,
    created_at: now(),
    updated_at: now(),
  })
  const revision = await getRevision(db, space, space.revision_id)
  await createRevision(context, {
    id: revisionId,
    space: copy,
    // Content is immutable, so the copy can refer to the same objects.
    rootHash: rootHash ?? revision.root_hash,
    // An export of the copy writes the files of the original.
    listed: listedContentOf(revision),
    type: 'edits',
    parents: [],
    createdBy: principal.user.id,
    createdAt: now(),
  })
  await copyGrantsOfSpace(db, space, copy.id, now())
  await enqueueDerivations(context, copy.id)
  await recordEventAbout(context, 'space', copy, 'space.create', { after: { parent: parentId, ...reason } })
  await recordSpaceEvent(context, copy)
  return copy
}
