import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../storage/tables.ts'
import * as store from './store.ts'

interface NewRequest {
  subject: string | undefined
  status: 'draft' | 'open'
  /** The revision of the space that it begins at. */
  beginsAt: string
}

/** Opens a change request in which nothing is changed yet. */
export async function openRequest(
  { db, space, principal, newId, now }: Pick<SpaceContext, 'db' | 'space' | 'principal' | 'newId' | 'now'>,
  { subject = '', status, beginsAt }: NewRequest,
): Promise<Row<'change_requests'>> {
  const number = await store.countInSpace(db, space, { all: 1, [status]: 1 })
  return store.insertChangeRequest(db, {
    organization_id: space.organization_id,
    id: newId(),
    space_id: space.id,
    number,
    status,
    subject,
    description: null,
    links: '[]',
    revision_id: beginsAt,
    revision_initial_id: beginsAt,
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
}
