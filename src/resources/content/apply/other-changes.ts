import { assignKeys } from '../../../content/document/assign-keys.ts'
import { withRecordValues } from '../../../content/revision/conflict.ts'
import { TreeError } from '../../../content/revision/tree-error.ts'
import type { TagDefinition } from '../../../content/revision/objects.ts'
import type { ParsedDocumentBody } from '../../../domain/documents/document-body.ts'
import type { Batch, ChangeOf } from './batch.ts'
import { checkVariableNames } from './fields.ts'
import { type BaseDocument, openReusableContentBase, writeOverBase } from './write-over-base.ts'

// Changes of files, variables, tags and reusable contents.

export async function insertFiles(batch: Batch, { files }: ChangeOf<'insert_files'>, index: number): Promise<void> {
  for (const at of files.keys()) {
    const id = batch.newId(`.files.${at}`)
    batch.draft.files.set(id, await batch.options.getInsertedFile(index, at))
    batch.insertedFiles.push(id)
  }
}

export async function updateFile(batch: Batch, change: ChangeOf<'update_file'>, index: number): Promise<void> {
  const { file: id, upload } = change
  const file = await batch.draft.files.find(id)
  if (!file) throw new TreeError('file', `File ${id} was not found`)
  const content = upload === undefined ? file : await batch.options.getUploadedFile(index)
  batch.draft.files.set(id, { ...content, name: change.name ?? file.name })
  batch.record(id, { object: 'updated_file', file: id })
}

export async function deleteFiles(batch: Batch, { files }: ChangeOf<'delete_files'>): Promise<void> {
  for (const [index, id] of files.entries()) {
    if (!(await batch.draft.files.find(id))) throw new TreeError(`files.${index}`, `File ${id} was not found`)
    batch.draft.files.set(id, null)
    batch.record(id, { object: 'deleted_file', file: id })
  }
}

export async function setVariables(batch: Batch, { variables }: ChangeOf<'set_variables'>): Promise<void> {
  checkVariableNames(variables)
  batch.draft.setVariables(withRecordValues(batch.draft.variables, new Map(Object.entries(variables))))
  batch.record('variables', { object: 'updated_variables' })
}

export async function setTags(batch: Batch, { tags }: ChangeOf<'set_tags'>): Promise<void> {
  const definitions = new Map<string, TagDefinition>()
  tags.forEach(({ slug, ...definition }, index) => {
    if (definitions.has(slug)) throw new TreeError(`tags.${index}.slug`, `Duplicate tag ${slug}`)
    definitions.set(slug, definition)
  })
  batch.draft.setTags(Object.fromEntries(definitions))
  batch.record('tags', { object: 'updated_tags' })
}

export async function insertReusableContent(batch: Batch, change: ChangeOf<'insert_reusable_content'>): Promise<void> {
  const written = batch.readText(change.document)
  const id = batch.newId()
  const { objects } = batch.options.tree
  const document = objects.write({ kind: 'document', document: assignKeys(undefined, written.document) })
  batch.draft.reusableContents.set(id, { title: change.title, document })
  batch.defer(id, () => storeDocument(batch, id, written))
  const ref = change.ref !== undefined && { ref: change.ref }
  batch.record(id, { object: 'created_reusable_content', ...ref, reusableContent: id })
}

export async function updateReusableContent(batch: Batch, change: ChangeOf<'update_reusable_content'>): Promise<void> {
  const { id, content } = await getReusableContent(batch, change.reusableContent)
  if (change.title !== undefined) batch.draft.reusableContents.set(id, { ...content, title: change.title })
  if (change.document) {
    const written = batch.readText(change.document)
    const base = change.base === undefined ? undefined : await openReusableContentBase(batch, id, change.base)
    batch.defer(id, () => storeDocument(batch, id, written, base))
  }
  batch.recordUpdated(id, { object: 'updated_reusable_content', reusableContent: id })
}

export async function deleteReusableContent(batch: Batch, change: ChangeOf<'delete_reusable_content'>): Promise<void> {
  const { id } = await getReusableContent(batch, change.reusableContent)
  batch.draft.reusableContents.set(id, null)
  batch.recordDeleted(id, { object: 'deleted_reusable_content', reusableContent: id })
}

async function getReusableContent(batch: Batch, idOrRef: string) {
  const id = batch.reusableContentId(idOrRef)
  const content = await batch.draft.reusableContents.find(id)
  if (!content) throw new TreeError('reusableContent', `Reusable content ${id} was not found`)
  return { id, content }
}

async function storeDocument(
  batch: Batch,
  id: string,
  written: ParsedDocumentBody,
  base?: Pick<BaseDocument, 'hash'>,
): Promise<void> {
  const content = await batch.draft.reusableContents.find(id)
  // A later change may have deleted it.
  if (!content) return
  const document = base
    ? await writeOverBase(batch, base, written, { id, pageId: undefined, current: content.document })
    : await batch.writeDocument(content.document, written, undefined)
  batch.draft.reusableContents.set(id, { title: content.title, document })
}
