import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Folder in memory that Linux provides. */
const sharedMemory = '/dev/shm'

const prefix = `octavo-tests-${process.pid}-`

/** Minimum free memory for the files of all tests in bytes; they use a tenth of it. */
const neededMemory = 6 * 2 ** 30

/**
 * Lets all tests create their files in memory if there is enough, because waiting for the disk at each commit takes a quarter of the
 * time of tests on SQLite. Processes inherit `TMPDIR`.
 */
export function useTemporaryFolderInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return
  removeAbandoned()
  const folder = mkdtempSync(join(sharedMemory, prefix))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function isUsable(): boolean {
  try {
    accessSync(sharedMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(sharedMemory)
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1]?.split(',')
    // Tests start hooks of Git from their folders.
    const canStartPrograms = options !== undefined && !options.includes('noexec')
    return canStartPrograms && Math.min(bavail * bsize, freemem()) >= neededMemory
  } catch {
    return false
  }
}

/** Removes the folders of test runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(sharedMemory)) {
    const pid = /^octavo-tests-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(sharedMemory, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
