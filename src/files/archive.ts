import { Readable } from 'node:stream'
import { callbackify, promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import {
  type Entry,
  RandomAccessReader,
  type ZipFile,
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  openPromise,
} from 'yauzl'

/** Error with a message for users: an archive cannot be read. */
export class ArchiveError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ArchiveError'
  }
}

export interface ArchiveLimits {
  maxFiles: number
  /** Maximum total size of the extracted files. */
  maxBytes: number
  /** Maximum size of one extracted file. */
  maxFileBytes: number
}

/** Archive that is stored elsewhere and read in ranges. */
export interface RangedArchive {
  size: number
  /** Reads the bytes from `start` (inclusive) to `end` (exclusive). */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

export interface ArchivedFile {
  /** Path relative to the root of the archive, with slashes; always within the archive. */
  path: string
  bytes: Uint8Array
}

/** Yields the files of a ZIP archive, given as bytes, a path or a ranged source; omits entries without a safe path. */
export async function* readArchive(
  source: Uint8Array | string | RangedArchive,
  limits: ArchiveLimits,
): AsyncGenerator<ArchivedFile, void> {
  const archive = await openArchive(source)
  let [files, entries, bytesLeft] = [0, 0, limits.maxBytes]
  try {
    for await (const entry of archive.eachEntry()) {
      if (++entries > limits.maxFiles * maxEntriesPerFile) throw tooManyFilesError(limits)
      const path = safePathOf(entry)
      if (path === undefined || !isFile(entry)) continue
      if (++files > limits.maxFiles) throw tooManyFilesError(limits)
      const bytes = await extractEntry(archive, entry, { path, maxBytes: bytesLeft, maxFileBytes: limits.maxFileBytes })
      bytesLeft -= bytes.length
      yield { path, bytes }
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : damagedError(error)
  } finally {
    archive.close()
  }
}

/** Removes a top folder that all paths share, because many tools pack the folder and not its contents. */
export function stripTopFolder(paths: readonly string[]): string[] {
  const top = paths[0]?.split('/', 1)[0] ?? ''
  // Folders that start with a dot have a special meaning.
  const isCommon = top !== '' && !top.startsWith('.') && paths.every((path) => path.startsWith(`${top}/`))
  return isCommon ? paths.map((path) => path.slice(top.length + 1)) : [...paths]
}

/** Maximum number of entries per file: folders and omitted files are entries, too; archives have fewer. */
const maxEntriesPerFile = 10

const tooManyFilesError = ({ maxFiles }: ArchiveLimits) =>
  new ArchiveError(`The archive contains more than ${maxFiles} files`)
const damagedError = (cause: unknown) => new ArchiveError('The archive is damaged and could not be extracted', cause)

function openArchive(source: Uint8Array | string | RangedArchive): Promise<ZipFile> {
  // Names and sizes are checked here: the library stops at the first unsafe name and reports only that sizes differ.
  const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false }
  const opened =
    typeof source === 'string'
      ? openPromise(source, options)
      : source instanceof Uint8Array
        ? fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options)
        : fromRandomAccessReaderPromise(new RangeReader(source), source.size, options)
  return opened.catch((cause: unknown) => {
    throw new ArchiveError('The file is not a ZIP archive or is damaged', cause)
  })
}

const maxPathLength = 1000

/** Returns the safe path of an entry; undefined if it has none or is metadata of an operating system. */
function safePathOf(entry: Entry): string | undefined {
  // The library replaces the backslashes that some tools on Windows write.
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
  // oxlint-disable-next-line no-control-regex
  if (name.length > maxPathLength || /^\/|^[a-z]:|[\\\u0000-\u001f\u007f]/i.test(name)) return undefined
  if (name.endsWith('/')) return undefined
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.length === 0 || segments.includes('..')) return undefined
  if (segments[0] === '__MACOSX' || segments.at(-1) === '.DS_Store') return undefined
  return segments.join('/')
}

const fileTypeMask = 0o170000
const regularFile = 0o100000

/** Whether an entry is a file, not a link or device; the upper 16 bits of the attributes are the Unix mode, if present. */
function isFile({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & fileTypeMask
  return type === 0 || type === regularFile
}

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

async function extractEntry(
  archive: ZipFile,
  entry: Entry,
  { path, maxBytes, maxFileBytes }: { path: string; maxBytes: number; maxFileBytes: number },
): Promise<Uint8Array> {
  if (entry.isEncrypted()) throw new ArchiveError('The archive is password-protected')
  if (!entry.canDecodeFileData()) throw new ArchiveError(`${path} uses an unsupported compression method`)
  // Sizes in headers may be wrong, so only the actual size counts.
  const maxSize = Math.min(maxBytes, maxFileBytes)
  const tooLargeError = () =>
    maxFileBytes <= maxBytes
      ? new ArchiveError(`${path} is larger than ${maxFileBytes} bytes`)
      : new ArchiveError('The files of the archive exceed the size limit')
  const stream = await archive.openReadStreamPromise(entry, { decodeFileData: false })
  const compressed = await collectBytes(stream as AsyncIterable<Uint8Array>, maxSize + maxCompressionOverhead)
  if (!compressed) throw tooLargeError()
  const bytes = entry.compressionMethod === 0 ? compressed : await inflateUpTo(compressed, maxSize)
  if (!bytes || bytes.length > maxSize) throw tooLargeError()
  if (crc32(bytes) !== entry.crc32) throw damagedError(new Error(`The checksum of ${path} is wrong`))
  return bytes
}

/** Maximum overhead of data that cannot be compressed. */
const maxCompressionOverhead = 64 * 1024

/** Concatenates all chunks; undefined if there are too many bytes. */
async function collectBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | undefined> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) return undefined
    read.push(chunk)
  }
  return Buffer.concat(read)
}

async function inflateUpTo(compressed: Buffer, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await inflate(compressed, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}

/** Number of bytes read ahead: an archive has two small records per file, most of them adjacent. */
const windowSize = 256 * 1024

class RangeReader extends RandomAccessReader {
  readonly #archive: RangedArchive
  #window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  constructor(archive: RangedArchive) {
    super()
    this.#archive = archive
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#archive.read(start, end), { objectMode: false })
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    callbackify(() => this.#readInto(target.subarray(offset, offset + length), position))(callback)
  }

  async #readInto(target: Buffer, position: number): Promise<void> {
    const end = position + target.length
    const { start, bytes } = this.#window
    if (position < start || end > start + bytes.length) {
      if (end > this.#archive.size) throw new Error('The end of the archive is missing')
      const windowEnd = Math.min(this.#archive.size, position + Math.max(windowSize, target.length))
      const read = await collectBytes(this.#archive.read(position, windowEnd), windowEnd - position)
      if (!read || read.length < target.length) throw new Error('The archive is not as long as it was')
      this.#window = { start: position, bytes: read }
    }
    const at = position - this.#window.start
    this.#window.bytes.copy(target, 0, at, at + target.length)
  }
}
