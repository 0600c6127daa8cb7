import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../server/config.ts'
import type { SourceFolder } from '../content/repository/source.ts'
import type { GitCommit } from '../contract/revision.ts'
import { createGit, parseRemote } from '../fetch/git.ts'
import { ArchiveError, readArchive, stripTopFolder } from '../files/archive.ts'
import { AppError } from '../kernel/errors.ts'
import { storeAsset } from '../resources/content/folder.ts'
import { type FileStorageServices, maxFileSize } from '../domain/files/store-file.ts'
import { openCommitFolder } from '../resources/git/commit-folder.ts'
import { toGitCommit } from '../domain/git/repository-urls.ts'
import { openLocalFolder } from './folder.ts'
import type { Progress } from './progress.ts'
import { toPrintable } from './format.ts'

/** Files to import. */
export interface OpenedSource {
  folder: SourceFolder
  git?: GitCommit
  /** Path of the folder within the repository that the paths of the files are relative to. */
  directory?: string
}

export interface SourceRequest {
  /** A folder, a ZIP file, or the URL of a repository. */
  address: string
  /** Branch of a repository. */
  ref: string | undefined
  /** Path of the folder that contains the content. */
  directory: string
}

interface SourceContext {
  services: FileStorageServices
  config: Config
  progress: Progress
  signal: AbortSignal
}

const archiveLimits = { maxFiles: 100_000, maxBytes: 8 * 1024 ** 3, maxFileBytes: maxFileSize }

/** Opens a source while the work runs, and removes its temporary files afterwards. */
export async function withSource<T>(
  request: SourceRequest,
  context: SourceContext,
  work: (source: OpenedSource) => Promise<T>,
): Promise<T> {
  const { address, ref } = request
  if (isRepository(address)) return withTemporaryFolder((at) => openRepositorySource(at, request, context).then(work))
  if (/^[a-z][a-z+.-]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(address))
    throw new AppError('invalid', 'The URL of a repository must begin with https:// or http://')
  if (ref !== undefined) throw new AppError('invalid', '--ref can be used only with a repository')
  const path = resolve(address)
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new AppError('notFound', `The folder or file ${toPrintable(path)} does not exist`)
  if (stats.isDirectory()) return work(await openFolderSource(path, request, context))
  return withTemporaryFolder(async (at) => {
    context.progress.step('Unpacking')
    const top = await unpack(path, at, context.signal)
    return work(await openFolderSource(top, request, context))
  })
}

/** Returns the printable name of a source; a URL without its credentials. */
export function formatSourceName({ address }: Pick<SourceRequest, 'address'>): string {
  return isRepository(address) ? parseRemote(address).url : toPrintable(address)
}

const isRepository = (address: string) => /^https?:\/\//i.test(address)

async function openFolderSource(
  top: string,
  { address, directory }: SourceRequest,
  { services, progress }: SourceContext,
): Promise<OpenedSource> {
  const path = join(top, directory)
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw folderNotFound(directory, toPrintable(address))
  progress.step('Scanning files')
  return { folder: await openLocalFolder(path, (file, bytes) => storeAsset(services, file, bytes)) }
}

function folderNotFound(directory: string, where: string): AppError {
  return new AppError('notFound', `The folder ${toPrintable(directory)} does not exist in ${where}`)
}

async function openRepositorySource(
  cache: string,
  { address, ref: branch = 'main', directory }: SourceRequest,
  { services, config, progress, signal }: SourceContext,
): Promise<OpenedSource> {
  const remote = parseRemote(address)
  const ref = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`
  const git = createGit({
    folder: () => cache,
    environment: config.gitEnvironment,
    guard: { allowPrivateNetwork: config.allowPrivateNetwork },
    limits: { maxBytes: config.gitMaxBytes, timeout: config.gitTimeout },
  })
  progress.step(`Fetching ${remote.url}`)
  const repository = await git.open('import')
  const oid = await repository.fetch(remote, ref, { signal })
  if (oid === undefined) throw new AppError('notFound', 'The repository is empty')
  const files = await repository.listFiles(oid, directory)
  if (files.length === 0 && directory !== '') throw folderNotFound(directory, `the branch ${toPrintable(branch)}`)
  const { message } = await repository.getCommit(oid)
  const origin = { url: remote.url, ref, directory, provider: null, tree_url: null, commit_url: null }
  return {
    folder: openCommitFolder(services, { repository, remote, files, signal }),
    directory,
    git: toGitCommit(origin, oid, message),
  }
}

/** Unpacks an archive into a folder; returns the path of its top folder. */
async function unpack(archive: string, targetFolder: string, signal: AbortSignal): Promise<string> {
  const paths: string[] = []
  try {
    for await (const { path, bytes } of readArchive(archive, archiveLimits)) {
      signal.throwIfAborted()
      await mkdir(dirname(join(targetFolder, path)), { recursive: true })
      await writeFile(join(targetFolder, path), bytes)
      paths.push(path)
    }
  } catch (error) {
    throw error instanceof ArchiveError ? new AppError('invalid', error.message) : error
  }
  const [first = ''] = paths
  const [below = ''] = stripTopFolder(paths)
  return join(targetFolder, first.slice(0, first.length - below.length))
}

async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
