import type { Db, Row } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

export type EntryRow = Row<'glossary_entries'>

/** Returns all entries of a glossary, which are limited in number. */
export function findEntries(db: Db, organizationId: string): Promise<EntryRow[]> {
  return db
    .selectFrom('glossary_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
}

export function findEntry(db: Db, organizationId: string, id: string): Promise<EntryRow | undefined> {
  return db
    .selectFrom('glossary_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Inserts or updates entries, and deletes those whose terms are null. */
export async function saveEntries(
  db: Db,
  organizationId: string,
  entries: ReadonlyMap<string, Readonly<Record<string, string>> | null>,
  now: string,
): Promise<void> {
  const deleted = [...entries].flatMap(([id, terms]) => (terms === null ? [id] : []))
  for (const ids of toBatches(deleted))
    await db
      .deleteFrom('glossary_entries')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .execute()
  const saved = [...entries].flatMap(([id, terms]) =>
    terms === null
      ? []
      : [
          {
            organization_id: organizationId,
            id,
            translations: JSON.stringify(terms),
            created_at: now,
            updated_at: now,
          },
        ],
  )
  for (const rows of toBatches(saved)) {
    await db
      .insertInto('glossary_entries')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'id']).doUpdateSet((eb) => ({
          translations: eb.ref('excluded.translations'),
          updated_at: now,
        })),
      )
      .execute()
  }
}

/** Returns the terms of all entries of a glossary, by language. */
export async function findGlossaryTranslations(
  db: Db,
  organizationId: string,
): Promise<Readonly<Record<string, string>>[]> {
  const rows = await findEntries(db, organizationId)
  return rows.map(({ translations }) => JSON.parse(translations) as Record<string, string>)
}
