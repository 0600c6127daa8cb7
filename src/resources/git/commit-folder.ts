import type { SourceAsset, SourceFile, SourceFolder, SourceText } from '../../content/repository/source.ts'
import { type GitBlob, GitError, type GitFile, type GitRemote, type GitRepository } from '../../fetch/git.ts'
import { type FileBytes, tooLargeMessage, maxTextSize, storeAssets, decodeTextFile } from '../content/folder.ts'
import { type FileStorageServices, maxFileSize } from '../../domain/files/store-file.ts'

interface CommitFiles {
  repository: GitRepository
  remote: GitRemote
  /** Files in the directory of the content. */
  files: readonly GitFile[]
  signal: AbortSignal
}

const unsupportedKinds = {
  symlink: 'is a symbolic link; symbolic links are not supported',
  submodule: 'is a submodule; submodules are not supported',
}

/** Maximum number of files and bytes that are stored in one transaction; a larger file is stored alone. */
const batchLimits = { files: 256, bytes: 8 * 1024 ** 2 }

/** Returns the files of a commit as a source folder; their contents are fetched on demand. */
export function openCommitFolder(
  services: FileStorageServices,
  { repository, remote, files, signal }: CommitFiles,
): SourceFolder {
  async function* read(wanted: readonly SourceFile[], maxBlobBytes: number): AsyncGenerator<[string, GitBlob]> {
    const oids = wanted.map(({ oid }) => oid)
    let index = 0
    for await (const blob of repository.readBlobs(remote, oids, { signal, maxBlobBytes })) {
      yield [(wanted[index++] as SourceFile).path, blob]
    }
  }
  return {
    files: files.flatMap(({ kind, path, oid }) => (kind === 'file' ? [{ path, oid }] : [])),
    problems: files.flatMap(({ kind, path }) =>
      kind === 'file' ? [] : [{ file: path, message: unsupportedKinds[kind] }],
    ),
    async prefetch(wanted) {
      const oids = wanted.map(({ oid }) => oid)
      try {
        await repository.prefetch(remote, oids, { signal })
      } catch (error) {
        // A request that is too large can succeed when it is split into several.
        if (!(error instanceof GitError) || error.failure !== 'tooLarge') throw error
      }
    },
    async *texts(wanted): AsyncGenerator<SourceText> {
      for await (const [path, blob] of read(wanted, maxTextSize)) {
        yield 'bytes' in blob
          ? { path, ...decodeTextFile(blob.bytes) }
          : { path, text: '', problem: tooLargeMessage(maxTextSize) }
      }
    },
    async *assets(wanted): AsyncGenerator<SourceAsset> {
      let [batch, size]: [FileBytes[], number] = [[], 0]
      for await (const [path, blob] of read(wanted, maxFileSize)) {
        const length = 'bytes' in blob ? blob.bytes.length : Infinity
        if (batch.length === batchLimits.files || size + length > batchLimits.bytes) {
          yield* await storeAssets(services, batch)
          ;[batch, size] = [[], 0]
        }
        if ('bytes' in blob) batch.push({ path, bytes: blob.bytes })
        else yield { path, problem: tooLargeMessage(maxFileSize) }
        size += 'bytes' in blob ? length : 0
      }
      yield* await storeAssets(services, batch)
    },
  }
}
