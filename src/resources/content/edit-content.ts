import { Draft } from '../../content/revision/draft.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import type { SpaceContentUpdate } from '../../contract/content.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import { putRevision } from '../../domain/change-requests/change-request-revisions.ts'
import { ancestorOf } from '../../domain/change-requests/present-change-request.ts'
import { type FileParts, toFileKey } from '../../domain/files/store-file.ts'
import { getUploaded } from '../../domain/files/uploaded-file.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import {
  type Content,
  createRevision,
  findRevision,
  getContent,
  getRevision,
  moveHead,
} from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { type Applied, applyChanges } from './apply/apply.ts'
import type { Gathered } from './gather.ts'
import { readFile } from './reads.ts'

/** Applies changes to the content of a space, as one new revision. */
export async function editSpaceContent(
  context: SpaceContext,
  changes: readonly ContentChange[],
  gathered: Gathered,
): Promise<SpaceContentUpdate> {
  const { db, space, principal, newId, now } = context
  const [before] = JSON.parse((await getRevision(db, space, space.revision_id)).parents) as string[]
  const { rootHash, formerHash, ...applied } = await editContent(context, {
    changes,
    gathered,
    revisionId: space.revision_id,
    path: `/spaces/${space.id}/content`,
    baseRevision: before ?? space.revision_id,
  })
  if (rootHash === formerHash) return { revision: space.revision_id, ...applied }
  const revision = newId()
  await createRevision(db, {
    id: revision,
    space,
    rootHash,
    type: 'edits',
    parents: [space.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
  })
  if (!(await moveHead(context, space, revision)))
    throw conflict('The content of the space was changed by another request. Try again')
  await exportAfterChange(context)
  return { revision, ...applied }
}

/** Applies changes to the content of a change request, as one new revision. */
export async function editChangeRequestContent(
  context: SpaceContext,
  request: Row<'change_requests'>,
  changes: readonly ContentChange[],
  gathered: Gathered,
): Promise<Pick<Edited, 'changes' | 'insertedFiles'> & { request: Row<'change_requests'> }> {
  const { space } = context
  const { rootHash, formerHash, ...applied } = await editContent(context, {
    changes,
    gathered,
    revisionId: request.revision_id,
    path: `/spaces/${space.id}/change-requests/${request.id}/content`,
    baseRevision: ancestorOf(request),
  })
  if (rootHash === formerHash) return { request, ...applied }
  const edited = await putRevision(context, request, { rootHash, type: 'edits', parents: [request.revision_id] })
  return { request: edited, ...applied }
}

interface Edit {
  changes: readonly ContentChange[]
  /** Files and long texts of the changes. */
  gathered: Gathered
  /** Id of the revision to change. */
  revisionId: string
  /** API path of the content. */
  path: string
  /** Id of the revision that pages are reverted to by default. */
  baseRevision: string
}

interface Edited {
  /** Hash of the root after the changes. */
  rootHash: string
  /** Hash of the root before the changes. */
  formerHash: string
  changes: Applied['changes']
  insertedFiles?: RevisionFile[]
}

/** Applies changes to the content of a revision and stores the objects, without creating a revision. */
async function editContent(context: SpaceContext, edit: Edit): Promise<Edited> {
  const { db, space, urls, newId, now } = context
  const content = await getContent(context, space, edit.revisionId)
  const { tree, objects } = content
  const draft = new Draft(tree)
  const applied = await applyChanges(edit.changes, {
    draft,
    tree,
    now: now(),
    newId,
    locationOf: (pageId) => urls.api(`${edit.path}/page/${pageId}`),
    fileAt: (change, file) => fileAt(context, edit, change, file),
    longTexts: edit.gathered.longTexts,
    async revisionTree(revisionId, field) {
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
      insertedFiles: await readInserted(context, content, rootHash, applied.insertedFiles),
    }),
  }
}

async function fileAt(
  { db, space }: SpaceContext,
  { changes, gathered: { files } }: Edit,
  change: number,
  file: number,
): Promise<FileParts> {
  const gathered = files.get(toFileKey(change, file))
  if (gathered) return gathered
  const inserting = changes[change]
  const given = inserting?.operation === 'insert_files' ? inserting.files[file] : undefined
  if (given?.upload === undefined) throw new Error('A file was not gathered')
  const field = `body.changes.${change}.files.${file}.upload`
  return getUploaded(db, space.organization_id, { key: given.upload, name: given.name, field })
}

async function readInserted(
  context: SpaceContext,
  content: Content,
  rootHash: string,
  ids: readonly string[],
): Promise<RevisionFile[]> {
  const edited = { ...content, tree: await openTree(content.objects, rootHash) }
  // New files are not in a repository yet, so they have no Git metadata.
  return Promise.all(ids.map((id) => readFile(context, edited, id, { metadata: false })))
}
