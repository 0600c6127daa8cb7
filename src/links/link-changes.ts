import { type PageChange, changedFields, diffTrees } from '../content/revision/diff.ts'
import { readObjects } from '../content/revision/objects.ts'
import type { Tree } from '../content/revision/tree.ts'
import { keyOfSource, subjectOf } from './link-target.ts'
import type { SourceObject } from './read-links.ts'

/** Differences between two trees of a space that affect links. */
export interface LinkChanges {
  /** Changed sources by key; undefined for removed ones. */
  sources: Map<string, SourceObject | undefined>
  /** Subjects that were added or removed. */
  subjects: string[]
  /** Subjects of pages whose anchors may have changed. */
  anchoredSubjects: string[]
  /** IDs of the reusable contents whose documents changed. */
  reusableContents: string[]
}

/** Fields of a page that contain links, and those that its anchors are made of. */
const sourceFields: ReadonlySet<string> = new Set(['document', 'target', 'cover', 'metaLinks', 'computed'])
const anchorFields: ReadonlySet<string> = new Set(['title', 'document'])

/** Compares the links of two trees. Throws a `TooManyChangesError` if more than `maxPages` pages differ. */
export async function findLinkChanges(
  spaceId: string,
  before: Tree,
  after: Tree,
  { maxPages = Infinity } = {},
): Promise<LinkChanges> {
  const { pages, files, reusableContents } = await diffTrees(before, after, { maxPages })
  const changes: LinkChanges = { sources: new Map(), subjects: [], anchoredSubjects: [], reusableContents: [] }
  for (const page of pages) addPageChange(changes, spaceId, page)
  for (const { id, before: old, after: now } of files)
    if (!old || !now) changes.subjects.push(subjectOf({ kind: 'file', space: spaceId, id }))
  const existing = reusableContents.flatMap(({ after: now }) => (now ? [now] : []))
  const contents = await readObjects(
    after.objects,
    'reusable-content',
    existing.map(({ hash }) => hash),
  )
  const contentsById = new Map(existing.map(({ id }, index) => [id, contents[index]]))
  for (const { id, before: old, after: now } of reusableContents) {
    changes.sources.set(keyOfSource({ kind: 'reusable-content', id }), contentsById.get(id))
    changes.reusableContents.push(id)
    if (!old || !now) changes.subjects.push(subjectOf({ kind: 'reusable-content', space: spaceId, id }))
  }
  return changes
}

function addPageChange(changes: LinkChanges, spaceId: string, { id, before, after }: PageChange): void {
  const subject = subjectOf({ kind: 'page', space: spaceId, id })
  const fields = before && after ? changedFields(before, after) : []
  const isReplaced = !before || !after
  if (isReplaced) changes.subjects.push(subject)
  else if (fields.some((field) => anchorFields.has(field))) changes.anchoredSubjects.push(subject)
  if (isReplaced || fields.some((field) => sourceFields.has(field)))
    changes.sources.set(keyOfSource({ kind: 'page', id }), after?.page)
}
