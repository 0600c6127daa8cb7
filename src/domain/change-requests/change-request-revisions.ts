import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { type NewRevision, createRevision } from '../revisions/revisions.ts'
import { revalidateChangeRequest } from '../revalidation/revalidate.ts'
import { recordChangeRequestEvent } from '../live/record-event.ts'
import * as store from './change-request-store.ts'

type NewRevisionFields = Pick<NewRevision, 'rootHash' | 'type' | 'parents'>

/** Stores a revision of a change request without making it the head; returns its id. */
export async function addChangeRequestRevision(
  { db, openObjects, space, principal, newId, now }: SpaceContext,
  request: Row<'change_requests'>,
  { rootHash, type, parents }: NewRevisionFields,
): Promise<string> {
  const id = newId()
  await createRevision(
    { db, openObjects },
    {
      id,
      space,
      rootHash,
      type,
      parents,
      createdBy: principal.user.id,
      createdAt: now(),
      changeRequestId: request.id,
    },
  )
  return id
}

/** Stores a revision as the new head of a change request, as an edit by the caller. */
export async function replaceChangeRequestHead(
  context: SpaceContext,
  request: Row<'change_requests'>,
  fields: NewRevisionFields,
): Promise<Row<'change_requests'>> {
  const { db, principal, now } = context
  const revision = await addChangeRequestRevision(context, request, fields)
  await store.addContribution(db, request, principal.user.id, 'edit', now())
  await revalidateChangeRequest(context, request)
  const updated = await store.updateChangeRequest(db, request, { revision_id: revision, updated_at: now() })
  await recordChangeRequestEvent(context, updated)
  return updated
}
