import { z } from 'zod'
import { job } from '../../jobs/job.ts'
import { type Mailer, MailRejectedError } from '../../mail/mailer.ts'
import { mailJob } from './enqueue-mail.ts'

export interface MailServices {
  /** Absent if the operator has not configured mail. */
  mailer: Mailer | undefined
}

const Message = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  unsubscribeUrl: z.string().optional(),
})

/** Sends a message. After a failure it is repeated for several hours, unless the message has become useless. */
export const sendMail = ({ mailer }: MailServices) =>
  job({
    ...mailJob,
    attempts: 12,
    // A slow mail server delays only messages.
    atOnce: 4,
    payload: z.object({ sealed: z.string(), expiresAt: z.string().optional() }),
    async run({ sealer, now, log }, { sealed, expiresAt }) {
      if (expiresAt !== undefined && expiresAt <= now()) return
      if (!mailer) throw new Error('Mail is not configured in this process. Set OCTAVO_SMTP_URL for all processes')
      const opened = sealer.open(sealed)
      if (opened === undefined) return log.warn('A message was dropped, because OCTAVO_SECRET_KEY was changed')
      try {
        await mailer.send(Message.parse(JSON.parse(opened)))
      } catch (error) {
        if (!(error instanceof MailRejectedError)) throw error
        log.warn('A message was refused by the mail server', { error })
      }
    },
  })
