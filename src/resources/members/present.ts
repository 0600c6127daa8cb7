import { roleOf } from '../../access/content.ts'
import type { Member } from '../../contract/members.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../storage/tables.ts'
import { presentUser } from '../users/present.ts'

/** A membership with its user and what it counts. */
export type MemberRow = Row<'members'> & {
  user: Row<'users'>
  team_count: number
  space_count: number
  site_count: number
}

export const presentMember = (row: MemberRow, urls: Urls): Member => ({
  object: 'member',
  id: row.user_id,
  role: roleOf(row.role),
  user: presentUser(row.user, urls),
  disabled: row.disabled === 1,
  joinedAt: row.joined_at,
  ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at }),
  sso: row.sso === 1,
  spaces: row.space_count,
  teams: row.team_count,
  sites: row.site_count,
})
