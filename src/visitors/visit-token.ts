import { hash } from 'node:crypto'
import { signJwt, verifyJwt } from '../kernel/jwt.ts'
import type { Signer } from '../kernel/signer.ts'
import { hours, seconds } from '../kernel/time.ts'

/**
 * Content of a visit token, which is issued for a URL of a site. It only identifies the visitor; the content that they can see is
 * decided whenever it is used.
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
