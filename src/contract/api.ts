import { changeRequestContent } from './change-request-content.ts'
import { changeRequestReviews, changeRequests } from './change-requests.ts'
import { collections } from './collections.ts'
import { revisions, spaceContent } from './content.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { imports } from './imports.ts'
import { invites } from './invites.ts'
import type { Operations } from './kit.ts'
import { members } from './members.ts'
import { organizations } from './organizations.ts'
import { collectionPermissions, spacePermissions } from './permissions.ts'
import { spaces } from './spaces.ts'
import { system } from './system.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'

/** The public API, group by group; the title of a group is its tag in the OpenAPI document. */
export const groups = {
  System: system,
  Users: users,
  Organizations: organizations,
  'Organization members': members,
  Teams: teams,
  Invites: invites,
  Collections: collections,
  'Collection permissions': collectionPermissions,
  Spaces: spaces,
  'Space permissions': spacePermissions,
  'Space content': spaceContent,
  Revisions: revisions,
  'Change requests': changeRequests,
  'Change request reviews': changeRequestReviews,
  'Change request content': changeRequestContent,
  Files: files,
  Imports: imports,
  Git: git,
} satisfies Record<string, Operations>

/** Every operation by its name. */
export const api = {
  ...system,
  ...users,
  ...organizations,
  ...members,
  ...teams,
  ...invites,
  ...collections,
  ...collectionPermissions,
  ...spaces,
  ...spacePermissions,
  ...spaceContent,
  ...revisions,
  ...changeRequests,
  ...changeRequestReviews,
  ...changeRequestContent,
  ...files,
  ...imports,
  ...git,
}
export type Api = typeof api
