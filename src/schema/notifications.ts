import type { NotificationKind } from '../contract/notifications.ts'
import type { Flag } from './values.ts'

/** Change that some users are notified of. */
export interface NotificationEventsTable {
  organization_id: string
  id: string
  space_id: string
  /** `mention` is a comment that was edited and now mentions more users. */
  cause: 'comment' | 'mention' | 'review-request' | 'review' | 'merge' | 'git-failure'
  change_request_id: string | null
  page_id: string | null
  /** ID of the comment or reply. */
  comment_id: string | null
  /** User who made the change; null if the server did, or if the account was deleted. */
  actor_id: string | null
  /** JSON list of the users who are notified in addition to followers. */
  receivers: string
  /** JSON of `NotificationDetails`. */
  details: string
  created_at: string
}

/** Notifications of users. */
export interface NotificationsTable {
  user_id: string
  event_id: string
  organization_id: string
  space_id: string
  kind: NotificationKind
  /** Whether it is listed; otherwise it is only mailed. */
  in_app: Flag
  /** Whether it belongs in the next mail. */
  mail_due: Flag
  read_at: string | null
  created_at: string
}

/** Settings of users for kinds of notifications; absent kinds have their default. */
export interface NotificationSettingsTable {
  user_id: string
  kind: NotificationKind
  in_app: Flag
  email: 'off' | 'digest'
}

/** Users who follow something, or who do not want to although they take part in it. */
export interface FollowsTable {
  organization_id: string
  space_id: string
  target: 'space' | 'page' | 'change-request'
  target_id: string
  user_id: string
  is_following: Flag
  created_at: string
}
