import type { Lineage, PageInLine } from '../content/revision/lineages.ts'
import type { Variables } from '../content/revision/objects.ts'
import { seesPages } from '../publishing/pages.ts'
import type { ConditionVariables, Viewpoint } from '../publishing/visibility.ts'
import type { Hit } from './engine.ts'

/** Members see all that a space contains; visitors see what is meant for them. */
export type Reader = 'member' | Viewpoint

export type Sees = (hit: Hit, lineage: Lineage) => boolean

/** Tells what a reader sees of a space. What is said in `unsure` pages may be said under a condition by now. */
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
    // A text that has changed since may say now under a condition what it said to everybody.
    if (hit.document !== (page.document ?? '') || unsure.has(entry.id)) return false
    let found = seen.get(lineage)
    if (!found) seen.set(lineage, (found = look(lineage)))
    const conditions = (JSON.parse(hit.conditions) as string[]).map((condition) => ({ condition }))
    return found.isSeen && reader.see(conditions, found.variables).isVisible
  }
}
