import type { SourceAsset, SourceFile, SourceFolder, SourceText } from '../../content/repository/source.ts'
import type { GitBlob, GitFile, GitRemote, GitRepository } from '../../fetch/git.ts'
import { leftOut, maxTextSize, takeAsset, textOf } from '../content/folder.ts'
import { type StoringServices, announceTogether, maxFileSize } from '../files/gather.ts'

interface Commit {
  repository: GitRepository
  remote: GitRemote
  /** What lies in the folder of the content. */
  files: readonly GitFile[]
  signal: AbortSignal
}

const otherKinds = {
  symlink: 'is a symbolic link, which is not followed',
  submodule: 'is another repository, which is not looked into',
}

/** Files are stored several at a time, as each waits for the disk; so many at most, and so many bytes unless it is one. */
const together = { files: 64, bytes: 8 * 1024 ** 2 }

/** The files of a commit; their contents are brought when they are asked for. */
export function commitFolder(services: StoringServices, { repository, remote, files, signal }: Commit): SourceFolder {
  async function* read(wanted: readonly SourceFile[], maxBlobBytes: number): AsyncGenerator<[string, GitBlob]> {
    const oids = wanted.map(({ oid }) => oid)
    let at = 0
    for await (const blob of repository.read(remote, oids, { signal, maxBlobBytes })) {
      yield [(wanted[at++] as SourceFile).path, blob]
    }
  }
  return {
    files: files.flatMap(({ kind, path, oid }) => (kind === 'file' ? [{ path, oid }] : [])),
    problems: files.flatMap(({ kind, path }) => (kind === 'file' ? [] : [{ file: path, message: otherKinds[kind] }])),
    async *texts(wanted): AsyncGenerator<SourceText> {
      for await (const [path, blob] of read(wanted, maxTextSize)) {
        yield 'bytes' in blob ? { path, ...textOf(blob.bytes) } : { path, text: '', problem: leftOut(maxTextSize) }
      }
    },
    async *assets(wanted): AsyncGenerator<SourceAsset> {
      const sharing = { ...services, announce: announceTogether(services) }
      const take = async ([path, blob]: [string, GitBlob]): Promise<SourceAsset> =>
        'bytes' in blob ? takeAsset(sharing, path, blob.bytes) : { path, problem: leftOut(maxFileSize) }
      let [some, size]: [[string, GitBlob][], number] = [[], 0]
      for await (const asset of read(wanted, maxFileSize)) {
        const more = sizeOf(asset[1])
        if (some.length === together.files || size + more > together.bytes) {
          yield* await Promise.all(some.map(take))
          ;[some, size] = [[], 0]
        }
        some.push(asset)
        size += more
      }
      yield* await Promise.all(some.map(take))
    },
  }
}

const sizeOf = (blob: GitBlob): number => ('bytes' in blob ? blob.bytes.length : 0)
