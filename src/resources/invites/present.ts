import { fromStoredRole } from '../../access/content-roles.ts'
import type { EmailInvite, LinkInvite } from '../../contract/invites.ts'
import { type RoleOrGuest, roleRank } from '../../contract/roles.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { presentCollection } from '../../domain/spaces/present-collection.ts'
import { presentSpace } from '../../domain/spaces/present-space.ts'

/** A link invite with the content that it grants access to and the caller's role there. */
export type LinkInviteRow = Row<'link_invites'> & {
  space: Row<'spaces'> | undefined
  collection: Row<'collections'> | undefined
  callerRole: RoleOrGuest
}

export function presentLinkInvite(row: LinkInviteRow, urls: Urls): LinkInvite {
  const role = fromStoredRole(row.role)
  const invite = {
    object: 'invite' as const,
    id: row.id,
    redundant: roleRank(row.callerRole) >= roleRank(role),
    urls: inviteUrls(row.organization_id, 'link-invites', row.id, urls),
  }
  if (row.space) return { ...invite, level: role, space: presentSpace(row.space, row.callerRole, urls) }
  if (row.collection)
    return { ...invite, level: role, collection: presentCollection(row.collection, row.callerRole, urls) }
  return { ...invite, role }
}

export const presentEmailInvite = (row: Row<'email_invites'>, urls: Urls): EmailInvite => ({
  object: 'email-invite',
  id: row.id,
  email: row.email,
  role: fromStoredRole(row.role),
  sso: row.sso === 1,
  teams: JSON.parse(row.team_ids) as string[],
  createdAt: row.created_at,
  urls: inviteUrls(row.organization_id, 'invites', row.id, urls),
})

function inviteUrls(organizationId: string, kind: 'invites' | 'link-invites', id: string, urls: Urls) {
  return {
    location: urls.api(`/orgs/${organizationId}/${kind}/${id}`),
    join: urls.app(`/join/${organizationId}/${id}`),
  }
}
