import type { FetchError, FetchFailure } from './errors.ts'

export type GitFailure =
  | 'address'
  | 'host'
  | 'credentials'
  | 'notFound'
  | 'noBranch'
  | 'tooLarge'
  | 'timeout'
  | 'moved'
  | 'refused'
  | 'aborted'
  | 'broken'

/** Error of a Git operation with a message for users, without credentials and without details of the server's network. */
export class GitError extends Error {
  readonly failure: GitFailure

  constructor(failure: GitFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'GitError'
    this.failure = failure
  }
}

const gitFailureOf: Record<FetchFailure, GitFailure> = {
  address: 'address',
  host: 'host',
  connection: 'host',
  timeout: 'timeout',
  tooLarge: 'tooLarge',
  reply: 'host',
  aborted: 'aborted',
}

const messages: Partial<Record<FetchFailure, string>> = {
  connection: 'The host of the repository could not be reached or sent an invalid reply',
  tooLarge: 'The repository exceeds the size limit',
}

export function fromFetchError(error: FetchError): GitError {
  return new GitError(gitFailureOf[error.failure], messages[error.failure] ?? error.message, error.cause)
}
