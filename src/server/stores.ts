import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../kernel/log.ts'
import { withOutageErrors } from '../storage/blob-outages.ts'
import { type Blobs, createFolderBlobs, createS3Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/database.ts'
import { openPostgres } from '../storage/postgres.ts'
import { openSqlite } from '../storage/sqlite.ts'
import type { Config } from './config.ts'

/** Opens the configured database. Commands do not set a statement timeout. */
export function openDatabase(config: Config, log: Log, statementTimeout = 0): Database {
  const { databaseUrl, databasePool: poolSize } = config
  if (databaseUrl) return openPostgres(databaseUrl, { poolSize, statementTimeout, log })
  createDataFolder(config)
  return openSqlite(databaseFile(config))
}

/** Creates the data folder. Only its owner may read it, because it contains all content and the hashes of all tokens. */
export function createDataFolder({ dataFolder }: Config): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
}

export function databaseFile({ dataFolder }: Config): string {
  return join(dataFolder, 'octavo.db')
}

export function openBlobs({ s3, dataFolder }: Config): Blobs {
  return withOutageErrors(s3 ? createS3Blobs(s3) : createFolderBlobs(join(dataFolder, 'blobs')))
}
