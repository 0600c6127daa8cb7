import { isIP } from 'node:net'
import { requireRole } from '../../access/authorize.ts'
import { findSite } from '../../access/sites.ts'
import { type CustomHostname, type HostnameStatus, customHostnames } from '../../contract/hostnames.ts'
import type { Action, RoleOrGuest } from '../../contract/roles.ts'
import type { PlacedSite, Urls, UserContext } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { implement, prepared } from '../../kernel/implement.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { settle } from './claim.ts'
import { type Finding, type HostnameServices, goalsOf, lookAt, nameOfProof } from './proof.ts'
import * as store from './store.ts'

interface Named {
  params: { hostname: string }
}

export const customHostnameRoutes = (services: HostnameServices) =>
  implement(customHostnames, {
    async getCustomHostname(context, { params }) {
      const { claim, site } = await getClaim(context, params.hostname, 'view')
      return presentClaim(services, claim, site, context.urls)
    },

    dnsRevalidateCustomHostname: prepared(
      async (context: UserContext, { params }: Named) => {
        const { claim, site } = await getClaim(context, params.hostname, 'edit')
        return { claim, finding: await lookAt(services, claim, goalsOf(services, site, context.urls)) }
      },
      async (context, { params }, { claim, finding }: { claim: store.Claim; finding: Finding }) => {
        await getClaim(context, params.hostname, 'edit')
        const outcome = await settle(context, claim, finding)
        if (outcome === 'taken') throw conflict(`The hostname ${claim.hostname} is already in use`)
      },
    ),

    async removeCustomHostname(context, { params }) {
      const found = await findClaim(context, params.hostname)
      if (!found) return
      requireRole('site', 'admin', found.siteRole)
      await store.deleteClaim(context.db, found.site)
      await updateSite(context, found.site)
    },
  })

interface FoundClaim {
  claim: store.Claim
  site: PlacedSite
  siteRole: RoleOrGuest
}

/** Finds the claim of a hostname by a site that the caller can see. */
async function findClaim({ db, principal }: UserContext, hostname: string): Promise<FoundClaim | undefined> {
  for (const claim of await store.findClaimsFor(db, hostname.toLowerCase(), principal.user.id)) {
    const found = await findSite(db, principal.user.id, claim.organization_id, claim.site_id)
    if (found) return { claim, ...found }
  }
  return undefined
}

async function getClaim(context: UserContext, hostname: string, action: Action<'site'>): Promise<FoundClaim> {
  const found = await findClaim(context, hostname)
  if (!found) throw notFound('hostname')
  requireRole('site', action, found.siteRole)
  return found
}

function presentClaim(services: HostnameServices, claim: store.Claim, site: PlacedSite, urls: Urls): CustomHostname {
  const { own, shared } = goalsOf(services, site, urls)
  const [goal = ''] = [...own, ...shared]
  const isName = goal.includes('.') && isIP(goal) === 0
  return {
    object: 'custom-hostname',
    hostname: claim.hostname,
    target: { type: 'site', site: site.id },
    isActive: claim.is_active === 1,
    ...(claim.status !== '' && { status: claim.status as HostnameStatus }),
    ...(claim.checked_at !== null && { checkedAt: claim.checked_at }),
    records: [
      ...(isName ? [{ type: 'CNAME' as const, name: claim.hostname, value: goal }] : []),
      { type: 'TXT', name: nameOfProof(claim.hostname), value: claim.token },
    ],
    urls: { location: urls.api(`/custom-hostnames/${claim.hostname}`) },
  }
}
