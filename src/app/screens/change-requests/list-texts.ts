import { defineTexts } from '../../texts.ts'

/** Texts of the lists of change requests. */
export const listTexts = defineTexts('changeRequestList', {
  title: 'Change requests',
  status: 'Status',
  active: 'Open and drafts',
  open: 'In review',
  draft: 'Drafts',
  merged: 'Merged',
  archived: 'Archived',
  people: 'Show',
  everyone: 'All',
  mine: 'Created by me',
  toReview: 'Waiting for my review',
  author: 'Author',
  anyone: 'Anyone',
  anyAuthor: 'Change requests of all authors',
  findAuthor: 'Name or email address',
  noAuthor: 'Nobody has this name.',
  drafts: 'Drafts',
  create: 'New change request',
  subject: 'Subject',
  subjectHint: 'What will change? It can be changed later.',
  emptyTitle: 'No change requests here',
  emptyText: 'A change request collects edits of pages until they are reviewed and merged.',
  emptyFiltered: 'No change request matches the filters.',
  clearFilters: 'Show all',
})
