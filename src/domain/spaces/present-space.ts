import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { Space, SpaceMergeRules } from '../../contract/space.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { presentDefaultLevel } from './default-level.ts'

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
  defaultLevel: presentDefaultLevel(row.default_level),
  comments: row.comments_open,
  changeRequests: row.change_requests,
  changeRequestsOpen: row.change_requests_open,
  changeRequestsDraft: row.change_requests_draft,
  permissions: {
    view: isActionAllowed('space', 'view', role),
    access: isActionAllowed('space', 'access', role),
    admin: isActionAllowed('space', 'admin', role),
    viewInviteLinks: isActionAllowed('space', 'viewInviteLinks', role),
    edit: isActionAllowed('space', 'edit', role),
    triggerGitSync: isActionAllowed('space', 'triggerGitSync', role),
    comment: isActionAllowed('space', 'comment', role),
    merge: isActionAllowed('space', 'merge', role),
    review: isActionAllowed('space', 'review', role),
    installIntegration: isActionAllowed('space', 'installIntegration', role),
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
