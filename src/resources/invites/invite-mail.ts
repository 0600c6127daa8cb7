import { countUse } from '../../domain/accounts/attempts.ts'
import { enqueueMail } from '../../domain/mail/enqueue-mail.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { BusyError } from '../../kernel/errors.ts'
import type { Signer } from '../../kernel/signer.ts'
import { days } from '../../kernel/time.ts'
import { composeMail, toMailName } from '../../mail/compose-mail.ts'
import type { Mail } from '../../mail/mailer.ts'
import type { Row } from '../../schema/tables.ts'

/** Maximum number of invites per day that one user sends, so that nobody can use the server for advertising. */
const maxMailsPerUser = 1000
/** Maximum number of invites per day that one address receives, from all organizations. */
const maxMailsPerAddress = 5

type InviteKey = Pick<Row<'email_invites'>, 'id' | 'email' | 'organization_id'>

/** Sends invites to their addresses, and messages to users who are members now. */
export async function enqueueInviteMails(
  context: OrganizationContext,
  { invites, members }: { invites: readonly InviteKey[]; members: readonly Row<'users'>[] },
): Promise<void> {
  const mails = [
    ...invites.map((invite) => composeInviteMail(context, invite)),
    ...members.map((user) => composeMemberMail(context, user)),
  ]
  // The order is the same for all requests, so that concurrent ones do not wait for each other's counters in a circle.
  for (const mail of mails.toSorted((a, b) => (a.to < b.to ? -1 : 1))) await enqueueLimited(context, mail)
}

async function enqueueLimited(context: OrganizationContext, mail: Omit<Mail, 'id'>): Promise<void> {
  const { db, principal, now } = context
  const userLimit = { key: ['invite mail by', principal.user.id], max: maxMailsPerUser, period: days(1) }
  if (!(await countUse(db, userLimit, now())))
    throw new BusyError('rateLimited', `At most ${maxMailsPerUser} invites can be sent per day`, 3600)
  const addressLimit = { key: ['invite mail to', mail.to], max: maxMailsPerAddress, period: days(1) }
  if (await countUse(db, addressLimit, now())) await enqueueMail(context, mail)
}

function composeInviteMail({ organization, principal, signer, urls }: OrganizationContext, invite: InviteKey) {
  const title = toMailName(organization.title)
  const url = urls.app(`/join/${invite.organization_id}/${invite.id}?key=${createInviteProof(signer, invite)}`)
  return composeMail(invite.email, {
    subject: `Invitation to ${title}`,
    paragraphs: [`${toMailName(principal.user.display_name)} invites you to ${title}.`],
    link: { label: 'Accept the invitation', url },
    note: `The invitation is for ${invite.email} only. If you did not expect it, ignore this message.`,
  })
}

function composeMemberMail({ organization, principal, urls }: OrganizationContext, { email }: Row<'users'>) {
  const title = toMailName(organization.title)
  return composeMail(email, {
    subject: `You are a member of ${title}`,
    paragraphs: [`${toMailName(principal.user.display_name)} has added you to ${title}.`],
    link: { label: 'Sign in', url: urls.plain('/login') },
    note: 'You received this message because this server has an account with your address.',
  })
}

/**
 * Returns the part of a mailed link that proves that its owner receives mail at the invited address. The API does not return it, because
 * administrators could otherwise create accounts with addresses of other people.
 */
const createInviteProof = (signer: Signer, invite: InviteKey): string => signer.sign(inviteProofText(invite))

/** Whether a link was mailed to the invited address. */
export const isInviteProof = (signer: Signer, invite: InviteKey, proof: string): boolean =>
  signer.verify(inviteProofText(invite), proof)

const inviteProofText = ({ organization_id, id, email }: InviteKey): string =>
  `invite ${organization_id} ${id} ${email}`
