import { condition, scopeOf } from '../content/expression/index.ts'
import type { Lineage, PageInLine } from '../content/revision/lineages.ts'
import type { Variables } from '../content/revision/objects.ts'
import type { Hit } from './engine.ts'

/** Somebody who reads published content. */
export interface Visitor {
  claims: Readonly<Record<string, unknown>>
  /** Whether a page is among what is published; all are, unless this says otherwise. */
  admits?: ((spaceId: string, lineage: Lineage) => boolean) | undefined
}

/** Members see all that a space contains; visitors see what is meant for them. */
export type Reader = 'member' | Visitor

export type Sees = (hit: Hit, lineage: Lineage) => boolean

/** Tells what a reader sees of a space. */
export function visibilityFor(reader: Reader, spaceVariables: Variables): Sees {
  if (reader === 'member') return () => true
  const known = new Map<string, boolean>()
  const holds = (source: string, { page }: PageInLine): boolean => {
    const name = JSON.stringify([source, page.variables])
    const before = known.get(name)
    if (before !== undefined) return before
    const scope = scopeOf({ visitorClaims: reader.claims, spaceVariables, pageVariables: page.variables })
    const { value } = condition(source, scope)
    known.set(name, value)
    return value
  }
  const seesPage = (one: PageInLine): boolean =>
    one.page.hidden !== true && (one.page.condition === undefined || holds(one.page.condition, one))
  const seen = new Map<Lineage, boolean>()
  const seesLineage = (spaceId: string, lineage: Lineage): boolean => {
    const self = lineage.at(-1) as PageInLine
    return lineage.every(seesPage) && self.page.noIndex !== true && (reader.admits?.(spaceId, lineage) ?? true)
  }
  return (hit, lineage) => {
    const self = lineage.at(-1) as PageInLine
    // A text that has changed since may say now under a condition what it said to everybody.
    if (hit.document !== (self.page.document ?? '')) return false
    const before = seen.get(lineage)
    const isSeen = before ?? seesLineage(hit.space_id, lineage)
    seen.set(lineage, isSeen)
    return isSeen && (JSON.parse(hit.conditions) as string[]).every((source) => holds(source, self))
  }
}
