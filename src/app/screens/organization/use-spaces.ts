import type { Space } from '../../../contract/space.ts'
import { useList, useWholeList } from '../../data/list.ts'

const byId = (spaces: readonly Space[] = []): ReadonlyMap<string, Space> =>
  new Map(spaces.map((space) => [space.id, space]))

/** Returns all spaces of an organization by their IDs. */
export const useSpaces = (organizationId: string): ReadonlyMap<string, Space> =>
  byId(useWholeList('GET /orgs/{organizationId}/spaces', { params: { organizationId } }).items)

/** Returns the first spaces of an organization by their IDs, from the request of the navigation; without an organization, none. */
export function useFirstSpaces(organizationId: string | undefined): ReadonlyMap<string, Space> {
  const { items } = useList(organizationId === undefined ? undefined : 'GET /orgs/{organizationId}/spaces', {
    params: { organizationId: organizationId ?? '' },
    query: { limit: 1000 },
  })
  return byId(items)
}
