import type { MemberSession } from '../../contract/member-sessions.ts'
import type { TokenScope } from '../../contract/roles.ts'
import type { User } from '../../contract/shared.ts'
import type { ApiToken, Session } from '../../contract/users.ts'
import type { Principal, Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { describeUserAgent } from './user-agent.ts'

type UserColumns = Pick<Row<'users'>, 'display_name' | 'email' | 'photo_url'>

export const presentUser = (row: Row<'users'>, urls: Urls): User => presentUserColumns(row.id, row, urls)

/** Presents a user from a row that has the user's columns under another id. */
export const presentUserColumns = (id: string, row: UserColumns, urls: Urls): User => ({
  object: 'user',
  id,
  displayName: row.display_name,
  email: row.email,
  ...(row.photo_url !== null && { photoURL: row.photo_url }),
  urls: { location: urls.api(`/users/${id}`) },
})

export const presentToken = (row: Row<'tokens'>, urls: Urls): ApiToken => ({
  object: 'api-token',
  id: row.id,
  label: row.label,
  scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as TokenScope[]),
  createdAt: row.created_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
  urls: { location: urls.api(`/user/tokens/${row.id}`) },
})

export const presentSession = (row: Row<'sessions'>, principal: Principal, urls: Urls): Session => ({
  ...toSessionFields(row),
  current: row.id === principal.session?.id,
  clientAddress: row.client_address,
  urls: { location: urls.api(`/user/sessions/${row.id}`) },
})

/** Presents a session as the administrators of an organization see it. */
export const presentMemberSession = (row: Row<'sessions'>, organizationId: string, urls: Urls): MemberSession => ({
  ...toSessionFields(row),
  urls: { location: urls.api(`/orgs/${organizationId}/members/${row.user_id}/sessions/${row.id}`) },
})

const toSessionFields = (row: Row<'sessions'>) => ({
  object: 'session' as const,
  id: row.id,
  method: row.method,
  secondFactor: row.has_second_factor === 1,
  userAgent: row.user_agent,
  browser: describeUserAgent(row.user_agent),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})
