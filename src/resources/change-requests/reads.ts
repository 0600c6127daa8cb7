import { roleInRow } from '../../access/content.ts'
import type { ChangeRequest } from '../../contract/change-request.ts'
import type { RoleOrGuest } from '../../contract/roles.ts'
import type { SpaceContext, Urls, Viewer } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Db, Row } from '../../storage/tables.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { presentChangeRequest } from './present.ts'
import * as store from './store.ts'

export const { findChangeRequest } = store

export async function getChangeRequest({ db, space }: Pick<SpaceContext, 'db' | 'space'>, idOrNumber: string) {
  const request = await store.findChangeRequest(db, space, idOrNumber)
  if (!request) throw notFound('change request')
  return request
}

/** The change request for those who are about to change it: it must not have come to its end. */
export async function takeEditable(context: Pick<SpaceContext, 'db' | 'space'>, idOrNumber: string) {
  await lockSpace(context.db, context.space)
  return getEditable(context, idOrNumber)
}

/** The change request, which must not have come to its end. */
export async function getEditable(context: Pick<SpaceContext, 'db' | 'space'>, idOrNumber: string) {
  const request = await getChangeRequest(context, idOrNumber)
  if (request.status === 'merged') throw conflict('The change request is merged and can no longer be changed')
  if (request.status === 'archived') throw conflict('The change request is archived; open it to change it')
  return request
}

interface Presenting {
  db: Db
  urls: Urls
}

/** A change request of the space that the caller asked about. */
export async function presentOne(
  { db, space, role, urls }: Presenting & { space: Row<'spaces'>; role: RoleOrGuest },
  request: Row<'change_requests'>,
): Promise<ChangeRequest> {
  const users = await loadUsers(db, [request.created_by, request.merged_by])
  return presentChangeRequest(request, { spaceRevisionId: space.revision_id, role, users, urls })
}

/** Change requests of the space by their ids; all of them are known to exist. */
export async function presentByIds(
  context: Presenting & { space: Row<'spaces'>; role: RoleOrGuest },
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

/** Change requests of spaces that the viewer can see. */
export async function presentMany(
  { db, urls, viewer }: Presenting & { viewer: Viewer },
  requests: readonly Row<'change_requests'>[],
): Promise<(row: Row<'change_requests'>) => ChangeRequest> {
  const users = await loadUsers(
    db,
    requests.flatMap((request) => [request.created_by, request.merged_by]),
  )
  const spaceIds = [...new Set(requests.map((request) => request.space_id))]
  const spaces = new Map((await store.findSpacesOf(db, viewer, spaceIds)).map((space) => [space.id, space]))
  return (row) => {
    const space = spaces.get(row.space_id)
    const role = space ? roleInRow(viewer, space) : null
    return presentChangeRequest(row, { spaceRevisionId: space?.revision_id ?? '', role, users, urls })
  }
}
