import { type RoleOrGuest, may } from '../../contract/roles.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { Space, SpaceMergeRules } from '../../contract/space.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { presentLevel } from './default-level.ts'

export const presentSpace = (row: Row<'spaces'>, role: RoleOrGuest, urls: Urls): Space => ({
  object: 'space',
  id: row.id,
  title: row.title,
  emoji: row.emoji,
  visibility: row.visibility,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.deleted_at !== null && { deletedAt: row.deleted_at }),
  editMode: row.edit_mode,
  mergeRules: JSON.parse(row.merge_rules) as SpaceMergeRules,
  urls: {
    location: urls.api(`/spaces/${row.id}`),
    app: urls.app(`/spaces/${row.id}`),
    ...(row.icon !== null && { icon: row.icon }),
  },
  organization: row.organization_id,
  ...(row.parent_id !== null && { parent: row.parent_id }),
  ...(row.language !== null && { language: row.language }),
  ...(row.git_sync !== null && { gitSync: JSON.parse(row.git_sync) as GitSyncState }),
  revision: row.revision_id,
  defaultLevel: presentLevel(row.default_level),
  comments: row.comments_open,
  changeRequests: row.change_requests,
  changeRequestsOpen: row.change_requests_open,
  changeRequestsDraft: row.change_requests_draft,
  permissions: {
    view: may('space', 'view', role),
    access: may('space', 'access', role),
    admin: may('space', 'admin', role),
    viewInviteLinks: may('space', 'viewInviteLinks', role),
    edit: may('space', 'edit', role),
    triggerGitSync: may('space', 'triggerGitSync', role),
    comment: may('space', 'comment', role),
    merge: may('space', 'merge', role),
    review: may('space', 'review', role),
    installIntegration: may('space', 'installIntegration', role),
  },
})

/** Presents a space to visitors of a site, without the fields that are for members. */
export const presentSpaceForVisitor = (row: Row<'spaces'>, urls: Urls, role: 'read' | null = 'read'): Space =>
  presentSpace(
    {
      ...row,
      parent_id: null,
      default_level: 'none',
      merge_rules: '{"type":"inherit"}',
      comments_open: 0,
      change_requests: 0,
      change_requests_open: 0,
      change_requests_draft: 0,
      git_sync: null,
    },
    role,
    urls,
  )
