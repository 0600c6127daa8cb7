/** Reply of an operation that created a resource, although it usually updates one; its status is 201. */
export class CreatedReply<Reply = unknown> {
  readonly reply: Reply

  constructor(reply: Reply) {
    this.reply = reply
  }
}
