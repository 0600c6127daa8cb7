import { type Derivation, updateDerivedRows } from '../derived/update-derived-rows.ts'
import { deletePageRows, findPagesWithRows } from '../derived/page-rows.ts'
import { insertReuses } from '../derived/reuses.ts'
import type { JobContext } from '../kernel/context.ts'
import { searchEngineOf } from './engines.ts'
import { type IndexedPage, readPageSections } from './page-sections.ts'
import { collectWords, updateVocabulary } from './vocabulary.ts'

/** Derivation of the search index from pages. */
export const searchDerivation: Derivation<IndexedPage> = {
  states: 'search_states',
  format: 3,
  fields: ['title', 'linkTitle', 'description', 'document'],
  maxBatch: { pages: 100, rows: 50 },
  read: readPageSections,
  countRows: ({ sections }) => sections.length,
  deletePages: (db, space, pageIds) => deletePageRows(db, ['search_sections', 'search_reuses'], space, pageIds),
  async insert(db, { organizationId, spaceId }, pages) {
    const sections = pages.flatMap((page) => page.sections)
    await searchEngineOf(db).insert(db, sections)
    await updateVocabulary(db, { organizationId, spaceId }, collectWords(sections))
    const reuses = pages.flatMap(({ id, reused }) =>
      [...reused].map((reusable_content_id) => ({
        organization_id: organizationId,
        space_id: spaceId,
        page_id: id,
        reusable_content_id,
      })),
    )
    await insertReuses(db, reuses)
  },
  findPages: (db, space, after, limit) => findPagesWithRows(db, 'search_sections', space, { after, limit }),
}

/** Updates the search index of a space to its head. */
export const indexSpace = (
  context: Pick<JobContext, 'db' | 'transaction' | 'openObjects' | 'signal'>,
  spaceId: string,
): Promise<void> => updateDerivedRows(context, searchDerivation, spaceId)
