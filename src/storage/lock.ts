import SqliteFile from 'libsql'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isSqliteBusy } from './sqlite.ts'

export class FolderInUse extends Error {
  constructor(folder: string, owner: string) {
    super(
      `The data folder ${folder} is in use by another Octavo server${owner}. ` +
        'Stop that server first, or set OCTAVO_DATA to another folder.',
    )
    this.name = 'FolderInUse'
  }
}

export interface FolderLock {
  release(): void
}

/** Maximum time in milliseconds to wait for a process that only checks whether the folder is in use. */
const lockTimeout = 250

/**
 * Makes this process the only server on a data folder. The lock is an open transaction on an empty database file, so
 * the operating system releases it when the process ends for any reason.
 */
export function lockFolder(folder: string): FolderLock {
  const ownerFile = join(folder, 'server.pid')
  const file = new SqliteFile(lockFileOf(folder), { timeout: lockTimeout })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    throw isSqliteBusy(error) ? new FolderInUse(folder, describeOwner(ownerFile)) : error
  }
  writeFileSync(ownerFile, `${process.pid}\n`)
  return {
    release() {
      file.exec('ROLLBACK')
      file.close()
    },
  }
}

export interface ExclusiveFolder extends FolderLock {
  /** Returns the path of the folder; the first call locks it for this process. */
  path: () => string
}

/** Returns a folder below `base` that no other process uses, for data of this process only. */
export function createExclusiveFolder(base: string): ExclusiveFolder {
  let locked: ({ folder: string } & FolderLock) | undefined
  const lockFirstFree = () => {
    for (let number = 1; ; number++) {
      const folder = join(base, String(number))
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      try {
        return { folder, ...lockFolder(folder) }
      } catch (error) {
        if (!(error instanceof FolderInUse)) throw error
      }
    }
  }
  return {
    path: () => (locked ??= lockFirstFree()).folder,
    release: () => locked?.release(),
  }
}

/**
 * Returns an ID that is stored in this folder: a process that locks the folder later gets the same ID. The ID includes
 * the hostname, so that a copy of the folder on another machine has another ID.
 */
export function getFolderId(folder: string): string {
  const file = join(folder, 'identity')
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, randomUUID())
    renameSync(`${file}.new`, file)
  }
  return createHash('sha256')
    .update(`${hostname()} ${readFileSync(file, 'utf8')}`)
    .digest('hex')
    .slice(0, 20)
}

/** Whether a server is using the folder. */
export function isFolderInUse(folder: string): boolean {
  if (!existsSync(lockFileOf(folder))) return false
  const file = new SqliteFile(lockFileOf(folder))
  try {
    file.exec('select * from sqlite_master')
    return false
  } catch (error) {
    if (isSqliteBusy(error)) return true
    throw error
  } finally {
    file.close()
  }
}

function lockFileOf(folder: string): string {
  return join(folder, 'server.lock')
}

function describeOwner(ownerFile: string): string {
  try {
    return ` (process ${readFileSync(ownerFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}
