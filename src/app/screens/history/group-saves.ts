import type { RevisionSummary } from '../../../contract/revision.ts'

/** Maximum pause in milliseconds between two saves of one author that are shown together. */
const maxPause = 10 * 60 * 1000

/** Consecutive saves of one author, newest first; each other revision is a separate group. */
export type RevisionGroup = readonly [newest: RevisionSummary, ...older: RevisionSummary[]]

/** Groups consecutive automatic saves of the same author. */
export function groupSaves(revisions: readonly RevisionSummary[]): RevisionGroup[] {
  const groups: [RevisionSummary, ...RevisionSummary[]][] = []
  for (const revision of revisions) {
    const last = groups.at(-1)
    const newer = last?.at(-1)
    if (last && newer && isContinued(newer, revision)) last.push(revision)
    else groups.push([revision])
  }
  return groups
}

const isSave = ({ type, git }: RevisionSummary): boolean => type === 'edits' && git === undefined

const isContinued = (newer: RevisionSummary, older: RevisionSummary): boolean =>
  isSave(newer) &&
  isSave(older) &&
  newer.parents[0] === older.id &&
  newer.createdBy !== undefined &&
  newer.createdBy.id === older.createdBy?.id &&
  Date.parse(newer.createdAt) - Date.parse(older.createdAt) <= maxPause
