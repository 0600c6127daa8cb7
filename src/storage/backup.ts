import SqliteFile from 'libsql'
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FolderBlobs, hashOf } from './blobs.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

// A backup is one SQLite file: the database as it was at one moment, and beside its tables two of the backup's own,
// with what else the data folder held. So it is consistent by construction, and any SQLite tool can look into it.

/** Blobs are cut into parts, so that none needs to fit into memory or into a row as a whole. */
const partSize = 1024 * 1024

const formatVersion = '1'

export class BackupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupError'
  }
}

export type Progress = (step: string) => void

export interface BackupSummary {
  rows: number
  blobs: number
}

/** Writes a backup of a data folder, whether a server runs on it or not, and reads it back before it counts. */
export async function writeBackup(
  {
    databaseFile,
    blobs,
    file,
    createdAt,
  }: { databaseFile: string; blobs: FolderBlobs | undefined; file: string; createdAt: string },
  progress: Progress,
): Promise<BackupSummary> {
  if (!existsSync(databaseFile)) throw new BackupError(`There is no database at ${databaseFile}`)
  if (existsSync(file)) throw new BackupError(`${file} exists already`)
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  try {
    progress('Copying the database')
    const source = openFile(databaseFile)
    try {
      source.prepare('vacuum into ?').run(partial)
    } finally {
      source.close()
    }
    const backup = openFile(partial)
    try {
      backup.exec(`
        create table backup_manifest (key text primary key, value text not null);
        create table backup_blobs (hash text not null, part integer not null, bytes blob not null, primary key (hash, part));`)
      const note = backup.prepare('insert into backup_manifest values (?, ?)')
      note.run('format', formatVersion)
      note.run('created_at', createdAt)
      const count = blobs ? await copyBlobsInto(backup, blobs, progress) : 0
      note.run('blobs', String(count))
    } finally {
      backup.close()
    }
    const summary = verifyBackup(partial, progress)
    sync(partial)
    renameSync(partial, file)
    return summary
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(partial + suffix, { force: true })
  }
}

/** Reads a whole backup and fails unless everything in it is intact. */
export function verifyBackup(file: string, progress: Progress): BackupSummary {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}`)
  const backup = openFile(file)
  try {
    progress('Checking the backup')
    const isBackup = backup.prepare("select name from sqlite_master where name = 'backup_manifest'").all().length > 0
    if (!isBackup) throw new BackupError(`${file} is not a backup of Octavo`)
    const entries = backup.prepare('select key, value from backup_manifest').all() as { key: string; value: string }[]
    const manifest = new Map(entries.map(({ key, value }) => [key, value]))
    if (manifest.get('format') !== formatVersion)
      throw new BackupError(`${file} has a format that this version cannot read`)
    const [integrity] = backup.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    if (integrity?.integrity_check !== 'ok') throw new BackupError(`${file} is damaged: ${integrity?.integrity_check}`)
    if (backup.prepare('pragma foreign_key_check').all().length > 0)
      throw new BackupError(`${file} is damaged: it refers to rows that are not there`)
    const blobs = [...blobsIn(backup, file)].length
    if (String(blobs) !== manifest.get('blobs')) throw new BackupError(`${file} is damaged: files are missing`)
    const rows = tablesOf(backup, 'main').reduce((sum, table) => sum + rowsIn(backup, 'main', table), 0)
    return { rows, blobs }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${file} cannot be read: ${(error as Error).message}`)
  } finally {
    backup.close()
  }
}

/**
 * Puts a backup in the place of all that a data folder holds, in one transaction: a server that runs on it sees
 * the old state or the new one, and if anything fails, nothing has changed.
 */
export async function restoreBackup(
  {
    file,
    folder,
    databaseFile,
    blobs,
    replace,
  }: { file: string; folder: string; databaseFile: string; blobs: FolderBlobs; replace: boolean },
  progress: Progress,
): Promise<BackupSummary> {
  const summary = verifyBackup(file, progress)
  const staged = join(folder, `.restore-${process.pid}-${basename(file)}`)
  try {
    progress('Bringing the backup to this version')
    copyFileSync(file, staged)
    await migrateFile(staged)
    await migrateFile(databaseFile)

    const backup = openFile(staged)
    try {
      progress(`Restoring ${summary.blobs} files`)
      for (const bytes of blobsIn(backup, file)) await blobs.put(bytes)
    } finally {
      backup.close()
    }

    const target = openFile(databaseFile)
    try {
      if (!replace && rowsIn(target, 'main', 'users') > 0) {
        throw new BackupError('The data folder is not empty; `--replace` puts the backup in the place of what it holds')
      }
      progress(`Restoring ${summary.rows} rows`)
      replaceAllRows(target, staged)
    } finally {
      target.close()
    }
    return summary
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(staged + suffix, { force: true })
  }
}

function replaceAllRows(target: SqliteFile.Database, staged: string): void {
  target.prepare('attach ? as backup').run(staged)
  target.pragma('busy_timeout = 30000')
  target.exec('begin immediate')
  try {
    target.pragma('defer_foreign_keys = on')
    for (const table of tablesOf(target, 'main')) {
      const columns = (target.prepare(`pragma main.table_info(${table})`).all() as { name: string }[])
        .map(({ name }) => `"${name}"`)
        .join(', ')
      target.exec(`delete from main.${table}`)
      target.exec(`insert into main.${table} (${columns}) select ${columns} from backup.${table}`)
      if (rowsIn(target, 'main', table) !== rowsIn(target, 'backup', table))
        throw new BackupError(`Not all rows of ${table} could be restored`)
    }
    target.exec('commit')
  } catch (error) {
    target.exec('rollback')
    throw error
  }
}

async function copyBlobsInto(backup: SqliteFile.Database, blobs: FolderBlobs, progress: Progress): Promise<number> {
  const insert = backup.prepare('insert into backup_blobs values (?, ?, ?)')
  let count = 0
  for await (const hash of blobs.list()) {
    const bytes = await blobs.get(hash)
    if (!bytes) continue
    backup.exec('begin')
    for (let start = 0, part = 0; start < bytes.length || part === 0; start += partSize, part++) {
      insert.run(hash, part, Buffer.from(bytes.subarray(start, start + partSize)))
    }
    backup.exec('commit')
    if (++count % 1000 === 0) progress(`Copied ${count} files`)
  }
  return count
}

/** The blobs of a backup, one at a time, each checked against its hash. */
function* blobsIn(backup: SqliteFile.Database, file: string): Iterable<Uint8Array> {
  const partsOf = backup.prepare('select bytes from backup_blobs where hash = ? order by part')
  for (const { hash } of backup.prepare('select distinct hash from backup_blobs').all() as { hash: string }[]) {
    const bytes = Buffer.concat((partsOf.all(hash) as { bytes: Buffer }[]).map((part) => Buffer.from(part.bytes)))
    if (hashOf(bytes) !== hash)
      throw new BackupError(`${file} is damaged: a file in it does not have the content it should`)
    yield bytes
  }
}

/** The tables with the product's data; SQLite's own and the backup's are none of them. */
function tablesOf(file: SqliteFile.Database, schema: 'main' | 'backup'): string[] {
  const rows = file.prepare(`select name from ${schema}.sqlite_master where type = 'table' order by name`).all() as {
    name: string
  }[]
  return rows
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('sqlite_') && !name.startsWith('backup_') && !name.startsWith('libsql_'))
}

function rowsIn(file: SqliteFile.Database, schema: 'main' | 'backup', table: string): number {
  const [row] = file.prepare(`select count(*) as count from ${schema}.${table}`).all() as { count: number }[]
  return row?.count ?? 0
}

async function migrateFile(file: string): Promise<void> {
  const database = openSqlite(file)
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}

function openFile(file: string): SqliteFile.Database {
  return new SqliteFile(file)
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
