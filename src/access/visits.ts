import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { SiteWithAddress, SiteVisitor } from '../kernel/context.ts'
import { signJwt, verifyJwt } from '../kernel/jwt.ts'
import type { Signer } from '../kernel/signer.ts'
import { hours, seconds } from '../kernel/time.ts'
import type { Structure } from '../publishing/structure.ts'
import { type AccessRules, Viewpoint, findRefusal } from '../publishing/visibility.ts'
import { defineLookup } from '../storage/lookup.ts'
import type { Db } from '../schema/tables.ts'
import type { Flag } from '../schema/values.ts'
import { type StoredSiteItem, findSite } from './sites.ts'

/**
 * Content of a visit token, which is issued for a URL of a site. It only identifies the visitor; what they can see is decided
 * whenever it is used.
 */
export interface Visit {
  organizationId: string
  siteId: string
  siteSpaceId?: string | undefined
  sectionId?: string | undefined
  spaceId?: string | undefined
  shareKey?: string | undefined
  /** Fingerprint of the key that verified the visitor's own token. */
  signedInWith?: string | undefined
  claims?: Readonly<Record<string, unknown>> | undefined
  visitorType?: 'human' | 'agent' | undefined
  /** Id of the member who created the preview. */
  previewBy?: string | undefined
  seesDrafts?: boolean | undefined
  changeRequestId?: string | undefined
  revisionId?: string | undefined
  /** Expiry of the token in milliseconds. */
  until?: number | undefined
}

/**
 * Granularity of expiry: visit tokens expire at the full hour after the next one, so that equal visits have equal tokens and
 * cacheable replies.
 */
const expiryInterval = hours(1)

/** Maximum length of a token: all headers together may have 16 KB. */
const maxTokenLength = 15 * 1024

/** Signing keys of visit tokens, by the signer from which they are derived. */
const signingKeys = new WeakMap<Signer, string>()

function deriveSigningKey(signer: Signer): string {
  let key = signingKeys.get(signer)
  if (key === undefined) signingKeys.set(signer, (key = signer.sign('visits of sites')))
  return key
}

/** Creates a visit token; it expires at `until` (milliseconds) at the latest. */
export function signVisitToken(signer: Signer, visit: Visit, now: number, until = Infinity): string {
  const expiry = Math.min((Math.floor(now / expiryInterval) + 2) * expiryInterval, until)
  return signJwt(
    {
      kind: 'site',
      organization: visit.organizationId,
      site: visit.siteId,
      siteSpace: visit.siteSpaceId,
      siteSection: visit.sectionId,
      space: visit.spaceId,
      shareKey: visit.shareKey,
      signedInWith: visit.signedInWith,
      claims: visit.claims,
      visitorType: visit.visitorType,
      previewBy: visit.previewBy,
      draft: visit.seesDrafts,
      changeRequest: visit.changeRequestId,
      revision: visit.revisionId,
      exp: Math.floor(expiry / 1000),
    },
    deriveSigningKey(signer),
  )
}

/** Whether a token has the form of a visit token, as opposed to an API token. */
export const isVisitToken = (token: string): boolean => token.startsWith('eyJ')

/** Verifies a visit token and returns its content; undefined if it is invalid or has expired. */
export function verifyVisitToken(signer: Signer, token: string, now: number): Visit | undefined {
  const verified = verifyJwt(token, deriveSigningKey(signer), now, maxTokenLength)
  if ('error' in verified || verified.payload['kind'] !== 'site') return undefined
  const payload = verified.payload as Record<string, string | undefined>
  return {
    organizationId: payload['organization'] as string,
    siteId: payload['site'] as string,
    siteSpaceId: payload['siteSpace'],
    sectionId: payload['siteSection'],
    spaceId: payload['space'],
    shareKey: payload['shareKey'],
    signedInWith: payload['signedInWith'],
    claims: verified.payload['claims'] as Visit['claims'],
    visitorType: payload['visitorType'] as Visit['visitorType'],
    previewBy: payload['previewBy'],
    seesDrafts: verified.payload['draft'] === true,
    changeRequestId: payload['changeRequest'],
    revisionId: payload['revision'],
    until: seconds(verified.payload['exp'] as number),
  }
}

/** Returns a fingerprint of the key that visitor tokens of a site are signed with; it changes with the key. */
export const fingerprintKey = (sealedKey: string): string => hash('sha256', sealedKey, 'base64url').slice(0, 16)

const findShareLink = defineLookup(
  (db, { organizationId, siteId, key }: Record<'organizationId' | 'siteId' | 'key', string>) =>
    db
      .selectFrom('share_links')
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', siteId)
      .where('key', '=', key)
      .where('active', '=', sql.lit<Flag>(1))
      .select('id'),
)

/** Whether a string is the key of an active share link of a site. */
export async function isShareKey(db: Db, site: SiteWithAddress, key: string): Promise<boolean> {
  return (await findShareLink(db, { organizationId: site.organization_id, siteId: site.id, key })) !== undefined
}

/** Resolves a visit to the current rights of its visitor: share links may have been revoked, keys changed, members removed. */
export async function resolveVisitor(db: Db, site: SiteWithAddress, visit: Visit): Promise<SiteVisitor> {
  const { shareKey, previewBy } = visit
  const isPreviewing =
    previewBy !== undefined && (await findSite(db, previewBy, site.organization_id, site.id)) !== undefined
  const isSignedIn = site.auth_key !== null && visit.signedInWith === fingerprintKey(site.auth_key)
  // Claims of a preview may be unsigned, because the member chose them.
  const areClaimsTrusted = previewBy === undefined ? isSignedIn : isPreviewing
  const claims = (site.adaptive_content === 1 && visit.claims) || {}
  return {
    hasShareLink: shareKey !== undefined && (await isShareKey(db, site, shareKey)),
    isSignedIn,
    isPreviewing,
    seesDrafts: isPreviewing && visit.seesDrafts === true,
    claims: areClaimsTrusted ? claims : pickUnsignedClaims(claims),
    shareKey,
    previewBy: isPreviewing ? previewBy : undefined,
    changeRequestId: isPreviewing ? visit.changeRequestId : undefined,
    revisionId: isPreviewing ? visit.revisionId : undefined,
  }
}

/** Returns only the unsigned part of claims. */
const pickUnsignedClaims = ({ unsigned }: SiteVisitor['claims']): SiteVisitor['claims'] =>
  unsigned === undefined ? {} : { unsigned }

/** Removes a preview, and the claims that were part of it, from a visitor. */
export const withoutPreview = (visitor: SiteVisitor): SiteVisitor => ({
  ...visitor,
  isPreviewing: false,
  seesDrafts: false,
  claims: pickUnsignedClaims(visitor.claims),
  previewBy: undefined,
  changeRequestId: undefined,
  revisionId: undefined,
})

/** Whether a visitor can open a site and see an item of it. */
export function canSeeSiteItem(
  site: SiteWithAddress,
  structure: Structure<StoredSiteItem>,
  item: StoredSiteItem,
  visitor: SiteVisitor,
): boolean {
  return findRefusal(accessRulesOf(site), visitor) === undefined && structure.isVisible(item, Viewpoint.of(visitor))
}

export const accessRulesOf = ({ published, visibility }: SiteWithAddress): AccessRules => ({
  isPublished: published === 1,
  visibility,
})
