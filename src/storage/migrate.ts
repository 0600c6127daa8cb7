import { sql } from 'kysely'
import type { Database } from './database.ts'
import { ground } from './migrations/001-ground.ts'
import { content } from './migrations/002-content.ts'
import { git } from './migrations/003-git.ts'
import type { Db } from './tables.ts'

/** In order; a migration that has been released is never changed. Each is one text of statements for both engines. */
const migrations = [
  { name: 'ground', statements: ground },
  { name: 'content', statements: content },
  { name: 'git', statements: git },
]

export const newestVersion = migrations.length

export class DatabaseTooNew extends Error {
  constructor(version: number) {
    super(
      `The database is at version ${version}, which this version of Octavo (${newestVersion}) does not know. ` +
        'Start the newer Octavo that wrote it, or restore a backup.',
    )
    this.name = 'DatabaseTooNew'
  }
}

/** Brings the database to the newest version, each step in a transaction of its own; returns the names of the steps taken. */
export async function migrate(database: Database): Promise<string[]> {
  const taken: string[] = []
  for (;;) {
    const version = await databaseVersion(database.reader, database.engine)
    if (version > newestVersion) throw new DatabaseTooNew(version)
    const migration = migrations[version]
    if (!migration) return taken
    try {
      await database.transaction((db) => applyMigration(db, version, migration))
      taken.push(migration.name)
    } catch (error) {
      // Two processes of a cluster may start at once: then one of them finds the step taken.
      if ((await databaseVersion(database.reader, database.engine)) === version) throw error
    }
  }
}

/** The version a database is at; 0 when it is empty. */
export async function databaseVersion(db: Db, engine: Database['engine']): Promise<number> {
  const tables =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = 'migrations'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_name = 'migrations'`
  if ((await tables.execute(db)).rows.length === 0) return 0
  const { rows } = await sql<{ version: number | null }>`select max(version) as version from migrations`.execute(db)
  return rows[0]?.version ?? 0
}

async function applyMigration(db: Db, version: number, migration: (typeof migrations)[number]): Promise<void> {
  if (version === 0) {
    await sql`create table migrations (version integer primary key, name text not null, applied_at text not null)`.execute(
      db,
    )
  }
  for (const statement of migration.statements.split(';\n')) await sql.raw(statement).execute(db)
  await sql`insert into migrations (version, name, applied_at)
    values (${version + 1}, ${migration.name}, ${new Date().toISOString()})`.execute(db)
}
