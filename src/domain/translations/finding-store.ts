import type { Insertable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import type { TranslationKey } from './translation-store.ts'

export type FindingRow = Row<'translation_findings'>

/** Location of a text in a space. Without a page or reusable content, the field is `tags.SLUG` or `variables.NAME`. */
export interface FindingLocation {
  page?: string
  reusableContent?: string
  block?: string
  field?: string
}

const selectFindings = (db: Db, { organization_id, id }: TranslationKey) =>
  db.selectFrom('translation_findings').where('organization_id', '=', organization_id).where('translation_id', '=', id)

interface FindingFilter {
  status?: FindingRow['status'] | undefined
}

export function findFindings(
  db: Db,
  translation: TranslationKey,
  { status, after, limit }: FindingFilter & { after: Cursor | undefined; limit: number },
): Promise<FindingRow[]> {
  return selectFindings(db, translation)
    .selectAll()
    .$if(status !== undefined, (query) => query.where('status', '=', status as FindingRow['status']))
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] ?? ''))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export async function countFindings(db: Db, translation: TranslationKey, { status }: FindingFilter): Promise<number> {
  const { count } = await selectFindings(db, translation)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(status !== undefined, (query) => query.where('status', '=', status as FindingRow['status']))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the numbers of open findings by translation; those without any are missing. */
export async function countOpenFindings(
  db: Db,
  organizationId: string,
  translationIds: readonly string[],
): Promise<Map<string, number>> {
  if (translationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('translation_findings')
    .select((eb) => ['translation_id', eb.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('translation_id', 'in', translationIds)
    .where('status', '=', 'open')
    .groupBy('translation_id')
    .execute()
  return new Map(rows.map((row) => [row.translation_id, row.count]))
}

export function findFinding(db: Db, translation: TranslationKey, id: string): Promise<FindingRow | undefined> {
  return selectFindings(db, translation).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the locations of texts that were not translated. */
export async function findUntranslatedLocations(db: Db, translation: TranslationKey): Promise<FindingLocation[]> {
  const rows = await selectFindings(db, translation)
    .select('location')
    .where('status', '=', 'open')
    .where('kind', '=', 'not-translated')
    .execute()
  return rows.map(({ location }) => JSON.parse(location) as FindingLocation)
}

/** Stores a finding; an open one at the same location is replaced and keeps its ID. */
export async function storeFinding(db: Db, finding: Insertable<Tables['translation_findings']>): Promise<void> {
  const { organization_id, translation_id, id: _, created_at: __, ...values } = finding
  const updated = await db
    .updateTable('translation_findings')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('translation_id', '=', translation_id)
    .where('location', '=', finding.location)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) await db.insertInto('translation_findings').values(finding).execute()
}

/** Resolves a finding; returns undefined if it was resolved already. */
export function resolveFinding(
  db: Db,
  { organization_id, translation_id, id }: Pick<FindingRow, 'organization_id' | 'translation_id' | 'id'>,
  resolved: { by: string | null; at: string },
): Promise<FindingRow | undefined> {
  return db
    .updateTable('translation_findings')
    .set({ status: 'resolved', resolved_by: resolved.by, resolved_at: resolved.at })
    .where('organization_id', '=', organization_id)
    .where('translation_id', '=', translation_id)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()
}
