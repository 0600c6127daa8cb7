/** What went wrong: with the address, the host, the connection, the time, the size, or with what was received. */
export type FetchFailure = 'address' | 'host' | 'connection' | 'timeout' | 'tooLarge' | 'reply' | 'aborted'

/** Why something could not be fetched, in a sentence for users, who must not learn from it what the network here looks like. */
export class FetchError extends Error {
  readonly failure: FetchFailure

  constructor(failure: FetchFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchError'
    this.failure = failure
  }
}
