import { fromStoredRole, toStoredRole } from '../../access/content-roles.ts'
import { requireOwnSignIn } from '../../access/sso.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { type LinkInvite, invites } from '../../contract/invites.ts'
import type { OrganizationContext, UserContext } from '../../kernel/context.ts'
import { AppError, conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { deriveId, randomText } from '../../kernel/ids.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { recordEventAbout, recordMemberEvent } from '../../domain/audit/record-event-about.ts'
import { type AuditEventInput, recordAuditEvent } from '../../domain/audit/record-event.ts'
import { addMember, addOrPromoteMember } from '../../domain/members/membership.ts'
import { findUsersByEmail } from '../../domain/users/user-store.ts'
import { findOrganization } from '../../domain/organizations/organization-store.ts'
import { shareWithUser } from '../../domain/permissions/share.ts'
import { type LinkInviteRow, presentEmailInvite, presentLinkInvite } from './present.ts'
import * as store from './store.ts'

/** Generates the id of an invite. It is the only secret in the link, so it is as hard to guess as a token. */
const newInviteId = () => randomText(32)

export const inviteRoutes = implement(invites, {
  async inviteUsersToOrganization(context, { body }) {
    const { db, organization, principal, urls, now } = context
    const defaultRole = body.role === undefined ? organization.default_role : toStoredRole(body.role)
    const roleByEmail = new Map(
      body.emails.map((entry) =>
        typeof entry === 'string'
          ? ([entry, defaultRole] as const)
          : ([entry.email, toStoredRole(entry.role)] as const),
      ),
    )
    const users: string[] = []
    const existingUsers = new Map(
      (await findUsersByEmail(db, [...roleByEmail.keys()])).map((user) => [user.email, user]),
    )
    const stored: Row<'email_invites'>[] = []
    for (const [email, role] of roleByEmail) {
      const user = existingUsers.get(email)
      if (user) {
        if (await addMember(db, now, { organizationId: organization.id, user, role, sso: body.sso })) {
          users.push(user.id)
          await recordMemberEvent(context, organization.id, user, 'member.add', {
            after: { role: fromStoredRole(role) },
          })
        }
        await store.deleteEmailInviteByEmail(db, organization.id, email)
        continue
      }
      const invite = await store.upsertEmailInvite(db, {
        organization_id: organization.id,
        id: newInviteId(),
        email,
        role,
        sso: toFlag(body.sso),
        invited_by: principal.user.id,
        created_at: now(),
      })
      stored.push(invite)
      await recordEmailInvite(context, invite, 'invite.create')
    }
    return {
      users,
      invited: users.length,
      invites: stored.map((invite) => presentEmailInvite(invite, urls)),
    }
  },

  async listEmailInvites({ db, organization, urls }, { query }) {
    const rows = await store.findEmailInvites(db, organization.id, {
      after: decodeCursor(query.page, 1),
      limit: query.limit,
    })
    return toPage(
      rows,
      query,
      await store.countEmailInvites(db, organization.id),
      (row) => [row.id],
      (row) => presentEmailInvite(row, urls),
    )
  },

  async deleteEmailInvite(context, { params }) {
    const { db, organization } = context
    const invite = await store.findEmailInvite(db, organization.id, params.inviteId)
    if (!invite) return
    await store.deleteInvite(db, 'email_invites', organization.id, invite.id)
    await recordEmailInvite(context, invite, 'invite.delete')
  },

  async joinOrganizationWithInvite(context, { params }) {
    const { db, principal } = context
    const organization = await findOrganization(db, params.organizationId)
    if (!organization) throw notFound('invite')
    if (principal.reach.only !== organization.id) requireOwnSignIn(principal, 'join other organizations')
    const link = await store.findLinkInvite(db, organization.id, params.inviteId)
    if (link) await joinByLink(context, organization, link)
    else await joinByEmail(context, await store.findEmailInvite(db, organization.id, params.inviteId))
    return {}
  },

  async listOrganizationInviteLinks(context, { query }) {
    const { db, organization, urls } = context
    const rows = await store.findLinkInvites(db, organization.id, {
      after: decodeCursor(query.page, 1),
      limit: query.limit,
    })
    return toPage(
      await withContent(context, rows),
      query,
      await store.countLinkInvites(db, organization.id),
      (row) => [row.id],
      (row) => presentLinkInvite(row, urls),
    )
  },

  async createOrganizationInvite(context, { body }) {
    const { db, organization, principal, now } = context
    if (organization.invite_links === 0) throw conflict('Invite links are disabled in this organization')
    const spaceId = body.space ?? null
    const collectionId = body.collection ?? null
    const { spaces, collections } = await store.findInvitedContent(db, organization.id, [spaceId ?? collectionId ?? ''])
    if (spaceId !== null && spaces.length === 0) throw unknownReference('body.space', 'space')
    if (collectionId !== null && collections.length === 0) throw unknownReference('body.collection', 'collection')
    const invite = await store.insertLinkInvite(db, {
      organization_id: organization.id,
      id: newInviteId(),
      role: toStoredRole('level' in body ? body.level : body.role),
      space_id: spaceId,
      collection_id: collectionId,
      created_by: principal.user.id,
      created_at: now(),
    })
    await recordLinkInvite(context, invite, 'invite-link.create', { after: describeLinkInvite(invite) })
    return loadAndPresentLinkInvite(context, invite)
  },

  async getOrganizationInviteLink(context, { params }) {
    return loadAndPresentLinkInvite(context, await getLinkInvite(context, params.inviteId))
  },

  async updateOrganizationInviteById(context, { params, body }) {
    const invite = await getLinkInvite(context, params.inviteId)
    const isToContent = invite.space_id !== null || invite.collection_id !== null
    if (isToContent !== 'level' in body) {
      throw invalid(
        'body',
        isToContent
          ? 'must contain `level`: this invite grants access to content'
          : 'must contain `role`: this invite grants access to the organization',
      )
    }
    const role = 'level' in body ? body.level : body.role
    const updated = await store.updateLinkInvite(context.db, context.organization.id, invite.id, toStoredRole(role))
    await recordLinkInvite(context, updated, 'invite-link.update', {
      before: describeLinkInvite(invite),
      after: describeLinkInvite(updated),
    })
    return loadAndPresentLinkInvite(context, updated)
  },

  async deleteOrganizationInviteById(context, { params }) {
    const { db, organization } = context
    const invite = await store.findLinkInvite(db, organization.id, params.inviteId)
    if (!invite) return
    await store.deleteInvite(db, 'link_invites', organization.id, invite.id)
    await recordLinkInvite(context, invite, 'invite-link.delete', { before: describeLinkInvite(invite) })
  },
})

async function joinByLink(context: UserContext, organization: Row<'organizations'>, invite: Row<'link_invites'>) {
  if (organization.invite_links === 0) throw new AppError('forbidden', 'Invite links are disabled in this organization')
  const { db, principal, now } = context
  const { user } = principal
  const invitedBy = { inviteLink: toPublicInviteId(invite) }
  const contentId = invite.space_id ?? invite.collection_id
  if (contentId === null) return join(context, organization.id, invite.role, invitedBy)
  if (await addMember(db, now, { organizationId: organization.id, user, role: 'guest' }))
    await recordMemberEvent(context, organization.id, user, 'member.join', { after: { role: null, ...invitedBy } })
  const level = fromStoredRole(invite.role)
  if (level === null) return
  const kind = invite.space_id === null ? ('collection' as const) : ('space' as const)
  const share = { kind, organizationId: organization.id, contentId, userId: user.id, role: level }
  if (!(await shareWithUser(db, now, share))) return
  await recordAuditEvent(context, {
    action: 'permission.grant',
    organizationId: organization.id,
    target: { type: kind, id: contentId },
    after: { role: level, users: [user.id], ...invitedBy },
  })
}

async function joinByEmail(context: UserContext, invite: Row<'email_invites'> | undefined) {
  const { db, principal } = context
  // Other users who open the link get the same error as for an invite that does not exist.
  if (!invite || invite.email !== principal.user.email) throw notFound('invite')
  const { organization_id: organizationId, role, sso } = invite
  await join(context, organizationId, role, { sso: sso === 1 })
  await store.deleteInvite(db, 'email_invites', organizationId, invite.id)
}

/** Adds the caller to an organization, or raises the caller's role, and records it. */
async function join(
  context: UserContext,
  organizationId: string,
  role: Row<'members'>['role'],
  details: { sso?: boolean; inviteLink?: string },
): Promise<void> {
  const { db, principal, now } = context
  const { user } = principal
  const { sso = false } = details
  const change = await addOrPromoteMember(db, now, { organizationId, user, role, sso })
  if (change === undefined) return
  const action = change === 'added' ? 'member.join' : 'member.update'
  await recordMemberEvent(context, organizationId, user, action, { after: { role: fromStoredRole(role), ...details } })
}

/** Returns an ID of a link invite for the audit log. The real one is the secret of the link. */
const toPublicInviteId = ({ id }: Row<'link_invites'>): string => deriveId(id)

const describeLinkInvite = (invite: Row<'link_invites'>) => ({
  role: fromStoredRole(invite.role),
  space: invite.space_id,
  collection: invite.collection_id,
})

function recordLinkInvite(
  context: OrganizationContext,
  invite: Row<'link_invites'>,
  action: AuditAction,
  values: Pick<AuditEventInput, 'before' | 'after'>,
): Promise<void> {
  const target = { type: 'invite-link' as const, id: toPublicInviteId(invite) }
  return recordAuditEvent(context, { action, organizationId: invite.organization_id, target, ...values })
}

/** Records an event about an email invite under its address, because its ID is the secret of the link. */
function recordEmailInvite(
  context: OrganizationContext,
  { organization_id, email, role }: Row<'email_invites'>,
  action: 'invite.create' | 'invite.delete',
): Promise<void> {
  const values = { role: fromStoredRole(role) }
  return recordEventAbout(
    context,
    'invite',
    { organization_id, id: email, title: email },
    action,
    action === 'invite.create' ? { after: values } : { before: values },
  )
}

async function getLinkInvite({ db, organization }: OrganizationContext, inviteId: string) {
  const invite = await store.findLinkInvite(db, organization.id, inviteId)
  if (!invite) throw notFound('invite')
  return invite
}

/** Adds to each invite the space or collection that it grants access to. */
async function withContent(
  { db, organization, role }: OrganizationContext,
  rows: Row<'link_invites'>[],
): Promise<LinkInviteRow[]> {
  const ids = rows.flatMap((row) => row.space_id ?? row.collection_id ?? [])
  const { spaces, collections } = await store.findInvitedContent(db, organization.id, ids)
  const spaceById = new Map(spaces.map((space) => [space.id, space]))
  const collectionById = new Map(collections.map((collection) => [collection.id, collection]))
  return rows.map((row) => ({
    ...row,
    space: spaceById.get(row.space_id ?? ''),
    collection: collectionById.get(row.collection_id ?? ''),
    // Only administrators can see invites, and they are administrators of all content.
    callerRole: role,
  }))
}

async function loadAndPresentLinkInvite(
  context: OrganizationContext,
  invite: Row<'link_invites'>,
): Promise<LinkInvite> {
  const [row] = await withContent(context, [invite])
  return presentLinkInvite(row as LinkInviteRow, context.urls)
}
