import { type ImportedContent, type ListedContent, importRepository } from '../../content/repository/import.ts'
import { isReadByCurrentVersion } from '../../content/repository/listing.ts'
import type { GitCommit } from '../../contract/revision.ts'
import { createExtractKeeper } from '../../derived/document-extracts.ts'
import type { GitRepository } from '../../fetch/git.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { longTextSettings } from '../../parsing/parse.ts'
import { storePendingObjects } from '../../storage/store-pending-objects.ts'
import { withChargedQuota } from '../../domain/files/store-file.ts'
import {
  type Ancestor,
  type AppliedState,
  type RepositoryState,
  applyRepositoryState,
  createDetachedRevision,
} from './apply-state.ts'
import { openCommitFolder } from './commit-folder.ts'
import { toGitCommit, createFileUrlMapping } from '../../domain/git/repository-urls.ts'
import { type CommonState, findHead, findCommonState } from './common-state.ts'
import {
  GitSyncError,
  type SyncResult,
  type SyncTask,
  createUserContext,
  createProgressHandler,
  storeSyncState,
  repositoryLinksOf,
} from './sync-task.ts'

/** Imports a branch. */
export async function importBranch(task: SyncTask, repository: GitRepository): Promise<SyncResult> {
  const { request, remote, signal } = task
  const tip = await repository.fetch(remote, request.ref, { signal })
  if (tip === undefined) throw new GitSyncError('The repository is empty')
  if (request.standalone === true) return importStandalone(task, repository, tip)
  const commonState = await findCommonState(task, repository, tip)
  if (commonState?.commit === tip && request.force !== true && (await isReadByCurrentImporter(task, commonState))) {
    return { commit: tip, revisionId: commonState.revisionId }
  }
  const { content, git } = await readCommit(task, repository, tip, commonState)
  const applied = await syncRepositoryState(task, { ...content, git }, request.force === true ? undefined : commonState)
  return { commit: tip, ...applied, warnings: content.problems }
}

/** Whether the files of a state were read by the current version of the importer and need not be read again. */
function isReadByCurrentImporter({ context, space }: SyncTask, { listing }: CommonState): Promise<boolean> {
  return isReadByCurrentVersion(context.openObjects(context.db, space.organization_id), listing)
}

/**
 * Imports a state of the branch into the space; stores it as the synced state, or with the change request that must be
 * merged first.
 */
export function syncRepositoryState(
  task: SyncTask,
  state: RepositoryState,
  ancestor: Ancestor | undefined,
): Promise<AppliedState> {
  return task.context.transaction(async (db) => {
    const applied = await applyRepositoryState(await createUserContext(task, db), state, ancestor)
    const { revisionId, pending } = applied
    const syncState = pending
      ? { conflict_revision_id: revisionId, conflict_change_request_id: pending.changeRequest.id }
      : { synced_revision_id: revisionId, pushing_revision_id: null }
    await storeSyncState(task, db, syncState)
    return applied
  })
}

/** Creates a revision from a branch without changing the space or its connection. */
async function importStandalone(task: SyncTask, repository: GitRepository, tip: string): Promise<SyncResult> {
  const { content, git } = await readCommit(task, repository, tip, undefined)
  return task.context.transaction(async (db) => {
    const userContext = await createUserContext(task, db)
    const revisionId = await createDetachedRevision(userContext, { ...content, git }, userContext.space.revision_id)
    return { commit: tip, revisionId, warnings: content.problems }
  })
}

/** Imports a commit and stores its objects, which nothing refers to yet. */
export async function readCommit(
  task: SyncTask,
  repository: GitRepository,
  oid: string,
  commonState: CommonState | undefined,
): Promise<{ content: ImportedContent; git: GitCommit }> {
  const { context, services, request, remote, space, signal } = task
  const files = await repository.listFiles(oid, request.directory)
  if (files.length === 0) {
    const where = request.directory === '' ? 'The branch' : `The directory ${request.directory} of the branch`
    throw new GitSyncError(`${where} has no files`)
  }
  const objects = context.openObjects(context.db, space.organization_id)
  const charged = withChargedQuota(services, space.organization_id)
  const content = await importRepository(objects, openCommitFolder(charged, { repository, remote, files, signal }), {
    before: commonState ?? (await readSpaceContent(task)),
    newId: context.newId,
    now: context.now(),
    directory: request.directory,
    fileUrls: createFileUrlMapping(repositoryLinksOf(task)),
    onText: createProgressHandler(task, objects),
    yieldIfDue: createYielder(signal),
    longTexts: { ...longTextSettings, extracts: createExtractKeeper() },
  })
  await storePendingObjects(context.transaction, objects)
  return { content, git: await describeCommit(task, repository, oid) }
}

/** Returns the content of the space without a listing; its pages were never in files, so they are matched by path. */
async function readSpaceContent(task: SyncTask): Promise<ListedContent> {
  const head = await findHead(task)
  return { root: head.root_hash }
}

async function describeCommit(task: SyncTask, repository: GitRepository, oid: string): Promise<GitCommit> {
  const { message } = await repository.getCommit(oid)
  return toGitCommit(repositoryLinksOf(task), oid, message)
}
