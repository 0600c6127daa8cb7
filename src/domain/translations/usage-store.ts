import type { Db } from '../../schema/tables.ts'

/** What an organization has sent to engines in a month. */
export interface TranslationUsage {
  /** Year and month, for example `2026-11`. */
  month: string
  characters: number
  tokens: number
}

/** Returns the year and month of a timestamp. */
export const toMonth = (timestamp: string): string => timestamp.slice(0, 'yyyy-mm'.length)

/** Returns what an organization has sent in the month of a timestamp. */
export async function getTranslationUsage(
  db: Db,
  organizationId: string,
  timestamp: string,
): Promise<TranslationUsage> {
  const month = toMonth(timestamp)
  const found = await db
    .selectFrom('translation_usage')
    .select(['characters', 'tokens'])
    .where('organization_id', '=', organizationId)
    .where('month', '=', month)
    .executeTakeFirst()
  return { month, characters: found?.characters ?? 0, tokens: found?.tokens ?? 0 }
}
