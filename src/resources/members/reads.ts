import type { OrganizationMergeRules, SpaceMergeRules } from '../../contract/space.ts'
import type { Db, Row } from '../../storage/tables.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { type Reach, countSitesOfMembers, countSpacesOfMembers } from '../permissions/reads.ts'
import type { MemberRow } from './present.ts'
import { type SelectedMember, findMemberKeys, findMembersById, findOpenness, updateMemberNames } from './store.ts'

/** Adds to members how many spaces and sites each can see. */
export async function withCounts(
  db: Db,
  organizationId: string,
  members: readonly SelectedMember[],
): Promise<MemberRow[]> {
  if (members.length === 0) return []
  const openness = await findOpenness(db, { organizationId })
  const spaces = { total: openness?.spaces ?? 0, open: openness?.open_spaces ?? 0 }
  const sites = { total: openness?.sites ?? 0, open: openness?.open_sites ?? 0 }
  // Only guests, and members of an organization with closed content, see more or less than the others.
  const varying = (all: Seen) =>
    members
      .filter(({ role }) => role === 'guest' || (role !== 'admin' && all.open < all.total))
      .map((member) => member.user_id)
  const sharedSpaces = await countSpacesOfMembers(db, organizationId, varying(spaces))
  const sharedSites = await countSitesOfMembers(db, organizationId, varying(sites))
  return members.map((member) => ({
    ...member,
    space_count: seenBy(member, spaces, sharedSpaces),
    site_count: seenBy(member, sites, sharedSites),
  }))
}

interface Seen {
  total: number
  open: number
}

function seenBy({ role, user_id }: SelectedMember, all: Seen, shared: ReadonlyMap<string, Reach>): number {
  if (role === 'admin') return all.total
  const own = shared.get(user_id) ?? { total: 0, closed: 0 }
  return role === 'guest' ? own.total : all.open + own.closed
}

/** These members by their ids. */
export async function loadMembers(db: Db, organizationId: string, userIds: readonly string[]) {
  const rows = await withCounts(db, organizationId, await findMembersById(db, organizationId, userIds))
  const byId = new Map(rows.map((row) => [row.user_id, row]))
  return {
    /** A member that is known to exist. */
    get(userId: string): MemberRow {
      const row = byId.get(userId)
      if (!row) throw new Error(`The member ${userId} was not loaded`)
      return row
    },
    find: (userId: string): MemberRow | undefined => byId.get(userId),
  }
}

/** The members behind ids or e-mail addresses, by what they were called; unknown ones are left out. */
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

/** The members behind ids or e-mail addresses, each once; fails on the first that is no member. */
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

/** Fails when merge rules name somebody who is no member. */
export async function demandMembersIn(
  db: Db,
  organizationId: string,
  mergeRules: SpaceMergeRules | OrganizationMergeRules | undefined,
): Promise<void> {
  if (mergeRules?.type !== 'rules') return
  const named = mergeRules.rules.flatMap((rule, at) =>
    'users' in rule ? rule.users.map((id, index) => ({ id, field: `body.mergeRules.rules.${at}.users.${index}` })) : [],
  )
  const known = await findMemberIds(db, organizationId, [...new Set(named.map(({ id }) => id))])
  // Rules are kept as they came, so unlike elsewhere an e-mail address does not stand for its owner.
  for (const { id, field } of named) if (known.get(id) !== id) throw unknownReference(field, 'member')
}

/** What members call themselves, by their ids. */
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

/** What members are sorted and searched by. */
export function memberNames(user: Pick<Row<'users'>, 'display_name' | 'email'>) {
  const name = user.display_name.toLowerCase()
  return { name_key: name, search_text: `${name} ${user.email.toLowerCase()}` }
}

/** Follows a user's new name in all their memberships. */
export function renameMember(db: Db, user: Row<'users'>): Promise<void> {
  return updateMemberNames(db, user.id, memberNames(user))
}

/** Somebody who may do everything in the organization, for work whose author has gone. */
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
