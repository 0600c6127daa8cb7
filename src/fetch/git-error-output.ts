import { GitError, type GitFailure } from './git-error.ts'

type Rule = [pattern: RegExp, failure: GitFailure, sentence: string]

const notRepositoryMessage = 'The URL is not a Git repository'

const objectFormatMismatch = /mismatched algorithms|hash algorithm|support this repository's object format/

const rules: readonly Rule[] = [
  [/could not read (Username|Password) for/, 'credentials', 'The repository requires credentials'],
  [/Authentication failed for/, 'credentials', 'The repository rejected the credentials'],
  [/returned error: 401/, 'credentials', 'The repository rejected the credentials'],
  [/returned error: 403/, 'credentials', 'The credentials do not permit this operation on the repository'],
  [/repository '.*' not found|returned error: (404|410)/, 'notFound', 'The repository was not found'],
  [/couldn't find remote ref/, 'noBranch', 'The branch was not found in the repository'],
  [/is this a git repository\?/, 'notFound', notRepositoryMessage],
  [/dumb http transport/, 'notFound', 'The host does not support the smart HTTP protocol of Git'],
  [
    /invalid server response|bad line length|expected flush|protocol error/,
    'host',
    'The host sent a reply that is not valid for Git',
  ],
  [objectFormatMismatch, 'refused', 'The object format of the repository differs from that of the cached copy'],
  [/SSL|certificate|TLS|gnutls/i, 'host', 'A secure connection to the host of the repository could not be established'],
  [/unable to update url base from redirection/, 'address', 'The URL redirects to a URL that is not a Git repository'],
  [
    /unable to access|RPC failed|early EOF|unexpected disconnect|hung up|remote error|Maximum .* redirects/,
    'host',
    'The host of the repository could not be reached or sent an invalid reply',
  ],
]

/** Converts Git's error output to an error for users; if no rule matches, the local copy is considered damaged. */
export function toGitError(stderr: string): GitError {
  const cause = new Error(stderr.trim().replace(/(https?:\/\/).*@/g, '$1'))
  const ownOutput = withoutRemoteText(stderr)
  const rule = rules.find(([pattern]) => pattern.test(ownOutput))
  if (rule) return new GitError(rule[1], rule[2], cause)
  return new GitError('broken', 'The cached copy of the repository could not be updated', cause)
}

/** Removes texts of servers and URLs, which are arbitrary and could match a rule. */
function withoutRemoteText(stderr: string): string {
  return stderr
    .replace(/^remote:.*$/gm, '')
    .replace(/(remote error:).*$/gm, '$1')
    .replace(/'https?:.*'/g, "''")
}

export function notARepositoryError(): GitError {
  return new GitError('notFound', notRepositoryMessage)
}

/** Whether the server uses another object format (hash) than the local copy. */
export function isObjectFormatMismatch(stderr: string): boolean {
  return objectFormatMismatch.test(withoutRemoteText(stderr))
}

/** Whether the server refused an object because it only serves objects that its refs point to. */
export function isUnadvertisedObject(stderr: string): boolean {
  return /request for unadvertised object|not our ref|no such remote ref|want [0-9a-f]+ not valid/.test(stderr)
}

/** Whether a push failed because objects are missing in the local copy. */
export function isMissingObjects(stderr: string): boolean {
  return /unable to read [0-9a-f]{40}|could not fetch [0-9a-f]{40}/.test(stderr)
}

const maxReasonLength = 300

/** Explains why a push was rejected; `report` is the output of `git push --porcelain`. */
export function toPushError(report: string, stderr: string): GitError {
  const line = report.split('\n').find((candidate) => candidate.startsWith('!')) ?? ''
  if (line === '') return toGitError(stderr)
  if (
    /stale info|fetch first|non-fast-forward|needs force|already exists|cannot lock ref|failed to update ref|incorrect old value/.test(
      line,
    )
  )
    return new GitError('moved', 'The branch was changed in the repository by someone else. Try again')
  const reason = /\(([^)]*)\)\s*$/.exec(line)?.[1] ?? ''
  const remoteLines = stderr
    .split('\n')
    .filter((candidate) => candidate.startsWith('remote:'))
    .map((candidate) => candidate.slice('remote:'.length))
  const details = toPlainLine([...remoteLines, reason].join(' '))
  return new GitError(
    'refused',
    details === '' ? 'The repository rejected the push' : `The repository rejected the push: ${details}`,
  )
}

function toPlainLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return plain.replace(/ {2,}/g, ' ').trim().slice(0, maxReasonLength).toWellFormed().trim()
}
