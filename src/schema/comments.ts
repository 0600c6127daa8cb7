import type { CommentStatus } from '../contract/comment.ts'

/** Comments and, with a `parent_id`, the replies to them. */
export interface CommentsTable {
  organization_id: string
  id: string
  space_id: string
  /** ID of the change request that the comment belongs to; null for comments of the space. */
  change_request_id: string | null
  review_id: string | null
  /** ID of the comment that a reply belongs to. */
  parent_id: string | null
  /** ID of the revision in which the target was found. */
  revision_id: string
  page_id: string | null
  /** Title that the page had, which is shown when the page has been deleted. */
  page_title: string | null
  /** Hash of the document in which the block was found: while the page has this document, the block exists. */
  document_hash: string | null
  /** Key of the block. */
  node_key: string | null
  cell_record: string | null
  cell_definition: string | null
  /** Text of the block or cell. */
  preview: string | null
  /** Document as JSON. */
  body: string
  status: CommentStatus
  resolved_by: string | null
  resolved_at: string | null
  reply_count: number
  /** ID of the author; null if the account was deleted. */
  author_id: string | null
  created_at: string
  edited_at: string | null
}

/** Reactions to comments and replies, one for each user and emoji. */
export interface CommentReactionsTable {
  organization_id: string
  comment_id: string
  emoji: string
  user_id: string
  created_at: string
}

/** Members who are mentioned in comments and replies. */
export interface CommentMentionsTable {
  organization_id: string
  comment_id: string
  user_id: string
  space_id: string
  created_at: string
}

/** Numbers of comments and replies, which lists return as `count`. */
export interface CommentCountsTable {
  organization_id: string
  space_id: string
  /** Empty for the comments of the space. */
  change_request_id: string
  /** Empty for the comments on all pages and those without a page. */
  page_id: string
  /** Empty for the comments of all authors. */
  author_id: string
  /** Replies are counted by author only, without the page. */
  status: CommentStatus | 'reply'
  count: number
}

/** Number of comments and replies of a space that mention a user. */
export interface MentionCountsTable {
  user_id: string
  organization_id: string
  space_id: string
  count: number
}
