import { type ImportedContent, type ListedContent, importRepository } from '../../content/repository/import.ts'
import { isReadByCurrentVersion } from '../../content/repository/listing.ts'
import type { GitCommit } from '../../contract/revision.ts'
import type { GitRepository } from '../../fetch/git.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { longTexts } from '../../parsing/parse.ts'
import { storeAll } from '../../storage/portions.ts'
import { chargeTo } from '../../domain/files/store-file.ts'
import { type Ancestor, type BroughtIn, type RepositoryState, bringIn, keepAside } from './bring-in.ts'
import { commitFolder } from './commit-folder.ts'
import { toGitCommit, outsideOf } from '../../domain/git/repository-urls.ts'
import { type Common, findHead, settle } from './settle.ts'
import { GitSyncError, type Outcome, type Work, actingIn, caretaker, storeSyncState, placesOf } from './work.ts'

/** Imports a branch. */
export async function importBranch(work: Work, repository: GitRepository): Promise<Outcome> {
  const { request, remote, signal } = work
  const tip = await repository.fetch(remote, request.ref, { signal })
  if (tip === undefined) throw new GitSyncError('The repository is empty')
  if (request.standalone === true) return importAside(work, repository, tip)
  const common = await settle(work, repository, tip)
  if (common?.commit === tip && request.force !== true && (await isRead(work, common))) {
    return { commit: tip, revisionId: common.revisionId }
  }
  const { content, git } = await readCommit(work, repository, tip, common)
  const broughtIn = await takeIn(work, { ...content, git }, request.force === true ? undefined : common)
  return { commit: tip, ...broughtIn, warnings: content.problems }
}

/** Whether the files of a state were read by the current version of the importer and need not be read again. */
function isRead({ context, space }: Work, { listing }: Common): Promise<boolean> {
  return isReadByCurrentVersion(context.openObjects(context.db, space.organization_id), listing)
}

/**
 * Imports a state of the branch into the space; stores it as the synced state, or with the change request that must be
 * merged first.
 */
export function takeIn(work: Work, state: RepositoryState, ancestor: Ancestor | undefined): Promise<BroughtIn> {
  return work.context.transaction(async (db) => {
    const broughtIn = await bringIn(await actingIn(work, db), state, ancestor)
    const { revisionId, pending } = broughtIn
    const noted = pending
      ? { conflict_revision_id: revisionId, conflict_change_request_id: pending.changeRequest.id }
      : { synced_revision_id: revisionId, pushing_revision_id: null }
    await storeSyncState(work, db, noted)
    return broughtIn
  })
}

/** Creates a revision from a branch without changing the space or its connection. */
async function importAside(work: Work, repository: GitRepository, tip: string): Promise<Outcome> {
  const { content, git } = await readCommit(work, repository, tip, undefined)
  return work.context.transaction(async (db) => {
    const acting = await actingIn(work, db)
    const revisionId = await keepAside(acting, { ...content, git }, acting.space.revision_id)
    return { commit: tip, revisionId, warnings: content.problems }
  })
}

/** Imports a commit and stores its objects, which nothing refers to yet. */
export async function readCommit(
  work: Work,
  repository: GitRepository,
  oid: string,
  common: Common | undefined,
): Promise<{ content: ImportedContent; git: GitCommit }> {
  const { context, services, request, remote, space, signal } = work
  const files = await repository.list(oid, request.directory)
  if (files.length === 0) {
    const where = request.directory === '' ? 'The branch' : `The directory ${request.directory} of the branch`
    throw new GitSyncError(`${where} has no files`)
  }
  const objects = context.openObjects(context.db, space.organization_id)
  const charged = chargeTo(services, space.organization_id)
  const content = await importRepository(objects, commitFolder(charged, { repository, remote, files, signal }), {
    before: common ?? (await contentOfSpace(work)),
    newId: context.newId,
    now: context.now(),
    directory: request.directory,
    outside: outsideOf(placesOf(work)),
    onText: caretaker(work, objects),
    breathe: createYielder(signal),
    longTexts,
  })
  await storeAll(context.transaction, objects)
  return { content, git: await describe(work, repository, oid) }
}

/** Returns the content of the space without a listing; its pages were never in files, so they are matched by path. */
async function contentOfSpace(work: Work): Promise<ListedContent> {
  const head = await findHead(work)
  return { root: head.root_hash }
}

async function describe(work: Work, repository: GitRepository, oid: string): Promise<GitCommit> {
  const { message } = await repository.commit(oid)
  return toGitCommit(placesOf(work), oid, message)
}
