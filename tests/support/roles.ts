import { ApiError } from '../../src/client/client.ts'
import type { Role, RoleOrGuest } from '../../src/contract/roles.ts'
import type { Collection } from '../../src/contract/collections.ts'
import type { Space } from '../../src/contract/space.ts'
import type { Person } from './server.ts'

/** Roles in the order of the specification, from lowest to highest. */
export const rolesAscending: readonly Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin']

/** Lowest role that has each permission in a space. */
const minRoleInSpace: Record<keyof Space['permissions'], Role> = {
  view: 'read',
  access: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
  triggerGitSync: 'create',
  installIntegration: 'admin',
  viewInviteLinks: 'admin',
  admin: 'admin',
}

const minRoleInCollection: Record<keyof Collection['permissions'], Role> = {
  view: 'read',
  create: 'create',
  viewInviteLinks: 'admin',
  admin: 'admin',
}

export const spacePermissions = (role: RoleOrGuest) => permissionsOf(minRoleInSpace, role)
export const collectionPermissions = (role: RoleOrGuest) => permissionsOf(minRoleInCollection, role)

function permissionsOf<Name extends string>(least: Record<Name, Role>, role: RoleOrGuest): Record<Name, boolean> {
  const height = role === null ? -1 : rolesAscending.indexOf(role)
  const entries = Object.entries<Role>(least).map(([name, needed]) => [name, height >= rolesAscending.indexOf(needed)])
  return Object.fromEntries(entries) as Record<Name, boolean>
}

/** Returns the role that has exactly these permissions in a space. */
export function roleFromPermissions(permissions: Space['permissions']): RoleOrGuest {
  const same = (role: RoleOrGuest) =>
    Object.entries(spacePermissions(role)).every(
      ([name, value]) => permissions[name as keyof typeof permissions] === value,
    )
  const role = [...rolesAscending, null].find(same)
  if (role === undefined) throw new Error(`No role gives these permissions: ${JSON.stringify(permissions)}`)
  return role
}

/** Returns the role of a person in a space; null if they cannot see it. */
export async function getRole(who: Person, space: Pick<Space, 'id'>): Promise<RoleOrGuest> {
  try {
    return roleFromPermissions((await who.api.getSpaceById({ params: { spaceId: space.id } })).permissions)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
