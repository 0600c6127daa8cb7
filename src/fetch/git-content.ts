import { TextDecoder } from 'node:util'
import { GitError } from './git-error.ts'

export interface GitPerson {
  name: string
  email: string
}

export interface GitCommit {
  oid: string
  /** Includes commits that are not in the local copy. */
  parents: string[]
  message: string
  author: GitPerson
  /** Commit date in ISO 8601. */
  date: string
}

export interface GitFile {
  path: string
  oid: string
  kind: 'file' | 'symlink' | 'submodule'
}

/** Maximum number of files: a few small objects can describe a tree with more files than any machine could list. */
const maxFiles = 100_000

/** Parses the output of `git ls-tree -r -z`; omits files with unsafe paths. */
export async function parseFileList(output: AsyncIterable<Uint8Array>): Promise<GitFile[]> {
  const files: GitFile[] = []
  let rest = Buffer.alloc(0)
  for await (const chunk of output) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      const file = parseFileRecord(bytes.subarray(start, end))
      if (file) files.push(file)
      start = end + 1
    }
    if (files.length > maxFiles) throw new GitError('tooLarge', 'The repository has too many files')
    rest = bytes.subarray(start)
  }
  return files
}

function parseFileRecord(record: Buffer): GitFile | undefined {
  const tab = record.indexOf(9)
  const [mode = '', , oid = ''] = record.subarray(0, tab).toString('latin1').split(' ')
  const path = decodePath(record.subarray(tab + 1))
  if (path === undefined || !isSafePath(path)) return undefined
  return { path, oid, kind: mode === '120000' ? 'symlink' : mode === '160000' ? 'submodule' : 'file' }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodePath(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether a path is inside its folder and outside `.git`, also on file systems that ignore case or invisible characters. */
export function isSafePath(path: string): boolean {
  if (path.includes('\0')) return false
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !isGitFolder(name))
}

function isGitFolder(name: string): boolean {
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/[. ]+$|:.*$/g, '')
    .toLowerCase()
  return plain === '.git' || plain === 'git~1'
}

/** Parses a raw commit object. */
export function parseCommit(oid: string, bytes: Buffer): GitCommit {
  const end = bytes.indexOf('\n\n')
  const header = (end === -1 ? bytes : bytes.subarray(0, end)).toString('latin1').split('\n')
  const values = (name: string) =>
    header.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  const decoder = createDecoder(values('encoding')[0])
  const [author = ''] = values('author')
  const [committer = author] = values('committer')
  return {
    oid,
    parents: values('parent'),
    message: end === -1 ? '' : decoder.decode(bytes.subarray(end + 2)),
    author: parsePerson(decoder.decode(Buffer.from(author, 'latin1'))),
    date: parseCommitDate(committer),
  }
}

function createDecoder(encoding: string | undefined): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}

function parsePerson(line: string): GitPerson {
  const [, name = '', email = ''] = /^([^<]*)<([^>]*)>/.exec(line) ?? []
  return { name: name.trim(), email: email.trim() }
}

/** Parses the date of a commit; invalid dates written by old tools become the epoch. */
function parseCommitDate(line: string): string {
  const date = new Date(Number(/> (-?\d{1,12})/.exec(line)?.[1] ?? 0) * 1000)
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString()
}

/** Parses the output of `git cat-file --batch` into blobs. */
export async function* parseBlobs(
  output: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ oid: string; bytes: Buffer }, void> {
  let rest: Buffer = Buffer.alloc(0)
  let header: { oid: string; size: number } | undefined
  const parts: Uint8Array[] = []
  let missingBytes = 0
  for await (const chunk of output) {
    // Concatenates the chunks of a large blob only once, when all of them have arrived.
    if (header && chunk.length < missingBytes) {
      parts.push(chunk)
      missingBytes -= chunk.length
      continue
    }
    rest = parts.length === 0 ? toBuffer(chunk) : Buffer.concat([...parts.splice(0), chunk])
    for (;;) {
      if (!header) {
        const line = rest.indexOf(10)
        if (line === -1) break
        header = parseBlobHeader(rest.subarray(0, line).toString('latin1'))
        rest = rest.subarray(line + 1)
      }
      // Every blob is followed by a line feed.
      if (rest.length <= header.size) break
      yield { oid: header.oid, bytes: Buffer.from(rest.subarray(0, header.size)) }
      rest = rest.subarray(header.size + 1)
      header = undefined
    }
    if (rest.length > 0) parts.push(rest)
    missingBytes = header ? header.size + 1 - rest.length : 0
  }
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

function parseBlobHeader(line: string): { oid: string; size: number } {
  const [oid = '', type, size] = line.split(' ')
  if (type !== 'blob') throw new GitError('broken', 'The content of a file is missing in the repository')
  return { oid, size: Number(size) }
}
