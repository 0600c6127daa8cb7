import type { Space } from '../../../contract/space.ts'
import { useList } from '../../data/list.ts'

/** Returns the spaces of an organization by their IDs, as the navigation reads them. */
export function useSpaces(organizationId: string): ReadonlyMap<string, Space> {
  const { items } = useList('GET /orgs/{organizationId}/spaces', { params: { organizationId }, query: { limit: 1000 } })
  return new Map((items ?? []).map((space) => [space.id, space]))
}
