import { fromStoredRole, toStoredRole } from '../../access/content-roles.ts'
import { members } from '../../contract/members.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { recordMemberEvent } from '../../domain/audit/record-event-about.ts'
import { recordAccessEvents } from '../../domain/live/record-event.ts'
import { presentSpace } from '../../domain/spaces/present-space.ts'
import { listMemberSpaces } from '../../domain/spaces/space-queries.ts'
import { presentTeam } from '../../domain/teams/present-team.ts'
import { listTeamsOfMember } from '../../domain/teams/team-details.ts'
import { memberSortColumns } from '../../domain/members/member-order.ts'
import { presentMember } from '../../domain/members/present-member.ts'
import { loadMembers, addVisibleContentCounts } from '../../domain/members/member-queries.ts'
import { requireOtherAdmin } from '../../domain/members/membership.ts'
import * as store from '../../domain/members/member-store.ts'
import type { MemberWithUser } from '../../domain/members/member-store.ts'

export const memberRoutes = implement(members, {
  async listMembersInOrganizationById({ db, organization, urls }, { query }) {
    const column = memberSortColumns[query.sort]
    const filter = { role: query.role, search: query.search, seen: query.sort === 'lastSeenAt' }
    const after = decodeCursor(query.page, 2)
    const rows = await store.findMembers(
      db,
      organization.id,
      filter,
      { column, direction: query.order },
      { after, limit: query.limit },
    )
    const isFiltered = filter.role !== undefined || filter.search !== undefined || filter.seen
    const count = isFiltered ? await store.countMembers(db, organization.id, filter) : organization.member_count
    return toPage(
      await addVisibleContentCounts(db, organization.id, rows),
      query,
      count,
      (row) => [row[column] ?? '', row.user_id],
      (row) => presentMember(row, urls),
    )
  },

  async getMemberInOrganizationById(context, { params }) {
    return presentMember(await getMember(context, params.userId), context.urls)
  },

  async updateMemberInOrganizationById(context, { params, body }) {
    const { db, organization, urls } = context
    const member = await getMember(context, params.userId)
    if (member.role === 'admin' && body.role !== 'admin') await requireOtherAdmin(db, organization.id, params.userId)
    await store.updateMember(db, organization.id, params.userId, { role: toStoredRole(body.role) })
    await recordMemberEvent(context, organization.id, toUser(member), 'member.update', {
      before: { role: fromStoredRole(member.role) },
      after: { role: body.role },
    })
    await recordAccessEvents(context, organization.id, [params.userId])
    return presentMember(await getMember(context, params.userId), urls)
  },

  async removeMemberFromOrganizationById(context, { params }) {
    const { db, organization } = context
    const member = (await loadMembers(db, organization.id, [params.userId])).find(params.userId)
    if (!member) return
    if (member.role === 'admin') await requireOtherAdmin(db, organization.id, params.userId)
    await store.deleteMember(db, organization.id, params.userId)
    await recordMemberEvent(context, organization.id, toUser(member), 'member.remove', {
      before: { role: fromStoredRole(member.role), email: member.email },
    })
    await recordAccessEvents(context, organization.id, [params.userId])
  },

  async updateOrganizationMemberLastSeenAt({ db, organization, principal, now }) {
    await store.updateMember(db, organization.id, principal.user.id, { last_seen_at: now() })
    return {}
  },

  async setUserAsSSOMemberForOrganization(context, { params }) {
    const { db, organization, urls } = context
    const member = await getMember(context, params.userId)
    await store.updateMember(db, organization.id, params.userId, { sso: 1 })
    await recordMemberEvent(context, organization.id, toUser(member), 'member.update', {
      before: { sso: member.sso === 1 },
      after: { sso: true },
    })
    return presentMember(await getMember(context, params.userId), urls)
  },

  async listSpacesForOrganizationMember(context, { params, query }) {
    const { db, viewer, organization, urls } = context
    const member = await getMember(context, params.userId)
    const memberViewer = { organizationId: organization.id, userId: member.user_id, role: fromStoredRole(member.role) }
    const after = decodeCursor(query.page, 1)
    const { rows, count } = await listMemberSpaces(db, viewer, memberViewer, {
      after,
      limit: query.limit,
      direction: query.order,
    })
    return toPage(
      rows,
      query,
      count,
      ({ space }) => [space.id],
      ({ space, permission, viewerRole }) => ({ permission, space: presentSpace(space, viewerRole, urls) }),
    )
  },

  async listTeamsForOrganizationMember(context, { params, query }) {
    const { db, viewer } = context
    await getMember(context, params.userId)
    const after = decodeCursor(query.page, 1)
    const { rows, count } = await listTeamsOfMember(db, viewer, params.userId, query.title, {
      after,
      limit: query.limit,
    })
    return toPage(
      rows,
      query,
      count,
      ({ team }) => [team.id],
      ({ team, memberRole }) => ({ team: presentTeam(team), member: { role: memberRole } }),
    )
  },
})

const toUser = ({ user_id: id, display_name }: MemberWithUser) => ({ id, display_name })

async function getMember({ db, organization }: OrganizationContext, userId: string) {
  const member = (await loadMembers(db, organization.id, [userId])).find(userId)
  if (!member) throw notFound('member')
  return member
}
