import type { Signal } from '@preact/signals'
import type { RevisionFile } from '../../../contract/revision.ts'
import { changeContent } from '../../data/content-place.ts'
import { nameOfFile, uploadFile } from '../../data/upload.ts'
import { fillText } from '../../texts.ts'
import { describeError } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { toolTexts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'

/** A file that is being uploaded. */
export interface Upload {
  id: number
  name: string
  /** Uploaded part, from 0 to 1. */
  progress: number
}

export interface UploadTarget {
  organizationId: string
  place: PagePlace
  /** Files that are being uploaded. */
  uploads: Signal<readonly Upload[]>
}

let lastId = 0

export const newUploadId = (): number => ++lastId

/** Uploads a file, adds it to the content, and shows the progress; returns undefined if that failed. */
export async function sendFile(
  id: number,
  file: File,
  { organizationId, place, uploads }: UploadTarget,
): Promise<RevisionFile | undefined> {
  const name = nameOfFile(file)
  uploads.value = [...uploads.value, { id, name, progress: 0 }]
  const report = (progress: number) =>
    (uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, progress } : upload)))
  try {
    return await addFile(file, name, organizationId, place, report)
  } catch (error) {
    showToast(fillText(toolTexts.uploadFailed, { name, reason: describeError(error) }), { kind: 'error' })
    return undefined
  } finally {
    uploads.value = uploads.value.filter((upload) => upload.id !== id)
  }
}

async function addFile(
  file: File,
  name: string,
  organizationId: string,
  place: PagePlace,
  report: (progress: number) => void,
): Promise<RevisionFile> {
  const upload = await uploadFile(organizationId, file, report)
  const { insertedFiles } = await changeContent(place, [{ operation: 'insert_files', files: [{ name, upload }] }])
  const [inserted] = insertedFiles ?? []
  if (!inserted) throw new Error(toolTexts.uploadFailed)
  return inserted
}
