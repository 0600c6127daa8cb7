import { type Derivation, refreshDerivedRows, updateDerivedRows } from '../derived/update-derived-rows.ts'
import { deletePageRows, findPagesWithRows } from '../derived/page-rows.ts'
import { findPagesReusing, insertReuses } from '../derived/reuses.ts'
import type { JobContext } from '../kernel/context.ts'
import { searchEngineOf } from './engines.ts'
import { type IncludeTexts, type IndexedPage, readPageSections } from './page-sections.ts'
import { UsedWords, updateVocabulary } from './vocabulary.ts'

/** Tables that store the progress of indexing, and the rows of the index. */
export const searchDerivation = {
  states: 'search_states',
  format: 7,
  fields: ['title', 'linkTitle', 'description', 'condition', 'document'],
} as const

/** Returns the derivation of the search index from pages, for one update of a space. */
const createDerivation = (
  includeTexts: IncludeTexts | undefined,
  usedWords = new UsedWords(),
): Derivation<IndexedPage> => ({
  ...searchDerivation,
  maxBatch: { pages: 100, rows: 300 },
  read: (tree, space, page) => readPageSections(tree, space, page, includeTexts),
  countRows: ({ sections }) => sections.length,
  deletePages: (db, space, pageIds) => deletePageRows(db, ['search_sections', 'search_reuses'], space, pageIds),
  async insert(db, { organizationId, spaceId }, pages) {
    const sections = pages.flatMap((page) => page.sections)
    await searchEngineOf(db).insert(db, sections)
    await updateVocabulary(db, { organizationId, spaceId }, sections, usedWords)
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
  afterCommit: () => usedWords.commit(),
  findPages: (db, space, after, limit) => findPagesWithRows(db, 'search_sections', space, { after, limit }),
})

type IndexContext = Pick<JobContext, 'db' | 'transaction' | 'openObjects' | 'signal'>

/** Updates the search index of a space to its head. */
export const indexSpace = (context: IndexContext, spaceId: string, includeTexts?: IncludeTexts): Promise<void> =>
  updateDerivedRows(context, createDerivation(includeTexts), spaceId)

/** Updates the search index of a space to its head, and indexes the pages again that include some texts. */
export const indexPagesReusing = (
  context: IndexContext,
  spaceId: string,
  reusedIds: readonly string[],
  includeTexts: IncludeTexts,
): Promise<void> =>
  refreshDerivedRows(context, createDerivation(includeTexts), spaceId, (db, space) =>
    findPagesReusing(db, space, reusedIds),
  )
