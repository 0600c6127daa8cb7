import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BackupError, verifyBackup, writeBackup } from '../../src/storage/backup.ts'
import { folderBlobs } from '../../src/storage/blobs.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { databaseOf, homeForTest } from '../support/home.ts'
import { between, seeded } from '../support/random.ts'

const silent = () => {}

test('a backup with any byte changed, or any bytes missing, is not accepted', async () => {
  const env = await homeForTest()
  const folder = env['OCTAVO_DATA'] as string
  await migrate(databaseOf(env))
  const blobs = folderBlobs(join(folder, 'blobs'))
  await blobs.put(Buffer.from('a file'))
  const file = join(folder, 'good')
  const written = await writeBackup(
    { databaseFile: join(folder, 'octavo.db'), blobs, file, createdAt: '2026-01-01T00:00:00.000Z' },
    silent,
  )
  expect(await verifyBackup(file, silent)).toEqual(written)

  const good = readFileSync(file)
  const damaged = join(folder, 'damaged')
  const chance = seeded(11)
  for (let round = 0; round < 60; round++) {
    const bytes = Buffer.from(good)
    const place = between(chance, 0, good.length - 1)
    bytes[place] = (bytes[place] as number) ^ (1 << between(chance, 0, 7))
    writeFileSync(damaged, round % 3 === 0 ? good.subarray(0, place) : bytes)
    await expect(verifyBackup(damaged, silent)).rejects.toBeInstanceOf(BackupError)
  }
})
