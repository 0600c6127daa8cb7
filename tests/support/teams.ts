import type { Client } from '../../src/client/client.ts'
import type { Team } from '../../src/contract/team.ts'

/** Returns the id of the caller's organization on a fresh server. */
export async function getOrganizationId(api: Client): Promise<string> {
  const [organization] = (await api.listOrganizationsForAuthenticatedUser()).items
  if (!organization) throw new Error('The caller is in no organization')
  return organization.id
}

/** Returns all teams of an organization from all pages of the list. */
export async function listAllTeams(api: Client, organizationId: string): Promise<Team[]> {
  const teams: Team[] = []
  for (let page: string | undefined; ;) {
    const query = { limit: 1000, ...(page !== undefined && { page }) }
    const { items, next } = await api.listTeamsInOrganizationById({ params: { organizationId }, query })
    teams.push(...items)
    if (!next) return teams
    page = next.page
  }
}
