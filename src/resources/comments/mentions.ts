import { findViewer } from '../../access/authorize.ts'
import { isInReach } from '../../access/sso.ts'
import type { Mention } from '../../contract/comment.ts'
import { mentions } from '../../contract/comments.ts'
import type { DocumentFormat } from '../../contract/document.ts'
import type { Principal, UserContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Db } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'
import { presentCommentBody } from '../../domain/comments/comment-body.ts'
import * as store from '../../domain/comments/mention-store.ts'
import { pathOfComment } from '../../domain/comments/present-comment.ts'
import { type PresentAuthor, loadAuthors } from '../../domain/members/load-authors.ts'
import { findSpaceRanks } from '../../domain/spaces/space-store.ts'

export const mentionRoutes = implement(mentions, {
  async listMentionsForAuthenticatedUser(context, { query }) {
    const { db, principal } = context
    const after = decodeCursor(query.page, 1)
    const { spaceIds, count } = await findVisibleMentions(db, principal)
    if (spaceIds.length === 0) return { count: 0, items: [] }
    const rows = await store.findMentions(db, principal.user.id, spaceIds, { after, limit: query.limit })
    const presented = await presentMentions(context, rows.slice(0, query.limit), query.format)
    return toPage(
      rows,
      query,
      count,
      ({ id }) => [id],
      ({ id }) => presented.get(id) as Mention,
    )
  },
})

/** Finds the spaces in which the user is mentioned and that the user can see, with the number of mentions in them. */
async function findVisibleMentions(
  db: Db,
  { user: { id: userId }, reach }: Principal,
): Promise<{ spaceIds: string[]; count: number }> {
  const counts = await store.findMentionCounts(db, userId)
  const visibleIds = new Set<string>()
  for (const [organizationId, rows] of groupBy(counts, (row) => row.organization_id)) {
    const viewer = isInReach(reach, organizationId) ? await findViewer(db, organizationId, userId) : undefined
    if (!viewer) continue
    for (const batch of toBatches(rows.map((row) => row.space_id))) {
      for (const { id } of await findSpaceRanks(db, viewer, batch)) visibleIds.add(id)
    }
  }
  const visible = counts.filter((row) => visibleIds.has(row.space_id))
  return {
    spaceIds: visible.map((row) => row.space_id),
    count: visible.reduce((sum, row) => sum + row.count, 0),
  }
}

async function presentMentions(
  context: UserContext,
  rows: readonly store.MentionRow[],
  format: DocumentFormat | undefined,
): Promise<Map<string, Mention>> {
  const authors = new Map<string, PresentAuthor>()
  for (const [organizationId, inOrganization] of groupBy(rows, (row) => row.organization_id)) {
    const authorIds = inOrganization.map((row) => row.author_id)
    authors.set(organizationId, await loadAuthors(context, organizationId, authorIds))
  }
  const yieldIfDue = createYielder()
  const presented = new Map<string, Mention>()
  for (const row of rows) {
    presented.set(row.id, {
      object: 'mention',
      mentionedBy: (authors.get(row.organization_id) as PresentAuthor)(row.author_id),
      mentionedAt: row.mentioned_at,
      organization: row.organization_id,
      space: row.space_id,
      ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
      comment: row.parent_id ?? row.id,
      ...(row.parent_id !== null && { reply: row.id }),
      body: presentCommentBody(row.body, format),
      urls: { location: context.urls.api(pathOfComment(row)) },
    })
    await yieldIfDue()
  }
  return presented
}
