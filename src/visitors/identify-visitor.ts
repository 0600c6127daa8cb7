import type { BaseContext, SiteWithAddress, SiteVisitor } from '../kernel/context.ts'
import { type JwtError, type JwtPayload, verifyJwt } from '../kernel/jwt.ts'
import { seconds } from '../kernel/time.ts'
import { parseStoredAdaptiveSchema } from '../publishing/adaptive-schema.ts'
import { buildVisitorClaims } from '../publishing/claims.ts'
import { findSite } from '../access/sites.ts'
import { type Visit, fingerprintKey, verifyVisitToken } from './visit-token.ts'
import { isShareKey } from '../access/sites.ts'
import { resolveVisitor } from './visitor.ts'

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
  acceptedToken: string | null
  /** Why the token of this request is not valid. */
  problem: JwtError | undefined
}

/** Names of the query parameters that contain credentials, and the prefix of those that contain claims. */
export const visitorParameters = { token: 'jwt_token', preview: 'preview', claims: 'visitor.' }

/** Checks the credentials of a request: share key, token, preview and unsigned claims. */
export async function identifyVisitor(
  context: Pick<BaseContext, 'db' | 'signer' | 'sealer' | 'now'>,
  site: SiteWithAddress,
  credentials: VisitorCredentials,
): Promise<VisitorIdentity> {
  const { db, now } = context
  const { query } = credentials
  const nowMs = Date.parse(now())
  // An empty parameter ends the preview, starting with the next request.
  const preview = await readPreview(
    context,
    site,
    query.get(visitorParameters.preview) || credentials.stored?.preview,
    nowMs,
  )
  const [key, ...segmentsAfterKey] = site.visibility === 'share-link' ? credentials.segments : []
  // A preview needs no share key, but its path may contain one.
  const shareKey = key !== undefined && preview && !(await isShareKey(db, site, key)) ? undefined : key
  const token = credentials.jwtToken ?? query.get(visitorParameters.token)
  const verifiedRequestToken = verifyVisitorToken(context, site, token, nowMs)
  const usesStoredToken =
    !token || (verifiedRequestToken.problem !== undefined && credentials.ignoresInvalidToken === true)
  const { payload, problem } = usesStoredToken
    ? { ...verifyVisitorToken(context, site, credentials.stored?.jwtToken, nowMs), problem: undefined }
    : verifiedRequestToken
  const isAdaptive = site.adaptive_content === 1
  const visit: Visit = {
    organizationId: site.organization_id,
    siteId: site.id,
    shareKey,
    signedInWith: payload && site.auth_key !== null ? fingerprintKey(site.auth_key) : undefined,
    visitorType: credentials.visitorType,
    ...(isAdaptive && {
      claims: buildVisitorClaims({
        signed: payload,
        unsigned: { ...parseClaimParameters(query), ...credentials.unsignedClaims },
        schema: parseStoredAdaptiveSchema(site.adaptive_schema),
      }),
    }),
    ...preview,
  }
  const exp = payload?.['exp']
  return {
    visit,
    visitor: await resolveVisitor(db, site, visit),
    segments: shareKey === undefined ? credentials.segments : segmentsAfterKey,
    until: Math.min(typeof exp === 'number' ? seconds(exp) : Infinity, preview?.until ?? Infinity),
    acceptedToken: payload && !usesStoredToken ? token : null,
    problem,
  }
}

/** Returns the preview in a token, if it is for this site and the member who created it can still see the site. */
async function readPreview(
  { db, signer }: Pick<BaseContext, 'db' | 'signer'>,
  site: SiteWithAddress,
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
  site: SiteWithAddress,
  token: string | null | undefined,
  now: number,
): { payload: JwtPayload | undefined; problem: JwtError | undefined } {
  const acceptsTokens = site.visibility === 'visitor-auth' || site.adaptive_content === 1
  if (!token || !acceptsTokens) return { payload: undefined, problem: undefined }
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
  const claimParameters = [...query].filter(([name]) => name.startsWith(visitorParameters.claims)).slice(0, maxClaims)
  for (const [name, value] of claimParameters) {
    const steps = name.slice(visitorParameters.claims.length).split('.')
    const last = steps.pop()
    if (last === undefined || [last, ...steps].some((step) => step === '' || step === '__proto__')) continue
    let target = claims
    for (const step of steps) {
      const inner = Object.hasOwn(target, step) ? target[step] : undefined
      target = (target[step] = typeof inner === 'object' && inner !== null ? inner : {}) as Record<string, unknown>
    }
    target[last] = value
  }
  return claims
}
