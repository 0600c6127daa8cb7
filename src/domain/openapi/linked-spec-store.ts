import { sql } from 'kysely'
import type { Db, Row } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'

export type LinkedSpecRow = Row<'linked_specs'>
export type LinkedSpecKey = Pick<LinkedSpecRow, 'organization_id' | 'key'>

const selectLinkedSpec = (db: Db, { organization_id, key }: LinkedSpecKey) =>
  db.selectFrom('linked_specs').where('organization_id', '=', organization_id).where('key', '=', key)

export function findLinkedSpec(db: Db, key: LinkedSpecKey): Promise<LinkedSpecRow | undefined> {
  return selectLinkedSpec(db, key).selectAll().executeTakeFirst()
}

/** Finds linked specifications by their keys. */
export async function findLinkedSpecs(
  db: Db,
  organizationId: string,
  keys: readonly string[],
): Promise<Map<string, LinkedSpecRow>> {
  const found = new Map<string, LinkedSpecRow>()
  for (const batch of toBatches([...keys])) {
    const rows = await db
      .selectFrom('linked_specs')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('key', 'in', batch)
      .execute()
    for (const row of rows) found.set(row.key, row)
  }
  return found
}

/** Finds the documents of all linked specifications of an organization. */
export async function findLinkedDocuments(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('linked_specs')
    .select(['key', 'document_blob'])
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map(({ key, document_blob }) => `${key} ${document_blob}`)
}

/** Counts the linked specifications of an organization that wait to be processed since a time, up to a limit. */
export async function countWaitingLinkedSpecs(
  db: Db,
  organizationId: string,
  since: string,
  limit: number,
): Promise<number> {
  const rows = await db
    .selectFrom('linked_specs')
    .select('key')
    .where('organization_id', '=', organizationId)
    // The condition of the index, without parameters.
    .where(sql<boolean>`state = 'queued'`)
    .where('updated_at', '>=', since)
    .limit(limit)
    .execute()
  return rows.length
}

/** Adds a linked specification to the ones that wait, or marks it to be read again. */
export async function queueLinkedSpec(
  db: Db,
  spec: Pick<LinkedSpecRow, 'organization_id' | 'key' | 'source_url' | 'source_blob' | 'refresh_at'>,
  now: string,
): Promise<void> {
  const queued = { state: 'queued', refresh_at: spec.refresh_at, requested_at: now, updated_at: now } as const
  await db
    .insertInto('linked_specs')
    .values({ ...spec, ...queued, document_blob: null, error: null })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(queued))
    .execute()
}

export async function updateLinkedSpec(
  db: Db,
  { organization_id, key }: LinkedSpecKey,
  values: Partial<Omit<LinkedSpecRow, 'organization_id' | 'key'>>,
): Promise<void> {
  await db
    .updateTable('linked_specs')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('key', '=', key)
    .execute()
}

/** Deletes linked specifications that no page has shown recently, and lists their blobs as possibly unused. */
export async function deleteLinkedSpecsBefore(db: Db, before: string, now: string): Promise<void> {
  const deleted = await db
    .deleteFrom('linked_specs')
    .where('requested_at', '<', before)
    .returning(['document_blob'])
    .execute()
  await recordUnusedBlobs(
    db,
    deleted.flatMap(({ document_blob }) => document_blob ?? []),
    now,
  )
}
