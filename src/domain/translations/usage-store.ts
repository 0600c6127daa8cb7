import { sql } from 'kysely'
import type { Db, Row } from '../../schema/tables.ts'

/** Amounts that were sent to engines. */
export interface SentAmounts {
  characters: number
  tokens: number
}

/** Usage of a run. */
export interface RunUsage extends SentAmounts {
  texts: number
  words: number
}

/** Returns the month of a timestamp, for example `2026-11`. */
const monthOf = (timestamp: string): string => timestamp.slice(0, 7)

/** Adds the usage to a run, to its translation, and to the month of the organization. */
export async function addUsage(
  db: Db,
  { organization_id, translation_id, id }: Pick<Row<'translation_runs'>, 'organization_id' | 'translation_id' | 'id'>,
  now: string,
  { texts, words, characters, tokens }: RunUsage,
): Promise<void> {
  await db
    .updateTable('translation_runs')
    .set({
      sent_text_count: sql`sent_text_count + ${texts}`,
      words: sql`words + ${words}`,
      characters: sql`characters + ${characters}`,
      tokens: sql`tokens + ${tokens}`,
    })
    .where('organization_id', '=', organization_id)
    .where('translation_id', '=', translation_id)
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('translations')
    .set({
      total_words: sql`total_words + ${words}`,
      total_characters: sql`total_characters + ${characters}`,
      total_tokens: sql`total_tokens + ${tokens}`,
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', translation_id)
    .execute()
  await db
    .insertInto('translation_usage')
    .values({ organization_id, translation_id, month: monthOf(now), characters, tokens })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'month', 'translation_id']).doUpdateSet({
        characters: sql`translation_usage.characters + ${characters}`,
        tokens: sql`translation_usage.tokens + ${tokens}`,
      }),
    )
    .execute()
}

/** Returns the usage of an organization in the current month, by the IDs of its translations; deleted ones are included. */
export async function readUsage(db: Db, organizationId: string, now: string): Promise<Map<string, SentAmounts>> {
  const rows = await db
    .selectFrom('translation_usage')
    .select(['translation_id', 'characters', 'tokens'])
    .where('organization_id', '=', organizationId)
    .where('month', '=', monthOf(now))
    .execute()
  return new Map(rows.map(({ translation_id, characters, tokens }) => [translation_id, { characters, tokens }]))
}

export interface TranslationUsage extends SentAmounts {
  month: string
}

/** Returns the usage of an organization in the current month. */
export async function getTranslationUsage(db: Db, organizationId: string, now: string): Promise<TranslationUsage> {
  const used = [...(await readUsage(db, organizationId, now)).values()]
  return {
    month: monthOf(now),
    characters: used.reduce((sum, { characters }) => sum + characters, 0),
    tokens: used.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}
