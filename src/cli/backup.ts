import { join, resolve } from 'node:path'
import type { Config } from '../server/config.ts'
import { databaseFile, openBlobs } from '../server/stores.ts'
import { AppError } from '../kernel/errors.ts'
import { timestamp } from '../kernel/time.ts'
import { writeBackup } from '../storage/backup.ts'
import { createFolderBlobs } from '../storage/blobs.ts'
import { restoreBackup } from '../storage/restore.ts'
import type { Command } from './command.ts'
import { configFromEnvironment } from './environment.ts'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Back up all data of an embedded instance to one file; the server may be running',
  parameters: ['file'],
  async run({ parameters: [file] }) {
    const config = embeddedConfig()
    const target = resolve(file as string)
    const blobs = config.s3 ? undefined : createFolderBlobs(join(config.dataFolder, 'blobs'))
    const summary = await writeBackup(
      { databaseFile: databaseFile(config), blobs, file: target, createdAt: timestamp(Date.now()) },
      report,
    )
    console.log(`Wrote and verified ${target}: ${summary.rows} rows, ${summary.blobs} files.`)
    if (config.s3)
      console.log('Files are in the object store and not part of the backup. Back up the object store separately.')
  },
}

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Restore a backup into the data folder, completely or not at all',
  parameters: ['file'],
  options: { replace: { description: 'Replace the existing data of the folder' } },
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
    throw new AppError(
      'invalid',
      'this command supports only the embedded database; for PostgreSQL, use pg_dump and pg_restore',
    )
  }
  return config
}

function report(step: string): void {
  console.error(`${step}…`)
}
