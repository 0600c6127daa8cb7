import { openDatabase } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { newId } from '../kernel/ids.ts'
import { createLog } from '../kernel/log.ts'
import { timestamp } from '../kernel/time.ts'
import type { Database } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'

export function configFromEnvironment(): Config {
  return readConfig(process.env, { terminal: process.stdout.isTTY })
}

/** What makes new rows. */
export const making = { newId, now: () => timestamp(Date.now()) }

/** Opens the database for one command, also while a server runs on it. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = configFromEnvironment()
  const database = openDatabase(config, createLog({ level: 'error', format: config.logFormat }))
  try {
    await migrate(database)
    return await work(database, config)
  } finally {
    await database.close()
  }
}
