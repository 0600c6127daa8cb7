import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { PlacedSite, SiteVisitor } from '../kernel/context.ts'
import { signJwt, verifyJwt } from '../kernel/jwt.ts'
import type { Signer } from '../kernel/signer.ts'
import { hours, seconds } from '../kernel/time.ts'
import type { Structure } from '../publishing/structure.ts'
import { type AccessRules, Viewpoint, findRefusal } from '../publishing/visibility.ts'
import { lookUp } from '../storage/look-up.ts'
import type { Db } from '../schema/tables.ts'
import type { Flag } from '../schema/values.ts'
import { type StoredItem, findSite } from './sites.ts'

/**
 * What the token says that an address of a site is resolved to. It only says who somebody is; what they see is decided
 * whenever it is used.
 */
export interface Visit {
  organizationId: string
  siteId: string
  siteSpaceId?: string | undefined
  sectionId?: string | undefined
  spaceId?: string | undefined
  shareKey?: string | undefined
  /** The mark of the key that the visitor's own token was signed with. */
  signedInWith?: string | undefined
  claims?: Readonly<Record<string, unknown>> | undefined
  visitorType?: 'human' | 'agent' | undefined
  /** Who lets them look at what is not published. */
  previewBy?: string | undefined
  seesDrafts?: boolean | undefined
  changeRequestId?: string | undefined
  revisionId?: string | undefined
  /** When a token says that it ends, in milliseconds. */
  until?: number | undefined
}

/** Visits end on the full hour after the next, so that tokens of equal visits are equal and replies to them can be kept. */
const lifetime = hours(1)

/** Headers may have 16 KB in all. */
const maxTokenLength = 15 * 1024

/** The key of visits, by the signer that it is made from. */
const keys = new WeakMap<Signer, string>()

function keyOf(signer: Signer): string {
  let key = keys.get(signer)
  if (key === undefined) keys.set(signer, (key = signer.sign('visits of sites')))
  return key
}

/** A token for a visit; it ends before `until` (milliseconds), if that is given. */
export function signVisitToken(signer: Signer, visit: Visit, now: number, until = Infinity): string {
  const expiry = Math.min((Math.floor(now / lifetime) + 2) * lifetime, until)
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
    keyOf(signer),
  )
}

/** Whether a token looks like one of a visit, as opposed to one of a user. */
export const isVisitToken = (token: string): boolean => token.startsWith('eyJ')

/** What a token of a visit says; undefined when it is none of ours, or has ended. */
export function verifyVisitToken(signer: Signer, token: string, now: number): Visit | undefined {
  const verified = verifyJwt(token, keyOf(signer), now, maxTokenLength)
  if ('error' in verified || verified.payload['kind'] !== 'site') return undefined
  const said = verified.payload as Record<string, string | undefined>
  return {
    organizationId: said['organization'] as string,
    siteId: said['site'] as string,
    siteSpaceId: said['siteSpace'],
    sectionId: said['siteSection'],
    spaceId: said['space'],
    shareKey: said['shareKey'],
    signedInWith: said['signedInWith'],
    claims: verified.payload['claims'] as Visit['claims'],
    visitorType: said['visitorType'] as Visit['visitorType'],
    previewBy: said['previewBy'],
    seesDrafts: verified.payload['draft'] === true,
    changeRequestId: said['changeRequest'],
    revisionId: said['revision'],
    until: seconds(verified.payload['exp'] as number),
  }
}

/** A mark of the key that visitors of a site sign in with; another key has another one. */
export const fingerprintKey = (sealedKey: string): string => hash('sha256', sealedKey, 'base64url').slice(0, 16)

const findShareLink = lookUp(
  (db, { organizationId, siteId, key }: Record<'organizationId' | 'siteId' | 'key', string>) =>
    db
      .selectFrom('share_links')
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', siteId)
      .where('key', '=', key)
      .where('active', '=', sql.lit<Flag>(1))
      .select('id'),
)

/** Whether a text is the key of an active share link of a site. */
export async function isShareKey(db: Db, site: PlacedSite, key: string): Promise<boolean> {
  return (await findShareLink(db, { organizationId: site.organization_id, siteId: site.id, key })) !== undefined
}

/** Who visits, as things are now: share links may have been revoked, keys changed, members removed. */
export async function resolveVisitor(db: Db, site: PlacedSite, visit: Visit): Promise<SiteVisitor> {
  const { shareKey, previewBy } = visit
  const isPreviewing =
    previewBy !== undefined && (await findSite(db, previewBy, site.organization_id, site.id)) !== undefined
  const isSignedIn = site.auth_key !== null && visit.signedInWith === fingerprintKey(site.auth_key)
  // Who previews a site may have been given claims that no key has signed.
  const isVouchedFor = previewBy === undefined ? isSignedIn : isPreviewing
  const claims = (site.adaptive_content === 1 && visit.claims) || {}
  return {
    hasShareLink: shareKey !== undefined && (await isShareKey(db, site, shareKey)),
    isSignedIn,
    isPreviewing,
    seesDrafts: isPreviewing && visit.seesDrafts === true,
    claims: isVouchedFor ? claims : unsignedOnly(claims),
    shareKey,
    previewBy: isPreviewing ? previewBy : undefined,
    changeRequestId: isPreviewing ? visit.changeRequestId : undefined,
    revisionId: isPreviewing ? visit.revisionId : undefined,
  }
}

/** What of claims a visitor says of themselves, and nobody else. */
const unsignedOnly = ({ unsigned }: SiteVisitor['claims']): SiteVisitor['claims'] =>
  unsigned === undefined ? {} : { unsigned }

/** A visitor without the member who lets them preview a site, and what that member says about them. */
export const withoutPreview = (visitor: SiteVisitor): SiteVisitor => ({
  ...visitor,
  isPreviewing: false,
  seesDrafts: false,
  claims: unsignedOnly(visitor.claims),
  previewBy: undefined,
  changeRequestId: undefined,
  revisionId: undefined,
})

/** Whether a visitor gets into a site and sees something on it. */
export function seesOnSite(
  site: PlacedSite,
  structure: Structure<StoredItem>,
  item: StoredItem,
  visitor: SiteVisitor,
): boolean {
  return findRefusal(accessRulesOf(site), visitor) === undefined && structure.isVisible(item, Viewpoint.of(visitor))
}

export const accessRulesOf = ({ published, visibility }: PlacedSite): AccessRules => ({
  isPublished: published === 1,
  visibility,
})
