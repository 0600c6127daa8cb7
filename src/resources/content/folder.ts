import { createHash } from 'node:crypto'
import { hasTooMuchMarkup } from '../../content/markdown/markup-limits.ts'
import { baseName } from '../../content/repository/paths.ts'
import type {
  RepositoryProblem,
  SourceAsset,
  SourceFile,
  SourceFolder,
  SourceText,
} from '../../content/repository/source.ts'
import { type StoredFile, type FileStorageServices, maxFileSize, storeFiles } from '../../domain/files/store-file.ts'

/** Returns the Git object id of bytes. */
export function hashGitBlob(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Returns the Git object id of bytes that are read in chunks. */
export async function hashGitBlobChunks(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  algorithm: 'sha1' | 'sha256',
): Promise<string> {
  const hash = createHash(algorithm).update(`blob ${size}\0`)
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Maximum size of a text file in bytes; larger files are not documentation. */
export const maxTextSize = 8 * 1024 ** 2

/** Returns the problem message for a file above a size limit. */
export const tooLargeMessage = (limit: number): string => `is larger than ${limit / 1024 ** 2} MB and was skipped`

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes the bytes of a text file; files that are too large or have too much markup get a problem and no text. */
export function decodeTextFile(bytes: Uint8Array): { text: string; problem?: string } {
  if (bytes.length > maxTextSize) return { text: '', problem: tooLargeMessage(maxTextSize) }
  const decoded = decodeBytes(bytes)
  return hasTooMuchMarkup(decoded.text)
    ? { text: '', problem: 'contains too much markup for one page and was skipped' }
    : decoded
}

/** Decodes bytes as UTF-8, UTF-16 or Windows-1252; encodings other than UTF-8 get a problem. */
function decodeBytes(bytes: Uint8Array): { text: string; problem?: string } {
  const [first, second] = bytes
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isUtf16) {
    const text = new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
    return { text, problem: 'is encoded in UTF-16; it will be written in UTF-8 when it is edited' }
  }
  try {
    return { text: utf8.decode(bytes) }
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes)
    return {
      text,
      problem: 'is not valid UTF-8 and was read as Windows-1252; it will be written in UTF-8 when it is edited',
    }
  }
}

/** A file with its bytes. */
export interface FileBytes {
  path: string
  bytes: Uint8Array
}

/** Stores the files of pages; files that cannot be used get a problem instead. */
export async function storeAssets(services: FileStorageServices, files: readonly FileBytes[]): Promise<SourceAsset[]> {
  const problems = files.map(({ bytes }) => findAssetProblem(bytes))
  const storable = files.filter((_, index) => problems[index] === undefined)
  const stored = (
    await storeFiles(
      services,
      storable.map(({ path, bytes }) => ({ name: baseName(path), declared: undefined, bytes })),
    )
  ).values()
  return files.map(({ path }, index) => {
    const problem = problems[index]
    return problem === undefined ? { path, file: stored.next().value as StoredFile } : { path, problem }
  })
}

/** Stores one file of a page, like `storeAssets`. */
export async function storeAsset(services: FileStorageServices, path: string, bytes: Uint8Array): Promise<SourceAsset> {
  const [asset] = await storeAssets(services, [{ path, bytes }])
  return asset as SourceAsset
}

/** Returns why bytes cannot be used as a file of a page; undefined if they can. */
export function findAssetProblem(bytes: Uint8Array): string | undefined {
  if (isLfsPointer(bytes)) return 'is stored in Git LFS; only its pointer is in the repository'
  return bytes.length > maxFileSize ? tooLargeMessage(maxFileSize) : undefined
}

const lfsPointer = 'version https://git-lfs.github.com/spec/v1\n'

const isLfsPointer = (bytes: Uint8Array): boolean =>
  bytes.length < 1024 && Buffer.from(bytes.subarray(0, lfsPointer.length)).toString('latin1') === lfsPointer

/** Files that can be read one after the other. */
export interface ReadableFiles {
  paths: readonly string[]
  read: (path: string) => Uint8Array | Promise<Uint8Array>
  problems?: readonly RepositoryProblem[]
}

/** Opens files as a source folder. Each file is read once to compute its id, and again if it is new. */
export async function openSourceFolder(
  services: FileStorageServices,
  { paths, read, problems = [] }: ReadableFiles,
): Promise<SourceFolder> {
  const files: SourceFile[] = []
  for (const path of paths) files.push({ path, oid: hashGitBlob(await read(path)) })
  return {
    files,
    problems,
    async *texts(wanted): AsyncGenerator<SourceText> {
      for (const { path } of wanted) yield { path, ...decodeTextFile(await read(path)) }
    },
    async *assets(wanted): AsyncGenerator<SourceAsset> {
      for (const { path } of wanted) yield storeAsset(services, path, await read(path))
    },
  }
}
