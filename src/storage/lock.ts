import SqliteFile from 'libsql'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class FolderInUse extends Error {
  constructor(folder: string, owner: string) {
    super(
      `The data folder ${folder} is in use by another Octavo server${owner}. ` +
        'Stop that one first, or give this one a folder of its own with OCTAVO_DATA.',
    )
    this.name = 'FolderInUse'
  }
}

export interface FolderLock {
  release(): void
}

/**
 * Makes this process the only server on a data folder. The lock is the operating system's, held through an open
 * transaction on an empty database file, so it ends with the process however that ends.
 */
export function lockFolder(folder: string): FolderLock {
  const ownerFile = join(folder, 'server.pid')
  const file = new SqliteFile(join(folder, 'server.lock'))
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch {
    file.close()
    throw new FolderInUse(folder, describeOwner(ownerFile))
  }
  writeFileSync(ownerFile, `${process.pid}\n`)
  return {
    release() {
      file.exec('ROLLBACK')
      file.close()
    },
  }
}

/** Whether a server runs on the folder now. */
export function folderIsInUse(folder: string): boolean {
  try {
    lockFolder(folder).release()
    return false
  } catch (error) {
    if (error instanceof FolderInUse) return true
    throw error
  }
}

function describeOwner(ownerFile: string): string {
  try {
    return ` (process ${readFileSync(ownerFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}
