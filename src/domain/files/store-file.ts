import type { FileObject } from '../../content/revision/objects.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import { FetchError } from '../../fetch/errors.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { imageDimensions } from '../../files/dimensions.ts'
import { sniff } from '../../files/sniff.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { type Clock, seconds, timestamp } from '../../kernel/time.ts'
import type { Announce, Blobs, StoredBlob } from '../../storage/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { type StorageQuota, chargeBlobs } from '../../storage/storage-usage.ts'
import { listUnusedBlobs } from '../../storage/unused-blobs.ts'

/** Maximum size of a file, in bytes. */
export const maxFileSize = 100 * 1024 ** 2
/** Timeout for fetching one file. */
const fetchTimeout = seconds(60)
/** Timeout for fetching all files of one request. */
const allTimeout = seconds(120)
/** Number of bytes at the start of a file from which its type and dimensions are detected. */
const headSize = 256 * 1024

export interface StoringServices {
  blobs: Blobs
  database: Database
  clock: Clock
  /** The organization whose quota is charged when bytes arrive; by default it is charged when they become files. */
  charged?: { organizationId: string; quota: StorageQuota } | undefined
}

export interface FileServices extends StoringServices {
  fetch: Fetch
  config: { storageQuota: StorageQuota }
}

/** Returns services that charge the quota of an organization for what they store. */
export const chargeTo = <S extends StoringServices & { config: { storageQuota: StorageQuota } }>(
  services: S,
  organizationId: string,
): S => ({ ...services, charged: { organizationId, quota: services.config.storageQuota } })

export type FileParts = Omit<FileObject, 'kind'>

interface FileDescription {
  name: string
  /** The content type that the sender declares. */
  declared: string | undefined
}

/** Stores the bytes of a stream as a file. Unless something refers to the file soon, it is removed again. */
export async function storeFile(
  services: StoringServices,
  chunks: AsyncIterable<Uint8Array>,
  { limit, ...about }: FileDescription & { limit: number },
): Promise<FileParts> {
  const head: Uint8Array[] = []
  let headLength = 0
  async function* watched() {
    for await (const chunk of chunks) {
      if (headLength < headSize) {
        const part = chunk.slice(0, headSize - headLength)
        head.push(part)
        headLength += part.length
      }
      yield chunk
    }
  }
  const stored = await services.blobs.putStream(watched(), limit, announcer(services))
  return fileParts(stored, Buffer.concat(head), about)
}

/** Stores several files whose bytes are in memory, and lists them in one transaction; see `storeFile`. */
export async function storeFiles(
  services: StoringServices,
  files: readonly (FileDescription & { bytes: Uint8Array })[],
): Promise<FileParts[]> {
  if (files.length === 0) return []
  const stored = await services.blobs.putAll(
    files.map(({ bytes }) => bytes),
    announcer(services),
  )
  return files.map(({ bytes, ...about }, index) =>
    fileParts(stored[index] as StoredBlob, bytes.subarray(0, headSize), about),
  )
}

function fileParts({ hash, size }: StoredBlob, head: Uint8Array, { name, declared }: FileDescription): FileParts {
  const contentType = sniff(head, name, declared)
  const dimensions = contentType.startsWith('image/') ? imageDimensions(head) : undefined
  return { name, contentType, size, blob: hash, ...(dimensions && { dimensions }) }
}

/** Lists blobs before they are stored, and charges the organization for them. */
function announcer({ database, clock, charged }: StoringServices): Announce {
  return async (blobs) => {
    const deleting = await database.transaction(async (db) => {
      if (charged) await chargeBlobs(db, charged.organizationId, blobs, charged.quota)
      return listUnusedBlobs(
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
export type GatheredFiles = ReadonlyMap<string, FileParts>

export const toFileKey = (change: number, file: number): string => `${change}.${file}`

/** Fetches and stores the files of a list of changes, before the transaction that applies the changes. */
export async function gatherFiles(services: FileServices, changes: readonly ContentChange[]): Promise<GatheredFiles> {
  const gathered = new Map<string, FileParts>()
  const deadline = AbortSignal.timeout(allTimeout)
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'insert_files') continue
    for (const [at, file] of change.files.entries()) {
      const field = `body.changes.${index}.files.${at}`
      const about = { name: file.name, declared: file.contentType, limit: maxFileSize }
      if (file.base64 !== undefined) {
        const bytes = Buffer.from(file.base64, 'base64')
        gathered.set(toFileKey(index, at), await storeFile(services, once(bytes), about))
      } else if (file.url !== undefined) {
        gathered.set(toFileKey(index, at), await fetchFile(services, file.url, about, `${field}.url`, deadline))
      }
    }
  }
  return gathered
}

async function fetchFile(
  services: FileServices,
  url: string,
  about: { name: string; declared: string | undefined; limit: number },
  field: string,
  deadline: AbortSignal,
): Promise<FileParts> {
  try {
    const fetched = await services.fetch.get(url, { maxBytes: maxFileSize, timeout: fetchTimeout, signal: deadline })
    if (fetched.status !== 200) {
      fetched.discard()
      throw invalid(field, `the URL returned the status ${fetched.status}`)
    }
    return await storeFile(services, fetched.body, { ...about, declared: about.declared ?? fetched.contentType })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.failure === 'aborted') throw invalid(field, 'fetching all files took too long')
    throw error.failure === 'tooLarge' ? tooLarge(field) : invalid(field, error.message)
  }
}

/** Creates the error for a file that is too large; `field` is its path in the request. */
export function tooLarge(field: string): AppError {
  const message = 'must be at most 100 MB'
  return new AppError('tooLarge', `${field}: ${message}`, [{ path: field, message }])
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
