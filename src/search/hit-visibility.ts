import type { Lineage, LineagePage } from '../content/revision/lineages.ts'
import type { Variables } from '../content/revision/objects.ts'
import { canSeePage } from '../publishing/pages.ts'
import type { ConditionVariables, Viewpoint } from '../publishing/visibility.ts'
import type { Hit } from './engine.ts'

/** Reader of the results: members see all content of a space; visitors see only content that their viewpoint permits. */
export type SearchReader = 'member' | Viewpoint

export type IsHitVisible = (hit: Hit, lineage: Lineage) => boolean

/**
 * Returns a function that decides which hits a reader sees. Hits in `possiblyOutdated` pages are hidden, because their text may
 * have become conditional since it was indexed.
 */
export function createHitFilter(
  reader: SearchReader,
  spaceVariables: Variables,
  possiblyOutdated: ReadonlySet<string>,
): IsHitVisible {
  if (reader === 'member') return () => true
  const pageVisibilities = new Map<Lineage, { isVisible: boolean; variables: ConditionVariables }>()
  const evaluatePage = (lineage: Lineage) => {
    const pages = lineage.map(({ page }) => page)
    const self = lineage.at(-1) as LineagePage
    const isListed = pages.every(({ hidden }) => hidden !== true) && self.page.noIndex !== true
    return {
      isVisible: isListed && canSeePage(reader, pages, spaceVariables),
      variables: { space: spaceVariables, page: self.page.variables },
    }
  }
  return (hit, lineage) => {
    const { entry, page } = lineage.at(-1) as LineagePage
    // The text of a document that has changed since it was indexed may now be conditional.
    if (hit.document !== (page.document ?? '') || possiblyOutdated.has(entry.id)) return false
    let pageVisibility = pageVisibilities.get(lineage)
    if (!pageVisibility) pageVisibilities.set(lineage, (pageVisibility = evaluatePage(lineage)))
    const conditions = (JSON.parse(hit.conditions) as string[]).map((condition) => ({ condition }))
    return pageVisibility.isVisible && reader.getVisibility(conditions, pageVisibility.variables).isVisible
  }
}
