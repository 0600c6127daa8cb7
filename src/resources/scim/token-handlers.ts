import { generateScimToken } from '../../access/scim-tokens.ts'
import { hashToken } from '../../kernel/hash-token.ts'
import { type AuditContext, recordAuditEvent } from '../../domain/audit/record-event.ts'
import { parseTokenExpiry } from '../../domain/users/token-expiry.ts'
import { type ScimToken, scimTokens } from '../../contract/scim-tokens.ts'
import type { Urls } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import * as store from './token-store.ts'

export const scimTokenRoutes = implement(scimTokens, {
  async listScimTokens({ db, organization, urls }, { query }) {
    const after = decodeCursor(query.page, 1)
    const tokens = await store.findScimTokens(db, organization.id, { after, limit: query.limit })
    const count = await store.countScimTokens(db, organization.id)
    return toPage(
      tokens,
      query,
      count,
      (token) => [token.id],
      (token) => presentScimToken(token, urls),
    )
  },

  async createScimToken(context, { body }) {
    const { db, organization, principal, urls, now, newId } = context
    const expiresAt = parseTokenExpiry(body, now())
    const token = generateScimToken()
    const row = await store.insertScimToken(db, {
      organization_id: organization.id,
      id: newId(),
      label: body.label,
      hash: hashToken(token),
      created_by: principal.user.id,
      created_at: now(),
      expires_at: expiresAt ?? null,
      last_used_at: null,
    })
    await recordTokenEvent(context, row, 'scim.token-create')
    return { ...presentScimToken(row, urls), token }
  },

  async revokeScimToken(context, { params }) {
    const { db, organization } = context
    const row = await store.deleteScimToken(db, organization.id, params.scimTokenId)
    if (row) await recordTokenEvent(context, row, 'scim.token-revoke')
  },
})

const recordTokenEvent = (
  context: AuditContext,
  { organization_id: organizationId, id, label }: Row<'scim_tokens'>,
  action: 'scim.token-create' | 'scim.token-revoke',
): Promise<void> =>
  recordAuditEvent(context, { action, organizationId, target: { type: 'scim-token', id, title: label } })

const presentScimToken = (row: Row<'scim_tokens'>, urls: Urls): ScimToken => ({
  object: 'scim-token',
  id: row.id,
  label: row.label,
  createdAt: row.created_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
  urls: {
    location: urls.api(`/orgs/${row.organization_id}/scim-tokens/${row.id}`),
    scim: urls.plain(`/scim/v2/${row.organization_id}`),
  },
})
