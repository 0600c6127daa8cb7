/** A reply that is too large to be held at once: it is written while it is sent. */
export class JsonStream<Reply = unknown> {
  /** Only for the compiler: what the text says. */
  declare readonly reply?: Reply
  /** Says in short what the reply says: another reply has another one. */
  readonly identity: string
  readonly #pieces: () => AsyncIterable<string>

  constructor(identity: string, pieces: () => AsyncIterable<string>) {
    this.identity = identity
    this.#pieces = pieces
  }

  /** The text in chunks that are worth sending. */
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

  /** All of it at once. */
  async text(): Promise<string> {
    let text = ''
    for await (const chunk of this.chunks()) text += chunk
    return text
  }
}

const chunkLength = 64 * 1024
