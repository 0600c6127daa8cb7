import type { Comment, CommentPermissions, CommentReply, Reaction } from '../../contract/comment.ts'
import type { DocumentFormat } from '../../contract/document.ts'
import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import { pathOfPage } from '../../content/revision/tree.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import type { PresentAuthor } from '../members/load-authors.ts'
import { presentCommentBody } from './comment-body.ts'
import type { ReactionRow, ReplierRow } from './comment-store.ts'
import type { TargetState } from './comment-target.ts'

/** The caller of an operation on comments. */
export interface CommentCaller {
  userId: string
  /** Effective role in the space. */
  role: RoleOrGuest
  /** Whether the comments belong to a change request that is merged or archived. */
  isClosed: boolean
}

/** What the presenters need besides the row. */
export interface CommentDetails {
  urls: Urls
  caller: CommentCaller
  format: DocumentFormat | undefined
  presentAuthor: PresentAuthor
  reactions: readonly ReactionRow[]
}

const isAuthor = (row: Row<'comments'>, { userId }: CommentCaller): boolean => row.author_id === userId

export const mayDelete = (row: Row<'comments'>, caller: CommentCaller): boolean =>
  isActionAllowed('space', isAuthor(row, caller) ? 'comment' : 'review', caller.role)

/** Whether the caller may resolve and reopen a comment. */
export const mayResolve = mayDelete

export const mayEdit = (row: Row<'comments'>, caller: CommentCaller): boolean =>
  isAuthor(row, caller) && isActionAllowed('space', 'comment', caller.role)

const presentPermissions = (row: Row<'comments'>, caller: CommentCaller): CommentPermissions => ({
  view: isActionAllowed('space', 'view', caller.role),
  edit: !caller.isClosed && mayEdit(row, caller),
  reply: !caller.isClosed && isActionAllowed('space', 'comment', caller.role),
  delete: mayDelete(row, caller),
})

/** Returns the path of a comment or reply in the API. */
export function pathOfComment(
  row: Pick<Row<'comments'>, 'space_id' | 'change_request_id' | 'parent_id' | 'id'>,
): string {
  const owner = row.change_request_id === null ? '' : `/change-requests/${row.change_request_id}`
  const path = row.parent_id === null ? row.id : `${row.parent_id}/replies/${row.id}`
  return `/spaces/${row.space_id}${owner}/comments/${path}`
}

/** Presents the fields that comments and replies share. */
function presentPost(row: Row<'comments'>, details: CommentDetails) {
  const { urls, caller, format, presentAuthor } = details
  return {
    id: row.id,
    postedBy: presentAuthor(row.author_id),
    postedAt: row.created_at,
    ...(row.edited_at !== null && { editedAt: row.edited_at }),
    reactions: presentReactions(details),
    body: presentCommentBody(row.body, format),
    urls: { location: urls.api(pathOfComment(row)) },
    permissions: presentPermissions(row, caller),
  }
}

function presentReactions({ reactions, presentAuthor }: CommentDetails): Reaction[] {
  const byEmoji = new Map<string, Reaction>()
  for (const { emoji, count, user_id: userId, created_at: reactedAt } of reactions) {
    const reaction = byEmoji.get(emoji) ?? { emoji, count, users: [] }
    reaction.users.push({ user: presentAuthor(userId), reactedAt })
    byEmoji.set(emoji, reaction)
  }
  return [...byEmoji.values()]
}

export const presentReply = (row: Row<'comments'>, details: CommentDetails): CommentReply => ({
  object: 'comment-reply',
  ...presentPost(row, details),
})

export function presentComment(
  row: Row<'comments'>,
  details: CommentDetails & { repliers: readonly ReplierRow[]; target: TargetState | undefined },
): Comment {
  const { presentAuthor, repliers, target } = details
  const comment = {
    object: 'comment' as const,
    ...presentPost(row, details),
    replies: row.reply_count,
    repliers: repliers.map(({ author_id: userId, count, updated_at: updatedAt }) => ({
      user: presentAuthor(userId),
      count,
      updatedAt,
    })),
    target: presentTarget(row, target),
  }
  return row.resolved_at === null
    ? { ...comment, status: 'open' }
    : { ...comment, status: 'resolved', resolvedAt: row.resolved_at, resolvedBy: presentAuthor(row.resolved_by) }
}

function presentTarget(row: Row<'comments'>, state: TargetState | undefined): Comment['target'] {
  const { cell_record: record, cell_definition: definition } = row
  return {
    ...(row.node_key !== null && { node: { id: row.node_key, ...(row.preview && { preview: row.preview }) } }),
    ...(record !== null && definition !== null && { tableCell: { record, definition } }),
    ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
    ...(row.review_id !== null && { review: row.review_id }),
    ...(row.page_id !== null && { page: presentTargetPage(row.page_id, row.page_title, state) }),
    space: row.space_id,
    revision: row.revision_id,
  }
}

function presentTargetPage(
  id: string,
  formerTitle: string | null,
  state: TargetState | undefined,
): NonNullable<Comment['target']['page']> {
  const outdated = state?.isOutdated ?? true
  if (!state?.page) return { id, ...(formerTitle !== null && { title: formerTitle }), outdated }
  const { page } = state.page
  return {
    id,
    title: page.title,
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    path: pathOfPage(state.page),
    outdated,
  }
}
