import type { BaseContext, JobDescriptor } from '../../kernel/context.ts'
import type { Mail } from '../../mail/mailer.ts'

/** Payload of the job that sends a message. It is encrypted, because messages contain one-time links. */
export interface MailPayload {
  sealed: string
  /** Time after which the message is useless and no longer sent. */
  expiresAt?: string | undefined
}

export const mailJob: JobDescriptor<MailPayload> = { name: 'mail.send' }

/** Sends a message after the transaction was committed. */
export function enqueueMail(
  { db, enqueue, sealer, newId }: Pick<BaseContext, 'db' | 'enqueue' | 'sealer' | 'newId'>,
  mail: Omit<Mail, 'id'>,
  { expiresAt }: { expiresAt?: string } = {},
): Promise<void> {
  return enqueue(db, mailJob, { sealed: sealer.seal(JSON.stringify({ id: newId(), ...mail })), expiresAt })
}
