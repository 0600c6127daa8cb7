/** Reply whose JSON was cached. */
export class JsonText<Reply = unknown> {
  /** Type of the reply; exists only at compile time. */
  declare readonly reply?: Reply
  /** Short string that identifies the text; different texts have different identities. */
  readonly identity: string
  readonly text: string

  constructor(identity: string, text: string) {
    this.identity = identity
    this.text = text
  }
}
