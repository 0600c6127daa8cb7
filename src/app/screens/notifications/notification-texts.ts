import { defineTexts } from '../../texts.ts'

export const notificationTexts = defineTexts('notifications', {
  title: 'Notifications',
  mention: '{name} mentioned you in {where}',
  reply: '{name} replied in {where}',
  reviewRequest: '{name} requested your review of {where}',
  approved: '{name} approved {where}',
  changesRequested: '{name} requested changes in {where}',
  comment: '{name} commented on {where}',
  merge: '{name} merged {where}',
  gitFailure: 'A Git operation of {where} failed',
  unread: 'Unread',
  all: 'All',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  markAllRead: 'Mark all as read',
  showAll: 'All notifications',
  settings: 'Settings',
  empty: 'No notifications',
  emptyUnread: 'Nothing unread',
  emptyHint: 'Mentions, reviews and comments on what you follow appear here.',
})
