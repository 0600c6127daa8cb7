import type { Lineage, PageInLine } from '../content/revision/lineages.ts'
import type { Variables } from '../content/revision/objects.ts'
import { seesPages } from '../publishing/pages.ts'
import type { ConditionVariables, Viewpoint } from '../publishing/visibility.ts'
import type { Hit } from './engine.ts'

/** Who reads the results: members see all content of a space; visitors see only what their viewpoint permits. */
export type Reader = 'member' | Viewpoint

export type Sees = (hit: Hit, lineage: Lineage) => boolean

/**
 * Returns a function that decides which hits a reader sees. Hits in `unsure` pages are hidden, because their text may
 * have become conditional since it was indexed.
 */
export function visibilityFor(reader: Reader, spaceVariables: Variables, unsure: ReadonlySet<string>): Sees {
  if (reader === 'member') return () => true
  const seen = new Map<Lineage, { isSeen: boolean; variables: ConditionVariables }>()
  const look = (lineage: Lineage) => {
    const pages = lineage.map(({ page }) => page)
    const self = lineage.at(-1) as PageInLine
    const isListed = pages.every(({ hidden }) => hidden !== true) && self.page.noIndex !== true
    return {
      isSeen: isListed && seesPages(reader, pages, spaceVariables),
      variables: { space: spaceVariables, page: self.page.variables },
    }
  }
  return (hit, lineage) => {
    const { entry, page } = lineage.at(-1) as PageInLine
    // The text of a document that has changed since it was indexed may now be conditional.
    if (hit.document !== (page.document ?? '') || unsure.has(entry.id)) return false
    let found = seen.get(lineage)
    if (!found) seen.set(lineage, (found = look(lineage)))
    const conditions = (JSON.parse(hit.conditions) as string[]).map((condition) => ({ condition }))
    return found.isSeen && reader.see(conditions, found.variables).isVisible
  }
}
