import {
  type ExportOptions,
  type ExportResult,
  type FileChange,
  exportRepository,
} from '../../content/repository/export.ts'
import { type ExportedFile, type FullExportOptions, exportAllFiles } from '../../content/repository/export-all-files.ts'
import { type Objects, readObject } from '../../content/revision/objects.ts'
import { countSequence } from '../../content/revision/sequence.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { GitChange, GitPerson, GitRepository } from '../../fetch/git.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { storePendingObjects } from '../../storage/store-pending-objects.ts'
import type { Row } from '../../schema/tables.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { hashGitBlob, hashGitBlobChunks } from '../content/folder.ts'
import { restoreSourceBytes } from '../content/text-bytes.ts'
import {
  type ListedContent,
  getRevision,
  listedContentOf,
  storeRevisionExport,
} from '../../domain/revisions/revisions.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { type RepositoryState, createDetachedRevision } from './apply-state.ts'
import { readCommit, syncRepositoryState } from './import.ts'
import { toGitCommit, createFileUrlMapping } from '../../domain/git/repository-urls.ts'
import { confirmPush, findHead, findCommonState } from './common-state.ts'
import * as store from '../../domain/git/git-store.ts'
import { commitTrailer } from '../../domain/git/commit-trailer.ts'
import {
  GitSyncError,
  type GitServices,
  type SyncResult,
  type SyncTask,
  createUserContext,
  createProgressHandler,
  storeSyncState,
  repositoryLinksOf,
} from './sync-task.ts'

/** Exports the space to a branch. */
export async function exportToBranch(task: SyncTask, repository: GitRepository): Promise<SyncResult> {
  const { request, remote, signal, operation } = task
  const tip = await repository.fetch(remote, request.ref, { signal, mayBeMissing: true })
  // An earlier attempt may have ended after its push; edits made since are left to the next export.
  const pushed = await confirmPush(task, repository, operation.revision_id, tip)
  if (pushed) return { commit: pushed.commit, revisionId: pushed.revisionId }
  const commonState = await findCommonState(task, repository, tip)
  if (tip === undefined) return commitAndPush(task, repository, tip, undefined)
  if (commonState?.commit === tip) return commitAndPush(task, repository, tip, commonState)
  const isOurs = commonState?.commit !== undefined
  if (!isOurs && (await repository.listFiles(tip, request.directory)).length === 0) {
    return commitAndPush(task, repository, tip, undefined)
  }
  const { content, git } = await readCommit(task, repository, tip, commonState)
  if (request.force === true) {
    await storeReplacedState(task, { ...content, git })
    return commitAndPush(task, repository, tip, content)
  }
  if (!isOurs && content.pages > 0) {
    throw new GitSyncError(
      `The branch has ${content.pages} pages that were not exported from this space. Import the branch first, or export with \`force\` to replace them`,
    )
  }
  // Commits pushed since the last sync are imported first, so that the export contains both sides.
  const { revisionId, pending } = await syncRepositoryState(task, { ...content, git }, isOurs ? commonState : content)
  if (pending) return { commit: tip, revisionId, pending, warnings: content.problems }
  return commitAndPush(task, repository, tip, content)
}

/** Stores the content of the branch as a revision and as the synced state, before the export replaces it. */
async function storeReplacedState(task: SyncTask, state: RepositoryState): Promise<void> {
  await task.context.transaction(async (db) => {
    const userContext = await createUserContext(task, db)
    const revisionId = await createDetachedRevision(userContext, state, userContext.space.revision_id)
    await storeSyncState(task, db, { synced_revision_id: revisionId })
  })
}

/** Commits and pushes the content of the space; `before` is the state of the branch, undefined if it has no content. */
async function commitAndPush(
  task: SyncTask,
  repository: GitRepository,
  tip: string | undefined,
  before: ListedContent | undefined,
): Promise<SyncResult> {
  const { context, request, remote, space, signal } = task
  const head = await findHead(task)
  const objects = context.openObjects(context.db, space.organization_id)
  const options = {
    after: head.root_hash,
    directory: request.directory,
    fileUrls: createFileUrlMapping(repositoryLinksOf(task)),
    onText: createProgressHandler(task, objects),
    yieldIfDue: createYielder(signal),
  }
  const exported =
    before && tip !== undefined
      ? await exportChanges(repository, tip, objects, { ...options, before })
      : await exportAll(objects, { ...options, before: listedContentOf(head) })
  if (exported.changes.length === 0) {
    const { root } = await openTree(objects, head.root_hash)
    const isEmpty = (await countSequence(objects, root.pages)) === 0
    return { commit: tip, ...(isEmpty && { warnings: [nothingToCommit] }) }
  }

  const revisionId = context.newId()
  const change = await findLastChange(task, head)
  const message = commitTrailer.add(await createCommitMessage(task, change), revisionId)
  const { changes, oids } = await toGitChanges(task, objects, exported.changes, tip)
  const commit = await repository.writeCommit({
    parent: tip,
    changes,
    message,
    author: await findAuthor(task, change),
    committer,
    date: task.operation.created_at,
  })
  const listed = { root: head.root_hash, listing: await exported.list(oids) }
  await storePendingObjects(context.transaction, objects)
  const git = toGitCommit(repositoryLinksOf(task), commit, message)
  // If the process ends before the push is confirmed, the next operation of the space checks whether the commit arrived.
  await context.transaction(async (db) => {
    await createDetachedRevision(await createUserContext(task, db), { ...listed, git }, head.id, revisionId)
    await storeSyncState(task, db, { pushing_revision_id: revisionId })
    await store.updateGitOperation(db, task.operation, { revision_id: revisionId })
  })
  await repository.push(remote, { commit, ref: request.ref, expected: tip, force: request.force === true, signal })
  await context.transaction(async (db) => {
    await storeRevisionExport(db, space, head.id, listed, git)
    await storeSyncState(task, db, { synced_revision_id: revisionId, pushing_revision_id: null })
  })
  return { commit, revisionId }
}

const nothingToCommit = { file: '', message: 'The space has no pages, so nothing was committed' }

/** Returns the changes to a directory that contains a state of the content. */
async function exportChanges(
  repository: GitRepository,
  tip: string,
  objects: Objects,
  options: Omit<ExportOptions, 'isTaken'>,
): Promise<ExportedChanges> {
  const files = await repository.listFiles(tip, options.directory ?? '')
  const taken = new Set(files.map(({ path }) => path))
  return exportRepository(objects, { ...options, isTaken: (path) => taken.has(path) })
}

/** Returns all files for an empty directory. Unedited files that were imported from elsewhere are written as they were there. */
async function exportAll(objects: Objects, options: FullExportOptions): Promise<ExportedChanges> {
  const exported = await exportAllFiles(objects, options)
  return { changes: exported.files, list: (oids) => exported.list(oids) }
}

interface ExportedChanges extends Pick<ExportResult, 'list'> {
  changes: readonly (FileChange | ExportedFile)[]
}

const committer = { name: 'Octavo', email: 'octavo@localhost' }

/** Returns the newest revision made in the space, skipping merges with the repository. */
async function findLastChange({ context, space }: SyncTask, head: Row<'revisions'>): Promise<Row<'revisions'>> {
  let revision = head
  for (;;) {
    const [here, there] = JSON.parse(revision.parents) as string[]
    if (revision.merged_from_id !== null || here === undefined || there === undefined) return revision
    revision = await getRevision(context.db, space, here)
  }
}

/** Returns the requested commit message, or the message template filled in for the change request that was merged last. */
async function createCommitMessage({ context, space, request }: SyncTask, change: Row<'revisions'>): Promise<string> {
  if (request.commitMessage !== undefined) return request.commitMessage
  const merged =
    change.merged_from_id === null ? undefined : await findChangeRequest(context.db, space, change.merged_from_id)
  if (!merged) return 'Changes made in Octavo'
  const template = (await store.findGitConnection(context.db, space))?.commit_message ?? defaultMessage
  return template
    .replaceAll('{change_request_number}', String(merged.number))
    .replaceAll('{change_request_subject}', merged.subject.trim() || 'No subject')
}

const defaultMessage = 'OCTAVO-{change_request_number}: {change_request_subject}'

/** Returns the creator of the exported revision, or the user who requested the export. */
async function findAuthor({ context, operation }: SyncTask, change: Row<'revisions'>): Promise<GitPerson> {
  const userId = change.created_by ?? operation.created_by
  if (userId === null) return committer
  const user = (await loadUsers(context.db, [userId])).get(userId)
  return { name: user.display_name, email: user.email }
}

/** Converts changes for Git and returns the object ids of the files. */
async function toGitChanges(
  { services, request }: SyncTask,
  objects: Objects,
  changes: ExportedChanges['changes'],
  tip: string | undefined,
): Promise<{ changes: GitChange[]; oids: Map<string, string> }> {
  // The length of object ids depends on the hash algorithm of the repository.
  const algorithm = tip?.length === 64 ? 'sha256' : 'sha1'
  const oids = new Map<string, string>()
  const prefix = request.directory === '' ? '' : `${request.directory}/`
  const gitChanges: GitChange[] = []
  for (const change of changes) {
    const path = prefix + change.path
    if ('isDeleted' in change) gitChanges.push({ path, delete: true })
    else if ('text' in change || 'source' in change) {
      const bytes = await readTextBytes(objects, change)
      if (!bytes) continue
      oids.set(change.path, hashGitBlob(bytes, algorithm))
      gitChanges.push({ path, bytes })
    } else {
      const { blob, size } = change
      const chunks = () => readBlob(services, blob)
      oids.set(change.path, await hashGitBlobChunks(chunks(), size, algorithm))
      gitChanges.push({ path, size, chunks })
    }
  }
  return { changes: gitChanges, oids }
}

/** Returns the bytes of a text; undefined if the text was too large to import and cannot be written. */
async function readTextBytes(
  objects: Objects,
  change: { text: string } | { source: string; oid: string },
): Promise<Buffer | undefined> {
  if ('text' in change) return Buffer.from(change.text)
  return restoreSourceBytes((await readObject(objects, 'source', change.source)).text, change.oid)
}

async function* readBlob({ blobs }: GitServices, hash: string): AsyncGenerator<Uint8Array> {
  const opened = await blobs.open(hash)
  if (!opened) throw new GitSyncError('The bytes of a file are missing. Run `octavo doctor --content` for details')
  yield* opened.stream
}
