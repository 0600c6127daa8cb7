/** Category of a failure: URL, host, connection, timeout, size, reply or cancellation. */
export type FetchFailure = 'address' | 'host' | 'connection' | 'timeout' | 'tooLarge' | 'reply' | 'aborted'

/** Error with a message for users, which must not reveal details of the server's network. */
export class FetchError extends Error {
  readonly failure: FetchFailure

  constructor(failure: FetchFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchError'
    this.failure = failure
  }
}
