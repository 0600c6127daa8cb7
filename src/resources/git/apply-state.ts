import { hasSameContent } from '../../content/revision/diff.ts'
import { mergeTrees } from '../../content/revision/merge.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { GitCommit } from '../../contract/revision.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../schema/tables.ts'
import { updateFromSpace } from '../change-requests/merging.ts'
import { openChangeRequest } from '../../domain/change-requests/open-change-request.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import {
  type ListedContent,
  type NewRevision,
  createRevision,
  getRevision,
  moveSpaceHead,
} from '../../domain/revisions/revisions.ts'

/** Content of the repository at a commit. */
export interface RepositoryState extends ListedContent {
  git: GitCommit
}

/** Base of a merge between the repository and the space. */
export interface Ancestor {
  root: string
  revisionId?: string | undefined
}

export interface AppliedState {
  /** Id of the revision with the state of the repository. */
  revisionId: string
  /** Change request that must be merged first; set if the space was not changed. */
  pending?: PendingRequest | undefined
}

/** A change request with a state of the repository, and the reason why it was opened. */
export interface PendingRequest {
  changeRequest: Row<'change_requests'>
  reason: 'conflict' | 'locked'
}

/**
 * Imports a state of the repository into the space: replaces the content if the space was not edited since `ancestor` or
 * there is no ancestor, otherwise merges them. Conflicting changes, and all changes of a locked space, become a change
 * request and the space does not change.
 */
export async function applyRepositoryState(
  context: SpaceContext,
  state: RepositoryState,
  ancestor: Ancestor | undefined,
): Promise<AppliedState> {
  const { db, space, openObjects } = context
  await lockSpace(db, space)
  const head = await getRevision(db, space, space.revision_id)
  const objects = openObjects(db, space.organization_id)
  const isLockedAgainst = async (root: string) =>
    space.edit_mode === 'locked' &&
    !(await hasSameContent(await openTree(objects, head.root_hash), await openTree(objects, root)))
  const { root: rootHash, git } = state
  if (!ancestor || head.root_hash === ancestor.root || head.root_hash === rootHash) {
    if (await isLockedAgainst(rootHash)) {
      const revisionId = await createDetachedRevision(context, state, head.id)
      return {
        revisionId,
        pending: await openPendingRequest(context, state, { root: head.root_hash, revisionId: head.id }, 'locked'),
      }
    }
    const revisionId = await addRevision(context, { rootHash, listed: state, git, parents: [head.id] })
    await makeHead(context, head.id, revisionId)
    return { revisionId }
  }
  const hashes = { base: ancestor.root, ours: rootHash, theirs: head.root_hash }
  const merged = await mergeTrees(objects, hashes, { language: space.language ?? undefined })
  const revisionId = await createDetachedRevision(context, state, ancestor.revisionId ?? head.id)
  if (merged.conflicts.length > 0)
    return { revisionId, pending: await openPendingRequest(context, state, ancestor, 'conflict') }
  if (await isLockedAgainst(merged.root)) {
    return { revisionId, pending: await openPendingRequest(context, state, ancestor, 'locked') }
  }
  await objects.flush()
  const parents = [head.id, revisionId]
  await makeHead(context, head.id, await addRevision(context, { rootHash: merged.root, listed: state, parents }))
  return { revisionId }
}

/** Creates a revision with a state of the repository that does not become the content of the space. */
export function createDetachedRevision(
  context: SpaceContext,
  { root: rootHash, listing, git }: RepositoryState,
  parent: string,
  id = context.newId(),
): Promise<string> {
  const listed = { root: rootHash, listing }
  return addRevision(context, { id, rootHash, listed, git, parents: [parent], isDetached: true })
}

async function addRevision(
  { db, openObjects, space, principal, newId, now }: SpaceContext,
  {
    id = newId(),
    ...revision
  }: Pick<NewRevision, 'rootHash' | 'listed' | 'git' | 'parents' | 'isDetached'> & { id?: string },
): Promise<string> {
  const creation = { createdBy: principal.user.id, createdAt: now() }
  await createRevision({ db, openObjects }, { ...revision, ...creation, id, space, type: 'edits' })
  return id
}

async function makeHead(context: SpaceContext, currentHead: string, revisionId: string): Promise<void> {
  const isMoved = await moveSpaceHead(context, { ...context.space, revision_id: currentHead }, revisionId)
  if (!isMoved) throw new Error('The content of the space has changed although it was locked')
}

/** Opens a change request with the state of the repository, updated with the space, so that it shows the conflicts. */
async function openPendingRequest(
  context: SpaceContext,
  { root: rootHash, git }: RepositoryState,
  ancestor: Ancestor,
  reason: PendingRequest['reason'],
): Promise<PendingRequest> {
  // An ancestor that was copied from another space is not a revision of this space.
  const baseRevision =
    ancestor.revisionId ?? (await addRevision(context, { rootHash: ancestor.root, parents: [], isDetached: true }))
  const subject = `${subjects[reason]} (${git.oid.slice(0, 8)})`
  const request = await openChangeRequest(context, { subject, status: 'open', baseRevision })
  const changeRequest = await replaceChangeRequestHead(context, request, {
    rootHash,
    type: 'edits',
    parents: [baseRevision],
  })
  await updateFromSpace(context, changeRequest)
  return { changeRequest, reason }
}

const subjects = {
  conflict: 'Changes from Git that conflict with the space',
  locked: 'Changes from Git',
} as const
