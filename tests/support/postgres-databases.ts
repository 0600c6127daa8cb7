import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createLog } from '../../src/kernel/log.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openPostgres } from '../../src/storage/postgres.ts'
import { findPostgres, startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL server for the tests; empty if there is none. */
    postgresUrl: string
  }
}

/** Name of the template database; copying it is faster than creating all tables. */
export const templateDatabase = 'octavo_template'

async function makeTemplate(url: string): Promise<void> {
  await runSql(url, `create database ${templateDatabase}`)
  const log = createLog({ level: 'error', format: 'json' })
  const database = openPostgres(databaseUrl(url, templateDatabase), { poolSize: 1, log })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}

/** Returns the URL of another database of the same server. */
export const databaseUrl = (url: string, name: string): string => url.replace(/\/postgres$/, `/${name}`)

export async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Global setup of Vitest: starts one server for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = findPostgres()
  if (!programs) {
    project.provide('postgresUrl', '')
    return async () => {}
  }
  const server = await startPostgres(programs)
  await makeTemplate(server.url)
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
