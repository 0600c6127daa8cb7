import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns when what was written to a file is on the disk. */
export function syncFile(file: string): void {
  sync(file, 'r+')
}

/** A new name in a folder (a rename, a new file) is on the disk once the folder is. */
export function syncFolder(folder: string): void {
  sync(folder, 'r')
}

function sync(path: string, flags: string): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
