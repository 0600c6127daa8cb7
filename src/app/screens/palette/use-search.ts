import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Member } from '../../../contract/members.ts'
import type { SearchSpace } from '../../../contract/search.ts'
import { requestPath } from '../../api.ts'

/** Results of the server for a query. */
export interface Found {
  spaces: readonly SearchSpace[]
  members: readonly Member[]
}

/** Delay between the last key and a request, in milliseconds. */
const delay = 120
/** Maximum number of people that are found. */
const maxMembers = 5

/**
 * Searches pages and people while the user types. Requests for an older query are aborted; its results remain until new ones
 * arrive.
 */
export function useSearch(organizationId: string | undefined, query: string, canListMembers: boolean) {
  const found = useSignal<Found | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const isSearching = useSignal(false)
  useEffect(() => {
    if (query === '' || organizationId === undefined) {
      found.value = undefined
      error.value = undefined
      isSearching.value = false
      return undefined
    }
    isSearching.value = true
    const aborter = new AbortController()
    const timer = setTimeout(() => void search(), delay)
    async function search(): Promise<void> {
      try {
        found.value = await fetchResults(organizationId as string, query, canListMembers, aborter.signal)
        error.value = undefined
      } catch (thrown) {
        if (aborter.signal.aborted) return
        error.value = thrown
      }
      isSearching.value = false
    }
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [organizationId, query, canListMembers])
  return { found: found.value, error: error.value, isSearching: isSearching.value }
}

async function fetchResults(
  organizationId: string,
  query: string,
  canListMembers: boolean,
  signal: AbortSignal,
): Promise<Found> {
  const params = { organizationId }
  const [content, people] = await Promise.all([
    requestPath('GET /orgs/{organizationId}/search', { params, query: { query, limit: 10 } }, signal),
    canListMembers
      ? requestPath(
          'GET /orgs/{organizationId}/members',
          { params, query: { search: query, limit: maxMembers, sort: 'name', order: 'asc' } },
          signal,
        )
      : { items: [] },
  ])
  return {
    spaces: (content as { items: SearchSpace[] }).items,
    members: (people as { items: Member[] }).items,
  }
}
