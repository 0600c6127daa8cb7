import SqliteFile from 'libsql'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  BackupError,
  type BackupSummary,
  type ReportProgress,
  readBackupBlobs,
  countTableRows,
  trailerLength,
  findDataTables,
  verifyBackup,
} from './backup.ts'
import { seconds } from '../kernel/time.ts'
import type { Blobs } from './blobs.ts'
import { lockFolder } from './lock.ts'
import { migrate } from './migrate.ts'
import { isSqliteCorrupt, openSqlite } from './sqlite.ts'
import { syncFile, syncFolder } from './sync.ts'

/** Maximum time to wait for a server that is writing. */
const writeTimeout = seconds(30)

const stagePrefix = '.restore-'

const derivedTables = [
  'search_sections',
  'search_reuses',
  'search_states',
  'highlighted_code',
  'highlight_states',
  'links',
  'link_targets',
  'link_counts',
  'link_states',
  'pdf_files',
  'linked_specs',
  'embeds',
]

export interface RestoreOptions {
  file: string
  folder: string
  databaseFile: string
  blobs: Blobs
  /** Whether to replace the existing content of the folder with the backup. */
  replace: boolean
  restoredAt: string
}

/**
 * Replaces the content of a data folder with a backup, in one transaction: a running server sees the old state or the
 * new one, and if anything fails, nothing has changed.
 */
export async function restoreBackup(options: RestoreOptions, progress: ReportProgress): Promise<BackupSummary> {
  const { file, folder, databaseFile, blobs, replace, restoredAt } = options
  const summary = await verifyBackup(file, progress)
  if (!replace && hasData(databaseFile)) throw notEmptyError()
  mkdirSync(folder, { recursive: true })
  removeAbandonedStages(folder)
  postponeSweep(databaseFile, restoredAt)
  const stage = join(folder, `${stagePrefix}${process.pid}`)
  const stagedFile = join(stage, 'backup.db')
  try {
    progress('Migrating the backup to this version')
    mkdirSync(stage)
    copyFileSync(file, stagedFile)
    truncateSync(stagedFile, statSync(stagedFile).size - trailerLength)
    await migrateFile(stagedFile)

    progress(`Restoring ${summary.blobs} files`)
    await restoreBlobs(stagedFile, blobs)

    progress(`Restoring ${summary.rows} rows`)
    try {
      await migrateFile(databaseFile)
      replaceAllRows(databaseFile, stagedFile, options)
    } catch (error) {
      if (!replace || !isSqliteCorrupt(error)) throw error
      replaceDatabaseFile(folder, databaseFile, stagedFile, progress)
    }
    return summary
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function notEmptyError(): BackupError {
  return new BackupError('The data folder is not empty. Use `--replace` to replace its content with the backup')
}

/** Whether the database contains data that would be lost; one that cannot be read counts as such. */
function hasData(databaseFile: string): boolean {
  if (!existsSync(databaseFile)) return false
  const database = new SqliteFile(databaseFile, { timeout: writeTimeout })
  try {
    return findDataTables(database).includes('users') && countTableRows(database, 'main', 'users') > 0
  } catch {
    return true
  } finally {
    database.close()
  }
}

/** Postpones the deletion of unused blobs: a running server must not delete blobs that only the backup refers to. */
function postponeSweep(databaseFile: string, now: string): void {
  if (!existsSync(databaseFile)) return
  const database = new SqliteFile(databaseFile, { timeout: writeTimeout })
  try {
    if (findDataTables(database).includes('unused_blobs'))
      database.prepare('update unused_blobs set since = ?').run(now)
  } catch (error) {
    if (!isSqliteCorrupt(error)) throw error
  } finally {
    database.close()
  }
}

async function restoreBlobs(stagedFile: string, blobs: Blobs): Promise<void> {
  const backup = new SqliteFile(stagedFile)
  try {
    for (const { parts } of readBackupBlobs(backup)) await blobs.putStream(toAsyncIterable(parts), Infinity)
  } finally {
    backup.close()
  }
}

async function* toAsyncIterable<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

function replaceAllRows(databaseFile: string, stagedFile: string, { replace, restoredAt }: RestoreOptions): void {
  const target = new SqliteFile(databaseFile, { timeout: writeTimeout })
  try {
    target.prepare('attach ? as backup').run(stagedFile)
    // With foreign keys enabled, clearing a table would also delete restored rows that refer to it; the check below
    // covers all rows.
    target.pragma('foreign_keys = off')
    target.exec('begin immediate')
    if (!replace && countTableRows(target, 'main', 'users') > 0) throw notEmptyError()
    target.exec(`create temp table stored_blobs as
      select blob as hash from main.objects where blob is not null
      union select blob from main.uploads where blob is not null
      union select key from main.pdf_files
      union select blob from main.pdf_files where blob is not null
      union select source_blob from main.openapi_specs where source_blob is not null
      union select source_blob from main.openapi_versions
      union select document_blob from main.openapi_versions
      union select document_blob from main.linked_specs where document_blob is not null
      union select hash from main.unused_blobs
      union select hash from backup.backup_blobs`)
    // Derived data is computed again, because the full-text index refers to IDs of its rows.
    for (const table of derivedTables) target.exec(`delete from main.${table}`)
    const tables = findDataTables(target).filter((table) => !derivedTables.includes(table))
    for (const table of tables) {
      const columns = (target.prepare(`pragma main.table_info(${table})`).all() as { name: string }[])
        .map(({ name }) => `"${name}"`)
        .join(', ')
      target.exec(`delete from main.${table}`)
      target.exec(`insert into main.${table} (${columns}) select ${columns} from backup.${table}`)
    }
    for (const table of tables) {
      if (countTableRows(target, 'main', table) !== countTableRows(target, 'backup', table))
        throw new BackupError(`Not all rows of ${table} could be restored`)
    }
    if (target.prepare('pragma main.foreign_key_check').all().length > 0)
      throw new BackupError('The restored data references missing rows')
    // The jobs that fill the derived tables again are due at once.
    target.exec(`delete from main.schedules where name like '%.upkeep'`)
    // The server later deletes files that only the replaced data used, or that were stored after the rows of the backup.
    target
      .prepare(
        `insert into main.unused_blobs (hash, since, is_deleting) select hash, ?, 0 from stored_blobs where true
          on conflict (hash) do update set since = excluded.since, is_deleting = 0`,
      )
      .run(restoredAt)
    target.exec('commit')
  } finally {
    if (target.inTransaction) target.exec('rollback')
    target.close()
  }
}

/** Replaces a database that is too damaged to be written: it is renamed, and the backup gets its name. */
function replaceDatabaseFile(folder: string, databaseFile: string, stagedFile: string, progress: ReportProgress): void {
  const lock = lockFolder(folder)
  try {
    const compactedFile = `${stagedFile}.whole`
    const backup = new SqliteFile(stagedFile)
    try {
      backup.exec('drop table backup_manifest; drop table backup_blobs')
      backup.prepare('vacuum into ?').run(compactedFile)
    } finally {
      backup.close()
    }
    syncFile(compactedFile)
    const damagedFile = `${databaseFile}.damaged-${Date.now()}`
    for (const suffix of ['-shm', '-wal', '']) {
      if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, damagedFile + suffix)
    }
    renameSync(compactedFile, databaseFile)
    syncFolder(folder)
    progress(`The damaged database is kept as ${basename(damagedFile)}`)
  } finally {
    lock.release()
  }
}

/** Removes the copies of backups that were left over by killed restorations. */
function removeAbandonedStages(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(stagePrefix))) {
    const pid = Number(name.slice(stagePrefix.length))
    // In a container, successive processes have the same PID.
    if (pid === process.pid || !isProcessRunning(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function migrateFile(file: string): Promise<void> {
  const database = openSqlite(file)
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
