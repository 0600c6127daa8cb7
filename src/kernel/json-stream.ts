/** Reply that is too large for memory and is generated while it is sent. */
export class JsonStream<Reply = unknown> {
  /** Type of the reply; exists only at compile time. */
  declare readonly reply?: Reply
  /** Short string that identifies the content of the reply; different replies have different identities. */
  readonly identity: string
  readonly #pieces: () => AsyncIterable<string>

  constructor(identity: string, pieces: () => AsyncIterable<string>) {
    this.identity = identity
    this.#pieces = pieces
  }

  /** Yields the text in chunks of `chunkLength` characters or more, except for the last one. */
  async *chunks(): AsyncGenerator<string> {
    let chunk: string[] = []
    let length = 0
    for await (const piece of this.#pieces()) {
      chunk.push(piece)
      length += piece.length
      if (length < chunkLength) continue
      yield chunk.join('')
      chunk = []
      length = 0
    }
    yield chunk.join('')
  }

  /** Returns the whole reply as one string. */
  async text(): Promise<string> {
    let text = ''
    for await (const chunk of this.chunks()) text += chunk
    return text
  }
}

const chunkLength = 64 * 1024
