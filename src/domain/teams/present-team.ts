import type { Team } from '../../contract/team.ts'
import type { Row } from '../../schema/tables.ts'

export type TeamRow = Row<'teams'> & { space_count: number; managed: boolean }

export const presentTeam = (row: TeamRow): Team => ({
  object: 'team',
  id: row.id,
  title: row.title,
  members: row.member_count,
  spaces: row.space_count,
  createdAt: row.created_at,
  permissions: { admin: row.managed, view: true },
})
