import type { Db } from '../../schema/tables.ts'

/** Returns the terms of all entries of a glossary, by language. */
export async function findGlossaryTranslations(
  db: Db,
  organizationId: string,
): Promise<Readonly<Record<string, string>>[]> {
  const rows = await db
    .selectFrom('glossary_entries')
    .select('translations')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  return rows.map(({ translations }) => JSON.parse(translations) as Record<string, string>)
}
