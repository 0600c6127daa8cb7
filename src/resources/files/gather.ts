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

/** How large a file may be. */
export const maxFileSize = 100 * 1024 ** 2
/** How long fetching one file may take. */
const fetchTimeout = seconds(60)
/** How long fetching all files of one request may take. */
const allTimeout = seconds(120)
/** How much of a file is looked at to tell what it is. */
const headSize = 256 * 1024

export interface StoringServices {
  blobs: Blobs
  database: Database
  clock: Clock
  /** Who is charged for the bytes when they arrive; without it, that happens when they become files. */
  charged?: { organizationId: string; quota: StorageQuota } | undefined
  /** Lists bytes before they are kept; without it, each in a transaction of its own. */
  announce?: Announce | undefined
}

export interface FileServices extends StoringServices {
  fetch: Fetch
  config: { storageQuota: StorageQuota }
}

/** Services that charge an organization for what they store. */
export const chargedTo = <S extends StoringServices & { config: { storageQuota: StorageQuota } }>(
  services: S,
  organizationId: string,
): S => ({ ...services, charged: { organizationId, quota: services.config.storageQuota } })

export type FileParts = Omit<FileObject, 'kind'>

/** Keeps bytes as they come, and tells what they are. Unless something refers to them soon, they are removed again. */
export async function storeFile(
  services: StoringServices,
  chunks: AsyncIterable<Uint8Array>,
  { name, declared, limit }: { name: string; declared: string | undefined; limit: number },
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
  const announce = services.announce ?? announceTogether(services)
  const { hash, size } = await services.blobs.putStream(watched(), limit, announce)
  const beginning = Buffer.concat(head)
  const contentType = sniff(beginning, name, declared)
  const dimensions = contentType.startsWith('image/') ? imageDimensions(beginning) : undefined
  return { name, contentType, size, blob: hash, ...(dimensions && { dimensions }) }
}

/** For files that are stored at the same time: those that come while others are being listed share a transaction. */
export function announceTogether({ database, clock, charged }: StoringServices): Announce {
  let next: { blobs: StoredBlob[]; deleting: Promise<string[]> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  const list = (blobs: readonly StoredBlob[]) =>
    database.transaction(async (db) => {
      if (charged) await chargeBlobs(db, charged.organizationId, blobs, charged.quota)
      return listUnusedBlobs(
        db,
        blobs.map(({ hash }) => hash),
        timestamp(clock()),
      )
    })
  const begin = () => {
    const blobs: StoredBlob[] = []
    const deleting = last.then(() => {
      next = undefined
      return list(blobs)
    })
    last = deleting.catch(() => undefined)
    return { blobs, deleting }
  }
  return async (blob) => {
    const { hash } = blob
    const { blobs, deleting } = (next ??= begin())
    blobs.push(blob)
    if ((await deleting).includes(hash)) {
      throw new AppError('unavailable', 'The same file is just being removed; try again')
    }
  }
}

/** The files that a list of changes brings along, by the place of the change and of the file in it. */
export type GatheredFiles = ReadonlyMap<string, FileParts>

export const placeOfFile = (change: number, file: number): string => `${change}.${file}`

/** Fetches and stores the files of a list of changes, before the transaction that takes them in. */
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
        gathered.set(placeOfFile(index, at), await storeFile(services, once(bytes), about))
      } else if (file.url !== undefined) {
        gathered.set(placeOfFile(index, at), await fetchFile(services, file.url, about, `${field}.url`, deadline))
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
      throw invalid(field, `the address answered with the status ${fetched.status}`)
    }
    return await storeFile(services, fetched.body, { ...about, declared: about.declared ?? fetched.contentType })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.failure === 'aborted') throw invalid(field, 'fetching all files took too long')
    throw error.failure === 'tooLarge' ? tooLarge(field) : invalid(field, error.message)
  }
}

/** The error of a file that is too large; `field` says which. */
export function tooLarge(field: string): AppError {
  const message = 'a file has at most 100 MB'
  return new AppError('tooLarge', `${field}: ${message}`, [{ path: field, message }])
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
