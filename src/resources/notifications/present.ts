import type { Notification } from '../../contract/notifications.ts'
import { findChangeRequestsById } from '../../domain/change-requests/change-request-store.ts'
import { findPostsById } from '../../domain/comments/comment-store.ts'
import { type PresentAuthor, loadAuthors } from '../../domain/members/load-authors.ts'
import type { NotificationRow } from '../../domain/notifications/notification-store.ts'
import type { NotificationDetails } from '../../domain/notifications/record-event.ts'
import type { Urls } from '../../kernel/context.ts'
import { groupBy } from '../../kernel/group-by.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { findMentionedIds, toCommentText } from './comment-text.ts'
import type { SpaceTitles } from './visible-spaces.ts'

/** Maximum length of the text of a comment in a notification. */
const maxTextLength = 240

/** Subjects of notifications. */
interface Subjects {
  requests: ReadonlyMap<string, Row<'change_requests'>>
  posts: ReadonlyMap<string, Row<'comments'>>
  authors: ReadonlyMap<string, PresentAuthor>
  spaces: SpaceTitles
}

/** Presents notifications about spaces that the receiver can see. */
export async function presentNotifications(
  { db, urls }: { db: Db; urls: Urls },
  rows: readonly NotificationRow[],
  spaces: SpaceTitles,
): Promise<Notification[]> {
  const requests = new Map<string, Row<'change_requests'>>()
  const posts = new Map<string, Row<'comments'>>()
  const authors = new Map<string, PresentAuthor>()
  for (const [organizationId, own] of groupBy(rows, (row) => row.organization_id)) {
    const postIds = own.flatMap((row) => row.comment_id ?? [])
    const found = await findPostsById(db, organizationId, postIds)
    for (const post of found) posts.set(post.id, post)
    const userIds = [...own.map((row) => row.actor_id), ...found.flatMap(({ body }) => findMentionedIds(body))]
    authors.set(organizationId, await loadAuthors({ db, urls }, organizationId, userIds))
    for (const [spaceId, inSpace] of groupBy(own, (row) => row.space_id)) {
      const requestIds = inSpace.flatMap((row) => row.change_request_id ?? [])
      const space = { organization_id: organizationId, id: spaceId }
      for (const request of await findChangeRequestsById(db, space, requestIds)) requests.set(request.id, request)
    }
  }
  return rows.map((row) => presentNotification(row, { requests, posts, authors, spaces }, urls))
}

function presentNotification(row: NotificationRow, subjects: Subjects, urls: Urls): Notification {
  const request = row.change_request_id === null ? undefined : subjects.requests.get(row.change_request_id)
  const post = row.comment_id === null ? undefined : subjects.posts.get(row.comment_id)
  const details = JSON.parse(row.details) as NotificationDetails
  const presentAuthor = subjects.authors.get(row.organization_id) as PresentAuthor
  const text = post ? toCommentText(post.body, (id) => presentAuthor(id).displayName) : details.error
  const pageTitle = post?.page_title ?? undefined
  return {
    object: 'notification',
    id: row.event_id,
    kind: row.kind,
    organization: row.organization_id,
    space: { id: row.space_id, title: subjects.spaces.get(row.space_id) ?? '' },
    ...(request && { changeRequest: { id: request.id, number: request.number, subject: request.subject } }),
    ...(row.page_id !== null && {
      page: { id: row.page_id, ...(pageTitle !== undefined && { title: pageTitle }) },
    }),
    ...(post && { comment: post.parent_id ?? post.id, ...(post.parent_id !== null && { reply: post.id }) }),
    ...(text !== undefined && { text: shorten(text) }),
    ...(details.review && { review: details.review }),
    ...((row.actor_id !== null || row.cause !== 'git-failure') && {
      by: presentAuthor(row.actor_id),
    }),
    createdAt: row.created_at,
    ...(row.read_at !== null && { readAt: row.read_at }),
    urls: {
      location: urls.api(`/user/notifications/${row.event_id}`),
      app: urls.app(toAppPath(row, request, post)),
    },
  }
}

/** Returns the screen of the app about the event. */
function toAppPath(
  { space_id, cause }: NotificationRow,
  request: Row<'change_requests'> | undefined,
  post: Row<'comments'> | undefined,
): string {
  const comment = post && (post.parent_id ?? post.id)
  if (request) {
    const path = `/spaces/${space_id}/change-requests/${request.number}`
    return comment === undefined ? path : `${path}?comment=${comment}#comments`
  }
  if (comment !== undefined) return `/spaces/${space_id}/comments/${comment}`
  return cause === 'git-failure' ? `/spaces/${space_id}/git` : `/spaces/${space_id}`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength).toWellFormed().trimEnd()}…` : line
}
