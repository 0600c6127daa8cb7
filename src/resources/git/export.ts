import {
  type ExportOptions,
  type Exported,
  type FileChange,
  exportRepository,
} from '../../content/repository/export.ts'
import { type WholeFile, type WholeOptions, exportWhole } from '../../content/repository/whole.ts'
import { type Objects, readObject } from '../../content/revision/objects.ts'
import { countSequence } from '../../content/revision/sequence.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { GitChange, GitPerson, GitRepository } from '../../fetch/git.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { storeAll } from '../../storage/portions.ts'
import type { Row } from '../../schema/tables.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { gitIdOf, gitIdOfChunks } from '../content/folder.ts'
import { bytesOfSource } from '../content/text-bytes.ts'
import { type ListedState, getRevision, listedIn, storeExport } from '../../domain/revisions/revisions.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { type RepositoryState, keepAside } from './bring-in.ts'
import { readCommit, takeIn } from './import.ts'
import { toGitCommit, outsideOf } from '../../domain/git/repository-urls.ts'
import { adoptPushed, findHead, settle } from './settle.ts'
import * as store from '../../domain/git/git-store.ts'
import { trailer } from '../../domain/git/trailer.ts'
import {
  GitSyncError,
  type GitServices,
  type Outcome,
  type Work,
  actingIn,
  caretaker,
  storeSyncState,
  placesOf,
} from './work.ts'

/** Exports the space to a branch. */
export async function exportToBranch(work: Work, repository: GitRepository): Promise<Outcome> {
  const { request, remote, signal, operation } = work
  const tip = await repository.fetch(remote, request.ref, { signal, mayBeMissing: true })
  // An earlier attempt may have ended after its push; edits made since are left to the next export.
  const done = await adoptPushed(work, repository, operation.revision_id, tip)
  if (done) return { commit: done.commit, revisionId: done.revisionId }
  const common = await settle(work, repository, tip)
  if (tip === undefined) return publish(work, repository, tip, undefined)
  if (common?.commit === tip) return publish(work, repository, tip, common)
  const isOurs = common?.commit !== undefined
  if (!isOurs && (await repository.list(tip, request.directory)).length === 0) {
    return publish(work, repository, tip, undefined)
  }
  const { content, git } = await readCommit(work, repository, tip, common)
  if (request.force === true) {
    await noteAside(work, { ...content, git })
    return publish(work, repository, tip, content)
  }
  if (!isOurs && content.pages > 0) {
    throw new GitSyncError(
      `The branch has ${content.pages} pages that were not exported from this space. Import the branch first, or export with \`force\` to replace them`,
    )
  }
  // Commits pushed since the last sync are imported first, so that the export contains both sides.
  const { revisionId, pending } = await takeIn(work, { ...content, git }, isOurs ? common : content)
  if (pending) return { commit: tip, revisionId, pending, warnings: content.problems }
  return publish(work, repository, tip, content)
}

/** Stores the content of the branch as a revision and as the synced state, before the export replaces it. */
async function noteAside(work: Work, state: RepositoryState): Promise<void> {
  await work.context.transaction(async (db) => {
    const acting = await actingIn(work, db)
    const revisionId = await keepAside(acting, state, acting.space.revision_id)
    await storeSyncState(work, db, { synced_revision_id: revisionId })
  })
}

/** Commits and pushes the content of the space; `before` is the state of the branch, undefined if it has no content. */
async function publish(
  work: Work,
  repository: GitRepository,
  tip: string | undefined,
  before: ListedState | undefined,
): Promise<Outcome> {
  const { context, request, remote, space, signal } = work
  const head = await findHead(work)
  const objects = context.openObjects(context.db, space.organization_id)
  const options = {
    after: head.root_hash,
    directory: request.directory,
    outside: outsideOf(placesOf(work)),
    onText: caretaker(work, objects),
    breathe: createYielder(signal),
  }
  const exported =
    before && tip !== undefined
      ? await exportOver(repository, tip, objects, { ...options, before })
      : await exportAnew(objects, { ...options, before: listedIn(head) })
  if (exported.changes.length === 0) {
    const { root } = await openTree(objects, head.root_hash)
    const isEmpty = (await countSequence(objects, root.pages)) === 0
    return { commit: tip, ...(isEmpty && { warnings: [nothingToCommit] }) }
  }

  const revisionId = context.newId()
  const change = await lastChange(work, head)
  const message = trailer.add(await messageOf(work, change), revisionId)
  const { changes, oids } = await changesOf(work, objects, exported.changes, tip)
  const commit = await repository.write({
    parent: tip,
    changes,
    message,
    author: await authorOf(work, change),
    committer,
    date: work.operation.created_at,
  })
  const listed = { root: head.root_hash, listing: await exported.list(oids) }
  await storeAll(context.transaction, objects)
  const git = toGitCommit(placesOf(work), commit, message)
  // If the process ends before the push is confirmed, the next operation of the space checks whether the commit arrived.
  await context.transaction(async (db) => {
    await keepAside(await actingIn(work, db), { ...listed, git }, head.id, revisionId)
    await storeSyncState(work, db, { pushing_revision_id: revisionId })
    await store.updateOperation(db, work.operation, { revision_id: revisionId })
  })
  await repository.push(remote, { commit, ref: request.ref, expected: tip, force: request.force === true, signal })
  await context.transaction(async (db) => {
    await storeExport(db, space, head.id, listed, git)
    await storeSyncState(work, db, { synced_revision_id: revisionId, pushing_revision_id: null })
  })
  return { commit, revisionId }
}

const nothingToCommit = { file: '', message: 'The space has no pages, so nothing was committed' }

/** Returns the changes to a directory that contains a state of the content. */
async function exportOver(
  repository: GitRepository,
  tip: string,
  objects: Objects,
  options: Omit<ExportOptions, 'isTaken'>,
): Promise<Exporting> {
  const files = await repository.list(tip, options.directory ?? '')
  const taken = new Set(files.map(({ path }) => path))
  return exportRepository(objects, { ...options, isTaken: (path) => taken.has(path) })
}

/** Returns all files for an empty directory. Unedited files that were imported from elsewhere are written as they were there. */
async function exportAnew(objects: Objects, options: WholeOptions): Promise<Exporting> {
  const whole = await exportWhole(objects, options)
  return { changes: whole.files, list: (oids) => whole.list(oids) }
}

interface Exporting extends Pick<Exported, 'list'> {
  changes: readonly (FileChange | WholeFile)[]
}

const committer = { name: 'Octavo', email: 'octavo@localhost' }

/** Returns the newest revision made in the space, skipping merges with the repository. */
async function lastChange({ context, space }: Work, head: Row<'revisions'>): Promise<Row<'revisions'>> {
  let revision = head
  for (;;) {
    const [here, there] = JSON.parse(revision.parents) as string[]
    if (revision.merged_from_id !== null || here === undefined || there === undefined) return revision
    revision = await getRevision(context.db, space, here)
  }
}

/** Returns the requested commit message, or the message template filled in for the change request that was merged last. */
async function messageOf({ context, space, request }: Work, change: Row<'revisions'>): Promise<string> {
  if (request.commitMessage !== undefined) return request.commitMessage
  const merged =
    change.merged_from_id === null ? undefined : await findChangeRequest(context.db, space, change.merged_from_id)
  if (!merged) return 'Changes made in Octavo'
  const template = (await store.findConnection(context.db, space))?.commit_message ?? defaultMessage
  return template
    .replaceAll('{change_request_number}', String(merged.number))
    .replaceAll('{change_request_subject}', merged.subject.trim() || 'No subject')
}

const defaultMessage = 'OCTAVO-{change_request_number}: {change_request_subject}'

/** Returns the creator of the exported revision, or else the user who requested the export. */
async function authorOf({ context, operation }: Work, change: Row<'revisions'>): Promise<GitPerson> {
  const userId = change.created_by ?? operation.created_by
  if (userId === null) return committer
  const user = (await loadUsers(context.db, [userId])).get(userId)
  return { name: user.display_name, email: user.email }
}

/** Converts changes for Git and returns the object ids of the files. */
async function changesOf(
  { services, request }: Work,
  objects: Objects,
  changes: Exporting['changes'],
  tip: string | undefined,
): Promise<{ changes: GitChange[]; oids: Map<string, string> }> {
  // The length of object ids depends on the hash algorithm of the repository.
  const algorithm = tip?.length === 64 ? 'sha256' : 'sha1'
  const oids = new Map<string, string>()
  const prefix = request.directory === '' ? '' : `${request.directory}/`
  const made: GitChange[] = []
  for (const change of changes) {
    const path = prefix + change.path
    if ('isDeleted' in change) made.push({ path, delete: true })
    else if ('text' in change || 'source' in change) {
      const bytes = await bytesOf(objects, change)
      if (!bytes) continue
      oids.set(change.path, gitIdOf(bytes, algorithm))
      made.push({ path, bytes })
    } else {
      const { blob, size } = change
      const chunks = () => readBlob(services, blob)
      oids.set(change.path, await gitIdOfChunks(chunks(), size, algorithm))
      made.push({ path, size, chunks })
    }
  }
  return { changes: made, oids }
}

/** Returns the bytes of a text; undefined if the text was too large to import and cannot be written. */
async function bytesOf(
  objects: Objects,
  change: { text: string } | { source: string; oid: string },
): Promise<Buffer | undefined> {
  if ('text' in change) return Buffer.from(change.text)
  return bytesOfSource((await readObject(objects, 'source', change.source)).text, change.oid)
}

async function* readBlob({ blobs }: GitServices, hash: string): AsyncGenerator<Uint8Array> {
  const opened = await blobs.open(hash)
  if (!opened) throw new GitSyncError('The bytes of a file are missing. Run `octavo doctor --content` for details')
  yield* opened.stream
}
