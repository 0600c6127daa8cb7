import type { BaseContext, PlacedSite, SiteVisitor } from '../kernel/context.ts'
import { type JwtError, type JwtPayload, verifyJwt } from '../kernel/jwt.ts'
import { seconds } from '../kernel/time.ts'
import { storedAdaptiveSchema } from '../publishing/adaptive-schema.ts'
import { visitorClaims } from '../publishing/claims.ts'
import { findSite } from './sites.ts'
import { type Visit, isShareKey, markOfKey, readVisit, visitorOf } from './visits.ts'

/** How somebody comes to a site. */
export interface Arrival {
  /** The path below the address of the site. */
  segments: readonly string[]
  query: URLSearchParams
  /** The token that they signed in with, where it does not stand in the address. */
  jwtToken?: string | undefined
  unsignedClaims?: Readonly<Record<string, unknown>> | undefined
  /** What they brought at an earlier visit, and their browser kept; what of it no longer holds counts as never brought. */
  kept?: { jwtToken?: string | undefined; preview?: string | undefined } | undefined
  visitorType?: 'human' | 'agent' | undefined
  /** Whether a token in the address that does not hold counts as never brought, instead of being told as a problem. */
  overlooksBadToken?: boolean
}

/** Who came, and where they go on the site. */
export interface Arrived {
  visit: Visit
  visitor: SiteVisitor
  /** The path without the share key. */
  segments: readonly string[]
  /** When what they proved ends, in milliseconds. */
  until: number
  /** The token that they brought with this visit, if it holds. */
  broughtToken: string | null
  /** What is wrong with the token that they brought. */
  problem: JwtError | undefined
}

/** Names of what addresses may carry. */
export const arrivalParameters = { token: 'jwt_token', preview: 'preview', claims: 'visitor.' }

/** Looks at what somebody brings with them: a share key, a token, a preview, claims about themselves. */
export async function arrive(
  context: Pick<BaseContext, 'db' | 'signer' | 'sealer' | 'now'>,
  site: PlacedSite,
  arrival: Arrival,
): Promise<Arrived> {
  const { db, now } = context
  const { query } = arrival
  const moment = Date.parse(now())
  // An empty one ends the preview, with the next request.
  const previewed = await previewOf(
    context,
    site,
    query.get(arrivalParameters.preview) || arrival.kept?.preview,
    moment,
  )
  const [key, ...below] = site.visibility === 'share-link' ? arrival.segments : []
  // Who previews a site needs no key, and may follow a link that has one.
  const shareKey = key !== undefined && previewed && !(await isShareKey(db, site, key)) ? undefined : key
  const brought = arrival.jwtToken ?? query.get(arrivalParameters.token)
  const first = signedIn(context, site, brought, moment)
  const isOverlooked = !brought || (first.problem !== undefined && arrival.overlooksBadToken === true)
  const { payload, problem } = isOverlooked
    ? { ...signedIn(context, site, arrival.kept?.jwtToken, moment), problem: undefined }
    : first
  const isAdaptive = site.adaptive_content === 1
  const visit: Visit = {
    organizationId: site.organization_id,
    siteId: site.id,
    shareKey,
    signedInWith: payload && site.auth_key !== null ? markOfKey(site.auth_key) : undefined,
    visitorType: arrival.visitorType,
    ...(isAdaptive && {
      claims: visitorClaims({
        signed: payload,
        unsigned: { ...claimsIn(query), ...arrival.unsignedClaims },
        schema: storedAdaptiveSchema(site.adaptive_schema),
      }),
    }),
    ...previewed,
  }
  const exp = payload?.['exp']
  return {
    visit,
    visitor: await visitorOf(db, site, visit),
    segments: shareKey === undefined ? arrival.segments : below,
    until: Math.min(typeof exp === 'number' ? seconds(exp) : Infinity, previewed?.until ?? Infinity),
    broughtToken: payload && !isOverlooked ? brought : null,
    problem,
  }
}

/** The preview that a member made who still sees the site, if it is one of this site. */
async function previewOf(
  { db, signer }: Pick<BaseContext, 'db' | 'signer'>,
  site: PlacedSite,
  token: string | null | undefined,
  now: number,
): Promise<Pick<Visit, 'previewBy' | 'seesDrafts' | 'claims' | 'until'> | undefined> {
  const visit = token ? readVisit(signer, token, now) : undefined
  if (visit?.previewBy === undefined || visit.siteId !== site.id) return undefined
  const { previewBy, seesDrafts, claims, until } = visit
  if (!(await findSite(db, previewBy, site.organization_id, site.id))) return undefined
  // What it is resolved to must not last longer, as that opens the site like the preview itself.
  return { previewBy, seesDrafts, until, ...(claims && { claims }) }
}

/** What a visitor has proved of themselves. Sites that do not ask do not look. */
function signedIn(
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

/** More than that no address needs. */
const maxClaims = 50

/** What an address says of a visitor, as in `visitor.plan=pro&visitor.beta.tester=true`. */
export function claimsIn(query: URLSearchParams): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  const said = [...query].filter(([name]) => name.startsWith(arrivalParameters.claims)).slice(0, maxClaims)
  for (const [name, value] of said) {
    const steps = name.slice(arrivalParameters.claims.length).split('.')
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
