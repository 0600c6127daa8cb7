import { resolveRoleInRow } from '../../access/content-roles.ts'
import type { ChangeRequest } from '../../contract/change-request.ts'
import type { RoleOrGuest } from '../../contract/roles.ts'
import type { SpaceContext, Urls, Viewer } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { loadUsers } from '../users/load-users.ts'
import { presentChangeRequest } from './present-change-request.ts'
import * as store from './change-request-store.ts'

export const { findChangeRequest } = store

export async function getChangeRequest({ db, space }: Pick<SpaceContext, 'db' | 'space'>, idOrNumber: string) {
  const request = await store.findChangeRequest(db, space, idOrNumber)
  if (!request) throw notFound('change request')
  return request
}

/** Locks the space and returns a change request to be edited; fails if it is merged or archived. */
export async function lockEditableChangeRequest(context: Pick<SpaceContext, 'db' | 'space'>, idOrNumber: string) {
  await lockSpace(context.db, context.space)
  return getEditableChangeRequest(context, idOrNumber)
}

/** Returns a change request; fails if it is merged or archived. */
export async function getEditableChangeRequest(context: Pick<SpaceContext, 'db' | 'space'>, idOrNumber: string) {
  const request = await getChangeRequest(context, idOrNumber)
  assertEditable(request)
  return request
}

/** Whether a change request is merged or archived. */
export const isClosed = ({ status }: Pick<Row<'change_requests'>, 'status'>): boolean =>
  status === 'merged' || status === 'archived'

/** Fails if a change request is merged or archived. */
export function assertEditable(request: Pick<Row<'change_requests'>, 'status'>): void {
  if (request.status === 'merged') throw conflict('The change request is already merged and cannot be changed')
  if (request.status === 'archived')
    throw conflict('The change request is archived. Set its status to `open` to change it')
}

interface PresenterContext {
  db: Db
  urls: Urls
}

/** Presents a change request of the space in the context. */
export async function presentChangeRequestWithUsers(
  { db, space, role, urls }: PresenterContext & { space: Row<'spaces'>; role: RoleOrGuest },
  request: Row<'change_requests'>,
): Promise<ChangeRequest> {
  const users = await loadUsers(db, [request.created_by, request.merged_by])
  return presentChangeRequest(request, { spaceRevisionId: space.revision_id, role, users, urls })
}

/** Loads change requests of a space; returns a function that presents one of them by its id. */
export async function loadChangeRequestPresenter(
  context: PresenterContext & { space: Row<'spaces'>; role: RoleOrGuest },
  ids: readonly string[],
): Promise<(id: string) => ChangeRequest> {
  const { db, space, role, urls } = context
  const rows = await store.findChangeRequestsById(db, space, ids)
  const users = await loadUsers(
    db,
    rows.flatMap((row) => [row.created_by, row.merged_by]),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (id) => {
    const row = byId.get(id)
    if (!row) throw new Error(`The change request ${id} was not loaded`)
    return presentChangeRequest(row, { spaceRevisionId: space.revision_id, role, users, urls })
  }
}

/** Loads what change requests of several spaces need; returns a function that presents one of them. */
export async function loadChangeRequestPresenterAcrossSpaces(
  { db, urls, viewer }: PresenterContext & { viewer: Viewer },
  requests: readonly Row<'change_requests'>[],
): Promise<(row: Row<'change_requests'>) => ChangeRequest> {
  const users = await loadUsers(
    db,
    requests.flatMap((request) => [request.created_by, request.merged_by]),
  )
  const spaceIds = [...new Set(requests.map((request) => request.space_id))]
  const spaces = new Map((await store.findVisibleSpaceRanks(db, viewer, spaceIds)).map((space) => [space.id, space]))
  return (row) => {
    const space = spaces.get(row.space_id)
    const role = space ? resolveRoleInRow(viewer, space) : null
    return presentChangeRequest(row, { spaceRevisionId: space?.revision_id ?? '', role, users, urls })
  }
}
