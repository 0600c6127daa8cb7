import SqliteFile from 'libsql'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isBusy } from './sqlite.ts'

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

/** How long to wait for somebody who only looks whether the folder is in use. */
const glance = 250

/**
 * Makes this process the only server on a data folder. The lock is the operating system's, held through an open
 * transaction on an empty database file, so it ends with the process however that ends.
 */
export function lockFolder(folder: string): FolderLock {
  const ownerFile = join(folder, 'server.pid')
  const file = new SqliteFile(lockFile(folder), { timeout: glance })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    throw isBusy(error) ? new FolderInUse(folder, describeOwner(ownerFile)) : error
  }
  writeFileSync(ownerFile, `${process.pid}\n`)
  return {
    release() {
      file.exec('ROLLBACK')
      file.close()
    },
  }
}

export interface OwnFolder extends FolderLock {
  /** Its path; from the first time on that it is asked for, no other process gets the same. */
  path: () => string
}

/** A folder below this one that no other process uses, for what each keeps for itself. */
export function ownFolderIn(base: string): OwnFolder {
  let taken: ({ folder: string } & FolderLock) | undefined
  const take = () => {
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
    path: () => (taken ??= take()).folder,
    release: () => taken?.release(),
  }
}

/**
 * Returns the id of the process that holds this folder. A process that takes the folder later gets the same id. The name
 * of the host is part of it, so that a copy of the folder on another machine has another id.
 */
export function identityIn(folder: string): string {
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

/** Whether a server runs on the folder now. */
export function folderIsInUse(folder: string): boolean {
  if (!existsSync(lockFile(folder))) return false
  const file = new SqliteFile(lockFile(folder))
  try {
    file.exec('select * from sqlite_master')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    file.close()
  }
}

function lockFile(folder: string): string {
  return join(folder, 'server.lock')
}

function describeOwner(ownerFile: string): string {
  try {
    return ` (process ${readFileSync(ownerFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}
