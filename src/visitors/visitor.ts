import { findSpace } from '../access/authorize.ts'
import { findSite, isShareKey } from '../access/sites.ts'
import type { SiteVisitor, SiteWithAddress } from '../kernel/context.ts'
import type { Db } from '../schema/tables.ts'
import { type Visit, fingerprintKey } from './visit-token.ts'

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

/** Limits a preview to a space: removes the preview if the member who created it cannot see the space. */
export async function limitVisitorToSpace(db: Db, visitor: SiteVisitor, spaceId: string): Promise<SiteVisitor> {
  const { previewBy } = visitor
  return previewBy === undefined || (await findSpace(db, previewBy, spaceId)) ? visitor : withoutPreview(visitor)
}
