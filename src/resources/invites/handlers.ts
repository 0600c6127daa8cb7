import { fromStoredRole, toStoredRole } from '../../access/content-roles.ts'
import { type LinkInvite, invites } from '../../contract/invites.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { recordMemberEvent } from '../../domain/audit/record-event-about.ts'
import { addMember } from '../../domain/members/membership.ts'
import { getTeams } from '../../domain/teams/team-details.ts'
import { findUsersByEmail } from '../../domain/users/user-store.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { describeLinkInvite, recordEmailInvite, recordLinkInvite } from './invite-events.ts'
import { enqueueInviteMails } from './invite-mail.ts'
import { acceptInvite, findInvite, joinTeams } from './join.ts'
import { type LinkInviteRow, presentEmailInvite, presentLinkInvite } from './present.ts'
import * as store from './store.ts'

/** Generates the id of an invite. It is the only secret in the link, so it is as hard to guess as a token. */
const newInviteId = () => randomText(32)

/** Creates the routes; with a mailer, people who are invited or added get a message. */
export const inviteRoutes = ({ mailer }: { mailer: Mailer | undefined }) =>
  implement(invites, {
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
      const teams = await getTeams(db, organization.id, body.teams ?? [], 'body.teams')
      const added: Row<'users'>[] = []
      const existingUsers = new Map(
        (await findUsersByEmail(db, [...roleByEmail.keys()])).map((user) => [user.email, user]),
      )
      const stored: Row<'email_invites'>[] = []
      for (const [email, role] of roleByEmail) {
        const user = existingUsers.get(email)
        if (user) {
          if (await addMember(db, now, { organizationId: organization.id, user, role, sso: body.sso })) {
            added.push(user)
            await recordMemberEvent(context, organization.id, user, 'member.add', {
              after: { role: fromStoredRole(role) },
            })
            await joinTeams(context, teams, user)
          }
          await store.takeEmailInvite(db, organization.id, email)
          continue
        }
        const invite = await store.upsertEmailInvite(db, {
          organization_id: organization.id,
          id: newInviteId(),
          email,
          role,
          sso: toFlag(body.sso),
          ...(body.teams && { team_ids: JSON.stringify(teams.map(({ id }) => id)) }),
          invited_by: principal.user.id,
          created_at: now(),
        })
        stored.push(invite)
        await recordEmailInvite(context, invite, 'invite.create')
      }
      if (mailer) await enqueueInviteMails(context, { invites: stored, members: added })
      return {
        users: added.map(({ id }) => id),
        invited: added.length,
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
      const invite = await findInvite(context.db, params.organizationId, params.inviteId)
      if (!invite) throw notFound('invite')
      await acceptInvite(context, invite, context.principal.user)
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
      const { spaces, collections } = await store.findInvitedContent(db, organization.id, [
        spaceId ?? collectionId ?? '',
      ])
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
