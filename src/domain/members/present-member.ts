import { fromStoredRole } from '../../access/content-roles.ts'
import type { Member } from '../../contract/members.ts'
import type { Urls } from '../../kernel/context.ts'
import { presentUserColumns } from '../users/present-user.ts'
import type { MemberWithUser } from './member-store.ts'

/** A membership with its user and the number of spaces and sites that the member can see. */
export type MemberRow = MemberWithUser & {
  space_count: number
  site_count: number
}

export const presentMember = (row: MemberRow, urls: Urls): Member => ({
  object: 'member',
  id: row.user_id,
  role: fromStoredRole(row.role),
  user: presentUserColumns(row.user_id, row, urls),
  disabled: row.disabled === 1,
  joinedAt: row.joined_at,
  ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at }),
  sso: row.sso === 1,
  spaces: row.space_count,
  teams: row.team_count ?? 0,
  sites: row.site_count,
})
