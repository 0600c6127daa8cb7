import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Blobs, type S3Settings, folderBlobs, hashOf, s3Blobs } from '../../src/storage/blobs.ts'

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'blobs')
}

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
  // The one account that this store knows.
  const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  settings = { endpoint: `http://127.0.0.1:${port}`, bucket: 'octavo', region: 'us-east-1', ...account }
})
afterAll(async () => {
  await store.close()
  rmSync(storeFolder, { recursive: true, force: true })
})

const stores: [name: string, open: () => Blobs][] = [
  ['a folder', () => folderBlobs(folderForTest())],
  ['an object store', () => s3Blobs(settings)],
]

describe.each(stores)('blobs in %s', (_, open) => {
  test('bytes come back under their hash, whatever their size', async () => {
    const blobs = open()
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), randomBytes(1_500_000)]) {
      const hash = await blobs.put(bytes)
      expect(hash).toBe(hashOf(bytes))
      expect(Buffer.compare((await blobs.get(hash)) ?? Buffer.from('absent'), bytes)).toBe(0)
    }
  })

  test('what was put twice is there once, and gone once it is deleted', async () => {
    const blobs = open()
    const bytes = randomBytes(100)
    const hashes = await Promise.all([blobs.put(bytes), blobs.put(bytes), blobs.put(bytes)])
    expect(new Set(hashes).size).toBe(1)
    await blobs.delete(hashes[0])
    expect(await blobs.get(hashes[0])).toBeUndefined()
    await blobs.delete(hashes[0])
  })

  test('what was never put is absent', async () => {
    expect(await open().get(hashOf(randomBytes(10)))).toBeUndefined()
  })
})

describe('blobs in a folder', () => {
  test('the list has what is whole, in order', async () => {
    const folder = folderForTest()
    const blobs = folderBlobs(folder)
    const listed = async () => {
      const hashes: string[] = []
      for await (const hash of blobs.list()) hashes.push(hash)
      return hashes
    }
    expect(await listed()).toEqual([])
    const hashes = await Promise.all(Array.from({ length: 20 }, (_, number) => blobs.put(Buffer.from(String(number)))))
    // As a process leaves it that was killed while it wrote.
    writeFileSync(join(folder, (hashes[0] as string).slice(0, 2), '.unfinished'), 'hal')
    expect(await listed()).toEqual(hashes.toSorted())
  })

  test('a folder that cannot be written fails, and holds nothing unfinished', async () => {
    const folder = folderForTest()
    const blobs = folderBlobs(folder)
    const bytes = Buffer.from('wanted')
    const other = await blobs.put(Buffer.from('other'))
    writeFileSync(join(folder, hashOf(bytes).slice(0, 2)), 'a file where a folder should be')
    await expect(blobs.put(bytes)).rejects.toThrow()
    expect(readdirSync(dirname(join(folder, other.slice(0, 2), other)))).toEqual([other])
  })
})

describe('blobs in an object store', () => {
  const bytes = Buffer.from('content')
  const hash = hashOf(bytes)

  test('an endpoint may end in a slash', async () => {
    const blobs = s3Blobs({ ...settings, endpoint: `${settings.endpoint}/` })
    expect(Buffer.from((await blobs.get(await blobs.put(bytes))) ?? []).toString()).toBe('content')
  })

  test('a bucket that does not exist is an error, and not an empty store', async () => {
    const blobs = s3Blobs({ ...settings, bucket: 'elsewhere' })
    for (const call of [() => blobs.put(bytes), () => blobs.get(hash), () => blobs.delete(hash)]) {
      await expect(call()).rejects.toThrow(/404.* in bucket elsewhere: .*NoSuchBucket/s)
    }
  })

  test('wrong credentials are an error that does not tell the secret', async () => {
    const secretAccessKey = 'a-secret-to-keep'
    const blobs = s3Blobs({ ...settings, accessKeyId: 'NOBODY', secretAccessKey })
    for (const call of [() => blobs.put(bytes), () => blobs.get(hash), () => blobs.delete(hash)]) {
      await expect(call()).rejects.toThrow(/^The object store answered 403 to \w+ in bucket octavo: /)
      await expect(call()).rejects.not.toThrow(secretAccessKey)
    }
  })

  test('a store that is not there is an error', async () => {
    const blobs = s3Blobs({ ...settings, endpoint: 'http://127.0.0.1:1' })
    await expect(blobs.get(hash)).rejects.toThrow()
  })
})
