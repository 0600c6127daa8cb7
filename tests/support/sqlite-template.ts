import SqliteFile from 'libsql'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/storage/migrate.ts'
import { openSqlite } from '../../src/storage/sqlite.ts'

let template: Promise<Uint8Array> | undefined

/** Returns the bytes of a database with empty tables: writing them takes a fraction of the time of migrating. */
export function sqliteTemplate(): Promise<Uint8Array> {
  return (template ??= makeTemplate())
}

async function makeTemplate(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-template-'))
  try {
    const file = join(folder, 'octavo.db')
    const database = openSqlite(file)
    try {
      await migrate(database)
    } finally {
      await database.close()
    }
    return readFileSync(compact(file, join(folder, 'compacted.db')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies a database into one file, because a part of the original remains in its write-ahead log. */
function compact(file: string, target: string): string {
  const source = new SqliteFile(file)
  try {
    source.prepare('vacuum into ?').run(target)
    return target
  } finally {
    source.close()
  }
}
