import type { Db } from '../schema/tables.ts'
import type { Hit } from './engine.ts'
import { searchEngineOf } from './engines.ts'
import { sectionKeyOf } from './found-page.ts'

/** Reads the texts of hits that have none yet, by section key. */
export async function readSectionTexts(
  db: Db,
  organizationId: string,
  hits: readonly Hit[],
): Promise<ReadonlyMap<string, string>> {
  const unread = hits.filter(({ body }) => body === undefined)
  if (unread.length === 0) return new Map()
  const sections = await searchEngineOf(db).findBodies(db, organizationId, unread)
  return new Map(sections.map((section) => [sectionKeyOf(section), section.body]))
}
