import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { addChangeRequestCounts } from '../spaces/space-store.ts'
import { recordChangeRequestEvent } from '../live/record-event.ts'
import { changeRequestTarget, followByTakingPart } from '../notifications/follow-store.ts'
import * as store from './change-request-store.ts'

interface NewChangeRequest {
  subject: string | undefined
  status: 'draft' | 'open'
  /** The revision of the space that it starts from. */
  baseRevision: string
}

/** Creates a change request without changes. */
export async function openChangeRequest(
  context: Pick<SpaceContext, 'db' | 'space' | 'principal' | 'newId' | 'now'>,
  { subject = '', status, baseRevision }: NewChangeRequest,
): Promise<Row<'change_requests'>> {
  const { db, space, principal, newId, now } = context
  const number = await addChangeRequestCounts(db, space, { all: 1, [status]: 1 })
  const request = await store.insertChangeRequest(db, {
    organization_id: space.organization_id,
    id: newId(),
    space_id: space.id,
    number,
    status,
    subject,
    description: null,
    links: '[]',
    revision_id: baseRevision,
    revision_initial_id: baseRevision,
    revision_merged_ancestor_id: null,
    revision_merged_id: null,
    comments_open: 0,
    conflicts_open: 0,
    created_by: principal.user.id,
    created_at: now(),
    updated_at: now(),
    merged_by: null,
    merged_at: null,
  })
  await followByTakingPart(context, changeRequestTarget(request), [principal.user.id])
  await recordChangeRequestEvent(context, request)
  return request
}
