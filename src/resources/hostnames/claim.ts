import { isIP } from 'node:net'
import { findSiteById } from '../../access/sites.ts'
import type { HostnameStatus } from '../../contract/hostnames.ts'
import type { BaseContext, JobDescriptor, SiteWithAddress, Urls } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { days } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { revalidate } from '../../domain/revalidation/revalidate.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { type HostnameCheckResult, type HostnameServices, isTrusted } from './proof.ts'
import * as store from './store.ts'

/** The job that checks the DNS records of the hostname that a site claims. */
export const hostnameCheck: JobDescriptor<{ organizationId: string; siteId: string }> = {
  name: 'hostnames.check',
  key: ({ organizationId, siteId }) => `${organizationId} ${siteId}`,
}

/** Time for which a claim is checked automatically and blocks shared proofs of other sites; later checks must be requested. */
export const autoCheckPeriod = days(7)

const invalidHostname = (message: string) => invalid('body.hostname', message)

/** Maximum length of a name in the DNS. */
const maxHostnameLength = 253

/**
 * Claims a hostname for a site, which uses it once it is proved, or removes it (null). The previous hostname is given
 * up. Several organizations may claim the same hostname until one of them has proved that it owns it.
 */
export async function claimHostname(
  context: Pick<BaseContext, 'db' | 'now' | 'urls' | 'enqueue'>,
  services: HostnameServices,
  site: SiteWithAddress,
  hostname: string | null,
): Promise<SiteWithAddress> {
  const { db, urls, now, enqueue } = context
  if (site.hostname !== null && site.hostname !== hostname) await revalidate(context, [`url:${site.hostname}`])
  if (hostname === null) {
    await store.deleteClaim(db, site)
    return { ...site, hostname: null }
  }
  if (hostname === site.hostname) return site
  assertAllowed(services, urls, hostname)
  await assertNotTaken(db, site, hostname)
  const isProved = isTrusted(services, hostname)
  await store.replaceClaim(db, {
    organization_id: site.organization_id,
    site_id: site.id,
    hostname,
    token: await findOrCreateToken(db, site, hostname),
    status: isProved ? 'live' : '',
    is_active: toFlag(isProved),
    created_at: now(),
    checked_at: null,
    found_records: null,
  })
  if (isProved) return { ...site, hostname }
  await enqueue(db, hostnameCheck, { organizationId: site.organization_id, siteId: site.id })
  return { ...site, hostname: null }
}

/** Returns the token of a claim; a repeated claim keeps its token, because the DNS record may contain it already. */
async function findOrCreateToken(db: Db, site: SiteWithAddress, hostname: string): Promise<string> {
  const claim = await store.findClaimOfSite(db, site)
  return claim?.hostname === hostname ? claim.token : `octavo-${randomText(32)}`
}

function assertAllowed({ config: { sitesDomain } }: HostnameServices, urls: Urls, hostname: string): void {
  if (hostname.length > maxHostnameLength) throw invalidHostname(`must have at most ${maxHostnameLength} characters`)
  if (isIP(hostname) !== 0) throw invalidHostname('must be a hostname, not an IP address')
  const isOurs =
    hostname === new URL(urls.plain('/')).hostname || (sitesDomain !== undefined && isWithin(hostname, sitesDomain))
  if (isOurs) throw invalidHostname('is reserved for this server')
}

const isWithin = (hostname: string, domain: string): boolean => hostname === domain || hostname.endsWith(`.${domain}`)

async function assertNotTaken(db: Db, site: SiteWithAddress, hostname: string): Promise<void> {
  const claims = await store.findOtherClaims(db, site, hostname)
  if (claims.some(({ organization_id }) => organization_id === site.organization_id))
    throw conflict(`Another site of this organization already uses the hostname ${hostname}`)
  if (claims.some(({ is_active }) => is_active === 1)) throw conflict(`The hostname ${hostname} is already in use`)
}

/** Stores the result of checking a claim, and activates the hostname if it is proved. */
export async function storeCheckResult(
  context: Pick<BaseContext, 'db' | 'now' | 'newId' | 'enqueue' | 'urls'>,
  checkedClaim: store.HostnameClaim,
  result: HostnameCheckResult,
): Promise<'active' | 'pending' | 'taken'> {
  const { db, now } = context
  const key = { organization_id: checkedClaim.organization_id, id: checkedClaim.site_id }
  const claim = await store.findClaimOfSite(db, key)
  // Another hostname may have been claimed in the meantime, which was not checked.
  if (claim?.token !== checkedClaim.token) return 'pending'
  const checked = {
    checked_at: now(),
    found_records: result.found === undefined ? null : JSON.stringify(result.found),
  }
  const storeStatus = (status: HostnameStatus) => store.updateClaim(db, claim, { status, ...checked })
  if (claim.is_active === 1) {
    await storeStatus(result.status)
    return 'active'
  }
  const others = await store.findOtherClaims(db, key, claim.hostname)
  const isTaken = others.some(({ is_active }) => is_active === 1)
  const isContested = others.some(({ created_at }) => Date.parse(created_at) > Date.parse(now()) - autoCheckPeriod)
  if (result.proof === undefined || isTaken || (isContested && result.proof === 'shared')) {
    await storeStatus(result.proof === undefined ? result.status : 'dns_passed')
    return isTaken ? 'taken' : 'pending'
  }
  await store.updateClaim(db, claim, { status: 'live', is_active: 1, ...checked })
  const site = await findSiteById(db, claim.organization_id, claim.site_id)
  if (site) await updateSite(context, site)
  return 'active'
}
