import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs the content of a file to the disk. */
export function syncFile(file: string): void {
  sync(file, 'r+')
}

/** Syncs a folder to the disk, which makes new names in it (a rename, a new file) durable. */
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
