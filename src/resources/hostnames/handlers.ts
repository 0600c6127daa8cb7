import { isIP } from 'node:net'
import { requireRole } from '../../access/authorize.ts'
import { isInReach } from '../../access/sso.ts'
import { requireSignIn } from '../../access/sign-in-rules.ts'
import { findSite } from '../../access/sites.ts'
import { type CustomHostname, type HostnameStatus, customHostnames } from '../../contract/hostnames.ts'
import type { Action, RoleOrGuest } from '../../contract/roles.ts'
import type { SiteWithAddress, Urls, UserContext } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { implement, withPreparation } from '../../kernel/implement.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { storeCheckResult } from './claim.ts'
import {
  type HostnameCheckResult,
  type HostnameServices,
  getCnameTargets,
  checkDnsRecords,
  proofRecordNameOf,
} from './proof.ts'
import * as store from './store.ts'

interface HostnameInput {
  params: { hostname: string }
}

export const customHostnameRoutes = (services: HostnameServices) =>
  implement(customHostnames, {
    async listSiteCustomHostnames({ db, site, urls }) {
      const claim = await store.findClaimOfSite(db, site)
      return { items: claim ? [presentClaim(services, claim, site, urls)] : [] }
    },

    async getCustomHostname(context, { params }) {
      const { claim, site } = await getClaim(context, params.hostname, 'view')
      return presentClaim(services, claim, site, context.urls)
    },

    dnsRevalidateCustomHostname: withPreparation(
      async (context: UserContext, { params }: HostnameInput) => {
        const { claim, site } = await getClaim(context, params.hostname, 'edit')
        return { claim, result: await checkDnsRecords(services, claim, getCnameTargets(services, site, context.urls)) }
      },
      async (context, { params }, { claim, result }: { claim: store.HostnameClaim; result: HostnameCheckResult }) => {
        await getClaim(context, params.hostname, 'edit')
        const state = await storeCheckResult(context, claim, result)
        if (state === 'taken') throw conflict(`The hostname ${claim.hostname} is already in use`)
      },
    ),

    async removeCustomHostname(context, { params }) {
      const found = await findClaim(context, params.hostname)
      if (!found) return
      requireRole('site', 'admin', found.siteRole)
      await store.deleteClaim(context.db, found.site)
      await updateSite(context, found.site)
      await recordEventAbout(context, 'site', found.site, 'site.hostname-remove', {
        before: { hostname: found.claim.hostname },
      })
    },
  })

interface FoundClaim {
  claim: store.HostnameClaim
  site: SiteWithAddress
  siteRole: RoleOrGuest
}

/** Finds the claim of a hostname by a site that the caller can see. */
async function findClaim({ db, principal }: UserContext, hostname: string): Promise<FoundClaim | undefined> {
  for (const claim of await store.findClaimsForUser(db, hostname.toLowerCase(), principal.user.id)) {
    if (!isInReach(principal.reach, claim.organization_id)) continue
    const found = await findSite(db, principal.user.id, claim.organization_id, claim.site_id)
    if (!found) continue
    await requireSignIn(db, principal, claim.organization_id)
    return { claim, ...found }
  }
  return undefined
}

async function getClaim(context: UserContext, hostname: string, action: Action<'site'>): Promise<FoundClaim> {
  const found = await findClaim(context, hostname)
  if (!found) throw notFound('hostname')
  requireRole('site', action, found.siteRole)
  return found
}

function presentClaim(
  services: HostnameServices,
  claim: store.HostnameClaim,
  site: SiteWithAddress,
  urls: Urls,
): CustomHostname {
  const { own, shared } = getCnameTargets(services, site, urls)
  const [target = ''] = [...own, ...shared]
  const isName = target.includes('.') && isIP(target) === 0
  return {
    object: 'custom-hostname',
    hostname: claim.hostname,
    target: { type: 'site', site: site.id },
    isActive: claim.is_active === 1,
    ...(claim.status !== '' && { status: claim.status as HostnameStatus }),
    ...(claim.checked_at !== null && { checkedAt: claim.checked_at }),
    ...(claim.found_records !== null && {
      found: JSON.parse(claim.found_records) as NonNullable<CustomHostname['found']>,
    }),
    records: [
      ...(isName ? [{ type: 'CNAME' as const, name: claim.hostname, value: target }] : []),
      { type: 'TXT', name: proofRecordNameOf(claim.hostname), value: claim.token },
    ],
    urls: { location: urls.api(`/custom-hostnames/${claim.hostname}`) },
  }
}
