import { Draft } from '../../content/revision/draft.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { type FileParts, toFileKey } from '../../domain/files/store-file.ts'
import { getUploaded } from '../../domain/files/uploaded-file.ts'
import { type Content, findRevision, getContent } from '../../domain/revisions/revisions.ts'
import { type Applied, applyChanges } from './apply/apply.ts'
import type { Gathered } from './gather.ts'
import { readFile } from './reads.ts'

export interface Edit {
  changes: readonly ContentChange[]
  /** What was made ready for them. */
  gathered: Gathered
  /** The content to change. */
  revisionId: string
  /** Where that content is read, as a path of the API. */
  path: string
  /** The revision that pages are reverted to when none is named. */
  beganFrom: string
}

export interface Edited {
  /** The hash of the root after the changes. */
  rootHash: string
  /** The hash of the root before them. */
  formerHash: string
  changes: Applied['changes']
  insertedFiles?: RevisionFile[]
}

/** Makes new content out of that of a revision; nothing refers to it yet. */
export async function editContent(context: SpaceContext, edit: Edit): Promise<Edited> {
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
      const revision = await findRevision(db, space, revisionId ?? edit.beganFrom)
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
  // No repository has them yet.
  return Promise.all(ids.map((id) => readFile(context, edited, id, { metadata: false })))
}
