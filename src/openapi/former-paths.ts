import { type GeneratedPage, type PageGrouping, generatePages, keyOfOperation } from './generate-pages.ts'
import type { OutlineOperation, SpecOutline } from './outline.ts'

/**
 * Paths, below the place where pages are generated, that pages had in earlier versions of a document, with the keys of the page
 * and of its operations.
 */
export type FormerPaths = Readonly<Record<PageGrouping, Readonly<Record<string, readonly string[]>>>>

const noFormerPaths: FormerPaths = { 'by-tag': {}, 'by-operation': {} }

/** Maximum number of former paths; the oldest ones are omitted. */
const maxPaths = 5000

/** Maximum number of operations of a former path. */
const maxKeys = 10

/** An outline as it is stored with the latest version. */
export interface StoredOutline {
  outline: SpecOutline
  former: FormerPaths
}

/** Returns the outline of a new version with the former paths of pages, given the stored outline of the version before it. */
export function toStoredOutline(outline: SpecOutline, previous: string | undefined): StoredOutline {
  if (previous === undefined) return { outline, former: noFormerPaths }
  const before = JSON.parse(previous) as StoredOutline
  return {
    outline: { ...outline, operations: withTimesOfChanges(outline.operations, before.outline.operations) },
    former: addFormerPaths(before.former, before.outline, outline),
  }
}

/** Returns operations; those that have not changed keep the time of the previous version. */
function withTimesOfChanges(
  operations: readonly OutlineOperation[],
  before: readonly OutlineOperation[],
): OutlineOperation[] {
  const byKey = new Map(before.map((operation) => [keyOfOperation(operation), operation]))
  return operations.map((operation) => {
    const former = byKey.get(keyOfOperation(operation))
    return former?.hash === operation.hash ? { ...operation, changedAt: former.changedAt } : operation
  })
}

/** Adds the paths that a new version of a document no longer has. */
function addFormerPaths(former: FormerPaths, before: SpecOutline, after: SpecOutline): FormerPaths {
  const addPaths = (grouping: PageGrouping): Record<string, readonly string[]> => {
    const current = new Set(listPaths(after, grouping).keys())
    const known = [...Object.entries(former[grouping]), ...listPaths(before, grouping)]
    return Object.fromEntries(known.filter(([path]) => !current.has(path)).slice(-maxPaths))
  }
  return { 'by-tag': addPaths('by-tag'), 'by-operation': addPaths('by-operation') }
}

/** Returns the paths of the pages that are generated from a document, at the top level of a space and elsewhere. */
function listPaths(outline: SpecOutline, grouping: PageGrouping): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>()
  const addPages = (pages: readonly GeneratedPage[], parent: string): string[] =>
    pages.flatMap(({ key, slug, operations, pages: children }) => {
      const path = `${parent}${slug}`
      const keys = [...operations.map(keyOfOperation), ...addPages(children, `${path}/`)]
      paths.set(path, [key, ...keys.slice(0, maxKeys)])
      return keys
    })
  const options = { ref: { kind: 'openapi', spec: '' }, grouping, hasModels: true, hasDownloadLink: false } as const
  for (const hasGroups of [true, false]) addPages(generatePages(outline, { ...options, hasGroups }), '')
  return paths
}
