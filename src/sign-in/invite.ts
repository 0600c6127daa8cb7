import { AppError } from '../kernel/errors.ts'
import { type Invite, findInvite } from '../resources/invites/join.ts'
import type { Db } from '../schema/tables.ts'
import type { PageContext } from './context.ts'

/** Path of the page on which an invite is accepted. */
export const toJoinPath = (organizationId: string, inviteId: string): string =>
  `/app/join/${organizationId}/${inviteId}`

/** Returns the screen of an organization in the web app, which opens after joining it. */
export const toOrganizationPath = (organizationId: string): string => `/app/orgs/${organizationId}?joined=1`

/** Returns the IDs in the path of such a page. */
export function parseJoinPath(path: string): { organizationId: string; inviteId: string } | undefined {
  const [, organizationId, inviteId] = /^\/app\/join\/(\w+)\/(\w+)(?:\?|$)/.exec(path) ?? []
  return organizationId === undefined || inviteId === undefined ? undefined : { organizationId, inviteId }
}

/** Returns an invite; undefined if it does not exist or its organization has disabled invite links. */
export async function findUsableInvite(db: Db, organizationId: string, inviteId: string): Promise<Invite | undefined> {
  const invite = await findInvite(db, organizationId, inviteId)
  return invite?.kind === 'link' && invite.organization.invite_links === 0 ? undefined : invite
}

/** Returns the invite of a page. The error is the same for all reasons, so that guessing reveals nothing about organizations. */
export async function getInvite(db: Db, { params }: Pick<PageContext, 'params'>): Promise<Invite> {
  const invite = await findUsableInvite(db, params['organizationId'] ?? '', params['inviteId'] ?? '')
  if (invite) return invite
  throw new AppError('notFound', 'This invite does not exist, or it was used before. Ask for another one')
}
