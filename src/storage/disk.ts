import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Size of a small write; a disk with less free space is treated as full. */
const probeContent = Buffer.alloc(256 * 1024)

/** Fails if no file can be written in a folder: its disk is full, it is read-only, or its quota is exceeded. */
export async function assertWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `.probe-${randomUUID()}`)
  try {
    await writeFile(file, probeContent, { mode: 0o600 })
  } finally {
    await rm(file, { force: true })
  }
}
