import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../server/config.ts'
import { newId } from '../kernel/ids.ts'
import { createLog } from '../kernel/log.ts'
import { timestamp } from '../kernel/time.ts'
import { root } from '../root.ts'
import type { Database } from '../storage/database.ts'

export function configFromEnvironment(): Config {
  return readConfig(process.env, { terminal: process.stdout.isTTY })
}

/** Generators of ids and timestamps for new rows. */
export const idsAndClock = { newId, now: () => timestamp(Date.now()) }

/** Context of a change by a command: the audit log records it as a change by the system. */
export const commandContext = { ...idsAndClock, client: undefined }

/** Opens and migrates the database for one command; a server may be running on it. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = configFromEnvironment()
  const { openDatabase } = await import('../server/stores.ts')
  const { migrate } = await import('../storage/migrate.ts')
  const database = openDatabase(config, createLog({ level: 'error', format: config.logFormat }))
  try {
    await migrate(database)
    return await work(database, config)
  } finally {
    await database.close()
  }
}

/** Returns how to enter a command: as configured by OCTAVO_COMMAND, with npm in a checkout, or as installed. */
export function formatCommandLine({ command }: Config, words: string): string {
  if (command !== undefined) return `${command} ${words}`
  if (!existsSync(new URL('src', root))) return `octavo ${words}`
  return words === 'serve' ? 'npm start' : `npm run octavo -- ${words}`
}
