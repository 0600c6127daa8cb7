import { type Insertable, sql } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { type LiveEventContext, recordJobEvent } from '../live/record-event.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'

export type SpecRow = Row<'openapi_specs'>
export type SpecVersionRow = Row<'openapi_versions'>
export type SpecKey = Pick<SpecRow, 'organization_id' | 'id'>

/** Maximum number of versions of a specification; older ones are deleted. */
export const maxVersions = 100

const selectSpecs = (db: Db, organizationId: string) =>
  db.selectFrom('openapi_specs').where('organization_id', '=', organizationId)

/** Finds specifications, sorted by slug. */
export function findSpecs(
  db: Db,
  organizationId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<SpecRow[]> {
  return selectSpecs(db, organizationId)
    .$if(after !== undefined, (query) => query.where('slug', '>', after?.[0] as string))
    .selectAll()
    .orderBy('slug')
    .limit(limit + 1)
    .execute()
}

export async function countSpecs(db: Db, organizationId: string): Promise<number> {
  const { count } = await selectSpecs(db, organizationId)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds a specification by its slug or by its ID. */
export async function findSpec(db: Db, organizationId: string, slugOrId: string): Promise<SpecRow | undefined> {
  const rows = await selectSpecs(db, organizationId)
    .where((eb) => eb.or([eb('slug', '=', slugOrId), eb('id', '=', slugOrId)]))
    .selectAll()
    .execute()
  return rows.find(({ slug }) => slug === slugOrId) ?? rows[0]
}

export function findSpecById(db: Db, { organization_id, id }: SpecKey): Promise<SpecRow | undefined> {
  return selectSpecs(db, organization_id).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Records that the processing of a specification has a new state, or that the specification was changed or deleted. */
export function recordSpecChange(
  context: LiveEventContext,
  { organization_id: organizationId, id }: SpecKey,
): Promise<void> {
  return recordJobEvent(context, { organizationId }, { type: 'openapi', id })
}

export function insertSpec(db: Db, spec: Insertable<Tables['openapi_specs']>): Promise<SpecRow> {
  return db.insertInto('openapi_specs').values(spec).returningAll().executeTakeFirstOrThrow()
}

export function updateSpec(
  db: Db,
  { organization_id, id }: SpecKey,
  values: Partial<Omit<SpecRow, 'organization_id' | 'id'>>,
): Promise<SpecRow> {
  return db
    .updateTable('openapi_specs')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Updates a specification unless its source was replaced since it was read; returns whether it was updated. */
export async function updateSpecOfSource(
  db: Db,
  { organization_id, id, source_revision }: SpecRow,
  values: Partial<Omit<SpecRow, 'organization_id' | 'id'>>,
): Promise<boolean> {
  const updated = await db
    .updateTable('openapi_specs')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('source_revision', '=', source_revision)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Deletes a specification with its versions, and lists their blobs as possibly unused. */
export async function deleteSpec(db: Db, spec: SpecRow, now: string): Promise<void> {
  const versions = await selectVersions(db, spec).select(['source_blob', 'document_blob']).execute()
  await db
    .deleteFrom('openapi_specs')
    .where('organization_id', '=', spec.organization_id)
    .where('id', '=', spec.id)
    .execute()
  const blobs = versions.flatMap(({ source_blob, document_blob }) => [source_blob, document_blob])
  await recordUnusedBlobs(db, spec.source_blob === null ? blobs : [...blobs, spec.source_blob], now)
}

/** Finds specifications whose source should be fetched again. */
export function findSpecsToRefresh(db: Db, before: string, limit: number): Promise<SpecRow[]> {
  return db
    .selectFrom('openapi_specs')
    .selectAll()
    .where('refresh_at', '<=', before)
    .orderBy('refresh_at')
    .limit(limit)
    .execute()
}

/** Sets values of specifications that are not processed and have no job that processes them: it was given up. Returns their keys. */
export function updateSpecsWithoutJob(
  db: Db,
  job: string,
  values: Partial<Omit<SpecRow, 'organization_id' | 'id'>>,
): Promise<SpecKey[]> {
  return db
    .updateTable('openapi_specs')
    .set(values)
    .where('state', '<>', 'complete')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.name', '=', job)
            .where('jobs.key', '=', sql<string>`openapi_specs.organization_id || ' ' || openapi_specs.id`)
            .where('jobs.state', 'in', ['queued', 'running']),
        ),
      ),
    )
    .returning(['organization_id', 'id'])
    .execute()
}

const selectVersions = (db: Db, { organization_id, id }: SpecKey) =>
  db.selectFrom('openapi_versions').where('organization_id', '=', organization_id).where('spec_id', '=', id)

/** Finds versions, newest first; IDs are sorted by creation time. */
export function findVersions(
  db: Db,
  spec: SpecKey,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<SpecVersionRow[]> {
  return selectVersions(db, spec)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countVersions(db: Db, spec: SpecKey): Promise<number> {
  const { count } = await selectVersions(db, spec)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findVersion(db: Db, spec: SpecKey, id: string): Promise<SpecVersionRow | undefined> {
  return selectVersions(db, spec).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Finds the latest version of a specification by the slug or ID of the specification. */
export async function findLatestVersion(
  db: Db,
  organizationId: string,
  slugOrId: string,
): Promise<{ spec: SpecRow; version: SpecVersionRow } | undefined> {
  const spec = await findSpec(db, organizationId, slugOrId)
  if (!spec || spec.version_id === null) return undefined
  const version = await findVersion(db, spec, spec.version_id)
  return version && { spec, version }
}

/** Finds the IDs and slugs of all specifications of an organization with the IDs of their latest versions. */
export async function findLatestVersionIds(db: Db, organizationId: string): Promise<string[]> {
  const rows = await selectSpecs(db, organizationId).select(['id', 'slug', 'version_id']).execute()
  return rows.map(({ id, slug, version_id }) => `${id} ${slug} ${version_id}`)
}

/** Returns the outline of the latest version of a specification, as JSON. */
export async function readOutline(db: Db, { organization_id, id }: SpecKey): Promise<string | undefined> {
  const row = await db
    .selectFrom('openapi_outlines')
    .select('outline')
    .where('organization_id', '=', organization_id)
    .where('spec_id', '=', id)
    .executeTakeFirst()
  return row?.outline
}

/**
 * Adds a version and replaces the outline, deletes the oldest versions beyond the maximum, and lists their blobs as possibly
 * unused.
 */
export async function insertVersion(db: Db, version: SpecVersionRow, outline: string): Promise<void> {
  await db.insertInto('openapi_versions').values(version).execute()
  const spec = { organization_id: version.organization_id, id: version.spec_id }
  const latest = { version_id: version.id, outline }
  await db
    .insertInto('openapi_outlines')
    .values({ organization_id: spec.organization_id, spec_id: spec.id, ...latest })
    .onConflict((conflict) => conflict.columns(['organization_id', 'spec_id']).doUpdateSet(latest))
    .execute()
  const oldest = await selectVersions(db, spec)
    .select('id')
    .orderBy('id', 'desc')
    .offset(maxVersions)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  const deleted = await db
    .deleteFrom('openapi_versions')
    .where('organization_id', '=', spec.organization_id)
    .where('spec_id', '=', spec.id)
    .where('id', '<=', oldest.id)
    .returning(['source_blob', 'document_blob'])
    .execute()
  const blobs = deleted.flatMap(({ source_blob, document_blob }) => [source_blob, document_blob])
  await recordUnusedBlobs(db, blobs, version.created_at)
}
