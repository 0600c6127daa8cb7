import { countUse } from '../../domain/accounts/attempts.ts'
import { enqueueMail } from '../../domain/mail/enqueue-mail.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { BusyError } from '../../kernel/errors.ts'
import type { Signer } from '../../kernel/signer.ts'
import { days } from '../../kernel/time.ts'
import { composeMail, toMailName } from '../../mail/compose-mail.ts'
import type { Row } from '../../schema/tables.ts'

/** Maximum number of invites per day that one user sends, so that nobody can use the server for advertising. */
const maxMailsPerUser = 1000
/** Maximum number of invites per day that one address receives, from all organizations. */
const maxMailsPerAddress = 5

type InviteKey = Pick<Row<'email_invites'>, 'id' | 'email' | 'organization_id'>

/** Sends an invite to its address. */
export async function enqueueInviteMail(context: OrganizationContext, invite: InviteKey): Promise<void> {
  const { db, organization, principal, now, signer, urls } = context
  const userLimit = { key: ['invite mail by', principal.user.id], max: maxMailsPerUser, period: days(1) }
  if (!(await countUse(db, userLimit, now())))
    throw new BusyError('rateLimited', `At most ${maxMailsPerUser} invites can be sent per day`, 3600)
  const addressLimit = { key: ['invite mail to', invite.email], max: maxMailsPerAddress, period: days(1) }
  if (!(await countUse(db, addressLimit, now()))) return
  const title = toMailName(organization.title)
  const url = urls.app(`/join/${invite.organization_id}/${invite.id}?key=${createInviteProof(signer, invite)}`)
  const mail = composeMail(invite.email, {
    subject: `Invitation to ${title}`,
    paragraphs: [`${toMailName(principal.user.display_name)} invites you to ${title}.`],
    link: { label: 'Accept the invitation', url },
    note: `The invitation is for ${invite.email} only. If you did not expect it, ignore this message.`,
  })
  await enqueueMail(context, mail)
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
