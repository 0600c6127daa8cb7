import { type GitPerson, isSafePath } from './git-content.ts'
import { GitError } from './git-error.ts'

export type GitChange =
  | { path: string; bytes: Uint8Array }
  /** Of bytes that are read when their turn comes. */
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

/** Keeps the commit that was written last from being removed as unused. */
const writtenRef = 'refs/octavo/written'

/** Throws when a path could lead out of the repository or into its own folder. */
export function checkPaths(changes: readonly GitChange[]): void {
  if (!changes.every(({ path }) => isSafePath(path)))
    throw new GitError('address', 'The path is not valid in a Git repository')
}

/** Asks `git fast-import` what stands at each path that is written; one line answers each. */
export function* askModes(parent: string, changes: readonly GitChange[]): Generator<string, void> {
  for (const change of changes) if (!('delete' in change)) yield `ls ${parent} ${quoted(change.path)}\n`
}

/** Which of the files that are written can be executed already. */
export function executablesOf(answers: Buffer, changes: readonly GitChange[]): Set<string> {
  const lines = answers.toString('latin1').split('\n')
  const written = changes.filter((change) => !('delete' in change))
  return new Set(written.flatMap(({ path }, index) => (lines[index]?.startsWith('100755 ') ? [path] : [])))
}

/** The commit in the language of `git fast-import`, which prints its id in the end. */
export async function* fastImport(
  commit: NewCommit,
  executables: ReadonlySet<string>,
): AsyncGenerator<string | Uint8Array, void> {
  const { parent, changes, author, committer, date } = commit
  const seconds = Math.floor(Date.parse(date) / 1000)
  yield `commit ${writtenRef}\nmark :1\n`
  yield `author ${personLine(author)} ${seconds} +0000\ncommitter ${personLine(committer)} ${seconds} +0000\n`
  yield* data(Buffer.from(commit.message.replaceAll('\0', '')))
  if (parent !== undefined) yield `from ${parent}\n`
  // First, so that a folder may become a file and the other way round.
  for (const change of changes) if ('delete' in change) yield `D ${quoted(change.path)}\n`
  for (const change of changes) {
    if ('delete' in change) continue
    yield `M ${executables.has(change.path) ? '100755' : '100644'} inline ${quoted(change.path)}\n`
    if ('bytes' in change) yield* data(change.bytes)
    else {
      yield `data ${change.size}\n`
      yield* change.chunks()
      yield '\n'
    }
  }
  yield 'get-mark :1\ndone\n'
}

function* data(bytes: Uint8Array): Generator<string | Uint8Array, void> {
  yield `data ${bytes.length}\n`
  yield bytes
  yield '\n'
}

function personLine({ name, email }: GitPerson): string {
  return `${word(name)} <${word(email)}>`
}

/** What the line of a person could be misread by is left out. */
function word(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f<> ]+/g, ' ').trim()
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
}
