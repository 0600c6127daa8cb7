import { createHash } from 'node:crypto'
import type { Language } from '../../contract/space.ts'
import type { Db } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

/** The translations of texts that an organization can reuse, for one pair of languages. */
export interface MemoryKey {
  organizationId: string
  source: Language
  target: Language
}

/** Returns the stored translations of texts. */
export async function findStoredTranslations(
  db: Db,
  { organizationId, source, target }: MemoryKey,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const textsByHash = new Map(texts.map((text) => [hashText(text), text]))
  const found = new Map<string, string>()
  for (const hashes of toBatches([...textsByHash.keys()])) {
    const rows = await db
      .selectFrom('translation_memory')
      .select(['text_hash', 'translated_text'])
      .where('organization_id', '=', organizationId)
      .where('source_language', '=', source)
      .where('language', '=', target)
      .where('text_hash', 'in', hashes)
      .execute()
    for (const row of rows) found.set(textsByHash.get(row.text_hash) as string, row.translated_text)
  }
  return found
}

/** Stores translations of texts in place of earlier ones. */
export async function storeTranslations(
  db: Db,
  { organizationId, source, target }: MemoryKey,
  translations: ReadonlyMap<string, string>,
  now: string,
): Promise<void> {
  const rows = [...translations].map(([text, translated]) => ({
    organization_id: organizationId,
    source_language: source,
    language: target,
    text_hash: hashText(text),
    translated_text: translated,
    created_at: now,
  }))
  for (const batch of toBatches(rows)) {
    await db
      .insertInto('translation_memory')
      .values([...batch])
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'source_language', 'language', 'text_hash'])
          .doUpdateSet((eb) => ({ translated_text: eb.ref('excluded.translated_text'), created_at: now })),
      )
      .execute()
  }
}

export async function clearTranslationMemory(db: Db, organizationId: string, language?: Language): Promise<void> {
  await db
    .deleteFrom('translation_memory')
    .where('organization_id', '=', organizationId)
    .$if(language !== undefined, (query) => query.where('language', '=', language as Language))
    .execute()
}

const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url')
