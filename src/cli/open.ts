import { existsSync } from 'node:fs'
import { openDatabase } from '../server/app.ts'
import { type Config, readConfig } from '../server/config.ts'
import { newId } from '../kernel/ids.ts'
import { createLog } from '../kernel/log.ts'
import { timestamp } from '../kernel/time.ts'
import { root } from '../root.ts'
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

/** How a command is entered where this program was started: in a checkout, where it is installed, or as OCTAVO_COMMAND says. */
export function commandLine({ command }: Config, words: string): string {
  if (command !== undefined) return `${command} ${words}`
  if (!existsSync(new URL('src', root))) return `octavo ${words}`
  return words === 'serve' ? 'npm start' : `npm run octavo -- ${words}`
}
