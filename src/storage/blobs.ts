import { AwsClient } from 'aws4fetch'
import { createHash, hash as digest, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { days, minutes, seconds } from '../kernel/time.ts'
import { assertWritable } from './disk.ts'
import { filesDown } from './outages.ts'

/** Storage for bytes that are too large for the database, each blob under the SHA-256 hash of its content. */
export interface Blobs {
  /** Stores the bytes and returns their hash; stored bytes survive a crash. */
  put(bytes: Uint8Array): Promise<string>
  /** Stores several blobs like `put`; `announce` is called once for all of them, before any is stored. */
  putAll(all: readonly Uint8Array[], announce?: AnnounceBlobs): Promise<StoredBlob[]>
  /**
   * Stores a stream like `put` without loading it into memory; fails with `BlobTooLargeError` over the limit.
   * `announce` is called before anything is stored under the hash, and may refuse the blob by throwing.
   */
  putStream(chunks: AsyncIterable<Uint8Array>, limit: number, announce?: AnnounceBlobs): Promise<StoredBlob>
  /** Returns the bytes of a blob, or undefined if it does not exist. */
  get(hash: string): Promise<Uint8Array | undefined>
  /** Returns the bytes of a blob as a stream, which must be read to its end or canceled, or undefined if it does not exist. */
  open(hash: string, range?: BlobRange): Promise<OpenBlob | undefined>
  delete(hash: string): Promise<void>
  /** Fails if nothing can be stored at the moment. */
  check(): Promise<void>
}

export type AnnounceBlobs = (blobs: readonly StoredBlob[]) => Promise<void>

export interface StoredBlob {
  hash: string
  size: number
}

/** Range from `start` to `end`, both inclusive as in HTTP; both must be within the blob. */
export interface BlobRange {
  start: number
  end: number
}

export interface OpenBlob {
  /** Size of the whole blob, even if only a range was requested. */
  size: number
  stream: ReadableStream<Uint8Array>
}

export class BlobTooLargeError extends Error {
  readonly limit: number

  constructor(limit: number) {
    super(`There are more than ${limit} bytes`)
    this.name = 'BlobTooLargeError'
    this.limit = limit
  }
}

export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Blobs as files of a folder, two levels deep so that no folder has too many entries. */
export interface FolderBlobs extends Blobs {
  /** Yields the hashes of all blobs, in order. */
  list(): AsyncIterable<string>
}

/** Age after which an incomplete file is assumed to be left over from a process that was killed. */
const maxUnfinishedAge = days(1)

export function createFolderBlobs(folder: string): FolderBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  const unfinishedFolder = join(folder, '.unfinished')
  let hasSwept = false
  const prepareUnfinishedFolder = async () => {
    await createFolder(unfinishedFolder)
    if (!hasSwept) await removeAbandonedFiles(unfinishedFolder)
    hasSwept = true
  }
  const discardOnFailure = async <T>(work: (unfinished: string) => Promise<T>): Promise<T> => {
    const unfinished = join(unfinishedFolder, randomUUID())
    try {
      return await work(unfinished)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }
  const writeBlobFile = (file: string, bytes: Uint8Array) =>
    discardOnFailure(async (unfinished) => {
      await createFileDurably(unfinished, (handle) => handle.writeFile(bytes))
      await moveIntoPlace(unfinished, file)
    })
  const putAll: Blobs['putAll'] = async (all, announce) => {
    const stored = all.map((bytes) => ({ hash: hashBytes(bytes), size: bytes.length }))
    await announce?.(stored)
    await prepareUnfinishedFolder()
    const byFile = new Map(stored.map(({ hash }, index) => [fileOf(hash), all[index] as Uint8Array]))
    await forEachInParallel(byFile, async ([file, bytes]) => {
      if (!(await fileExists(file))) await writeBlobFile(file, bytes)
    })
    // This includes folders of existing files: another process may have renamed one and not synced its folder yet.
    await forEachInParallel(new Set([...byFile.keys()].map((file) => dirname(file))), syncFolderAsync)
    return stored
  }
  return {
    putAll,
    async put(bytes) {
      const [{ hash }] = (await putAll([bytes])) as [StoredBlob]
      return hash
    },
    async putStream(chunks, limit, announce) {
      await prepareUnfinishedFolder()
      return discardOnFailure(async (unfinished) => {
        const stored = await createFileDurably(unfinished, (handle) => writeChunks(handle, chunks, limit))
        const file = fileOf(stored.hash)
        await announce?.([stored])
        await moveIntoPlace(unfinished, file)
        await syncFolderAsync(dirname(file))
        return stored
      })
    },
    async get(hash) {
      try {
        return await readFile(fileOf(hash))
      } catch (error) {
        if (isNotFoundError(error)) return undefined
        throw error
      }
    },
    async open(hash, range) {
      let handle: FileHandle
      try {
        handle = await open(fileOf(hash), 'r')
      } catch (error) {
        if (isNotFoundError(error)) return undefined
        throw error
      }
      try {
        const { size } = await handle.stat()
        const { start, end } = range ?? { start: 0, end: size - 1 }
        if (range && (start > end || end >= size)) throw createRangeError(range)
        return { size, stream: streamFile(handle, start, end) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    delete: (hash) => rm(fileOf(hash), { force: true }),
    check: () => assertWritable(folder),
    async *list() {
      for (const prefix of await readVisibleNames(folder)) yield* await readVisibleNames(join(folder, prefix))
    },
  }
}

/** Maximum time until the object store starts its reply. */
const replyTimeout = seconds(10)
/** Maximum time for a call to the object store. */
const callTimeout = minutes(2)
/** Returns the timeout of an upload, with additional time for large blobs on a slow connection: 100 KB per second. */
const uploadTimeoutOf = (size: number) => callTimeout + Math.ceil(size / 100)

/** Stores blobs in an S3-compatible object store. */
export function createS3Blobs(settings: S3Settings): Blobs {
  const { accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  const urlOf = (hash: string) => `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}/blobs/${hash}`
  /** Returns the reply, or undefined if the blob does not exist; fails for any other status. */
  const call = async (method: string, hash: string, init: RequestInit): Promise<Response | undefined> => {
    const reply = await client.fetch(urlOf(hash), { method, ...init })
    if (reply.ok) return reply
    const text = await reply.text()
    // A missing bucket is an error; otherwise it would look as if no blob had ever been stored.
    if (reply.status === 404 && !text.includes('NoSuchBucket')) return undefined
    const error = new Error(
      `The object store answered ${reply.status} to ${method} in bucket ${settings.bucket}: ${text.slice(0, 200)}`,
    )
    throw reply.status >= 500 || reply.status === 429 ? filesDown(error) : error
  }
  const upload = async (hash: string, init: RequestInit, size: number): Promise<void> => {
    const reply = await call('PUT', hash, { ...init, signal: AbortSignal.timeout(uploadTimeoutOf(size)) })
    if (!reply) throw new Error(`The bucket ${settings.bucket} was not found in the object store`)
    await reply.arrayBuffer()
  }
  const putAll: Blobs['putAll'] = async (all, announce) => {
    const stored = all.map((bytes) => ({ hash: hashBytes(bytes), size: bytes.length }))
    await announce?.(stored)
    const byHash = new Map(stored.map(({ hash }, index) => [hash, all[index] as Uint8Array<ArrayBuffer>]))
    await forEachInParallel(byHash, ([hash, bytes]) => upload(hash, { body: bytes }, bytes.length))
    return stored
  }
  return {
    putAll,
    async put(bytes) {
      const [{ hash }] = (await putAll([bytes])) as [StoredBlob]
      return hash
    },
    async putStream(chunks, limit, announce) {
      // The key and the length of an object must be known before its first byte is sent.
      const file = join(tmpdir(), `octavo-upload-${randomUUID()}`)
      try {
        const stored = await createFile(file, ownerOnlyMode, (handle) => writeChunks(handle, chunks, limit))
        await announce?.([stored])
        await upload(stored.hash, createFileBody(file, stored.size), stored.size)
        return stored
      } finally {
        await rm(file, { force: true })
      }
    },
    async get(hash) {
      const reply = await call('GET', hash, { signal: AbortSignal.timeout(callTimeout) })
      return reply && new Uint8Array(await reply.arrayBuffer())
    },
    async open(hash, range) {
      const replyAbort = new AbortController()
      // The timeout covers only the start of the reply, because the reader determines how fast the body is read.
      const timer = setTimeout(
        () => replyAbort.abort(filesDown(new Error('The object store did not respond'))),
        replyTimeout,
      )
      try {
        const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
        const reply = await call('GET', hash, { headers, signal: replyAbort.signal })
        if (!reply) return undefined
        const stream = (reply.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>
        const size = readObjectSize(reply)
        if (range && (reply.status !== 206 || range.end >= size)) {
          await stream.cancel()
          throw createRangeError(range)
        }
        return { size, stream }
      } finally {
        clearTimeout(timer)
      }
    },
    async delete(hash) {
      const reply = await call('DELETE', hash, { signal: AbortSignal.timeout(callTimeout) })
      await reply?.arrayBuffer()
    },
    async check() {
      // No blob has this key: an object store that replies with 404 is reachable and accepts the credentials.
      const reply = await call('GET', 'readiness', { signal: AbortSignal.timeout(replyTimeout) })
      await reply?.arrayBuffer()
    },
  }
}

/** Returns a request body that reads a file from its start each time the request is sent. */
function createFileBody(file: string, size: number): RequestInit {
  const body = { [Symbol.asyncIterator]: () => createReadStream(file)[Symbol.asyncIterator]() }
  const headers = { 'content-length': String(size) }
  // `fetch` buffers the sent body in memory to resend it after a redirect; these two settings prevent that.
  const unbuffered = { redirect: 'error', window: null } as const
  return { body, headers, duplex: 'half', ...unbuffered }
}

/** Returns the size of a whole object from the headers of a full or partial reply. */
function readObjectSize(reply: Response): number {
  const total = /\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1]
  const size = Number(total ?? reply.headers.get('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(size)) throw new Error('The object store did not return the size of an object')
  return size
}

export function hashBytes(bytes: Uint8Array): string {
  return digest('sha256', bytes, 'hex')
}

/** Maximum number of blobs that one call writes concurrently, so that threads of the file system remain for other work. */
const maxParallelWrites = 8

/** Calls a function for all items, several at a time; rejects with the first error. */
async function forEachInParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  // All loops share one iterator, so that each item is processed once.
  const iterator = items[Symbol.iterator]()
  const processItems = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: maxParallelWrites }, processItems))
}

async function fileExists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

function isNotFoundError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function createRangeError({ start, end }: BlobRange): RangeError {
  return new RangeError(`The blob has no bytes from ${start} to ${end}`)
}

/** Returns the names in a folder in order, without the folder of incomplete files and other hidden names. */
async function readVisibleNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  } catch (error) {
    if (isNotFoundError(error)) return []
    throw error
  }
}

async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < Date.now() - maxUnfinishedAge) await rm(file, { force: true })
  }
}

/** Creates a folder and its missing parents, and syncs the parent of each so that it survives a crash. */
async function createFolder(folder: string): Promise<void> {
  const firstCreated = await mkdir(folder, { recursive: true })
  if (firstCreated === undefined) return
  for (let created = folder; created.length >= firstCreated.length; created = dirname(created))
    await syncFolderAsync(dirname(created))
}

/** Renames a file to its final name and creates the folder of that name if it is missing. */
async function moveIntoPlace(unfinished: string, file: string): Promise<void> {
  try {
    await rename(unfinished, file)
  } catch (error) {
    if (!isNotFoundError(error)) throw error
    await createFolder(dirname(file))
    await rename(unfinished, file)
  }
}

/** Creates a new file and fills it. */
async function createFile<T>(file: string, mode: number, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'wx', mode)
  try {
    return await fill(handle)
  } finally {
    await handle.close()
  }
}

/** Creates a new file, fills it, and syncs its content to the disk. */
function createFileDurably<T>(file: string, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
  return createFile(file, defaultMode, async (handle) => {
    const result = await fill(handle)
    await handle.sync()
    return result
  })
}

async function writeChunks(handle: FileHandle, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw new BlobTooLargeError(limit)
    hash.update(chunk)
    await handle.writeFile(chunk)
  }
  return { hash: hash.digest('hex'), size }
}

/** File modes: the default of the process, and readable by the owner only. */
const defaultMode = 0o666
const ownerOnlyMode = 0o600

/** Number of bytes that are read from a file at a time. */
const readChunkSize = 128 * 1024

/** Returns a stream of the bytes from `start` to `end`, both inclusive, that reads on demand and closes the file at the end. */
function streamFile(handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const length = Math.min(readChunkSize, end + 1 - position)
          if (length > 0) {
            const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
            if (bytesRead === 0) throw new Error('The blob is shorter than it was')
            position += bytesRead
            controller.enqueue(buffer.subarray(0, bytesRead))
          }
          if (position > end) {
            await handle.close()
            controller.close()
          }
        } catch (error) {
          await handle.close()
          throw error
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  )
}

/** Syncs a folder to the disk, which makes renames in it durable. */
async function syncFolderAsync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
