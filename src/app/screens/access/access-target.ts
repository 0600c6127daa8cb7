import type { DefaultLevel, RoleOrGuest } from '../../../contract/roles.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate, useQuery } from '../../data/query.ts'

/** Space, collection or site that people have access to. */
export interface AccessTarget {
  kind: 'space' | 'collection' | 'site'
  id: string
  organizationId: string
  title: string
}

interface UserQuery {
  limit: number
  search?: string
}

/** Lists the users who have access to a target, with the sources of their access. */
export function useUserAccess({ kind, id, organizationId }: AccessTarget, query: UserQuery) {
  const space = useList(kind === 'space' ? 'GET /spaces/{spaceId}/access/users' : undefined, {
    params: { spaceId: id },
    query: { ...query },
  })
  const collection = useList(kind === 'collection' ? 'GET /collections/{collectionId}/access/users' : undefined, {
    params: { collectionId: id },
    query: { ...query },
  })
  const site = useList(kind === 'site' ? 'GET /orgs/{organizationId}/sites/{siteId}/access/users' : undefined, {
    params: { organizationId, siteId: id },
    query: { ...query },
  })
  return { space, collection, site }[kind]
}

/** Lists the teams that have access to a target, with the sources of their access. */
export function useTeamAccess({ kind, id, organizationId }: AccessTarget) {
  const query = { limit: 100 }
  const space = useList(kind === 'space' ? 'GET /spaces/{spaceId}/access/teams' : undefined, {
    params: { spaceId: id },
    query,
  })
  const collection = useList(kind === 'collection' ? 'GET /collections/{collectionId}/access/teams' : undefined, {
    params: { collectionId: id },
    query,
  })
  const site = useList(kind === 'site' ? 'GET /orgs/{organizationId}/sites/{siteId}/access/teams' : undefined, {
    params: { organizationId, siteId: id },
    query,
  })
  return { space, collection, site }[kind]
}

/** Reads the access of people to whom no role in the target was given. */
export function useGeneralAccess({ kind, id, organizationId }: AccessTarget) {
  const space = useQuery(kind === 'space' ? 'GET /spaces/{spaceId}/access' : undefined, { params: { spaceId: id } })
  const collection = useQuery(kind === 'collection' ? 'GET /collections/{collectionId}/access' : undefined, {
    params: { collectionId: id },
  })
  const site = useQuery(kind === 'site' ? 'GET /orgs/{organizationId}/sites/{siteId}/access' : undefined, {
    params: { organizationId, siteId: id },
  })
  return { space, collection, site }[kind]
}

const pathOf = ({ kind, id, organizationId }: AccessTarget): string =>
  kind === 'site' ? `/orgs/${organizationId}/sites/${id}` : `/${kind}s/${id}`

/** Gives people and teams a role in a target; without a role, removes the roles that were given. */
export async function share(
  target: AccessTarget,
  to: { users?: string[]; teams?: string[] },
  role: RoleOrGuest,
): Promise<void> {
  const { kind, id, organizationId } = target
  const body = { ...to, role }
  if (kind === 'space') await request('POST /spaces/{spaceId}/permissions', { params: { spaceId: id }, body })
  else if (kind === 'collection')
    await request('POST /collections/{collectionId}/permissions', { params: { collectionId: id }, body })
  else
    await request('POST /orgs/{organizationId}/sites/{siteId}/permissions', {
      params: { organizationId, siteId: id },
      body,
    })
  invalidate(`${pathOf(target)}/access`)
}

/** Sets the role of every member except guests. */
export async function setDefaultLevel(target: AccessTarget, defaultLevel: DefaultLevel): Promise<void> {
  const { kind, id, organizationId } = target
  const body = { defaultLevel }
  if (kind === 'space') await request('PATCH /spaces/{spaceId}', { params: { spaceId: id }, body })
  else if (kind === 'collection')
    await request('PATCH /collections/{collectionId}', { params: { collectionId: id }, body })
  else await request('PATCH /orgs/{organizationId}/sites/{siteId}', { params: { organizationId, siteId: id }, body })
  invalidate(pathOf(target), `/orgs/${organizationId}`)
}
