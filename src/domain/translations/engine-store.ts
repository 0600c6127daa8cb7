import type { Db, Row } from '../../schema/tables.ts'

type EngineRow = Row<'translation_engines'>

/** Finds the engine that an organization has configured. */
export function findEngine(db: Db, organizationId: string): Promise<EngineRow | undefined> {
  return db
    .selectFrom('translation_engines')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

/** Inserts or replaces the engine of an organization. */
export async function saveEngine(db: Db, { organization_id, ...settings }: EngineRow): Promise<void> {
  await db
    .insertInto('translation_engines')
    .values({ organization_id, ...settings })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(settings))
    .execute()
}

export async function deleteEngine(db: Db, organizationId: string): Promise<void> {
  await db.deleteFrom('translation_engines').where('organization_id', '=', organizationId).execute()
}
