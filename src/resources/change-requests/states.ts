import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../storage/tables.ts'
import { type NewRevision, createRevision } from '../revisions/revisions.ts'

/** Notes a new state of the content of a change request; returns its id. It is not the active one yet. */
export async function addState(
  { db, space, principal, newId, now }: SpaceContext,
  request: Row<'change_requests'>,
  { rootHash, type, parents }: Pick<NewRevision, 'rootHash' | 'type' | 'parents'>,
): Promise<string> {
  const id = newId()
  await createRevision(db, {
    id,
    space,
    rootHash,
    type,
    parents,
    createdBy: principal.user.id,
    createdAt: now(),
    changeRequestId: request.id,
  })
  return id
}
