import { useEffect } from 'preact/hooks'
import { request } from './api.ts'
import { serverHref } from './base-path.ts'
import { useQuery } from './data/query.ts'
import { followOrganization } from './live.ts'

/** Returns the user who is signed in; undefined until the reply has arrived. */
export const useUser = () => useQuery('GET /user').data

/** Reads the organizations of the user, in the order of the API. */
export const useOrganizationList = () => useQuery('GET /orgs', { query: { limit: 100 } })

/** Returns the organizations of the user; undefined until the reply has arrived. */
export const useOrganizations = () => useOrganizationList().data?.items

/** Returns an organization of the user; undefined until the reply has arrived, or if the user is not a member. */
export const useOrganization = (organizationId: string | undefined) =>
  useOrganizations()?.find(({ id }) => id === organizationId)

/** Stores which organization is open, records a visit of the user, and follows changes of the organization. */
export function useShownOrganization(organizationId: string | undefined): void {
  useEffect(() => {
    if (organizationId === undefined) return
    storeLastOrganization(organizationId)
    followOrganization(organizationId)
    recordVisit(organizationId)
  }, [organizationId])
}

/** Interval in milliseconds after which a visit is recorded again. */
const visitInterval = 600_000
const visits = new Map<string, number>()

function recordVisit(organizationId: string): void {
  if (Date.now() - (visits.get(organizationId) ?? 0) < visitInterval) return
  visits.set(organizationId, Date.now())
  // Without access, the screen shows the reason.
  request('POST /orgs/{organizationId}/ping', { params: { organizationId } }).catch(() => undefined)
}

const storageKey = 'octavo.organization'

/** Returns the ID of the organization that was last opened in this browser. */
export const readLastOrganization = (): string | undefined => localStorage.getItem(storageKey) ?? undefined

const storeLastOrganization = (id: string): void => localStorage.setItem(storageKey, id)

/** Ends the session of this browser and opens the sign-in page. */
export async function signOut(): Promise<void> {
  const { items } = await request('GET /user/sessions')
  const current = items.find(({ current: isCurrent }) => isCurrent)
  if (current) await request('DELETE /user/sessions/{sessionId}', { params: { sessionId: current.id } })
  location.assign(serverHref('/login'))
}
