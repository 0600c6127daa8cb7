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

/** Why an archive cannot be read, in a sentence for users. */
export class ArchiveError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ArchiveError'
  }
}

export interface ArchiveLimits {
  maxFiles: number
  /** Of all files together, unpacked. */
  maxBytes: number
  /** Of one file, unpacked. */
  maxFileBytes: number
}

/** Bytes that lie elsewhere and are read in parts. */
export interface ArchiveBytes {
  size: number
  /** The bytes from `start` up to but not including `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

export interface ArchivedFile {
  /** With slashes, relative to the top of the archive; never leads out of it. */
  path: string
  bytes: Uint8Array
}

/** The files of a zip archive: of its bytes, of the file at a path, or read in parts. What has no safe path is left out. */
export async function* readArchive(
  source: Uint8Array | string | ArchiveBytes,
  limits: ArchiveLimits,
): AsyncGenerator<ArchivedFile, void> {
  const archive = await open(source)
  let [files, entries, bytesLeft] = [0, 0, limits.maxBytes]
  try {
    for await (const entry of archive.eachEntry()) {
      if (++entries > limits.maxFiles * entriesPerFile) throw tooManyFiles(limits)
      const path = pathOf(entry)
      if (path === undefined || !isFile(entry)) continue
      if (++files > limits.maxFiles) throw tooManyFiles(limits)
      const bytes = await unpack(archive, entry, { path, maxBytes: bytesLeft, maxFileBytes: limits.maxFileBytes })
      bytesLeft -= bytes.length
      yield { path, bytes }
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : broken(error)
  } finally {
    archive.close()
  }
}

/** The paths without the one folder that all of them lie in, if there is one; many tools pack a folder, not what is in it. */
export function withoutTopFolder(paths: readonly string[]): string[] {
  const top = paths[0]?.split('/', 1)[0] ?? ''
  // Folders with a dot have a meaning of their own.
  const isCommon = top !== '' && !top.startsWith('.') && paths.every((path) => path.startsWith(`${top}/`))
  return isCommon ? paths.map((path) => path.slice(top.length + 1)) : [...paths]
}

/** Folders and what is left out are entries too; more of these than archives have. */
const entriesPerFile = 10

const tooManyFiles = ({ maxFiles }: ArchiveLimits) =>
  new ArchiveError(`The archive contains more than ${maxFiles} files`)
const broken = (cause: unknown) => new ArchiveError('The archive is damaged and could not be extracted', cause)

function open(source: Uint8Array | string | ArchiveBytes): Promise<ZipFile> {
  // Names and sizes are checked here: the library ends at the first name that is not safe, and says of sizes only that they differ.
  const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false }
  const opened =
    typeof source === 'string'
      ? openPromise(source, options)
      : source instanceof Uint8Array
        ? fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options)
        : fromRandomAccessReaderPromise(new PartsReader(source), source.size, options)
  return opened.catch((cause: unknown) => {
    throw new ArchiveError('The file is not a ZIP archive or is damaged', cause)
  })
}

const maxPathLength = 1000

/** A safe path, or undefined when the entry has none or is something that operating systems leave behind. */
function pathOf(entry: Entry): string | undefined {
  // Some tools on Windows write backslashes; they become slashes here.
  const written = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
  // oxlint-disable-next-line no-control-regex
  if (written.length > maxPathLength || /^\/|^[a-z]:|[\\\u0000-\u001f\u007f]/i.test(written)) return undefined
  if (written.endsWith('/')) return undefined
  const steps = written.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.length === 0 || steps.includes('..')) return undefined
  if (steps[0] === '__MACOSX' || steps.at(-1) === '.DS_Store') return undefined
  return steps.join('/')
}

const fileTypeMask = 0o170000
const regularFile = 0o100000

/** Links and devices are none; the upper half of the attributes has the mode, if Unix wrote the entry. */
function isFile({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & fileTypeMask
  return type === 0 || type === regularFile
}

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

async function unpack(
  archive: ZipFile,
  entry: Entry,
  { path, maxBytes, maxFileBytes }: { path: string; maxBytes: number; maxFileBytes: number },
): Promise<Uint8Array> {
  if (entry.isEncrypted()) throw new ArchiveError('The archive is password-protected')
  if (!entry.canDecodeFileData()) throw new ArchiveError(`${path} uses an unsupported compression method`)
  // What headers say of sizes may be a lie: only what is there counts.
  const allowed = Math.min(maxBytes, maxFileBytes)
  const tooLarge = () =>
    maxFileBytes <= maxBytes
      ? new ArchiveError(`${path} is larger than ${maxFileBytes} bytes`)
      : new ArchiveError('The files of the archive exceed the size limit')
  const stream = await archive.openReadStreamPromise(entry, { decodeFileData: false })
  const packed = await collected(stream as AsyncIterable<Uint8Array>, allowed + packingOverhead)
  if (!packed) throw tooLarge()
  const bytes = entry.compressionMethod === 0 ? packed : await inflated(packed, allowed)
  if (!bytes || bytes.length > allowed) throw tooLarge()
  if (crc32(bytes) !== entry.crc32) throw broken(new Error(`The checksum of ${path} is wrong`))
  return bytes
}

/** What cannot be compressed becomes a little longer. */
const packingOverhead = 64 * 1024

/** All of the bytes; undefined when there are too many. */
async function collected(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | undefined> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) return undefined
    read.push(chunk)
  }
  return Buffer.concat(read)
}

async function inflated(packed: Buffer, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}

/** How much is read ahead: an archive has two small records for every file, most beside each other. */
const windowSize = 256 * 1024

class PartsReader extends RandomAccessReader {
  readonly #bytes: ArchiveBytes
  #window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  constructor(bytes: ArchiveBytes) {
    super()
    this.#bytes = bytes
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes.read(start, end), { objectMode: false })
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
      if (end > this.#bytes.size) throw new Error('The end of the archive is missing')
      const windowEnd = Math.min(this.#bytes.size, position + Math.max(windowSize, target.length))
      const read = await collected(this.#bytes.read(position, windowEnd), windowEnd - position)
      if (!read || read.length < target.length) throw new Error('The archive is not as long as it was')
      this.#window = { start: position, bytes: read }
    }
    const at = position - this.#window.start
    this.#window.bytes.copy(target, 0, at, at + target.length)
  }
}
