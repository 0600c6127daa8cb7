import type { ChangeRequest } from '../../contract/change-request.ts'
import { type RoleOrGuest, isActionAllowed } from '../../contract/roles.ts'
import type { Document } from '../../content/document/nodes.ts'
import type { User } from '../../contract/shared.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { presentDocument } from '../documents/present-document.ts'
import type { LoadedUsers } from '../users/load-users.ts'
import { presentUser } from '../users/present-user.ts'

/** Returns the base of a change request: the revision that it was created from or last updated with. */
export const baseRevisionIdOf = (row: Row<'change_requests'>): string =>
  row.revision_merged_ancestor_id ?? row.revision_initial_id

export interface ChangeRequestPresenterContext {
  /** The head of the space. */
  spaceRevisionId: string
  role: RoleOrGuest
  users: LoadedUsers
  urls: Urls
}

export function presentChangeRequest(
  row: Row<'change_requests'>,
  { spaceRevisionId, role, users, urls }: ChangeRequestPresenterContext,
): ChangeRequest {
  const links = JSON.parse(row.links) as NonNullable<ChangeRequest['links']>
  const path = `/spaces/${row.space_id}/change-requests/${row.id}`
  return {
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    ...(row.description !== null && { description: presentDocument(JSON.parse(row.description) as Document) }),
    createdBy: presentUser(users.get(row.created_by), urls),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.merged_by !== null && { mergedBy: presentUser(users.get(row.merged_by), urls) }),
    ...(row.merged_at !== null && { mergedAt: row.merged_at }),
    space: row.space_id,
    revision: row.revision_id,
    revisionInitial: row.revision_initial_id,
    ...(row.revision_merged_ancestor_id !== null && { revisionMergedAncestor: row.revision_merged_ancestor_id }),
    ...(row.revision_merged_id !== null && { revisionMerged: row.revision_merged_id }),
    comments: row.comments_open,
    outdated: row.status !== 'merged' && spaceRevisionId !== baseRevisionIdOf(row),
    ...(links.length > 0 && { links }),
    urls: { app: urls.app(path), location: urls.api(path) },
    permissions: {
      view: isActionAllowed('space', 'view', role),
      comment: isActionAllowed('space', 'comment', role),
      edit: isActionAllowed('space', 'edit', role),
      review: isActionAllowed('space', 'review', role),
      merge: isActionAllowed('space', 'merge', role),
    },
  }
}

/** Removes the email addresses of the authors and the number of comments, for visitors of a preview. */
export function redactForVisitor(request: ChangeRequest): ChangeRequest {
  const { createdBy, mergedBy } = request
  return {
    ...request,
    comments: 0,
    createdBy: withoutEmail(createdBy),
    ...(mergedBy && { mergedBy: withoutEmail(mergedBy) }),
  }
}

function withoutEmail(user: User): User {
  const { email: _, ...rest } = user
  return rest
}
