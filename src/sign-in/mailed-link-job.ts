import { z } from 'zod'
import { createSignInLink } from '../domain/accounts/links.ts'
import { enqueueMail } from '../domain/mail/enqueue-mail.ts'
import { findUsersByEmail } from '../domain/users/user-store.ts'
import { job } from '../jobs/job.ts'
import type { BaseContext, JobDescriptor } from '../kernel/context.ts'
import { minutes, timestamp } from '../kernel/time.ts'
import { type MailContent, composeMail } from '../mail/compose-mail.ts'
import type { Db } from '../schema/tables.ts'

/** Request for a link by mail: to sign in, or to create an account on the page of an invite. */
const LinkRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), email: z.string(), browserId: z.string(), next: z.string().optional() }),
  z.object({ kind: z.literal('sign-up'), email: z.string(), browserId: z.string(), joinPath: z.string() }),
])
export type LinkRequest = z.infer<typeof LinkRequest>

/** Time for which a mailed link is valid. */
const linkLifetime = minutes(15)

/** The payload is encrypted, because it contains the ID of the browser that may use the link. */
const mailedLinkJob: JobDescriptor<{ sealed: string }> = { name: 'sign-in.link' }

/**
 * Requests a link by mail. Only the job reads whether there is an account, so that neither the reply nor its time reveals it to the
 * caller.
 */
export function enqueueMailedLink(
  db: Db,
  { enqueue, sealer }: Pick<BaseContext, 'enqueue' | 'sealer'>,
  request: LinkRequest,
): Promise<void> {
  return enqueue(db, mailedLinkJob, { sealed: sealer.seal(JSON.stringify(request)) })
}

/** Creates a link and sends it, if the address has an account for a sign-in, or none for a new account. */
export const sendMailedLink = job({
  ...mailedLinkJob,
  attempts: 5,
  atOnce: 4,
  payload: z.object({ sealed: z.string() }),
  async run(context, { sealed }) {
    const { transaction, sealer, now, urls } = context
    const opened = sealer.open(sealed)
    if (opened === undefined) return
    const request = LinkRequest.parse(JSON.parse(opened))
    await transaction(async (db) => {
      const [user] = await findUsersByEmail(db, [request.email])
      const content = await createContent(db, request, user !== undefined, { now: now(), toUrl: urls.plain.bind(urls) })
      const expiresAt = timestamp(Date.parse(now()) + linkLifetime)
      if (content) await enqueueMail({ ...context, db }, composeMail(request.email, content), { expiresAt })
    })
  },
})

const note =
  'The link works once, within 15 minutes, and only in the browser in which you requested it. If you did not request it, ignore this message.'

/** Creates the link and returns the message; undefined if there is nothing to send. */
async function createContent(
  db: Db,
  request: LinkRequest,
  hasAccount: boolean,
  { now, toUrl }: { now: string; toUrl: (path: string) => string },
): Promise<MailContent | undefined> {
  const { kind, email, browserId } = request
  const link = { email, browserId, lifetime: linkLifetime }
  if (kind === 'email') {
    if (!hasAccount) return undefined
    const token = await createSignInLink(db, now, { ...link, kind, nextPath: request.next })
    return {
      subject: 'Sign in to Octavo',
      paragraphs: ['You can sign in with the following link.'],
      link: { label: 'Sign in', url: toUrl(`/login/email/${token}`) },
      note,
    }
  }
  if (hasAccount) {
    return {
      subject: 'You have an account',
      paragraphs: [`There is an account with the address ${email} already. Sign in to accept the invitation.`],
      link: { label: 'Sign in', url: toUrl(`/login?next=${encodeURIComponent(request.joinPath)}`) },
      note: 'If you did not request this message, ignore it.',
    }
  }
  const token = await createSignInLink(db, now, { ...link, kind, nextPath: request.joinPath })
  return {
    subject: 'Confirm your email address',
    paragraphs: ['Confirm your email address with the following link to create an account.'],
    link: { label: 'Create an account', url: toUrl(`${request.joinPath}/sign-up/${token}`) },
    note,
  }
}
