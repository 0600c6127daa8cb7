import type { Db, Row } from '../../schema/tables.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { type SharedCount, countSitesOfMembers, countSpacesOfMembers } from '../permissions/shared-counts.ts'
import type { MemberRow } from './present-member.ts'
import {
  type MemberWithUser,
  findMemberKeys,
  findMembersById,
  countOrganizationContent,
  updateMemberNames,
} from './member-store.ts'

/** Adds to each member the number of spaces and sites that the member can see. */
export async function addVisibleContentCounts(
  db: Db,
  organizationId: string,
  members: readonly MemberWithUser[],
): Promise<MemberRow[]> {
  if (members.length === 0) return []
  const counts = await countOrganizationContent(db, { organizationId })
  const spaces = { total: counts?.spaces ?? 0, open: counts?.open_spaces ?? 0 }
  const sites = { total: counts?.sites ?? 0, open: counts?.open_sites ?? 0 }
  // Administrators see everything. Other members need a count of shared content only if some content is not open to all.
  const findIdsToCount = (all: ContentCount) =>
    members
      .filter(({ role }) => role === 'guest' || (role !== 'admin' && all.open < all.total))
      .map((member) => member.user_id)
  const sharedSpaces = await countSpacesOfMembers(db, organizationId, findIdsToCount(spaces))
  const sharedSites = await countSitesOfMembers(db, organizationId, findIdsToCount(sites))
  return members.map((member) => ({
    ...member,
    space_count: countVisibleContent(member, spaces, sharedSpaces),
    site_count: countVisibleContent(member, sites, sharedSites),
  }))
}

/** Number of spaces or sites of an organization; `open` of them are visible to every member. */
interface ContentCount {
  total: number
  open: number
}

function countVisibleContent(
  { role, user_id }: MemberWithUser,
  all: ContentCount,
  shared: ReadonlyMap<string, SharedCount>,
): number {
  if (role === 'admin') return all.total
  const sharedCount = shared.get(user_id) ?? { total: 0, closed: 0 }
  return role === 'guest' ? sharedCount.total : all.open + sharedCount.closed
}

/** Loads members by their ids. */
export async function loadMembers(db: Db, organizationId: string, userIds: readonly string[]) {
  const rows = await addVisibleContentCounts(db, organizationId, await findMembersById(db, organizationId, userIds))
  const byId = new Map(rows.map((row) => [row.user_id, row]))
  return {
    /** Returns a member that must have been loaded. */
    get(userId: string): MemberRow {
      const row = byId.get(userId)
      if (!row) throw new Error(`The member ${userId} was not loaded`)
      return row
    },
    find: (userId: string): MemberRow | undefined => byId.get(userId),
  }
}

/** Maps ids and email addresses to member ids; unknown keys are left out. */
export async function findMemberIds(
  db: Db,
  organizationId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  if (keys.length === 0) return found
  const rows = await findMemberKeys(db, organizationId, keys)
  const byKey = new Map(rows.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const]))
  for (const key of keys) {
    const id = byKey.get(key) ?? byKey.get(key.toLowerCase())
    if (id !== undefined) found.set(key, id)
  }
  return found
}

/** Returns the member ids for ids or email addresses, each once; fails on the first key that is no member's. */
export async function getMemberIds(
  db: Db,
  organizationId: string,
  keys: readonly string[],
  field: string,
): Promise<string[]> {
  const found = await findMemberIds(db, organizationId, keys)
  keys.forEach((key, index) => {
    if (!found.has(key))
      throw unknownReference(keys.length === 1 && field.startsWith('path') ? field : `${field}.${index}`, 'member')
  })
  return [...new Set(found.values())]
}

/** Returns the display names of members by their ids. */
export async function findMemberNames(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', 'in', [...new Set(userIds)])
    .select(['users.id', 'users.display_name'])
    .execute()
  return new Map(rows.map(({ id, display_name: name }) => [id, name]))
}

/** The columns by which members are sorted and searched, computed from the user. */
export function toMemberSearchColumns(user: Pick<Row<'users'>, 'display_name' | 'email'>) {
  const name = user.display_name.toLowerCase()
  const email = user.email.toLowerCase()
  return { name_key: name, search_text: `${name} ${email}`, user_name_key: email }
}

/** Updates the name of a user in all their memberships. */
export function updateMemberSearchColumns(db: Db, user: Row<'users'>): Promise<void> {
  return updateMemberNames(db, user.id, toMemberSearchColumns(user))
}

/** Returns the first administrator of an organization, for jobs whose author is no longer a member. */
export async function findFirstAdmin(db: Db, organizationId: string): Promise<string | undefined> {
  const member = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .orderBy('joined_at')
    .limit(1)
    .executeTakeFirst()
  return member?.user_id
}
