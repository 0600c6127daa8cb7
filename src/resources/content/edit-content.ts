import { Draft } from '../../content/revision/draft.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import type { SpaceContentUpdate } from '../../contract/content.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import { baseRevisionIdOf } from '../../domain/change-requests/present-change-request.ts'
import { type StoredFile, toFileKey } from '../../domain/files/store-file.ts'
import { getUploadedFile } from '../../domain/files/uploaded-file.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import {
  type RevisionContent,
  createRevision,
  findRevision,
  getRevisionContent,
  getRevision,
  moveSpaceHead,
} from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { type ApplyResult, applyChanges } from './apply/apply.ts'
import type { PreparedChanges } from './prepare-changes.ts'
import { readFile } from './reads.ts'

/** Applies changes to the content of a space, as one new revision. */
export async function editSpaceContent(
  context: SpaceContext,
  changes: readonly ContentChange[],
  preparedChanges: PreparedChanges,
): Promise<SpaceContentUpdate> {
  const { db, space, principal, newId, now } = context
  const [before] = JSON.parse((await getRevision(db, space, space.revision_id)).parents) as string[]
  const { rootHash, formerHash, ...applied } = await editContent(context, {
    changes,
    preparedChanges,
    revisionId: space.revision_id,
    path: `/spaces/${space.id}/content`,
    baseRevision: before ?? space.revision_id,
  })
  if (rootHash === formerHash) return { revision: space.revision_id, ...applied }
  const revision = newId()
  await createRevision(context, {
    id: revision,
    space,
    rootHash,
    type: 'edits',
    parents: [space.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
  })
  if (!(await moveSpaceHead(context, space, revision)))
    throw conflict('The content of the space was changed by another request. Try again')
  await exportAfterChange(context)
  return { revision, ...applied }
}

/** Applies changes to the content of a change request, as one new revision. */
export async function editChangeRequestContent(
  context: SpaceContext,
  request: Row<'change_requests'>,
  changes: readonly ContentChange[],
  preparedChanges: PreparedChanges,
): Promise<Pick<EditResult, 'changes' | 'insertedFiles'> & { request: Row<'change_requests'> }> {
  const { space } = context
  const { rootHash, formerHash, ...applied } = await editContent(context, {
    changes,
    preparedChanges,
    revisionId: request.revision_id,
    path: `/spaces/${space.id}/change-requests/${request.id}/content`,
    baseRevision: baseRevisionIdOf(request),
  })
  if (rootHash === formerHash) return { request, ...applied }
  const edited = await replaceChangeRequestHead(context, request, {
    rootHash,
    type: 'edits',
    parents: [request.revision_id],
  })
  return { request: edited, ...applied }
}

interface ContentEdit {
  changes: readonly ContentChange[]
  /** Files and long texts of the changes. */
  preparedChanges: PreparedChanges
  /** Id of the revision to change. */
  revisionId: string
  /** API path of the content. */
  path: string
  /** Id of the revision that pages are reverted to by default. */
  baseRevision: string
}

interface EditResult {
  /** Hash of the root after the changes. */
  rootHash: string
  /** Hash of the root before the changes. */
  formerHash: string
  changes: ApplyResult['changes']
  insertedFiles?: RevisionFile[]
}

/** Applies changes to the content of a revision and stores the objects, without creating a revision. */
async function editContent(context: SpaceContext, edit: ContentEdit): Promise<EditResult> {
  const { db, space, urls, newId, now } = context
  const content = await getRevisionContent(context, space, edit.revisionId)
  const { tree, objects } = content
  const draft = new Draft(tree)
  const applied = await applyChanges(edit.changes, {
    draft,
    tree,
    now: now(),
    language: space.language ?? undefined,
    newId,
    locationOf: (pageId) => urls.api(`${edit.path}/page/${pageId}`),
    getInsertedFile: (change, file) => getInsertedFile(context, edit, change, file),
    getUploadedFile: (change) => getReplacingFile(context, edit, change),
    longTexts: edit.preparedChanges.longTexts,
    async openRevisionTree(revisionId, field) {
      const revision = await findRevision(db, space, revisionId ?? edit.baseRevision)
      if (!revision) throw invalid(field, 'was not found')
      return openTree(objects, revision.root_hash)
    },
  })
  const rootHash = await draft.commit()
  await objects.flush()
  return {
    rootHash,
    formerHash: content.revision.root_hash,
    changes: applied.changes,
    ...(applied.insertedFiles.length > 0 && {
      insertedFiles: await readInsertedFiles(context, content, rootHash, applied.insertedFiles),
    }),
  }
}

async function getInsertedFile(
  { db, space }: SpaceContext,
  { changes, preparedChanges: { files } }: ContentEdit,
  change: number,
  file: number,
): Promise<StoredFile> {
  const gathered = files.get(toFileKey(change, file))
  if (gathered) return gathered
  const insertion = changes[change]
  const given = insertion?.operation === 'insert_files' ? insertion.files[file] : undefined
  if (given?.upload === undefined) throw new Error('A file was not gathered')
  const field = `body.changes.${change}.files.${file}.upload`
  return getUploadedFile(db, space.organization_id, { key: given.upload, name: given.name, field })
}

/** Returns the uploaded content of a file; `other-changes.ts` gives it the name of the file. */
async function getReplacingFile({ db, space }: SpaceContext, edit: ContentEdit, index: number): Promise<StoredFile> {
  const change = edit.changes[index]
  const key = change?.operation === 'update_file' ? change.upload : undefined
  if (key === undefined) throw new Error('The change has no upload')
  return getUploadedFile(db, space.organization_id, { key, field: `body.changes.${index}.upload` })
}

async function readInsertedFiles(
  context: SpaceContext,
  content: RevisionContent,
  rootHash: string,
  ids: readonly string[],
): Promise<RevisionFile[]> {
  const edited = { ...content, rootHash, tree: await openTree(content.objects, rootHash) }
  // New files are not in a repository yet, so they have no Git metadata.
  return Promise.all(ids.map((id) => readFile(context, edited, id, { metadata: false })))
}
