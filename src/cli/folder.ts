import { createReadStream, type Dirent, type Stats } from 'node:fs'
import { readFile, readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type {
  RepositoryProblem,
  SourceAsset,
  SourceFile,
  SourceFolder,
  SourceText,
} from '../content/repository/source.ts'
import { AppError } from '../kernel/errors.ts'
import {
  hashGitBlob,
  hashGitBlobChunks,
  tooLargeMessage,
  maxTextSize,
  decodeTextFile,
} from '../resources/content/folder.ts'
import { maxFileSize } from '../domain/files/store-file.ts'

/** Folders that never contain content, but often many other files. */
const ignoredFolders = new Set(['.git', 'node_modules'])

interface FoundFile {
  path: string
  size: number
}

/** Stores the bytes of a file that is not a text. */
export type StoreAsset = (path: string, bytes: Uint8Array) => Promise<SourceAsset>

/** Opens a local folder. Files that cannot be read are reported as problems and left out. */
export async function openLocalFolder(top: string, storeAsset: StoreAsset): Promise<SourceFolder> {
  const { found, problems } = await findFiles(top)
  const files: SourceFile[] = []
  const sizes = new Map<string, number>()
  for (const { path, size } of found) {
    try {
      files.push({ path, oid: await gitIdOfFile(join(top, path), size) })
      sizes.set(path, size)
    } catch (error) {
      problems.push({ file: path, message: describeReadError(error) })
    }
  }
  const read = async ({ path, oid }: SourceFile): Promise<Uint8Array> => {
    const bytes = await readFile(join(top, path))
    if (hashGitBlob(bytes) !== oid) throw new AppError('conflict', `${path} changed while it was read. Try again`)
    return bytes
  }
  const isLargerThan = (limit: number, { path }: SourceFile) => (sizes.get(path) ?? 0) > limit
  return {
    files,
    problems,
    async *texts(wanted): AsyncGenerator<SourceText> {
      for (const file of wanted) {
        const { path } = file
        if (isLargerThan(maxTextSize, file)) yield { path, text: '', problem: tooLargeMessage(maxTextSize) }
        else yield { path, ...decodeTextFile(await read(file)) }
      }
    },
    async *assets(wanted): AsyncGenerator<SourceAsset> {
      for (const file of wanted) {
        if (isLargerThan(maxFileSize, file)) yield { path: file.path, problem: tooLargeMessage(maxFileSize) }
        else yield await storeAsset(file.path, await read(file))
      }
    },
  }
}

async function findFiles(top: string): Promise<{ found: FoundFile[]; problems: RepositoryProblem[] }> {
  const found: FoundFile[] = []
  const problems: RepositoryProblem[] = []
  const real = await realpath(top)
  const pendingFolders = ['']
  for (let folder = pendingFolders.pop(); folder !== undefined; folder = pendingFolders.pop()) {
    let entries: Dirent[] = []
    try {
      entries = await readdir(join(top, folder), { withFileTypes: true })
    } catch (error) {
      // The user named the top folder, so its error is thrown rather than reported as a problem.
      if (folder === '') throw error
      problems.push({ file: folder, message: describeReadError(error) })
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!ignoredFolders.has(entry.name)) pendingFolders.push(path)
        continue
      }
      const file = await inspectFile(real, join(top, path), entry)
      if (typeof file === 'string') problems.push({ file: path, message: file })
      else found.push({ path, size: file.size })
    }
  }
  return { found: found.sort((a, b) => (a.path < b.path ? -1 : 1)), problems }
}

/** Returns the stats of a file, or the reason for skipping it. */
async function inspectFile(top: string, file: string, entry: Dirent): Promise<Stats | string> {
  try {
    if (entry.isSymbolicLink()) {
      const path = relative(top, await realpath(file))
      if (path.split(sep)[0] === '..') return 'is a symbolic link to a path outside the folder and was skipped'
    }
    const stats = await stat(file)
    if (stats.isDirectory()) return 'is a symbolic link to a folder and was skipped'
    return stats.isFile() ? stats : 'is not a regular file and was skipped'
  } catch (error) {
    return describeReadError(error)
  }
}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `could not be read${code} and was skipped`
}

/** Maximum size of a file that is read as a whole; larger files are read in chunks. */
const maxWholeReadSize = 1024 ** 2

/** Returns the Git object id of a file. */
export async function gitIdOfFile(file: string, size: number, algorithm: 'sha1' | 'sha256' = 'sha1'): Promise<string> {
  if (size <= maxWholeReadSize) return hashGitBlob(await readFile(file), algorithm)
  return hashGitBlobChunks(createReadStream(file), size, algorithm)
}
