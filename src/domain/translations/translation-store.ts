import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Insertable, type Updateable, sql } from 'kysely'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { selectVisibleSpaces } from '../../access/content-roles.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'
import { type LiveEventContext, recordJobEvent } from '../live/record-event.ts'

export type TranslationRow = Row<'translations'>
export type TranslationRunRow = Row<'translation_runs'>
export type TranslationKey = Pick<TranslationRow, 'organization_id' | 'id'>
type RunKey = Pick<TranslationRunRow, 'organization_id' | 'translation_id' | 'id'>
type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

/** Number of runs of a translation that are kept. */
const maxRuns = 100

interface ListOptions {
  after: Cursor | undefined
  limit: number
}

/** Selects the translations whose source the viewer can read. */
function selectVisible(db: Db, viewer: Viewer) {
  return db
    .selectFrom('translations')
    .where('translations.organization_id', '=', viewer.organizationId)
    .where(
      'translations.source_space_id',
      'in',
      selectVisibleSpaces(db, viewer, { includesDeleted: true }).select('spaces.id'),
    )
}

export function findTranslations(db: Db, viewer: Viewer, { after, limit }: ListOptions): Promise<TranslationRow[]> {
  return selectVisible(db, viewer)
    .selectAll('translations')
    .$if(after !== undefined, (query) => query.where('translations.id', '<', after?.[0] ?? ''))
    .orderBy('translations.id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countTranslations(db: Db, viewer: Viewer): Promise<number> {
  const { count } = await selectVisible(db, viewer)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Finds a translation whose source the viewer can read. */
export function findVisibleTranslation(db: Db, viewer: Viewer, id: string): Promise<TranslationRow | undefined> {
  return selectVisible(db, viewer).selectAll('translations').where('translations.id', '=', id).executeTakeFirst()
}

export function findTranslation(db: Db, { organization_id, id }: TranslationKey): Promise<TranslationRow | undefined> {
  return db
    .selectFrom('translations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds the translation whose result is a space. */
export function findTranslationOfResult(
  db: Db,
  { organization_id, id }: SpaceKey,
): Promise<TranslationRow | undefined> {
  return db
    .selectFrom('translations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('result_space_id', '=', id)
    .executeTakeFirst()
}

/** Returns the IDs of the translations that run after their source has changed. */
export async function findFollowingTranslationIds(db: Db, { organization_id, id }: SpaceKey): Promise<string[]> {
  const rows = await db
    .selectFrom('translations')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('source_space_id', '=', id)
    .where('runs_after_merge', '=', 1)
    .execute()
  return rows.map((row) => row.id)
}

export function insertTranslation(db: Db, values: Insertable<Tables['translations']>): Promise<TranslationRow> {
  return db.insertInto('translations').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateTranslation(
  db: Db,
  { organization_id, id }: TranslationKey,
  values: Updateable<Tables['translations']>,
): Promise<TranslationRow> {
  return db
    .updateTable('translations')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteTranslation(db: Db, { organization_id, id }: TranslationKey): Promise<void> {
  await db.deleteFrom('translations').where('organization_id', '=', organization_id).where('id', '=', id).execute()
}

/** Deletes the translations of spaces that leave the organization or are purged, and those whose result they are. */
export async function deleteTranslationsOfSpaces(
  db: Db,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  for (const ids of toBatches(spaceIds)) {
    await db
      .deleteFrom('translations')
      .where('organization_id', '=', organizationId)
      .where((eb) => eb.or([eb('source_space_id', 'in', ids), eb('result_space_id', 'in', ids)]))
      .execute()
  }
}

/** Returns the numbers of pages that were ever translated, by translation; translations without any are omitted. */
export async function countTranslatedPages(
  db: Db,
  organizationId: string,
  translationIds: readonly string[],
): Promise<Map<string, number>> {
  if (translationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('translation_pages')
    .select((eb) => ['translation_id', eb.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('translation_id', 'in', translationIds)
    .groupBy('translation_id')
    .execute()
  return new Map(rows.map((row) => [row.translation_id, row.count]))
}

/** Adds pages to those that were ever translated. */
export async function addTranslatedPages(
  db: Db,
  { organization_id, id }: TranslationKey,
  pageIds: readonly string[],
): Promise<void> {
  for (const ids of toBatches(pageIds)) {
    // SQLite blocks the event loop while a statement runs, so other requests get a turn between two statements.
    await nextTurn()
    await db
      .insertInto('translation_pages')
      .values(ids.map((page_id) => ({ organization_id, translation_id: id, page_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

// Runs

const selectRuns = (db: Db, { organization_id, id }: TranslationKey) =>
  db.selectFrom('translation_runs').where('organization_id', '=', organization_id).where('translation_id', '=', id)

export function findRun(db: Db, translation: TranslationKey, runId: string): Promise<TranslationRunRow | undefined> {
  return selectRuns(db, translation).selectAll().where('id', '=', runId).executeTakeFirst()
}

/** Finds the run that is waiting or running. */
export function findActiveRun(db: Db, translation: TranslationKey): Promise<TranslationRunRow | undefined> {
  return selectRuns(db, translation).selectAll().where('status', 'in', ['pending', 'running']).executeTakeFirst()
}

export function findRuns(
  db: Db,
  translation: TranslationKey,
  { after, limit }: ListOptions,
): Promise<TranslationRunRow[]> {
  return selectRuns(db, translation)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countRuns(db: Db, translation: TranslationKey): Promise<number> {
  const { count } = await selectRuns(db, translation)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a run and deletes the oldest ones; returns undefined if another run is waiting or running. */
export async function insertRun(
  db: Db,
  values: Insertable<Tables['translation_runs']>,
): Promise<TranslationRunRow | undefined> {
  const { organization_id, translation_id } = values
  const run = await db
    .insertInto('translation_runs')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!run) return undefined
  const oldest = await selectRuns(db, { organization_id, id: translation_id })
    .select('id')
    .orderBy('id', 'desc')
    .offset(maxRuns)
    .limit(1)
    .executeTakeFirst()
  if (oldest)
    await db
      .deleteFrom('translation_runs')
      .where('organization_id', '=', organization_id)
      .where('translation_id', '=', translation_id)
      .where('id', '<=', oldest.id)
      .execute()
  return run
}

/** Updates a run that has not ended; returns undefined if it has ended or was deleted. */
export function updateActiveRun(
  db: Db,
  { organization_id, translation_id, id }: RunKey,
  values: Updateable<Tables['translation_runs']>,
): Promise<TranslationRunRow | undefined> {
  return db
    .updateTable('translation_runs')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('translation_id', '=', translation_id)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returningAll()
    .executeTakeFirst()
}

/** Records a new state or new progress of a translation. */
export function recordTranslationEvent(
  context: LiveEventContext,
  { organization_id: organizationId, id }: TranslationKey,
): Promise<void> {
  return recordJobEvent(context, { organizationId }, { type: 'translation', id })
}

type RunEnd = Pick<TranslationRunRow, 'status'> & Updateable<Tables['translation_runs']>

/** Ends a run and counts it in its translation; returns false if it has ended already or was deleted. */
export async function endRun(db: Db, run: RunKey, end: RunEnd, now: string): Promise<boolean> {
  const ended = await updateActiveRun(db, run, { ...end, ended_at: now })
  if (!ended) return false
  await recordTranslationEvent({ db, now: () => now }, { organization_id: run.organization_id, id: run.translation_id })
  const duration = Math.max(0, Date.parse(now) - Date.parse(ended.started_at ?? now))
  await db
    .updateTable('translations')
    .set({
      status: 'completed',
      failure: ended.failure,
      run_count: sql`run_count + 1`,
      latest_duration: duration,
      total_duration: sql`total_duration + ${duration}`,
      latest_words: ended.words,
      updated_at: now,
    })
    .where('organization_id', '=', run.organization_id)
    .where('id', '=', run.translation_id)
    .execute()
  return true
}

/** Ends the runs whose job no longer exists, because it was interrupted too many times. */
export async function failLostRuns(db: Db, jobName: string, failure: string, now: string): Promise<void> {
  const lost = await db
    .selectFrom('translation_runs')
    .select(['organization_id', 'translation_id', 'id'])
    .where('status', 'in', ['pending', 'running'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.name', '=', jobName)
            .whereRef('jobs.key', '=', 'translation_runs.id')
            .where('jobs.state', 'in', ['queued', 'running']),
        ),
      ),
    )
    .execute()
  for (const run of lost) await endRun(db, run, { status: 'failed', failure }, now)
}
