import { randomUUID } from 'node:crypto'
import { type Stats } from 'node:fs'
import {
  type FileHandle,
  appendFile,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSafePath } from '../fetch/git-content.ts'
import { AppError } from '../kernel/errors.ts'
import { algorithmOf } from '../resources/content/text-bytes.ts'
import { gitIdOfFile } from './folder.ts'
import { toPrintable } from './format.ts'

/** An existing file in a folder. */
export interface ExistingFile {
  mode: number
  /** Whether its bytes have this Git object id. */
  matches(oid: string): Promise<boolean>
}

/** A folder to write files to. Nothing is written outside of it or through symbolic links, and no file is written partially. */
export class TargetFolder {
  readonly #top: string
  /** Whether folders exist, by path. */
  readonly #folders = new Map<string, boolean>()

  private constructor(top: string) {
    this.#top = top
  }

  /** Opens a folder, which need not exist yet. */
  static async open(path: string): Promise<TargetFolder> {
    const stats = await lstatIfExists(path)
    if (stats && !stats.isDirectory() && !stats.isSymbolicLink())
      throw new AppError('invalid', `${toPrintable(path)} is not a folder`)
    return new TargetFolder(stats ? await realpath(path) : path)
  }

  async find(path: string): Promise<ExistingFile | undefined> {
    if (!isSafePath(path)) throw new AppError('invalid', `${toPrintable(path)} is not a valid path`)
    if (!(await this.#hasFolder(dirname(path)))) return undefined
    const file = join(this.#top, path)
    const stats = await lstatIfExists(file)
    if (!stats) return undefined
    if (stats.isSymbolicLink())
      throw new AppError('invalid', `${toPrintable(path)} is a symbolic link and is not overwritten`)
    if (!stats.isFile()) throw new AppError('invalid', `${toPrintable(path)} exists and is not a file`)
    const ids = new Map<string, Promise<string>>()
    return {
      mode: stats.mode,
      async matches(oid) {
        const algorithm = algorithmOf(oid)
        const computedId = ids.get(algorithm) ?? gitIdOfFile(file, stats.size, algorithm)
        ids.set(algorithm, computedId)
        return (await computedId) === oid
      },
    }
  }

  async readText(path: string): Promise<string | undefined> {
    return (await this.readBytes(path))?.toString('utf8')
  }

  async readBytes(path: string): Promise<Buffer | undefined> {
    return (await this.find(path)) && readFile(join(this.#top, path))
  }

  /** Adds text at the end of a file, which need not exist yet. */
  async append(path: string, text: string): Promise<void> {
    await this.find(path)
    await mkdir(dirname(join(this.#top, path)), { recursive: true })
    this.#folders.clear()
    await appendFile(join(this.#top, path), text)
  }

  /** Writes a file to a temporary name, and renames it when it is complete. */
  async write(path: string, writeContent: (file: FileHandle) => Promise<void>): Promise<void> {
    const existing = await this.find(path)
    const target = join(this.#top, path)
    await mkdir(dirname(target), { recursive: true })
    this.#folders.clear()
    const temporaryFile = join(dirname(target), `.octavo-${randomUUID()}`)
    try {
      const handle = await open(temporaryFile, 'wx', existing ? existing.mode & 0o777 : 0o666)
      try {
        await writeContent(handle)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporaryFile, target)
    } catch (error) {
      await rm(temporaryFile, { force: true })
      throw error
    }
  }

  /** Removes a file, and the folders that become empty. */
  async remove(path: string): Promise<void> {
    if (!(await this.find(path))) return
    await rm(join(this.#top, path))
    this.#folders.clear()
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const isRemoved = await rmdir(join(this.#top, folder)).then(
        () => true,
        () => false,
      )
      if (!isRemoved) return
    }
  }

  async #hasFolder(path: string): Promise<boolean> {
    const cached = this.#folders.get(path)
    if (cached !== undefined) return cached
    const exists = (path === '.' || (await this.#hasFolder(dirname(path)))) && (await this.#isFolder(path))
    this.#folders.set(path, exists)
    return exists
  }

  async #isFolder(path: string): Promise<boolean> {
    const stats = await lstatIfExists(join(this.#top, path))
    if (!stats) return false
    if (stats.isSymbolicLink())
      throw new AppError('invalid', `${toPrintable(path)} is a symbolic link and is not overwritten`)
    if (!stats.isDirectory()) throw new AppError('invalid', `${toPrintable(path)} exists and is not a folder`)
    return true
  }
}

async function lstatIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
