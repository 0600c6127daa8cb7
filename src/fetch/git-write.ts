import { type GitPerson, isSafePath } from './git-content.ts'
import { GitError } from './git-error.ts'

export type GitChange =
  | { path: string; bytes: Uint8Array }
  /** Content that is read only when it is written. */
  | { path: string; size: number; chunks: () => AsyncIterable<Uint8Array> }
  | { path: string; delete: true }

export interface NewCommit {
  /** Undefined for the first commit of a repository. */
  parent: string | undefined
  changes: readonly GitChange[]
  message: string
  author: GitPerson
  committer: GitPerson
  /** ISO 8601. */
  date: string
}

/** Ref that protects the last written commit from being pruned. */
const writtenRef = 'refs/octavo/written'

/** Throws if a path is outside the repository or inside its `.git` folder. */
export function checkPaths(changes: readonly GitChange[]): void {
  if (!changes.every(({ path }) => isSafePath(path)))
    throw new GitError('address', 'The path is not valid in a Git repository')
}

/** Generates `git fast-import` commands that print the current entry of each written path, one line per path. */
export function* listModeCommands(parent: string, changes: readonly GitChange[]): Generator<string, void> {
  for (const change of changes) if (!('delete' in change)) yield `ls ${parent} ${quotePath(change.path)}\n`
}

/** Returns the paths of written files that are already executable. */
export function parseExecutables(output: Buffer, changes: readonly GitChange[]): Set<string> {
  const lines = output.toString('latin1').split('\n')
  const written = changes.filter((change) => !('delete' in change))
  return new Set(written.flatMap(({ path }, index) => (lines[index]?.startsWith('100755 ') ? [path] : [])))
}

/** Generates the `git fast-import` commands for a commit; the last one prints its id. */
export async function* commitCommands(
  commit: NewCommit,
  executables: ReadonlySet<string>,
): AsyncGenerator<string | Uint8Array, void> {
  const { parent, changes, author, committer, date } = commit
  const seconds = Math.floor(Date.parse(date) / 1000)
  yield `commit ${writtenRef}\nmark :1\n`
  yield `author ${personLine(author)} ${seconds} +0000\ncommitter ${personLine(committer)} ${seconds} +0000\n`
  yield* dataCommand(Buffer.from(commit.message.replaceAll('\0', '')))
  if (parent !== undefined) yield `from ${parent}\n`
  // Deletions are first, so that a folder can be replaced by a file and vice versa.
  for (const change of changes) if ('delete' in change) yield `D ${quotePath(change.path)}\n`
  for (const change of changes) {
    if ('delete' in change) continue
    yield `M ${executables.has(change.path) ? '100755' : '100644'} inline ${quotePath(change.path)}\n`
    if ('bytes' in change) yield* dataCommand(change.bytes)
    else {
      yield `data ${change.size}\n`
      yield* change.chunks()
      yield '\n'
    }
  }
  yield 'get-mark :1\ndone\n'
}

function* dataCommand(bytes: Uint8Array): Generator<string | Uint8Array, void> {
  yield `data ${bytes.length}\n`
  yield bytes
  yield '\n'
}

function personLine({ name, email }: GitPerson): string {
  return `${cleanName(name)} <${cleanName(email)}>`
}

/** Removes characters that would break the line of an author or committer. */
function cleanName(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f<> ]+/g, ' ').trim()
}

function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
}
