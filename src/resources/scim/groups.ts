import { type Attributes, pickWritable } from '../../scim/canonical.ts'
import { ScimError } from '../../scim/errors.ts'
import { planGroupChanges, readMemberIds } from '../../scim/group-changes.ts'
import { type ListRequest, parseListQuery, parseSearchBody, presentList } from '../../scim/list.ts'
import { parsePatchBody } from '../../scim/patch-body.ts'
import type { ScimContext, ScimReply, ScimRequest, ScimRoute } from '../../scim/route.ts'
import { groupBodyAttributes } from '../../scim/schemas.ts'
import { parseSelection } from '../../scim/select-attributes.ts'
import { findPage } from './find-page.ts'
import { translateGroupTerms } from './group-filter.ts'
import { recordScimEvent } from './record-event.ts'
import * as store from './group-store.ts'
import { presentGroup } from './present-group.ts'
import { printGroups } from './print-groups.ts'
import { createGroup, getGroup, removeGroup, saveGroup } from './save-group.ts'

/** Maximum number of bytes in the body of a group with the maximum number of members. */
const maxBody = 512 * 1024

/** Columns for the attributes that groups can be sorted by. */
const sortColumns = new Map<string, store.GroupOrder>([
  ['id', 'id'],
  ['displayname', 'title'],
  ['meta.created', 'created_at'],
])

export const groupRoutes: readonly ScimRoute[] = [
  {
    name: 'scimListGroups',
    method: 'GET',
    path: '/Groups',
    isReadOnly: true,
    handle: (context, { query }) => listGroups(context, parseListQuery(query)),
  },
  {
    name: 'scimSearchGroups',
    method: 'POST',
    path: '/Groups/.search',
    maxBody,
    isReadOnly: true,
    handle: (context, { body }) => listGroups(context, parseSearchBody(body)),
  },
  {
    name: 'scimCreateGroup',
    method: 'POST',
    path: '/Groups',
    maxBody,
    isReadOnly: false,
    async handle(context, request) {
      const { members, ...attributes } = pickWritable(groupBodyAttributes, request.body)
      const id = await createGroup(context, attributes, readMemberIds(members))
      await recordScimEvent(context, 'scim.group-create', { type: 'team', id })
      const location = `${context.baseUrl}/Groups/${id}`
      return { ...(await replyWithGroup(context, id, request)), status: 201, location }
    },
  },
  {
    name: 'scimGetGroup',
    method: 'GET',
    path: '/Groups/:id',
    isReadOnly: true,
    handle: (context, request) => replyWithGroup(context, request.id, request),
  },
  {
    name: 'scimReplaceGroup',
    method: 'PUT',
    path: '/Groups/:id',
    maxBody,
    isReadOnly: false,
    async handle(context, request) {
      const group = await getGroup(context, request.id)
      const { members, ...given } = pickWritable(groupBodyAttributes, request.body)
      // A client that sends no list of members does not manage them.
      const changes = { replacesAll: members !== undefined, added: new Set(readMemberIds(members)) }
      const attributes: Attributes = { externalId: null, ...given }
      await saveGroup(context, group, attributes, { ...changes, removed: new Set() })
      await recordScimEvent(context, 'scim.group-update', { type: 'team', id: group.id, title: group.title })
      return replyWithGroup(context, group.id, request)
    },
  },
  {
    name: 'scimPatchGroup',
    method: 'PATCH',
    path: '/Groups/:id',
    maxBody,
    isReadOnly: false,
    async handle(context, request) {
      const { attributes, members } = planGroupChanges(parsePatchBody(request.body))
      const group = await getGroup(context, request.id)
      await saveGroup(context, group, attributes, members)
      await recordScimEvent(context, 'scim.group-update', { type: 'team', id: group.id, title: group.title })
      // Without content by default, because a group may have many members.
      return request.query('attributes') === undefined ? { status: 204 } : replyWithGroup(context, group.id, request)
    },
  },
  {
    name: 'scimDeleteGroup',
    method: 'DELETE',
    path: '/Groups/:id',
    isReadOnly: false,
    async handle(context, { id }) {
      await removeGroup(context, id)
      await recordScimEvent(context, 'scim.group-delete', { type: 'team', id })
      return { status: 204 }
    },
  },
]

async function listGroups(context: ScimContext, request: ListRequest): Promise<ScimReply> {
  const { db, organization, baseUrl } = context
  const column = sortColumns.get(request.sortBy ?? 'id')
  if (!column) throw new ScimError('invalidValue', 'sortBy: groups can be sorted by id, displayName and meta.created')
  const order = { column, direction: request.direction }
  const { resources, total } = await findPage(
    {
      translate: translateGroupTerms(organization.id),
      count: (condition) => store.countGroups(db, organization.id, condition),
      select: (condition, offset, limit) => store.findGroups(db, organization.id, condition, order, { offset, limit }),
      present: (row) => presentGroup(row, baseUrl),
      unloaded: 'members',
    },
    request,
  )
  const body = await printGroups(context, resources, request.selection, (groups) =>
    presentList(groups, total, request.offset),
  )
  return { status: 200, body }
}

async function replyWithGroup(context: ScimContext, id: string, { query }: ScimRequest): Promise<ScimReply> {
  const group = await getGroup(context, id)
  const body = await printGroups(context, [group], parseSelection(query), ([presented]) => presented ?? {})
  return { status: 200, body }
}
