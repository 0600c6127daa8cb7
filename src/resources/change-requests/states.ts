import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../storage/tables.ts'
import { type NewRevision, createRevision } from '../revisions/revisions.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import * as store from './store.ts'

type NewState = Pick<NewRevision, 'rootHash' | 'type' | 'parents'>

/** Notes a new state of the content of a change request; returns its id. It is not the active one yet. */
export async function addState(
  { db, space, principal, newId, now }: SpaceContext,
  request: Row<'change_requests'>,
  { rootHash, type, parents }: NewState,
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

/** Makes a new state the content of a change request, as an edit of whoever calls. */
export async function putState(
  context: SpaceContext,
  request: Row<'change_requests'>,
  state: NewState,
): Promise<Row<'change_requests'>> {
  const { db, principal, now } = context
  const revision = await addState(context, request, state)
  await store.noteContribution(db, request, principal.user.id, 'edit', now())
  await revalidateChangeRequest(context, request)
  return store.updateChangeRequest(db, request, { revision_id: revision, updated_at: now() })
}
