import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/server/stores.ts'
import { readConfig } from '../../src/server/config.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { findPostgres, startPostgres } from '../../tests/support/postgres.ts'

/** Data directory and environment of a server on one database engine. */
export interface Home {
  engine: string
  env: Record<string, string>
  remove(): Promise<void>
}

/** Creates a home on each engine that is available on this machine. */
export async function makeHomes(env: Record<string, string>): Promise<Home[]> {
  const homes = [makeSqliteHome(env)]
  const programs = findPostgres()
  if (!programs) {
    console.log('There is no PostgreSQL 15 or newer on this machine: only SQLite is measured.\n')
    return homes
  }
  const postgres = await startPostgres(programs)
  const home = makeHome('PostgreSQL', { ...env, DATABASE_URL: postgres.url })
  const remove = async () => {
    await home.remove()
    await postgres.stop()
  }
  return [...homes, { ...home, remove }]
}

/** Creates a home on SQLite. */
export const makeSqliteHome = (env: Record<string, string>): Home => makeHome('SQLite', env)

function makeHome(engine: string, env: Record<string, string>): Home {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
  return {
    engine,
    env: { ...env, OCTAVO_DATA: folder },
    async remove() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs work on the database of a home while no server uses it. */
export async function withHomeDatabase<T>({ env }: Home, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(readConfig(env), createLog({ level: 'error', format: 'json' }))
  try {
    const result = await work(database)
    // Autovacuum would do the same at an unpredictable time.
    if (database.engine === 'postgres') await sql`vacuum analyze`.execute(database.reader)
    return result
  } finally {
    await database.close()
  }
}
