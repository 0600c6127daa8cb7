import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type Blobs,
  BlobTooLargeError,
  type OpenBlob,
  type S3Settings,
  createFolderBlobs,
  hashBytes,
  createS3Blobs,
} from '../../src/storage/blobs.ts'

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'blobs')
}

// A separate folder, because other tests that run at the same time also create temporary uploads.
const ownTemporary = mkdtempSync(join(tmpdir(), 'octavo-temporary-'))
vi.stubEnv('TMPDIR', ownTemporary)
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(ownTemporary, { recursive: true, force: true })
})

const storeFolder = mkdtempSync(join(tmpdir(), 'octavo-s3-'))
const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: storeFolder,
  configureBuckets: [{ name: 'octavo' }],
})
let settings: S3Settings
beforeAll(async () => {
  const { port } = await store.run()
  // The only account of the S3 test server.
  const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  settings = { endpoint: `http://127.0.0.1:${port}`, bucket: 'octavo', region: 'us-east-1', ...account }
})
afterAll(async () => {
  await store.close()
  rmSync(storeFolder, { recursive: true, force: true })
})

/** Yields the bytes in chunks of the given size. */
async function* cut(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function* failing(): AsyncIterable<Uint8Array> {
  yield randomBytes(100_000)
  throw new Error('the sender went away')
}

async function textOf(blob: OpenBlob | undefined): Promise<string> {
  if (!blob) throw new Error('There is no such blob')
  const chunks: Uint8Array[] = []
  for await (const chunk of blob.stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Returns the names of temporary upload files. */
const temporaryFiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith('octavo-upload-'))

const stores: [name: string, open: () => Blobs][] = [
  ['a folder', () => createFolderBlobs(folderForTest())],
  ['an object store', () => createS3Blobs(settings)],
]

describe.each(stores)('blobs in %s', (_, open) => {
  test('returns stored bytes of any size under their hash', async () => {
    const blobs = open()
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), randomBytes(1_500_000)]) {
      const hash = await blobs.put(bytes)
      expect(hash).toBe(hashBytes(bytes))
      expect(Buffer.compare((await blobs.get(hash)) ?? Buffer.from('absent'), bytes)).toBe(0)
    }
  })

  test('stores equal bytes once, and deleting a blob twice succeeds', async () => {
    const blobs = open()
    const bytes = randomBytes(100)
    const hashes = await Promise.all([blobs.put(bytes), blobs.put(bytes), blobs.put(bytes)])
    expect(new Set(hashes).size).toBe(1)
    await blobs.delete(hashes[0])
    expect(await blobs.get(hashes[0])).toBeUndefined()
    await blobs.delete(hashes[0])
  })

  test('putAll announces all blobs once before storing them, including duplicates and existing ones', async () => {
    const blobs = open()
    const [one, other, existing] = [randomBytes(100), randomBytes(50_000), randomBytes(10)]
    await blobs.put(existing)
    const all = [one, other, one, existing, Buffer.alloc(0)]
    const announced: unknown[] = []
    const stored = await blobs.putAll(all, async (some) => {
      expect(await blobs.get(hashBytes(one))).toBeUndefined()
      announced.push(some)
    })
    expect(stored).toEqual(all.map((bytes) => ({ hash: hashBytes(bytes), size: bytes.length })))
    expect(announced).toEqual([stored])
    for (const bytes of all) {
      expect(Buffer.compare((await blobs.get(hashBytes(bytes))) ?? Buffer.from('absent'), bytes)).toBe(0)
    }
  })

  test('putAll stores nothing when the announcement is rejected', async () => {
    const blobs = open()
    const bytes = randomBytes(100)
    const refusal = Promise.reject(new Error('too many bytes'))
    await expect(blobs.putAll([bytes], () => refusal)).rejects.toThrow('too many bytes')
    expect(await blobs.get(hashBytes(bytes))).toBeUndefined()
  })

  test('returns undefined for an unknown hash', async () => {
    const blobs = open()
    expect(await blobs.get(hashBytes(randomBytes(10)))).toBeUndefined()
    expect(await blobs.open(hashBytes(randomBytes(10)))).toBeUndefined()
  })

  test('putStream stores a stream under the hash of its bytes', async () => {
    const blobs = open()
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), randomBytes(1_500_000)]) {
      const stored = await blobs.putStream(cut(bytes, 70_000), bytes.length)
      expect(stored).toEqual({ hash: hashBytes(bytes), size: bytes.length })
      expect(Buffer.compare((await blobs.get(stored.hash)) ?? Buffer.from('absent'), bytes)).toBe(0)
    }
  })

  test('concurrent streams of the same content are stored as one blob', async () => {
    const blobs = open()
    const bytes = randomBytes(200_000)
    const stored = await Promise.all([1000, 7000, 200_000].map((size) => blobs.putStream(cut(bytes, size), 200_000)))
    expect(new Set(stored.map(({ hash }) => hash))).toEqual(new Set([hashBytes(bytes)]))
    expect(await blobs.put(bytes)).toBe(hashBytes(bytes))
  })

  test('putStream rejects a stream over the limit and stores nothing of it', async () => {
    const blobs = open()
    const before = temporaryFiles()
    const bytes = randomBytes(1001)
    await expect(blobs.putStream(cut(bytes, 100), 1000)).rejects.toThrow(BlobTooLargeError)
    expect(await blobs.get(hashBytes(bytes))).toBeUndefined()
    expect(temporaryFiles()).toEqual(before)
    expect(await blobs.putStream(cut(bytes, 100), 1001)).toEqual({ hash: hashBytes(bytes), size: 1001 })
  })

  test('putStream fails with the error of an interrupted stream and leaves no temporary file', async () => {
    const before = temporaryFiles()
    await expect(open().putStream(failing(), 1_000_000)).rejects.toThrow('the sender went away')
    expect(temporaryFiles()).toEqual(before)
  })

  test('putStream stops reading a stream that exceeds the limit', async () => {
    let stopped = false
    async function* endless() {
      try {
        for (;;) yield randomBytes(1000)
      } finally {
        stopped = true
      }
    }
    await expect(open().putStream(endless(), 10_000)).rejects.toThrow(BlobTooLargeError)
    expect(stopped).toBe(true)
  })

  test('opens a blob as a whole or as a range', async () => {
    const blobs = open()
    const hash = await blobs.put(Buffer.from('0123456789'))
    const whole = await blobs.open(hash)
    expect(whole?.size).toBe(10)
    expect(await textOf(whole)).toBe('0123456789')
    for (const [start, end, text] of [
      [0, 1, '01'],
      [0, 9, '0123456789'],
      [3, 6, '3456'],
      [9, 9, '9'],
    ] as const) {
      const part = await blobs.open(hash, { start, end })
      expect(part?.size).toBe(10)
      expect(await textOf(part)).toBe(text)
    }
  })

  test('opens an empty blob as an empty stream', async () => {
    const blobs = open()
    const empty = await blobs.open(await blobs.put(Buffer.alloc(0)))
    expect(empty?.size).toBe(0)
    expect(await textOf(empty)).toBe('')
  })

  test('rejects a range beyond the end of the blob', async () => {
    const blobs = open()
    const hash = await blobs.put(Buffer.from('0123456789'))
    for (const range of [
      { start: 10, end: 12 },
      { start: 5, end: 10 },
    ]) {
      await expect(blobs.open(hash, range)).rejects.toThrow()
    }
  })

  test('returns a long range completely, and a reader can cancel early', async () => {
    const blobs = open()
    const bytes = randomBytes(1_000_000)
    const hash = await blobs.put(bytes)
    const part = await blobs.open(hash, { start: 100_000, end: 899_999 })
    const chunks: Uint8Array[] = []
    for await (const chunk of part?.stream ?? []) chunks.push(chunk)
    expect(Buffer.compare(Buffer.concat(chunks), bytes.subarray(100_000, 900_000))).toBe(0)

    const reader = (await blobs.open(hash))?.stream.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    await reader?.cancel()
    expect((await reader?.read())?.done).toBe(true)
  })

  test('writes and reads a large stream without holding it in memory', async () => {
    const blobs = open()
    const chunkSize = 256 * 1024
    const count = 400
    const chunk = randomBytes(chunkSize)
    let peak = 0
    const start = process.memoryUsage().rss
    const measure = () => (peak = Math.max(peak, process.memoryUsage().rss - start))
    async function* large() {
      for (let number = 0; number < count; number++) {
        measure()
        yield chunk
      }
    }
    const { hash, size } = await blobs.putStream(large(), count * chunkSize)
    let read = 0
    for await (const part of (await blobs.open(hash))?.stream ?? []) {
      measure()
      read += part.length
    }
    expect([size, read]).toEqual([count * chunkSize, count * chunkSize])
    expect(peak).toBeLessThan(60 * 1024 ** 2)
  })
})

describe('blobs in a folder', () => {
  test('lists complete blobs in order', async () => {
    const folder = folderForTest()
    const blobs = createFolderBlobs(folder)
    const listed = async () => {
      const hashes: string[] = []
      for await (const hash of blobs.list()) hashes.push(hash)
      return hashes
    }
    expect(await listed()).toEqual([])
    const hashes = await Promise.all(Array.from({ length: 20 }, (_, number) => blobs.put(Buffer.from(String(number)))))
    // As after a process was killed during a write.
    writeFileSync(join(folder, (hashes[0] as string).slice(0, 2), '.unfinished'), 'hal')
    expect(await listed()).toEqual(hashes.toSorted())
  })

  test('put fails when the folder cannot be created and leaves no unfinished file', async () => {
    const folder = folderForTest()
    const blobs = createFolderBlobs(folder)
    const bytes = Buffer.from('wanted')
    const other = await blobs.put(Buffer.from('other'))
    writeFileSync(join(folder, hashBytes(bytes).slice(0, 2)), 'a file where a folder should be')
    await expect(blobs.put(bytes)).rejects.toThrow()
    expect(readdirSync(dirname(join(folder, other.slice(0, 2), other)))).toEqual([other])
  })

  test('a failed stream leaves no unfinished file', async () => {
    const folder = folderForTest()
    const blobs = createFolderBlobs(folder)
    await expect(blobs.putStream(failing(), 1_000_000)).rejects.toThrow('the sender went away')
    const bytes = Buffer.from('wanted')
    writeFileSync(join(folder, hashBytes(bytes).slice(0, 2)), 'a file where a folder should be')
    await expect(blobs.putStream(cut(bytes, 2), 10)).rejects.toThrow()
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([])
  })

  test('does not list a blob before its stream has ended', async () => {
    const blobs = createFolderBlobs(folderForTest())
    const listed: string[] = []
    async function* listing() {
      yield Buffer.from('one')
      for await (const hash of blobs.list()) listed.push(hash)
    }
    const { hash } = await blobs.putStream(listing(), 10)
    expect(listed).toEqual([])
    for await (const one of blobs.list()) listed.push(one)
    expect(listed).toEqual([hash])
  })

  test('removes unfinished files older than a day', async () => {
    const folder = folderForTest()
    await createFolderBlobs(folder).putStream(cut(Buffer.from('first'), 1), 10)
    const left = ['of-yesterday', 'of-now'].map((name) => join(folder, '.unfinished', name))
    for (const file of left) writeFileSync(file, 'hal')
    const yesterday = Date.now() / 1000 - 25 * 60 * 60
    utimesSync(left[0] as string, yesterday, yesterday)
    await createFolderBlobs(folder).putStream(cut(Buffer.from('second'), 1), 10)
    expect(readdirSync(join(folder, '.unfinished'))).toEqual(['of-now'])
  })

  test('a blob deleted while it is read can be read to the end', async () => {
    const blobs = createFolderBlobs(folderForTest())
    const hash = await blobs.put(Buffer.from('content'))
    const opened = await blobs.open(hash)
    await blobs.delete(hash)
    expect(await textOf(opened)).toBe('content')
  })
})

describe('blobs in an object store', () => {
  const bytes = Buffer.from('content')
  const hash = hashBytes(bytes)
  const callsOf = (blobs: Blobs) => [
    () => blobs.put(bytes),
    () => blobs.putStream(cut(bytes, 3), 100),
    () => blobs.get(hash),
    () => blobs.open(hash),
    () => blobs.delete(hash),
  ]

  test('accepts an endpoint that ends in a slash', async () => {
    const blobs = createS3Blobs({ ...settings, endpoint: `${settings.endpoint}/` })
    expect(Buffer.from((await blobs.get(await blobs.put(bytes))) ?? []).toString()).toBe('content')
  })

  test('every call fails with 404 when the bucket does not exist', async () => {
    const blobs = createS3Blobs({ ...settings, bucket: 'elsewhere' })
    for (const call of callsOf(blobs)) {
      await expect(call()).rejects.toThrow(/404.* in bucket elsewhere: .*NoSuchBucket/s)
    }
  })

  test('every call fails with 403 for wrong credentials, without the secret in the message', async () => {
    const secretAccessKey = 'a-secret-to-keep'
    const blobs = createS3Blobs({ ...settings, accessKeyId: 'NOBODY', secretAccessKey })
    for (const call of callsOf(blobs)) {
      await expect(call()).rejects.toThrow(/^The object store answered 403 to \w+ in bucket octavo: /)
      await expect(call()).rejects.not.toThrow(secretAccessKey)
    }
  })

  test('retries a stream completely, with its length, after a 503', async () => {
    const received: [length: string | undefined, body: string][] = []
    const busy = createServer((request, reply) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        received.push([request.headers['content-length'], body])
        reply.writeHead(received.length === 1 ? 503 : 200).end()
      })
    })
    onTestFinished(() => void busy.close())
    await new Promise<void>((listening) => busy.listen(0, '127.0.0.1', listening))
    const endpoint = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
    await createS3Blobs({ ...settings, endpoint }).putStream(cut(bytes, 3), 100)
    expect(received).toEqual([
      ['7', 'content'],
      ['7', 'content'],
    ])
  })

  test('every call fails when the store is unreachable, without leaving temporary files', async () => {
    const blobs = createS3Blobs({ ...settings, endpoint: 'http://127.0.0.1:1' })
    const before = temporaryFiles()
    for (const call of callsOf(blobs)) await expect(call()).rejects.toThrow()
    expect(temporaryFiles()).toEqual(before)
  })
})
