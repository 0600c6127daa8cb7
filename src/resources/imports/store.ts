import type { Insertable, Updateable } from 'kysely'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { selectVisibleSpaceIds } from '../../domain/sites/visible-space-ids.ts'

type Run = Row<'import_runs'>
type Status = Run['status']

export const activeStatuses: readonly Status[] = ['pending', 'in-progress']
const endedStatuses: readonly Status[] = ['completed', 'failed', 'cancelled']

export function insertRun(db: Db, run: Insertable<Tables['import_runs']>): Promise<Run> {
  return db.insertInto('import_runs').values(run).returningAll().executeTakeFirstOrThrow()
}

export function findRun(db: Db, organizationId: string, id: string): Promise<Run | undefined> {
  return db
    .selectFrom('import_runs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds a run in any organization, because its space may have been transferred. */
export function findRunAnywhere(db: Db, id: string): Promise<Run | undefined> {
  return db.selectFrom('import_runs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Updates a run that has not ended; returns undefined if it has ended or was deleted. */
export function updateActiveRun(
  db: Db,
  { organization_id: organizationId, id }: Pick<Run, 'organization_id' | 'id'>,
  values: Updateable<Tables['import_runs']>,
): Promise<Run | undefined> {
  return db
    .updateTable('import_runs')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', 'in', activeStatuses)
    .returningAll()
    .executeTakeFirst()
}

export interface RunFilter {
  space?: string | undefined
  site?: string | undefined
  changeRequest?: string | undefined
  status?: readonly Status[] | undefined
}

function selectRuns(db: Db, viewer: Viewer, { space, site, changeRequest, status }: RunFilter) {
  return db
    .selectFrom('import_runs')
    .where('import_runs.organization_id', '=', viewer.organizationId)
    .where('import_runs.space_id', 'in', selectVisibleSpaceIds(db, viewer, { space, site }))
    .$if(changeRequest !== undefined, (query) => query.where('change_request_id', '=', changeRequest as string))
    .$if(status !== undefined, (query) => query.where('status', 'in', status ?? []))
}

/** Columns of a run in lists: all except those that may be long. */
export type ListedRun = Omit<Run, 'pages' | 'warnings'>

const listedColumns = [
  'import_runs.organization_id',
  'import_runs.id',
  'import_runs.space_id',
  'change_request_id',
  'page_id',
  'source',
  'status',
  'reason',
  'import_runs.revision_id',
  'done',
  'total',
  'warning_count',
  'import_runs.created_by',
  'import_runs.created_at',
  'import_runs.updated_at',
  'started_at',
  'completed_at',
] as const

export function findRuns(
  db: Db,
  viewer: Viewer,
  filter: RunFilter,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<ListedRun[]> {
  return selectRuns(db, viewer, filter)
    .select(listedColumns)
    .$if(after !== undefined, (query) => query.where('import_runs.id', '<', after?.[0] as string))
    .orderBy('import_runs.id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countRuns(db: Db, viewer: Viewer, filter: RunFilter): Promise<number> {
  const { count } = await selectRuns(db, viewer, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Marks active runs as failed if they have no queued or running job; returns them. */
export function failLostRuns(db: Db, job: string, values: { reason: string; updated_at: string }) {
  return db
    .updateTable('import_runs')
    .set({ ...values, status: 'failed' })
    .where('status', 'in', activeStatuses)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.name', '=', job)
            .whereRef('jobs.key', '=', 'import_runs.id')
            .where('jobs.state', 'in', ['queued', 'running']),
        ),
      ),
    )
    .returning(['organization_id', 'id', 'space_id', 'change_request_id'])
    .execute()
}

export async function deleteRunsEndedBefore(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('import_runs').where('updated_at', '<', moment).where('status', 'in', endedStatuses).execute()
}
