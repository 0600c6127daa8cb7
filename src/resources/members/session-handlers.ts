import {
  type SessionLifetimes,
  type SessionOwner,
  deleteSession,
  deleteSessionsOfUser,
  findSessions,
} from '../../access/sessions.ts'
import { memberSessions } from '../../contract/member-sessions.ts'
import { isManagedAccount } from '../../domain/accounts/managed-accounts.ts'
import { recordMemberEvent } from '../../domain/audit/record-event-about.ts'
import { findMembership } from '../../domain/members/member-store.ts'
import { presentMemberSession } from '../../domain/users/present-user.ts'
import { findUsers } from '../../domain/users/user-store.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import type { Row } from '../../schema/tables.ts'

export const memberSessionRoutes = ({ sessionLifetimes }: { sessionLifetimes: SessionLifetimes }) =>
  implement(memberSessions, {
    async listSessionsForOrganizationMember(context, { params }) {
      const { db, organization, urls, now } = context
      const owner = await findManagedSessions(context, params.userId)
      if (!owner) throw notFound('member')
      const sessions = await findSessions(db, owner, now(), sessionLifetimes)
      return { items: sessions.map((session) => presentMemberSession(session, organization.id, urls)) }
    },

    async revokeSessionsForOrganizationMember(context, { params }) {
      const { db, organization } = context
      const owner = await findManagedSessions(context, params.userId)
      if (!owner) return
      const count = await deleteSessionsOfUser(db, owner.user.id, { ssoOrganizationId: owner.reach.only })
      if (count > 0)
        await recordMemberEvent(context, organization.id, owner.user, 'session.revoke', { after: { count } })
    },

    async revokeSessionForOrganizationMember(context, { params }) {
      const { db, organization } = context
      const owner = await findManagedSessions(context, params.userId)
      if (owner && (await deleteSession(db, owner, params.sessionId)))
        await recordMemberEvent(context, organization.id, owner.user, 'session.revoke', {
          after: { session: params.sessionId },
        })
    },
  })

/**
 * Returns a member with the sessions that the organization manages: those of its identity providers, and all sessions of an account
 * that it manages. Other sessions may open other organizations.
 */
async function findManagedSessions(
  { db, organization }: OrganizationContext,
  userId: string,
): Promise<(SessionOwner & { user: Row<'users'> }) | undefined> {
  const membership = await findMembership(db, organization.id, userId)
  const [user] = membership ? await findUsers(db, [userId]) : []
  if (!user) return undefined
  const isManaged = await isManagedAccount(db, organization.id, userId)
  return { user, reach: { only: isManaged ? undefined : organization.id } }
}
