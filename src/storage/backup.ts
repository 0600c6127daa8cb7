import SqliteFile from 'libsql'
import { createHash } from 'node:crypto'
import { appendFileSync, createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { seconds } from '../kernel/time.ts'
import type { FolderBlobs } from './blobs.ts'
import { syncFile, syncFolder } from './sync.ts'

// A backup is one SQLite file: a snapshot of the database with two additional tables that contain the rest of the data
// folder. It is therefore always consistent, and any SQLite tool can open it. The checksum of the file is appended
// after the last page, which SQLite ignores.

/** Approximate size in bytes of the parts into which blobs are split, so that no blob has to fit into a row or into memory. */
const partSize = 1024 * 1024

const formatVersion = '1'

/** Maximum time to wait for other processes that are opening or closing the database. */
const openTimeout = seconds(5)

const formatTrailer = (hash: string) => `octavo backup sha256 ${hash}\n`
export const trailerLength = formatTrailer('0'.repeat(64)).length

export class BackupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupError'
  }
}

export type ReportProgress = (step: string) => void

export interface BackupSummary {
  rows: number
  blobs: number
}

/**
 * Writes a backup of a data folder, whether or not a server is using it, and verifies it before renaming it to its final name.
 */
export async function writeBackup(
  {
    databaseFile,
    blobs,
    file,
    createdAt,
  }: { databaseFile: string; blobs: FolderBlobs | undefined; file: string; createdAt: string },
  progress: ReportProgress,
): Promise<BackupSummary> {
  if (!existsSync(databaseFile)) throw new BackupError(`No database was found at ${databaseFile}`)
  if (existsSync(file)) throw new BackupError(`${file} already exists`)
  if (!existsSync(dirname(file))) throw new BackupError(`The folder ${dirname(file)} does not exist`)
  const partialFile = `${file}.partial`
  rmSync(partialFile, { force: true })
  try {
    progress('Copying the database')
    copyDatabase(databaseFile, partialFile)
    const backup = new SqliteFile(partialFile)
    try {
      backup.exec(`
        create table backup_manifest (key text primary key, value text not null);
        create table backup_blobs (hash text not null, part integer not null, bytes blob not null, primary key (hash, part));`)
      const insertEntry = backup.prepare('insert into backup_manifest values (?, ?)')
      insertEntry.run('format', formatVersion)
      insertEntry.run('created_at', createdAt)
      // Blobs are copied after the database, because a blob is stored before the rows that refer to it.
      const count = blobs ? await copyBlobs(backup, blobs, progress) : 0
      insertEntry.run('blobs', String(count))
    } finally {
      backup.close()
    }
    appendFileSync(partialFile, formatTrailer(await hashFile(partialFile, Infinity)))
    const summary = await verifyBackup(partialFile, progress)
    syncFile(partialFile)
    renameSync(partialFile, file)
    syncFolder(dirname(file))
    return summary
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(partialFile + suffix, { force: true })
  }
}

/** Reads a whole backup and fails if any part of it is damaged or missing. */
export async function verifyBackup(file: string, progress: ReportProgress): Promise<BackupSummary> {
  if (!existsSync(file)) throw new BackupError(`The file ${file} does not exist`)
  progress('Checking the backup')
  await verifyTrailer(file)
  const backup = new SqliteFile(file)
  try {
    backup.pragma('query_only = on')
    const entries = backup.prepare('select key, value from backup_manifest').all() as { key: string; value: string }[]
    const manifest = new Map(entries.map(({ key, value }) => [key, value]))
    if (manifest.get('format') !== formatVersion)
      throw new BackupError(`${file} has a format that this version cannot read. Restore it with a newer version`)
    const [integrity] = backup.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    if (integrity?.integrity_check !== 'ok') throw new BackupError(`${file} is damaged: ${integrity?.integrity_check}`)
    if (backup.prepare('pragma foreign_key_check').all().length > 0)
      throw new BackupError(`${file} is damaged: it references missing rows`)
    let blobs = 0
    for (const { hash, parts } of readBackupBlobs(backup)) {
      const content = createHash('sha256')
      for (const part of parts) content.update(part)
      if (content.digest('hex') !== hash) throw new BackupError(`The content of the file ${hash} is damaged`)
      blobs++
    }
    if (String(blobs) !== manifest.get('blobs')) throw new BackupError(`${file} is damaged: files are missing`)
    const rows = findDataTables(backup).reduce((sum, table) => sum + countTableRows(backup, 'main', table), 0)
    return { rows, blobs }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${file} could not be read: ${(error as Error).message}`)
  } finally {
    backup.close()
  }
}

/** Yields the blobs of a backup one at a time, each in parts, so that none has to fit into memory. */
export function* readBackupBlobs(backup: SqliteFile.Database): Iterable<{ hash: string; parts: Iterable<Uint8Array> }> {
  const selectNextHash = backup.prepare('select hash from backup_blobs where hash > ? order by hash limit 1')
  const selectPart = backup.prepare('select bytes from backup_blobs where hash = ? and part = ?')
  function* readParts(hash: string): Iterable<Uint8Array> {
    for (let part = 0; ; part++) {
      const found = selectPart.get(hash, part) as { bytes: ArrayBuffer } | undefined
      if (!found) return
      yield Buffer.from(found.bytes)
    }
  }
  for (let last = ''; ;) {
    const found = selectNextHash.get(last) as { hash: string } | undefined
    if (!found) return
    last = found.hash
    yield { hash: last, parts: readParts(last) }
  }
}

/** Returns the tables with data of Octavo, without those of SQLite, of full-text indexes and of the backup itself. */
export function findDataTables(file: SqliteFile.Database): string[] {
  const query = "select name from pragma_table_list where schema = 'main' and type = 'table' order by name"
  const rows = file.prepare(query).all() as { name: string }[]
  return rows
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('sqlite_') && !name.startsWith('backup_') && !name.startsWith('libsql_'))
}

export function countTableRows(file: SqliteFile.Database, schema: 'main' | 'backup', table: string): number {
  const [row] = file.prepare(`select count(*) as count from ${schema}.${table}`).all() as { count: number }[]
  return row?.count ?? 0
}

/** Copies the current state of the database in one transaction while other processes read and write. */
function copyDatabase(databaseFile: string, target: string): void {
  const source = new SqliteFile(databaseFile, { timeout: openTimeout })
  try {
    source.prepare('vacuum into ?').run(target)
  } catch (error) {
    throw new BackupError(`${databaseFile} could not be copied to ${target}: ${(error as Error).message}`)
  } finally {
    source.close()
  }
}

async function copyBlobs(backup: SqliteFile.Database, blobs: FolderBlobs, progress: ReportProgress): Promise<number> {
  const insert = backup.prepare('insert into backup_blobs values (?, ?, ?)')
  let count = 0
  for await (const hash of blobs.list()) {
    const blob = await blobs.open(hash)
    if (!blob) continue
    backup.exec('begin')
    let number = 0
    for await (const part of joinIntoParts(blob.stream)) insert.run(hash, number++, part)
    backup.exec('commit')
    if (++count % 1000 === 0) progress(`Copied ${count} files`)
  }
  return count
}

/** Joins chunks to parts of `partSize`; an empty stream becomes one empty part. */
async function* joinIntoParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let buffered: Uint8Array[] = []
  let length = 0
  let isEmpty = true
  for await (const chunk of chunks) {
    buffered.push(chunk)
    length += chunk.length
    if (length < partSize) continue
    yield Buffer.concat(buffered)
    buffered = []
    length = 0
    isEmpty = false
  }
  if (length > 0 || isEmpty) yield Buffer.concat(buffered)
}

async function verifyTrailer(file: string): Promise<void> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const length = size - trailerLength
    const { buffer } = await handle.read(Buffer.alloc(trailerLength), 0, trailerLength, Math.max(0, length))
    const trailer = buffer.toString('latin1')
    const hash = /[0-9a-f]{64}(?=\n$)/.exec(trailer)?.[0] ?? ''
    if (length <= 0 || trailer !== formatTrailer(hash))
      throw new BackupError(`${file} is not a backup of Octavo, or it is incomplete`)
    if ((await hashFile(file, length)) !== hash)
      throw new BackupError(`${file} is damaged: its checksum does not match`)
  } finally {
    await handle.close()
  }
}

/** Returns the SHA-256 hash of the first `length` bytes. */
async function hashFile(file: string, length: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { end: length - 1 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
