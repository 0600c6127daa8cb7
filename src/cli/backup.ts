import { join, resolve } from 'node:path'
import { databaseFile, openBlobs } from '../server/app.ts'
import type { Config } from '../server/config.ts'
import { AppError } from '../kernel/errors.ts'
import { timestamp } from '../kernel/time.ts'
import { writeBackup } from '../storage/backup.ts'
import { folderBlobs } from '../storage/blobs.ts'
import { restoreBackup } from '../storage/restore.ts'
import type { Command } from './command.ts'
import { configFromEnvironment } from './open.ts'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write all data of an embedded instance into one file; the server may run meanwhile',
  parameters: ['file'],
  async run({ parameters: [file] }) {
    const config = embeddedConfig()
    const target = resolve(file as string)
    const blobs = config.s3 ? undefined : folderBlobs(join(config.dataFolder, 'blobs'))
    const summary = await writeBackup(
      { databaseFile: databaseFile(config), blobs, file: target, createdAt: timestamp(Date.now()) },
      report,
    )
    console.log(`Wrote and verified ${target}: ${summary.rows} rows, ${summary.blobs} files.`)
    if (config.s3) console.log('Files live in the object store and are not part of it: back that up too.')
  },
}

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Put a backup into the data folder, all of it or nothing',
  parameters: ['file'],
  options: { replace: { description: 'Also when the folder holds data, which is then gone' } },
  async run({ parameters: [file], switches }) {
    const config = embeddedConfig()
    const summary = await restoreBackup(
      {
        file: resolve(file as string),
        folder: config.dataFolder,
        databaseFile: databaseFile(config),
        blobs: openBlobs(config),
        replace: switches.has('replace'),
        restoredAt: timestamp(Date.now()),
      },
      report,
    )
    console.log(`Restored ${summary.rows} rows and ${summary.blobs} files into ${config.dataFolder}.`)
  },
}

function embeddedConfig(): Config {
  const config = configFromEnvironment()
  if (config.databaseUrl) {
    throw new AppError('invalid', 'this is for the embedded database; for PostgreSQL use pg_dump and pg_restore')
  }
  return config
}

function report(step: string): void {
  console.error(`${step}…`)
}
