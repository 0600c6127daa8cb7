import type { CustomHostname, HostnameStatus } from '../../contract/hostnames.ts'
import { type Dns, DnsError } from '../../fetch/dns.ts'
import type { SiteWithAddress, Urls } from '../../kernel/context.ts'
import type { HostnameClaim } from './store.ts'

export interface HostnameServices {
  dns: Dns
  config: {
    /** Hostnames that any site may use without proof; `*.example.com` matches all names below it. */
    trustedHostnames: readonly string[]
    sitesDomain: string | undefined
  }
}

/**
 * Result of checking a hostname. `own`: its records name the site, or it is trusted; `shared`: its records point to
 * this server, so it may belong to any site of the server.
 */
export interface HostnameCheckResult {
  status: HostnameStatus
  proof: 'own' | 'shared' | undefined
  /** Records that were found; undefined if the name servers did not respond, or nothing was looked up. */
  found?: FoundRecords | undefined
}

type FoundRecords = NonNullable<CustomHostname['found']>

/** Maximum number and length of the values that are stored of each kind of record. */
const maxFoundValues = 8
const maxFoundLength = 255

export const isTrusted = ({ config }: HostnameServices, hostname: string): boolean =>
  config.trustedHostnames.some((name) => (name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name))

export const proofRecordNameOf = (hostname: string): string => `_octavo.${hostname}`

/** Returns the names that a CNAME record may point to: those of this server, and those of the organization only. */
export function getCnameTargets({ config: { sitesDomain } }: HostnameServices, site: SiteWithAddress, urls: Urls) {
  const shared = [new URL(urls.plain('/')).hostname, ...(sitesDomain === undefined ? [] : [sitesDomain])]
  const own =
    sitesDomain === undefined
      ? []
      : [site.organization_name, site.organization_id].map((name) => `${name}.${sitesDomain}`)
  return { own, shared }
}

type CnameTargets = ReturnType<typeof getCnameTargets>

/** Checks by DNS whether a hostname belongs to the site that claims it. */
export async function checkDnsRecords(
  services: HostnameServices,
  claim: HostnameClaim,
  { own, shared }: CnameTargets,
): Promise<HostnameCheckResult> {
  if (isTrusted(services, claim.hostname)) return { status: 'live', proof: 'own' }
  const [texts, aliases] = await Promise.all([
    catchDnsError(services.dns.resolveTxtRecords(proofRecordNameOf(claim.hostname))),
    catchDnsError(services.dns.resolveCnameChain(claim.hostname)),
  ])
  const found = {
    cname: aliases === failed || aliases === undefined ? [] : limitValues(aliases),
    txt: texts === failed ? [] : limitValues(texts),
  }
  if (texts !== failed && texts.includes(claim.token)) return { status: 'live', proof: 'own', found }
  if (aliases !== failed && aliases?.some((name) => own.includes(name))) return { status: 'live', proof: 'own', found }
  if (aliases !== failed && aliases?.some((name) => shared.includes(name)))
    return { status: 'live', proof: 'shared', found }
  if (texts === failed || aliases === failed) return { status: 'internal_error', proof: undefined }
  if (aliases === undefined) return { status: 'invalid_domain', proof: undefined, found }
  return { status: aliases.length > 0 ? 'dns_wrong_cname' : 'dns_no_cname', proof: undefined, found }
}

/** Shortens values from other name servers, because they are stored. */
const limitValues = (values: readonly string[]): string[] =>
  values.slice(0, maxFoundValues).map((value) => value.slice(0, maxFoundLength))

const failed = Symbol('no answer')

async function catchDnsError<T>(lookup: Promise<T>): Promise<T | typeof failed> {
  try {
    return await lookup
  } catch (error) {
    if (error instanceof DnsError) return failed
    throw error
  }
}
