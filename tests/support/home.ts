import { onTestFinished } from 'vitest'
import { openDatabase } from '../../src/server/stores.ts'
import { readConfig } from '../../src/server/config.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Db } from '../../src/schema/tables.ts'
import { makeHome } from './server.ts'

export const silentLog = createLog({ level: 'silent', format: 'json' })

/** Returns the environment of a server with a new home, which is removed after the test. */
export async function homeForTest(options?: Parameters<typeof makeHome>[0]): Promise<Record<string, string>> {
  const home = await makeHome(options)
  onTestFinished(() => home.remove())
  return home.env
}

/** Returns the environment of a home whose database has empty tables. */
export const migratedHomeForTest = (): Promise<Record<string, string>> => homeForTest({ hasTables: true })

/** Runs a transaction on the database of a home and closes it. */
export async function runTransaction<T>(env: Record<string, string>, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openDatabase(readConfig(env), silentLog)
  try {
    return await database.transaction(work)
  } finally {
    await database.close()
  }
}

/** Opens the database of a home, which others may have open too, until the test ends. */
export function openDatabaseForTest(env: Record<string, string>): Database {
  const database = openDatabase(readConfig(env), silentLog)
  onTestFinished(() => database.close())
  return database
}
