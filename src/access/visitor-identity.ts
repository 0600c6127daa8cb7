import type { BaseContext, PlacedSite, SiteVisitor } from '../kernel/context.ts'
import { type JwtError, type JwtPayload, verifyJwt } from '../kernel/jwt.ts'
import { seconds } from '../kernel/time.ts'
import { storedAdaptiveSchema } from '../publishing/adaptive-schema.ts'
import { visitorClaims } from '../publishing/claims.ts'
import { findSite } from './sites.ts'
import { type Visit, isShareKey, fingerprintKey, verifyVisitToken, resolveVisitor } from './visits.ts'

/** Credentials of a visitor in a request to a site. */
export interface VisitorCredentials {
  /** Path relative to the URL of the site. */
  segments: readonly string[]
  query: URLSearchParams
  /** Visitor token, if it is not in the query string. */
  jwtToken?: string | undefined
  unsignedClaims?: Readonly<Record<string, unknown>> | undefined
  /** Credentials of an earlier visit from cookies; invalid ones are ignored. */
  stored?: { jwtToken?: string | undefined; preview?: string | undefined } | undefined
  visitorType?: 'human' | 'agent' | undefined
  /** Whether an invalid token in the query is ignored instead of reported as a problem. */
  ignoresInvalidToken?: boolean
}

/** Visitor whose credentials were checked, and the requested path. */
export interface VisitorIdentity {
  visit: Visit
  visitor: SiteVisitor
  /** Path without the share key. */
  segments: readonly string[]
  /** Time in milliseconds when their credentials expire. */
  until: number
  /** Token of this request, if it is valid. */
  newToken: string | null
  /** Why the token of this request is not valid. */
  problem: JwtError | undefined
}

/** Names of the query parameters that contain credentials, and the prefix of those that contain claims. */
export const visitorParameters = { token: 'jwt_token', preview: 'preview', claims: 'visitor.' }

/** Checks the credentials of a request: share key, token, preview and unsigned claims. */
export async function identifyVisitor(
  context: Pick<BaseContext, 'db' | 'signer' | 'sealer' | 'now'>,
  site: PlacedSite,
  arrival: VisitorCredentials,
): Promise<VisitorIdentity> {
  const { db, now } = context
  const { query } = arrival
  const moment = Date.parse(now())
  // An empty parameter ends the preview, starting with the next request.
  const previewed = await readPreview(
    context,
    site,
    query.get(visitorParameters.preview) || arrival.stored?.preview,
    moment,
  )
  const [key, ...below] = site.visibility === 'share-link' ? arrival.segments : []
  // A preview needs no share key, but its path may contain one.
  const shareKey = key !== undefined && previewed && !(await isShareKey(db, site, key)) ? undefined : key
  const token = arrival.jwtToken ?? query.get(visitorParameters.token)
  const first = verifyVisitorToken(context, site, token, moment)
  const isOverlooked = !token || (first.problem !== undefined && arrival.ignoresInvalidToken === true)
  const { payload, problem } = isOverlooked
    ? { ...verifyVisitorToken(context, site, arrival.stored?.jwtToken, moment), problem: undefined }
    : first
  const isAdaptive = site.adaptive_content === 1
  const visit: Visit = {
    organizationId: site.organization_id,
    siteId: site.id,
    shareKey,
    signedInWith: payload && site.auth_key !== null ? fingerprintKey(site.auth_key) : undefined,
    visitorType: arrival.visitorType,
    ...(isAdaptive && {
      claims: visitorClaims({
        signed: payload,
        unsigned: { ...parseClaimParameters(query), ...arrival.unsignedClaims },
        schema: storedAdaptiveSchema(site.adaptive_schema),
      }),
    }),
    ...previewed,
  }
  const exp = payload?.['exp']
  return {
    visit,
    visitor: await resolveVisitor(db, site, visit),
    segments: shareKey === undefined ? arrival.segments : below,
    until: Math.min(typeof exp === 'number' ? seconds(exp) : Infinity, previewed?.until ?? Infinity),
    newToken: payload && !isOverlooked ? token : null,
    problem,
  }
}

/** Returns the preview in a token, if it is for this site and the member who created it can still see the site. */
async function readPreview(
  { db, signer }: Pick<BaseContext, 'db' | 'signer'>,
  site: PlacedSite,
  token: string | null | undefined,
  now: number,
): Promise<Pick<Visit, 'previewBy' | 'seesDrafts' | 'claims' | 'until'> | undefined> {
  const visit = token ? verifyVisitToken(signer, token, now) : undefined
  if (visit?.previewBy === undefined || visit.siteId !== site.id) return undefined
  const { previewBy, seesDrafts, claims, until } = visit
  if (!(await findSite(db, previewBy, site.organization_id, site.id))) return undefined
  // The visit token made from it opens the site as well, so it must expire at the same time.
  return { previewBy, seesDrafts, until, ...(claims && { claims }) }
}

/** Verifies the token of a visitor, on sites that use visitor tokens. */
function verifyVisitorToken(
  { sealer }: Pick<BaseContext, 'sealer'>,
  site: PlacedSite,
  token: string | null | undefined,
  now: number,
): { payload: JwtPayload | undefined; problem: JwtError | undefined } {
  const isAsked = site.visibility === 'visitor-auth' || site.adaptive_content === 1
  if (!token || !isAsked) return { payload: undefined, problem: undefined }
  const key = site.auth_key === null ? undefined : sealer.open(site.auth_key)
  const verified = verifyJwt(token, key ?? '', now)
  return 'error' in verified
    ? { payload: undefined, problem: verified.error }
    : { payload: verified.payload, problem: undefined }
}

/** Maximum number of claims accepted from a query string. */
const maxClaims = 50

/** Parses claims in a query string, for example `visitor.plan=pro&visitor.beta.tester=true`. */
export function parseClaimParameters(query: URLSearchParams): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  const said = [...query].filter(([name]) => name.startsWith(visitorParameters.claims)).slice(0, maxClaims)
  for (const [name, value] of said) {
    const steps = name.slice(visitorParameters.claims.length).split('.')
    const last = steps.pop()
    if (last === undefined || [last, ...steps].some((step) => step === '' || step === '__proto__')) continue
    let into = claims
    for (const step of steps) {
      const inner = Object.hasOwn(into, step) ? into[step] : undefined
      into = (into[step] = typeof inner === 'object' && inner !== null ? inner : {}) as Record<string, unknown>
    }
    into[last] = value
  }
  return claims
}
