import { mergeTrees } from '../../content/revision/merge.ts'
import type { GitCommit } from '../../contract/revision.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../storage/tables.ts'
import { updateRequest } from '../change-requests/merging.ts'
import { openRequest } from '../change-requests/open.ts'
import { putState } from '../change-requests/states.ts'
import { type ListedState, type NewRevision, createRevision, getRevision, moveHead } from '../revisions/revisions.ts'

/** A state of the repository. */
export interface RepositoryState extends ListedState {
  git: GitCommit
}

/** What a state of the repository and the space had in common before they changed. */
export interface Ancestor {
  root: string
  revisionId?: string | undefined
}

export interface BroughtIn {
  /** The revision that holds the state of the repository. */
  revisionId: string
  /** Where contradictions wait, when there are any: the space is as it was then. */
  changeRequest?: Row<'change_requests'> | undefined
}

/**
 * Takes a state of the repository into the space: in place of what is there when nothing was edited there, else merged
 * with it. What contradicts becomes a change request, and the space stays as it is.
 */
export async function bringIn(
  context: SpaceContext,
  state: RepositoryState,
  ancestor: Ancestor | undefined,
): Promise<BroughtIn> {
  const { db, space, openObjects } = context
  await lockSpace(db, space)
  const head = await getRevision(db, space, space.revision_id)
  if (!ancestor || head.root_hash === ancestor.root || head.root_hash === state.root) {
    const { root: rootHash, git } = state
    const revisionId = await addRevision(context, { rootHash, listed: state, git, parents: [head.id] })
    await makeHead(context, head.id, revisionId)
    return { revisionId }
  }
  const objects = openObjects(db, space.organization_id)
  const merged = await mergeTrees(objects, { base: ancestor.root, ours: state.root, theirs: head.root_hash })
  const revisionId = await keepAside(context, state, ancestor.revisionId ?? head.id)
  if (merged.conflicts.length > 0) return { revisionId, changeRequest: await contradict(context, state, ancestor) }
  await objects.flush()
  const parents = [head.id, revisionId]
  await makeHead(context, head.id, await addRevision(context, { rootHash: merged.root, listed: state, parents }))
  return { revisionId }
}

/** Notes a state of the repository that is not the content of the space. */
export function keepAside(
  context: SpaceContext,
  { root: rootHash, listing, git }: RepositoryState,
  parent: string,
  id = context.newId(),
): Promise<string> {
  const listed = { root: rootHash, listing }
  return addRevision(context, { id, rootHash, listed, git, parents: [parent], isAside: true })
}

async function addRevision(
  { db, space, principal, newId, now }: SpaceContext,
  {
    id = newId(),
    ...revision
  }: Pick<NewRevision, 'rootHash' | 'listed' | 'git' | 'parents' | 'isAside'> & { id?: string },
): Promise<string> {
  const made = { createdBy: principal.user.id, createdAt: now() }
  await createRevision(db, { ...revision, ...made, id, space, type: 'edits' })
  return id
}

async function makeHead(context: SpaceContext, before: string, revisionId: string): Promise<void> {
  const isMoved = await moveHead(context, { ...context.space, revision_id: before }, revisionId)
  if (!isMoved) throw new Error('The content of the space has changed although it was locked')
}

/** Opens a change request with what the repository has, in which the contradictions are shown. */
async function contradict(
  context: SpaceContext,
  { root: rootHash, git }: RepositoryState,
  ancestor: Ancestor,
): Promise<Row<'change_requests'>> {
  // Content that was brought along from another space is no revision of this one.
  const beginsAt =
    ancestor.revisionId ?? (await addRevision(context, { rootHash: ancestor.root, parents: [], isAside: true }))
  const subject = `Changes from Git that contradict the space (${git.oid.slice(0, 8)})`
  const request = await openRequest(context, { subject, status: 'open', beginsAt })
  const changed = await putState(context, request, { rootHash, type: 'edits', parents: [beginsAt] })
  await updateRequest(context, changed)
  return changed
}
