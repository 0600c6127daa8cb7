import { groupBy } from '../../kernel/group-by.ts'
import { slowReaderOf } from '../../storage/slow-reader.ts'
import { applyPatch } from '../../scim/apply-patch.ts'
import { pickWritable } from '../../scim/canonical.ts'
import { ScimError } from '../../scim/errors.ts'
import { type ListRequest, parseListQuery, parseSearchBody, presentList } from '../../scim/list.ts'
import { parsePatchBody } from '../../scim/patch-body.ts'
import type { ScimContext, ScimReply, ScimRequest, ScimRoute } from '../../scim/route.ts'
import { octavoUserSchemaId, userBodyAttributes } from '../../scim/schemas.ts'
import { type AttributeSelection, isRequested, parseSelection, selectAttributes } from '../../scim/select-attributes.ts'
import { parseUserValues } from '../../scim/user-values.ts'
import { findPage } from './find-page.ts'
import { presentUser } from './present-user.ts'
import { getUser, provisionUser, removeUser, saveUser } from './save-user.ts'
import { translateUserTerms } from './user-filter.ts'
import { recordScimEvent } from './record-event.ts'
import * as store from './user-store.ts'

/** Maximum number of bytes in the body of a user. */
const maxBody = 64 * 1024

/** Lists of organizations with more members are read in a thread, where the engine has one. */
const maxMembersOnMainThread = 5000

/** Columns for the attributes that users can be sorted by. */
const sortColumns = new Map<string, store.UserOrder>([
  ['id', 'user_id'],
  ['username', 'user_name_key'],
  ['meta.created', 'joined_at'],
])

export const userRoutes: readonly ScimRoute[] = [
  {
    name: 'scimListUsers',
    method: 'GET',
    path: '/Users',
    isReadOnly: true,
    handle: (context, { query }) => listUsers(context, parseListQuery(query)),
  },
  {
    name: 'scimSearchUsers',
    method: 'POST',
    path: '/Users/.search',
    maxBody,
    isReadOnly: true,
    handle: (context, { body }) => listUsers(context, parseSearchBody(body)),
  },
  {
    name: 'scimCreateUser',
    method: 'POST',
    path: '/Users',
    maxBody,
    isReadOnly: false,
    async handle(context, request) {
      const values = parseUserValues(pickWritable(userBodyAttributes, request.body))
      const id = await provisionUser(context, values)
      await recordScimEvent(context, 'scim.user-create', { type: 'member', id, title: values.userName })
      return { ...(await replyWithUser(context, id, request)), status: 201, location: `${context.baseUrl}/Users/${id}` }
    },
  },
  {
    name: 'scimGetUser',
    method: 'GET',
    path: '/Users/:id',
    isReadOnly: true,
    handle: (context, request) => replyWithUser(context, request.id, request),
  },
  {
    name: 'scimReplaceUser',
    method: 'PUT',
    path: '/Users/:id',
    maxBody,
    isReadOnly: false,
    async handle(context, request) {
      const user = await getUser(context, request.id)
      const values = parseUserValues(pickWritable(userBodyAttributes, request.body), user.role)
      await saveUser(context, user, values)
      await recordUserChange(context, user, values.active)
      return replyWithUser(context, request.id, request)
    },
  },
  {
    name: 'scimPatchUser',
    method: 'PATCH',
    path: '/Users/:id',
    maxBody,
    isReadOnly: false,
    async handle(context, request) {
      const operations = parsePatchBody(request.body)
      const user = await getUser(context, request.id)
      const current = pickWritable(userBodyAttributes, presentUser(user, context.baseUrl))
      const changed = applyPatch(userBodyAttributes, current, operations)
      const values = parseUserValues(changed, user.role)
      const role = hasRole(changed) ? values.role : context.organization.default_role
      await saveUser(context, user, { ...values, role })
      await recordUserChange(context, user, values.active)
      return replyWithUser(context, request.id, request)
    },
  },
  {
    name: 'scimDeleteUser',
    method: 'DELETE',
    path: '/Users/:id',
    isReadOnly: false,
    async handle(context, { id }) {
      await removeUser(context, id)
      await recordScimEvent(context, 'scim.user-delete', { type: 'member', id })
      return { status: 204 }
    },
  },
]

function recordUserChange(context: ScimContext, user: store.ScimUserRow, isActive: boolean | null | undefined) {
  const isDeactivated = isActive === false && user.disabled === 0
  const target = { type: 'member' as const, id: user.user_id }
  return recordScimEvent(context, isDeactivated ? 'scim.user-deactivate' : 'scim.user-update', target)
}

/** Whether both attributes for the role contain one; a request may remove one of the two. */
function hasRole(attributes: Record<string, unknown>): boolean {
  const { roles, [octavoUserSchemaId]: extension } = attributes
  const role = extension && (extension as { role?: string }).role
  return Array.isArray(roles) && roles.length > 0 && role !== undefined
}

async function listUsers({ db, organization, baseUrl }: ScimContext, request: ListRequest): Promise<ScimReply> {
  const { offset, selection } = request
  const column = sortColumns.get(request.sortBy ?? 'id')
  if (!column) throw new ScimError('invalidValue', 'sortBy: users can be sorted by id, userName and meta.created')
  const order = { column, direction: request.direction }
  const reader = organization.member_count > maxMembersOnMainThread ? slowReaderOf(db) : db
  const { resources, total } = await findPage(
    {
      translate: translateUserTerms(organization.id),
      count: async (condition) =>
        condition ? store.countUsers(reader, organization.id, condition) : organization.member_count,
      select: (condition, start, limit) =>
        store.findUsers(reader, organization.id, condition, order, { offset: start, limit }),
      present: (row) => presentUser(row, baseUrl),
      unloaded: 'groups',
    },
    request,
  )
  const presented = await presentUsers({ db: reader, organization, baseUrl }, resources, selection)
  return { status: 200, body: presentList(presented, total, offset) }
}

async function replyWithUser(context: ScimContext, id: string, { query }: ScimRequest): Promise<ScimReply> {
  const [body] = await presentUsers(context, [await getUser(context, id)], parseSelection(query))
  return { status: 200, ...(body && { body }) }
}

async function presentUsers(
  { db, organization, baseUrl }: Pick<ScimContext, 'db' | 'organization' | 'baseUrl'>,
  rows: readonly store.ScimUserRow[],
  selection: AttributeSelection,
): Promise<object[]> {
  if (!isRequested(selection, 'groups'))
    return rows.map((row) => selectAttributes(presentUser(row, baseUrl), selection))
  const ids = rows.map((row) => row.user_id)
  const groups = groupBy(await store.findGroupsOfUsers(db, organization.id, ids), (group) => group.user_id)
  return rows.map((row) => selectAttributes(presentUser(row, baseUrl, groups.get(row.user_id) ?? []), selection))
}
