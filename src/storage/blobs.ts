import { AwsClient } from 'aws4fetch'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { minutes } from '../kernel/time.ts'

/** Where bytes are kept that are too large for the database, each under the SHA-256 of its content. */
export interface Blobs {
  /** Keeps the bytes and returns their hash; once it returns they survive a crash. */
  put(bytes: Uint8Array): Promise<string>
  /** The bytes, or undefined when they are not there. */
  get(hash: string): Promise<Uint8Array | undefined>
  delete(hash: string): Promise<void>
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

export function folderBlobs(folder: string): FolderBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  return {
    async put(bytes) {
      const hash = hashOf(bytes)
      const file = fileOf(hash)
      if (await exists(file)) return hash
      await makeFolder(dirname(file))
      const unfinished = join(dirname(file), `.${randomUUID()}`)
      try {
        await writeDurably(unfinished, bytes)
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await syncFolder(dirname(file))
      return hash
    },
    async get(hash) {
      try {
        return await readFile(fileOf(hash))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    delete: (hash) => rm(fileOf(hash), { force: true }),
    async *list() {
      for (const prefix of await namesIn(folder)) {
        for (const name of await namesIn(join(folder, prefix))) if (!name.startsWith('.')) yield name
      }
    },
  }
}

/** How long a call to the object store may take, with a large blob over a slow line. */
const callTimeout = minutes(2)

/** Blobs in an S3-compatible store. */
export function s3Blobs(settings: S3Settings): Blobs {
  const { accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  const urlOf = (hash: string) => `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}/blobs/${hash}`
  /** The body of the reply, or undefined when there is no such blob. */
  const call = async (method: string, hash: string, body?: Uint8Array): Promise<Uint8Array | undefined> => {
    const reply = await client.fetch(urlOf(hash), {
      method,
      signal: AbortSignal.timeout(callTimeout),
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    })
    const content = new Uint8Array(await reply.arrayBuffer())
    if (reply.ok) return content
    const text = Buffer.from(content).toString()
    // Without its bucket, everything would look as if it had never been there.
    if (reply.status === 404 && !text.includes('NoSuchBucket')) return undefined
    throw new Error(
      `The object store answered ${reply.status} to ${method} in bucket ${settings.bucket}: ${text.slice(0, 200)}`,
    )
  }
  return {
    async put(bytes) {
      const hash = hashOf(bytes)
      if (!(await call('PUT', hash, bytes))) throw new Error(`The object store has no bucket ${settings.bucket}`)
      return hash
    },
    get: (hash) => call('GET', hash),
    async delete(hash) {
      await call('DELETE', hash)
    },
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Makes a folder and those above it that are missing; each is durable once the folder that holds it is. */
async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
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
