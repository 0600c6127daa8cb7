import type { RevisionFile } from '../../../contract/revision.ts'
import { nameOfFile, uploadFile } from '../../data/upload.ts'
import { countText, fillText } from '../../texts.ts'
import { describeError } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { type ContentTarget, offerUndo, openTarget, readRevision, sendAndShow } from '../space/send-changes.ts'
import { fileTexts as texts } from './file-texts.ts'

/** Maximum number of files in one change; the server has the same limit. */
const maxFilesPerChange = 20

/** Uploads files and adds those whose upload succeeded. `report` is called with the name of the file that is being uploaded. */
export async function addFiles(
  target: ContentTarget,
  files: readonly File[],
  report: (name: string | undefined, progress: number) => void,
): Promise<void> {
  const uploads: { name: string; upload: string }[] = []
  for (const file of files) {
    const name = nameOfFile(file)
    try {
      report(name, 0)
      const upload = await uploadFile(target.space.organization, file, (progress) => report(name, progress))
      uploads.push({ name, upload })
    } catch (error) {
      showToast(fillText(texts.uploadFailed, { name, reason: describeError(error) }), { kind: 'error' })
    }
  }
  report(undefined, 1)
  if (uploads.length === 0) return
  const changes = []
  for (let start = 0; start < uploads.length; start += maxFilesPerChange)
    changes.push({ operation: 'insert_files' as const, files: uploads.slice(start, start + maxFilesPerChange) })
  await sendAndShow(target, changes, '/files')
  showToast(countText(texts.uploaded, uploads.length))
}

export async function renameFile(target: ContentTarget, file: RevisionFile, name: string): Promise<void> {
  await sendAndShow(target, [{ operation: 'update_file', file: file.id, name }], '/files')
}

/** Replaces the content of a file, which keeps its ID and name, and offers to undo it. */
export async function replaceFile(target: ContentTarget, file: RevisionFile, content: File): Promise<void> {
  const opened = await openTarget(target)
  const revision = await readRevision(opened)
  const upload = await uploadFile(target.space.organization, content)
  const { number } = await sendAndShow(opened, [{ operation: 'update_file', file: file.id, upload }], '/files')
  const revert = { operation: 'revert_files' as const, files: [file.id], revision }
  offerUndo(fillText(texts.replaced, { name: file.name }), target, number, [revert])
}

/** Deletes a file and offers to undo it. */
export async function removeFile(target: ContentTarget, file: RevisionFile): Promise<void> {
  const opened = await openTarget(target)
  const revision = await readRevision(opened)
  const { number } = await sendAndShow(opened, [{ operation: 'delete_files', files: [file.id] }], '/files')
  const revert = { operation: 'revert_files' as const, files: [file.id], revision }
  offerUndo(fillText(texts.removed, { name: file.name }), target, number, [revert])
}
