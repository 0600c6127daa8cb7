import type { FileObject } from '../../content/revision/objects.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import { FetchError } from '../../fetch/errors.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { imageDimensions } from '../../files/dimensions.ts'
import { sniffContentType } from '../../files/sniff.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { type Clock, seconds, timestamp } from '../../kernel/time.ts'
import type { AnnounceBlobs, Blobs, StoredBlob } from '../../storage/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { type StorageQuota, chargeBlobs } from '../../storage/storage-usage.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'

/** Maximum size of a file, in bytes. */
export const maxFileSize = 100 * 1024 ** 2
/** Timeout for fetching one file. */
const fetchTimeout = seconds(60)
/** Timeout for fetching all files of one request. */
const totalFetchTimeout = seconds(120)
/** Number of bytes at the start of a file from which its type and dimensions are detected. */
const headSize = 256 * 1024

export interface FileStorageServices {
  blobs: Blobs
  database: Database
  clock: Clock
  /** The organization whose quota is charged when bytes arrive; by default it is charged when they become files. */
  chargedQuota?: { organizationId: string; quota: StorageQuota } | undefined
}

export interface FileServices extends FileStorageServices {
  fetch: Fetch
  config: { storageQuota: StorageQuota }
}

/** Returns services that charge the quota of an organization for what they store. */
export const withChargedQuota = <S extends FileStorageServices & { config: { storageQuota: StorageQuota } }>(
  services: S,
  organizationId: string,
): S => ({ ...services, chargedQuota: { organizationId, quota: services.config.storageQuota } })

export type StoredFile = Omit<FileObject, 'kind'>

interface FileDescription {
  name: string
  /** The content type that the sender declares. */
  declared: string | undefined
}

/** Stores the bytes of a stream as a file. Unless something refers to the file soon, it is removed again. */
export async function storeFile(
  services: FileStorageServices,
  chunks: AsyncIterable<Uint8Array>,
  { limit, ...description }: FileDescription & { limit: number },
): Promise<StoredFile> {
  const head: Uint8Array[] = []
  let headLength = 0
  async function* captureHead() {
    for await (const chunk of chunks) {
      if (headLength < headSize) {
        const part = chunk.slice(0, headSize - headLength)
        head.push(part)
        headLength += part.length
      }
      yield chunk
    }
  }
  const stored = await services.blobs.putStream(captureHead(), limit, createBlobAnnouncer(services))
  return toStoredFile(stored, Buffer.concat(head), description)
}

/** Stores several files whose bytes are in memory, and lists them in one transaction; see `storeFile`. */
export async function storeFiles(
  services: FileStorageServices,
  files: readonly (FileDescription & { bytes: Uint8Array })[],
): Promise<StoredFile[]> {
  if (files.length === 0) return []
  const stored = await services.blobs.putAll(
    files.map(({ bytes }) => bytes),
    createBlobAnnouncer(services),
  )
  return files.map(({ bytes, ...description }, index) =>
    toStoredFile(stored[index] as StoredBlob, bytes.subarray(0, headSize), description),
  )
}

function toStoredFile({ hash, size }: StoredBlob, head: Uint8Array, { name, declared }: FileDescription): StoredFile {
  const contentType = sniffContentType(head, name, declared)
  const dimensions = contentType.startsWith('image/') ? imageDimensions(head) : undefined
  return { name, contentType, size, blob: hash, ...(dimensions && { dimensions }) }
}

/** Lists blobs before they are stored, and charges the organization for them. */
function createBlobAnnouncer({ database, clock, chargedQuota }: FileStorageServices): AnnounceBlobs {
  return async (blobs) => {
    const deleting = await database.transaction(async (db) => {
      if (chargedQuota) await chargeBlobs(db, chargedQuota.organizationId, blobs, chargedQuota.quota)
      return recordUnusedBlobs(
        db,
        blobs.map(({ hash }) => hash),
        timestamp(clock()),
      )
    })
    if (deleting.length > 0)
      throw new AppError('unavailable', 'A file with the same content is being deleted. Try again')
  }
}

/** The files of a list of changes, by the indexes of the change and of the file in it. */
export type ChangeFiles = ReadonlyMap<string, StoredFile>

export const toFileKey = (change: number, file: number): string => `${change}.${file}`

/** Fetches and stores the files of a list of changes, before the transaction that applies the changes. */
export async function storeChangeFiles(
  services: FileServices,
  changes: readonly ContentChange[],
): Promise<ChangeFiles> {
  const storedFiles = new Map<string, StoredFile>()
  const deadline = AbortSignal.timeout(totalFetchTimeout)
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'insert_files') continue
    for (const [at, file] of change.files.entries()) {
      const field = `body.changes.${index}.files.${at}`
      const description = { name: file.name, declared: file.contentType, limit: maxFileSize }
      if (file.base64 !== undefined) {
        const bytes = Buffer.from(file.base64, 'base64')
        storedFiles.set(toFileKey(index, at), await storeFile(services, singleChunk(bytes), description))
      } else if (file.url !== undefined) {
        storedFiles.set(
          toFileKey(index, at),
          await fetchFile(services, file.url, description, `${field}.url`, deadline),
        )
      }
    }
  }
  return storedFiles
}

async function fetchFile(
  services: FileServices,
  url: string,
  description: { name: string; declared: string | undefined; limit: number },
  field: string,
  deadline: AbortSignal,
): Promise<StoredFile> {
  try {
    const fetched = await services.fetch.get(url, { maxBytes: maxFileSize, timeout: fetchTimeout, signal: deadline })
    if (fetched.status !== 200) {
      fetched.discard()
      throw invalid(field, `the URL returned the status ${fetched.status}`)
    }
    return await storeFile(services, fetched.body, {
      ...description,
      declared: description.declared ?? fetched.contentType,
    })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.failure === 'aborted') throw invalid(field, 'fetching all files took too long')
    throw error.failure === 'tooLarge' ? fileTooLarge(field) : invalid(field, error.message)
  }
}

/** Creates the error for a file that is too large; `field` is its path in the request. */
export function fileTooLarge(field: string): AppError {
  const message = 'must be at most 100 MB'
  return new AppError('tooLarge', `${field}: ${message}`, [{ path: field, message }])
}

export async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
