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

/** Where bytes are kept that are too large for the database, each under the SHA-256 of its content. */
export interface Blobs {
  /** Stores the bytes and returns their hash; once it returns they survive a crash. */
  put(bytes: Uint8Array): Promise<string>
  /** Like `put`, for several blobs; `announce` is called once for all of them, before any is stored. */
  putAll(all: readonly Uint8Array[], announce?: Announce): Promise<StoredBlob[]>
  /**
   * Like `put`, for bytes that come one by one and never stand in memory as a whole; `BlobTooLargeError` over the limit.
   * `announce` is called before anything is kept under the hash, and may refuse by throwing.
   */
  putStream(chunks: AsyncIterable<Uint8Array>, limit: number, announce?: Announce): Promise<StoredBlob>
  /** The bytes, or undefined when they are not there. */
  get(hash: string): Promise<Uint8Array | undefined>
  /** The bytes as a stream, to be read to its end or cancelled, or undefined when they are not there. */
  open(hash: string, range?: ByteRange): Promise<OpenBlob | undefined>
  delete(hash: string): Promise<void>
  /** Fails when nothing can be kept at the moment. */
  check(): Promise<void>
}

export type Announce = (blobs: readonly StoredBlob[]) => Promise<void>

export interface StoredBlob {
  hash: string
  size: number
}

/** From the byte at `start` up to and including the one at `end`, as in HTTP; both lie in the blob. */
export interface ByteRange {
  start: number
  end: number
}

export interface OpenBlob {
  /** Of the whole blob, whatever range of it was asked for. */
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

/** Blobs as files of a folder, two levels deep so that no folder grows too wide. */
export interface FolderBlobs extends Blobs {
  /** The hashes of all blobs, in order. */
  list(): AsyncIterable<string>
}

/** A stream that is not whole after this time was left behind by a process that was killed. */
const abandonedAfter = days(1)

export function folderBlobs(folder: string): FolderBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  const unfinishedFolder = join(folder, '.unfinished')
  let swept = false
  const prepareUnfinished = async () => {
    await makeFolder(unfinishedFolder)
    if (!swept) await removeAbandoned(unfinishedFolder)
    swept = true
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
  const writeNew = (file: string, bytes: Uint8Array) =>
    discardOnFailure(async (unfinished) => {
      await writeDurably(unfinished, (handle) => handle.writeFile(bytes))
      await moveTo(unfinished, file)
    })
  const putAll: Blobs['putAll'] = async (all, announce) => {
    const stored = all.map((bytes) => ({ hash: hashOf(bytes), size: bytes.length }))
    await announce?.(stored)
    await prepareUnfinished()
    const byFile = new Map(stored.map(({ hash }, index) => [fileOf(hash), all[index] as Uint8Array]))
    await inParallel(byFile, async ([file, bytes]) => {
      if (!(await exists(file))) await writeNew(file, bytes)
    })
    // Also the folders of files that exist: another process may have renamed one without having synced its folder yet.
    await inParallel(new Set([...byFile.keys()].map((file) => dirname(file))), syncFolder)
    return stored
  }
  return {
    putAll,
    async put(bytes) {
      const [{ hash }] = (await putAll([bytes])) as [StoredBlob]
      return hash
    },
    async putStream(chunks, limit, announce) {
      await prepareUnfinished()
      return discardOnFailure(async (unfinished) => {
        const stored = await writeDurably(unfinished, (handle) => writeChunks(handle, chunks, limit))
        const file = fileOf(stored.hash)
        await announce?.([stored])
        await moveTo(unfinished, file)
        await syncFolder(dirname(file))
        return stored
      })
    },
    async get(hash) {
      try {
        return await readFile(fileOf(hash))
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
    async open(hash, range) {
      let handle: FileHandle
      try {
        handle = await open(fileOf(hash), 'r')
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
      try {
        const { size } = await handle.stat()
        const { start, end } = range ?? { start: 0, end: size - 1 }
        if (range && (start > end || end >= size)) throw outside(range)
        return { size, stream: streamOf(handle, start, end) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    delete: (hash) => rm(fileOf(hash), { force: true }),
    check: () => assertWritable(folder),
    async *list() {
      for (const prefix of await visibleNamesIn(folder)) yield* await visibleNamesIn(join(folder, prefix))
    },
  }
}

/** How long the object store may take to begin its reply. */
const replyTimeout = seconds(10)
/** How long a call to the object store may take. */
const callTimeout = minutes(2)
/** Beyond that, what a large blob may take over a slow line: 100 KB a second. */
const timeoutOf = (size: number) => callTimeout + Math.ceil(size / 100)

/** Blobs in an S3-compatible store. */
export function s3Blobs(settings: S3Settings): Blobs {
  const { accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  const urlOf = (hash: string) => `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}/blobs/${hash}`
  /** The reply, or undefined when there is no such blob; anything else is an error. */
  const call = async (method: string, hash: string, init: RequestInit): Promise<Response | undefined> => {
    const reply = await client.fetch(urlOf(hash), { method, ...init })
    if (reply.ok) return reply
    const text = await reply.text()
    // Without its bucket, everything would look as if it had never been there.
    if (reply.status === 404 && !text.includes('NoSuchBucket')) return undefined
    const error = new Error(
      `The object store answered ${reply.status} to ${method} in bucket ${settings.bucket}: ${text.slice(0, 200)}`,
    )
    throw reply.status >= 500 || reply.status === 429 ? filesDown(error) : error
  }
  const upload = async (hash: string, init: RequestInit, size: number): Promise<void> => {
    const reply = await call('PUT', hash, { ...init, signal: AbortSignal.timeout(timeoutOf(size)) })
    if (!reply) throw new Error(`The bucket ${settings.bucket} was not found in the object store`)
    await reply.arrayBuffer()
  }
  const putAll: Blobs['putAll'] = async (all, announce) => {
    const stored = all.map((bytes) => ({ hash: hashOf(bytes), size: bytes.length }))
    await announce?.(stored)
    const byHash = new Map(stored.map(({ hash }, index) => [hash, all[index] as Uint8Array<ArrayBuffer>]))
    await inParallel(byHash, ([hash, bytes]) => upload(hash, { body: bytes }, bytes.length))
    return stored
  }
  return {
    putAll,
    async put(bytes) {
      const [{ hash }] = (await putAll([bytes])) as [StoredBlob]
      return hash
    },
    async putStream(chunks, limit, announce) {
      // The name and the length of an object must be known before its first byte is sent.
      const file = join(tmpdir(), `octavo-upload-${randomUUID()}`)
      try {
        const stored = await write(file, ownerOnly, (handle) => writeChunks(handle, chunks, limit))
        await announce?.([stored])
        await upload(stored.hash, fileBody(file, stored.size), stored.size)
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
      const waiting = new AbortController()
      // Only for the reply to begin: how fast its body is read is for the reader to say.
      const timer = setTimeout(
        () => waiting.abort(filesDown(new Error('The object store did not respond'))),
        replyTimeout,
      )
      try {
        const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
        const reply = await call('GET', hash, { headers, signal: waiting.signal })
        if (!reply) return undefined
        const stream = (reply.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>
        const size = sizeOf(reply)
        if (range && (reply.status !== 206 || range.end >= size)) {
          await stream.cancel()
          throw outside(range)
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
      // No blob has this name: a store that answers 404 can be reached and accepts the credentials.
      const reply = await call('GET', 'readiness', { signal: AbortSignal.timeout(replyTimeout) })
      await reply?.arrayBuffer()
    },
  }
}

/** A file as the body of a request, read from its start whenever the request is sent again. */
function fileBody(file: string, size: number): RequestInit {
  const body = { [Symbol.asyncIterator]: () => createReadStream(file)[Symbol.asyncIterator]() }
  const headers = { 'content-length': String(size) }
  // fetch keeps all that it has sent in memory, to send it again after a redirect; these two settings rule that out.
  const once = { redirect: 'error', window: null } as const
  return { body, headers, duplex: 'half', ...once }
}

/** The size of a whole object, from the reply with it or with a part of it. */
function sizeOf(reply: Response): number {
  const total = /\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1]
  const size = Number(total ?? reply.headers.get('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(size)) throw new Error('The object store did not return the size of an object')
  return size
}

export function hashOf(bytes: Uint8Array): string {
  return digest('sha256', bytes, 'hex')
}

/** Maximum number of blobs that one call writes at the same time, so that other work still gets a thread of the file system. */
const parallelWrites = 8

/** Calls a function for all items; after a failure it is called for no further ones. */
async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  // All loops share one iterator, so that each item is taken once.
  const waiting = items[Symbol.iterator]()
  const takeTurns = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: parallelWrites }, takeTurns))
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function outside({ start, end }: ByteRange): RangeError {
  return new RangeError(`The blob has no bytes from ${start} to ${end}`)
}

/** The names in a folder, in order, without those of files that are not whole. */
async function visibleNamesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < Date.now() - abandonedAfter) await rm(file, { force: true })
  }
}

/** Makes a folder and those above it that are missing; each is durable once the folder that holds it is. */
async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Moves a file to its final name, and makes the folder of that name if it is missing. */
async function moveTo(unfinished: string, file: string): Promise<void> {
  try {
    await rename(unfinished, file)
  } catch (error) {
    if (!isAbsent(error)) throw error
    await makeFolder(dirname(file))
    await rename(unfinished, file)
  }
}

/** Makes a new file and fills it. */
async function write<T>(file: string, mode: number, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'wx', mode)
  try {
    return await fill(handle)
  } finally {
    await handle.close()
  }
}

/** Makes a new file and fills it; once this returns, the content is on the disk. */
function writeDurably<T>(file: string, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
  return write(file, asUsual, async (handle) => {
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

/** Modes of files: as the process makes any file, and such that nobody else on the machine can read it. */
const asUsual = 0o666
const ownerOnly = 0o600

/** How much of a file is read at a time. */
const readSize = 128 * 1024

/** The bytes from `start` up to and including `end`, each read when it is asked for; closes the file at the end. */
function streamOf(handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const length = Math.min(readSize, end + 1 - position)
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

/** A rename is durable once the folder that holds it is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
