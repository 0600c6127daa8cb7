import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BackupError, verifyBackup, writeBackup } from '../../src/storage/backup.ts'
import { createFolderBlobs } from '../../src/storage/blobs.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { restoreBackup } from '../../src/storage/restore.ts'
import { openDatabaseForTest, homeForTest } from '../support/home.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const silent = () => {}

test('rejects a backup with a changed bit or missing bytes', async () => {
  const env = await homeForTest()
  const folder = env['OCTAVO_DATA'] as string
  await migrate(openDatabaseForTest(env))
  const blobs = createFolderBlobs(join(folder, 'blobs'))
  await blobs.put(Buffer.from('a file'))
  const file = join(folder, 'good')
  const written = await writeBackup(
    { databaseFile: join(folder, 'octavo.db'), blobs, file, createdAt: '2026-01-01T00:00:00.000Z' },
    silent,
  )
  expect(await verifyBackup(file, silent)).toEqual(written)

  const good = readFileSync(file)
  const damaged = join(folder, 'damaged')
  const chance = seededRandom(11)
  for (let round = 0; round < 60; round++) {
    const bytes = Buffer.from(good)
    const place = randomInteger(chance, 0, good.length - 1)
    bytes[place] = (bytes[place] as number) ^ (1 << randomInteger(chance, 0, 7))
    writeFileSync(damaged, round % 3 === 0 ? good.subarray(0, place) : bytes)
    await expect(verifyBackup(damaged, silent)).rejects.toBeInstanceOf(BackupError)
  }
})

test('backs up and restores a large blob without holding it in memory', async () => {
  const folders = [await homeForTest(), await homeForTest()].map((env) => env['OCTAVO_DATA'] as string)
  const [source = '', target = ''] = folders
  await migrate(openDatabaseForTest({ OCTAVO_DATA: source }))
  const [from, to] = [createFolderBlobs(join(source, 'blobs')), createFolderBlobs(join(target, 'blobs'))]
  const [chunk, count] = [Buffer.alloc(1024 ** 2, 'x'), 64]
  async function* large() {
    for (let number = 0; number < count; number++) yield chunk
  }
  const { hash } = await from.putStream(large(), Infinity)
  const empty = await from.put(Buffer.alloc(0))

  const start = process.memoryUsage().rss
  let peak = 0
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - start)), 1)
  const file = join(source, 'octavo.backup')
  const [createdAt, restoredAt] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
  await writeBackup({ databaseFile: join(source, 'octavo.db'), blobs: from, file, createdAt }, silent)
  const databaseFile = join(target, 'octavo.db')
  await restoreBackup({ file, folder: target, databaseFile, blobs: to, replace: false, restoredAt }, silent)
  clearInterval(watching)
  expect(peak).toBeLessThan(48 * 1024 ** 2)

  const restored = await to.open(hash)
  expect(restored?.size).toBe(count * chunk.length)
  await restored?.stream.cancel()
  expect((await to.get(empty))?.length).toBe(0)
  // No row refers to these blobs, so the restore lists them for the cleanup.
  const listed = await openDatabaseForTest({ OCTAVO_DATA: target })
    .reader.selectFrom('unused_blobs')
    .selectAll()
    .execute()
  expect(listed.sort((a, b) => a.hash.localeCompare(b.hash))).toEqual(
    [hash, empty].sort().map((one) => ({ hash: one, since: restoredAt, is_deleting: 0 })),
  )
})
