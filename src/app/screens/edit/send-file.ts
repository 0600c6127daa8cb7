import type { Signal } from '@preact/signals'
import type { RevisionFile } from '../../../contract/revision.ts'
import { request } from '../../api.ts'
import { nameOfFile, uploadFile } from '../../data/upload.ts'
import { fillText } from '../../texts.ts'
import { describeError } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { toolTexts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'

/** A file that is being sent. */
export interface Upload {
  id: number
  name: string
  /** Part that was sent, from 0 to 1. */
  progress: number
}

export interface UploadTarget {
  organizationId: string
  place: PagePlace
  /** Files that are being sent. */
  uploads: Signal<readonly Upload[]>
}

let lastId = 0

export const newUploadId = (): number => ++lastId

/** Sends a file, adds it to the change request, and shows the progress; returns undefined if that failed. */
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
  { spaceId, changeRequestId }: PagePlace,
  report: (progress: number) => void,
): Promise<RevisionFile> {
  const key = await uploadFile(organizationId, file, report)
  const reply = await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/content', {
    params: { spaceId, changeRequestId },
    query: { compat: false },
    body: { changes: [{ operation: 'insert_files', files: [{ name, upload: key }] }] },
  })
  const inserted = 'insertedFiles' in reply ? reply.insertedFiles?.[0] : undefined
  if (!inserted) throw new Error(toolTexts.uploadFailed)
  return inserted
}
