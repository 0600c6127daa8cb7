import type { UploadRequest } from '../../files/requests.ts'
import { files } from '../../contract/files.ts'
import { canEditAnything } from '../../access/content-roles.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import type { Signer } from '../../kernel/signer.ts'
import { hours } from '../../kernel/time.ts'
import { BlobTooLargeError } from '../../storage/blobs.ts'
import { type StorageQuota, assertWithinStorageQuota } from '../../storage/storage-usage.ts'
import {
  type FileStorageServices,
  withChargedQuota,
  maxFileSize,
  storeFile,
  fileTooLarge,
} from '../../domain/files/store-file.ts'
import * as store from '../../domain/files/upload-store.ts'

/** Lifetime of an upload URL. */
const uploadUrlTtl = hours(1)

const uploadSignatureInput = (organizationId: string, id: string, expires: number | string) =>
  `upload ${organizationId} ${id} ${expires}`

export const fileRoutes = (quota: StorageQuota) =>
  implement(files, {
    async generateStorageUploadURL(context, { body }) {
      const { db, organization, principal, newId, now, urls, signer } = context
      if (!(await canEditAnything(context))) {
        throw new AppError(
          'forbidden',
          'Only members who can edit a space or a site of the organization can upload files',
        )
      }
      if (body.file.size > maxFileSize) throw fileTooLarge('body.file.size')
      await assertWithinStorageQuota(db, organization.id, body.file.size, quota)
      const key = newId()
      await store.insertUpload(db, {
        organization_id: organization.id,
        id: key,
        name: body.file.name,
        content_type: body.file.type,
        size: body.file.size,
        blob: null,
        dimensions: null,
        created_by: principal.user.id,
        created_at: now(),
      })
      const expires = Date.parse(now()) + uploadUrlTtl
      const signature = signer.sign(uploadSignatureInput(organization.id, key, expires))
      const url = urls.plain(`/uploads/${organization.id}/${key}?expires=${expires}&signature=${signature}`)
      return { object: 'storage-signed-url' as const, url, key }
    },
  })

/** Number of bytes being received per organization, in this process. */
const bytesInProgress = new Map<string, number>()

/** Receives the bytes of an upload. They can be sent again; the last bytes replace earlier ones. */
export async function receiveUpload(
  services: FileStorageServices & { signer: Signer; config: { storageQuota: StorageQuota } },
  { organizationId, key, expires, signature, size, body }: UploadRequest,
): Promise<void> {
  const { database, signer, clock } = services
  const isValid =
    Number(expires) > clock() && signer.verify(uploadSignatureInput(organizationId, key, expires), signature)
  const upload = isValid ? await store.findUpload(database.reader, organizationId, key) : undefined
  if (!upload) throw notFound('upload')
  if (size !== undefined && size > maxFileSize) throw fileTooLarge('body')
  // A request without a size is assumed to have the size declared for the upload.
  const expected = size ?? upload.size
  const inProgress = bytesInProgress.get(organizationId) ?? 0
  await assertWithinStorageQuota(database.reader, organizationId, inProgress + expected, services.config.storageQuota)
  bytesInProgress.set(organizationId, (bytesInProgress.get(organizationId) ?? 0) + expected)
  try {
    const options = { name: upload.name, declared: upload.content_type, limit: maxFileSize }
    const stored = await storeFile(withChargedQuota(services, organizationId), body, options)
    await database.transaction((db) =>
      store.finishUpload(db, upload, {
        content_type: stored.contentType,
        size: stored.size,
        blob: stored.blob,
        dimensions: stored.dimensions ? JSON.stringify(stored.dimensions) : null,
      }),
    )
  } catch (error) {
    throw error instanceof BlobTooLargeError ? fileTooLarge('body') : error
  } finally {
    const left = (bytesInProgress.get(organizationId) ?? 0) - expected
    if (left > 0) bytesInProgress.set(organizationId, left)
    else bytesInProgress.delete(organizationId)
  }
}
