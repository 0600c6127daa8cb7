import { unlimitedReach } from '../access/sso.ts'
import { importRepository, type ImportedContent, type ListedContent } from '../content/repository/import.ts'
import { changedFields, diffTrees, isSameValue } from '../content/revision/diff.ts'
import { type Objects, readObject } from '../content/revision/objects.ts'
import { openTree } from '../content/revision/tree.ts'
import type { Enqueue, ObjectStore, OpenObjects } from '../kernel/context.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { longTextSettings } from '../parsing/parse.ts'
import { getEditableChangeRequest } from '../domain/change-requests/change-request-queries.ts'
import { openChangeRequest } from '../domain/change-requests/open-change-request.ts'
import { addContribution, updateChangeRequest } from '../domain/change-requests/change-request-store.ts'
import { recordEventAbout } from '../domain/audit/record-event-about.ts'
import { computeCurrentListing } from '../resources/content/current-listing.ts'
import type { FileStorageServices } from '../domain/files/store-file.ts'
import { recordChangeRequestEvent } from '../domain/live/record-event.ts'
import { createRevision, getRevision, moveSpaceHead } from '../domain/revisions/revisions.ts'
import { lockSpace } from '../storage/lock-space.ts'
import { storePendingObjectsIfMany } from '../storage/store-pending-objects.ts'
import type { Db, Row } from '../schema/tables.ts'
import { commandContext, idsAndClock } from './environment.ts'
import type { Progress } from './progress.ts'
import type { OpenedSource } from './sources.ts'
import { getSpaceById, fileUrlsOfSpace } from './spaces.ts'

/** Target of an import: a space or a change request. */
export type ContentTarget = { spaceId: string; author: Row<'users'> } & (
  | { kind: 'space' }
  | { kind: 'change request'; changeRequestId: string }
  | { kind: 'new change request'; subject: string }
)

interface ImportContext {
  services: FileStorageServices
  objects: ObjectStore
  enqueue: Enqueue
  openObjects: OpenObjects
  progress: Progress
  yieldIfDue: () => Promise<void>
}

export interface ImportResult extends Pick<ImportedContent, 'pages' | 'read' | 'problems'> {
  /** Undefined if the target already had this content. */
  revisionId: string | undefined
  changeRequest: Row<'change_requests'> | undefined
  added: number
  changed: number
  removed: number
}

/** Maximum number of attempts, because an import starts over if the content was changed in the meantime. */
const maxAttempts = 3

/** Replaces the content of the target with a folder. */
export async function importInto(
  importing: ImportContext,
  source: OpenedSource,
  target: ContentTarget,
): Promise<ImportResult> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const imported = await tryImport(importing, source, target)
    if (imported) return imported
  }
  throw conflict('The content was changed repeatedly during the import; nothing was imported. Try again')
}

/** Imports once; returns undefined if the content was changed in the meantime. */
async function tryImport(
  importing: ImportContext,
  source: OpenedSource,
  target: ContentTarget,
): Promise<ImportResult | undefined> {
  const { services, objects, progress } = importing
  const { database, blobs } = services
  const initial = await findTarget(database.reader, target)
  const fileUrls = await fileUrlsOfSpace(database.reader, initial.space)
  const revision = await getRevision(database.reader, initial.space, initial.revisionId)
  const before = await computeCurrentListing(objects, blobs, revision, fileUrls)
  const content = await importRepository(objects, source.folder, {
    before,
    newId: idsAndClock.newId,
    now: idsAndClock.now(),
    fileUrls,
    directory: source.directory,
    onText: async (done) => {
      progress.report('pages', done)
      await storePendingObjectsIfMany(database.transaction, objects)
    },
    yieldIfDue: importing.yieldIfDue,
    longTexts: longTextSettings,
  })
  if (content.pages === 0) throw new AppError('invalid', 'No pages were found; nothing was imported')
  const summary = {
    ...(await countChanges(objects, before.root, content.root)),
    ...content,
    changeRequest: initial.request,
  }
  if (await isUnchanged(objects, before, content)) return { ...summary, revisionId: undefined }

  progress.step('Storing')
  const stored = await database.transaction(async (db) => {
    await lockSpace(db, initial.space)
    const current = await findTarget(db, target)
    if (current.revisionId !== initial.revisionId) return undefined
    await objects.store(db)
    const { enqueue, openObjects } = importing
    const created = await createImportedRevision({ db, enqueue, openObjects }, current, { content, source, target })
    await recordEventAbout({ ...commandContext, db }, 'space', current.space, 'space.import', {
      after: { revision: created.revisionId, changeRequest: created.changeRequest?.id },
    })
    return created
  })
  if (!stored) return undefined
  objects.forget()
  return { ...summary, ...stored }
}

interface ResolvedTarget {
  space: Row<'spaces'>
  request: Row<'change_requests'> | undefined
  revisionId: string
}

async function findTarget(db: Db, target: ContentTarget): Promise<ResolvedTarget> {
  const space = await getSpaceById(db, target.spaceId)
  if (target.kind === 'space' && space.edit_mode === 'locked') {
    throw conflict('The space is locked. Use --new-change-request or --change-request')
  }
  if (target.kind !== 'change request') return { space, request: undefined, revisionId: space.revision_id }
  const request = await getEditableChangeRequest({ db, space }, target.changeRequestId)
  return { space, request, revisionId: request.revision_id }
}

/** Whether the content and its files are unchanged. */
async function isUnchanged(objects: Objects, before: ListedContent, after: ImportedContent): Promise<boolean> {
  if (before.root !== after.root || before.listing === undefined) return false
  const [{ files, folder, config, version }, now] = [
    await readObject(objects, 'listing', before.listing),
    await readObject(objects, 'listing', after.listing),
  ]
  return isSameValue([files, folder, config, version], [now.files, now.folder, now.config, now.version])
}

async function countChanges(objects: Objects, before: string, after: string) {
  const { pages } = await diffTrees(await openTree(objects, before), await openTree(objects, after))
  let [added, changed, removed] = [0, 0, 0]
  for (const { before: old, after: now, isReordered } of pages) {
    if (!old) added++
    else if (!now) removed++
    else if (isReordered || old.parent !== now.parent || changedFields(old, now).length > 0) changed++
  }
  return { added, changed, removed }
}

async function createImportedRevision(
  { db, enqueue, openObjects }: { db: Db; enqueue: Enqueue; openObjects: OpenObjects },
  { space, request, revisionId: parent }: ResolvedTarget,
  { content, source, target }: { content: ImportedContent; source: OpenedSource; target: ContentTarget },
): Promise<Pick<ImportResult, 'revisionId' | 'changeRequest'>> {
  const { newId, now } = idsAndClock
  const { author } = target
  const principal = { user: author, tokenId: '', scopes: null, reach: unlimitedReach }
  const opened =
    target.kind === 'new change request'
      ? await openChangeRequest(
          { db, space, principal, ...idsAndClock },
          { subject: target.subject, status: 'open', baseRevision: parent },
        )
      : request
  const revisionId = newId()
  await createRevision(
    { db, openObjects },
    {
      id: revisionId,
      space,
      rootHash: content.root,
      listed: content,
      type: 'edits',
      parents: [parent],
      createdBy: author.id,
      createdAt: now(),
      ...(opened && { changeRequestId: opened.id }),
      ...(source.git && { git: source.git }),
    },
  )
  if (!opened) {
    if (!(await moveSpaceHead({ db, enqueue, now, openObjects, principal }, space, revisionId)))
      throw conflict('The content of the space was changed during the import. Try again')
    return { revisionId, changeRequest: undefined }
  }
  await addContribution(db, opened, author.id, 'edit', now())
  const changeRequest = await updateChangeRequest(db, opened, { revision_id: revisionId, updated_at: now() })
  await recordChangeRequestEvent({ db, now, principal }, changeRequest)
  return { revisionId, changeRequest }
}
