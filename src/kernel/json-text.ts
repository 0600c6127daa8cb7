/** A reply whose text was kept from an earlier time. */
export class JsonText<Reply = unknown> {
  /** Only for the compiler: what the text says. */
  declare readonly reply?: Reply
  /** Says in short what the text says: another text has another one. */
  readonly identity: string
  readonly text: string

  constructor(identity: string, text: string) {
    this.identity = identity
    this.text = text
  }
}
