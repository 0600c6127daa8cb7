import { type Insertable, type SelectQueryBuilder, type Updateable, sql } from 'kysely'
import { selectVisibleSpaces } from '../../access/content-roles.ts'
import type { ChangeRequestStatus } from '../../contract/change-request.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { defineLookup, defineListQuery } from '../../storage/lookup.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { selectVisibleSpaceIds } from '../sites/visible-space-ids.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>
type RequestKey = Pick<Row<'change_requests'>, 'organization_id' | 'id'>

const findById = defineLookup(
  (db, { organizationId, spaceId, id }: Record<'organizationId' | 'spaceId' | 'id', string>) =>
    db
      .selectFrom('change_requests')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('id', '=', id),
)

/** Finds a change request by its id or by its number in the space. */
export function findChangeRequest(
  db: Db,
  space: SpaceKey,
  idOrNumber: string,
): Promise<Row<'change_requests'> | undefined> {
  // Ids are longer than any number.
  const isNumber = /^[1-9]\d{0,8}$/.test(idOrNumber)
  if (!isNumber) return findById(db, { organizationId: space.organization_id, spaceId: space.id, id: idOrNumber })
  return db
    .selectFrom('change_requests')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('number', '=', Number(idOrNumber))
    .executeTakeFirst()
}

export function findChangeRequestsById(
  db: Db,
  space: SpaceKey,
  ids: readonly string[],
): Promise<Row<'change_requests'>[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('change_requests')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('id', 'in', ids)
    .execute()
}

/** Returns the heads of the change requests of a space that can still be merged. */
export async function findOpenRevisionIds(db: Db, { organization_id, id }: SpaceKey): Promise<string[]> {
  const rows = await db
    .selectFrom('change_requests')
    .select('revision_id')
    .where('organization_id', '=', organization_id)
    .where('space_id', '=', id)
    .where('status', 'in', ['draft', 'open'])
    .execute()
  return rows.map((row) => row.revision_id)
}

export function insertChangeRequest(
  db: Db,
  request: Insertable<Tables['change_requests']>,
): Promise<Row<'change_requests'>> {
  return db.insertInto('change_requests').values(request).returningAll().executeTakeFirstOrThrow()
}

export function updateChangeRequest(
  db: Db,
  { organization_id, id }: RequestKey,
  values: Updateable<Tables['change_requests']>,
): Promise<Row<'change_requests'>> {
  return db
    .updateTable('change_requests')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds to the number of open comments of a change request. */
export async function addOpenCommentCount(db: Db, { organization_id, id }: RequestKey, added: number): Promise<void> {
  await db
    .updateTable('change_requests')
    .set((eb) => ({ comments_open: eb('comments_open', '+', added) }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export interface ChangeRequestFilter {
  status: readonly ChangeRequestStatus[]
  creator?: string | undefined
  contributor?: string | undefined
  requestedReviewer?: string | undefined
  space?: string | undefined
  site?: string | undefined
}

type ChangeRequestQuery<Selected> = SelectQueryBuilder<
  Tables & { change_requests: Tables['change_requests'] },
  'change_requests',
  Selected
>

function selectMatchingChangeRequests(db: Db, viewer: Viewer, filter: ChangeRequestFilter): ChangeRequestQuery<object> {
  const { status, creator, contributor, requestedReviewer, space, site } = filter
  return db
    .selectFrom('change_requests')
    .where('change_requests.organization_id', '=', viewer.organizationId)
    .where('change_requests.status', 'in', status)
    .$if(space !== undefined, (query) => query.where('change_requests.space_id', '=', space as string))
    .where('change_requests.space_id', 'in', selectVisibleSpaceIds(db, viewer, { space, site }))
    .$if(creator !== undefined, (query) => query.where('change_requests.created_by', '=', creator as string))
    .$if(contributor !== undefined, (query) =>
      query.where('change_requests.id', 'in', (eb) =>
        eb
          .selectFrom('change_request_contributors')
          .select('change_request_id')
          .where('organization_id', '=', viewer.organizationId)
          .where('user_id', '=', contributor as string),
      ),
    )
    .$if(requestedReviewer !== undefined, (query) =>
      query.where('change_requests.id', 'in', (eb) =>
        eb
          .selectFrom('change_request_reviewers')
          .select('change_request_id')
          .where('organization_id', '=', viewer.organizationId)
          .where('user_id', '=', requestedReviewer as string),
      ),
    )
}

const optionalFilters = ['creator', 'contributor', 'requestedReviewer', 'space', 'site'] as const

type FilterValues = Record<'organizationId' | 'userId' | (typeof optionalFilters)[number], string>

/** The parts of a filter that change the SQL text rather than its parameters. */
interface FilterShape extends Pick<Viewer, 'role'> {
  status: readonly ChangeRequestStatus[]
  given: readonly (typeof optionalFilters)[number][]
}

interface ListShape extends FilterShape {
  orderBy: 'updated_at' | 'created_at'
  hasCursor: boolean
}

function selectByShape(db: Db, values: FilterValues, { role, status, given }: FilterShape) {
  const { organizationId, userId } = values
  const filter: ChangeRequestFilter = { status }
  for (const name of given) filter[name] = values[name]
  return selectMatchingChangeRequests(db, { organizationId, userId, role }, filter)
}

const listRequests = defineListQuery(
  (db, values: FilterValues & { afterTime: string; afterId: string; limit: number }, shape: ListShape) => {
    const column = sql.ref(`change_requests.${shape.orderBy}`)
    return selectByShape(db, values, shape)
      .selectAll('change_requests')
      .$if(shape.hasCursor, (query) =>
        query.where(sql<boolean>`(${column}, change_requests.id) < (${values.afterTime}, ${values.afterId})`),
      )
      .orderBy(`change_requests.${shape.orderBy}`, 'desc')
      .orderBy('change_requests.id', 'desc')
      .limit(sql<number>`${values.limit}`)
  },
)

const countRequests = defineListQuery((db, values: FilterValues, shape: FilterShape) =>
  selectByShape(db, values, shape).select((eb) => eb.fn.countAll<number | string>().as('count')),
)

function splitFilter({ organizationId, userId, role }: Viewer, { status, ...optional }: ChangeRequestFilter) {
  const { creator = '', contributor = '', requestedReviewer = '', space = '', site = '' } = optional
  const values = { organizationId, userId, creator, contributor, requestedReviewer, space, site }
  const given = optionalFilters.filter((name) => optional[name] !== undefined)
  return { values, shape: { role, status: [...new Set(status)].toSorted(), given } }
}

/** Finds change requests of the spaces that the viewer can see, newest first. */
export function findChangeRequests(
  db: Db,
  viewer: Viewer,
  filter: ChangeRequestFilter,
  { orderBy, after, limit }: { orderBy: 'updated_at' | 'created_at'; after: Cursor | undefined; limit: number },
): Promise<Row<'change_requests'>[]> {
  const { values, shape } = splitFilter(viewer, filter)
  const [afterTime = '', afterId = ''] = after ?? []
  return listRequests(
    db,
    { ...values, afterTime, afterId, limit: limit + 1 },
    { ...shape, orderBy, hasCursor: after !== undefined },
  )
}

export async function countChangeRequests(db: Db, viewer: Viewer, filter: ChangeRequestFilter): Promise<number> {
  const { values, shape } = splitFilter(viewer, filter)
  const [row] = await countRequests(db, values, shape)
  return Number(row?.count ?? 0)
}

const listSpaceRanks = defineListQuery(
  (db, values: Record<string, string>, { role, spaces }: Pick<Viewer, 'role'> & { spaces: number }) => {
    const viewer = { organizationId: values['organizationId'] as string, userId: values['userId'] as string, role }
    const ids = Array.from({ length: spaces }, (_, index) => values[`id${index}`] as string)
    return selectVisibleSpaces(db, viewer)
      .where('spaces.id', 'in', ids)
      .select(['spaces.id', 'spaces.revision_id', 'spaces.resolved_level'])
      .select(['own.rank as own_rank', 'above.rank as above_rank'])
  },
)

/** Finds the visible ones of the spaces, with the ranks of what is shared with the viewer. */
export async function findVisibleSpaceRanks(db: Db, { organizationId, userId, role }: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return []
  const values: Record<string, string> = { organizationId, userId }
  ids.forEach((id, index) => (values[`id${index}`] = id))
  return listSpaceRanks(db, values, { role, spaces: ids.length })
}

export async function addContribution(
  db: Db,
  request: RequestKey,
  userId: string,
  action: Row<'change_request_contributors'>['action'],
  now: string,
): Promise<void> {
  await db
    .insertInto('change_request_contributors')
    .values({
      organization_id: request.organization_id,
      change_request_id: request.id,
      user_id: userId,
      action,
      count: 1,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'change_request_id', 'user_id', 'action'])
        .doUpdateSet({ count: (eb) => eb('change_request_contributors.count', '+', 1), updated_at: now }),
    )
    .execute()
}

export function findContributors(
  db: Db,
  request: RequestKey,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return db
    .selectFrom('change_request_contributors')
    .selectAll()
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(user_id, action) > (${after?.[0]}, ${after?.[1]})`))
    .orderBy('user_id')
    .orderBy('action')
    .limit(limit + 1)
    .execute()
}

export async function countContributors(db: Db, request: RequestKey): Promise<number> {
  const { count } = await db
    .selectFrom('change_request_contributors')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}
