import { hash } from 'node:crypto'
import { signVisitToken } from '../../visitors/visit-token.ts'
import type { PublishedContentLookup } from '../../contract/urls.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import type { JwtError } from '../../kernel/jwt.ts'
import { joinSegments } from '../../publishing/site-urls.ts'
import { type SiteLocation, buildSiteItemUrl, locateUrl } from '../../visitors/locate.ts'

interface ResolveOptions {
  url: string
  redirectOnError: boolean
  jwtToken?: string | undefined
  unsignedClaims?: Readonly<Record<string, unknown>> | undefined
  visitorType?: 'human' | 'agent' | undefined
  /** Field of the request that contains the visitor's token, for errors. */
  tokenField: string
}

/** Returns the content of a URL for a visitor. */
export async function resolvePublishedUrl(
  context: BaseContext,
  options: ResolveOptions,
): Promise<PublishedContentLookup> {
  const located = await locateUrl(context, options)
  switch (located.kind) {
    case 'nothing':
      throw notFound('content at this URL')
    case 'redirect':
      return { target: 'content', redirect: located.to }
    case 'signIn': {
      const { site, login, problem } = located
      if (login !== undefined && (problem === undefined || options.redirectOnError)) {
        return { target: 'external', site: site.id, redirect: login }
      }
      if (problem) throw invalid(options.tokenField, jwtErrorMessages[problem])
      throw new AppError('forbidden', 'Visitors must sign in to see this site')
    }
    case 'place':
      return presentLocation(context, located)
  }
}

const jwtErrorMessages: Record<JwtError, string> = {
  malformed: 'is not a valid token',
  algorithm: 'must be signed with HS256',
  signature: 'is not signed with the key of this site',
  expired: 'has expired',
  notYet: 'is not valid yet',
}

function presentLocation({ signer, now }: BaseContext, location: SiteLocation): PublishedContentLookup {
  const { site, structure, section, space, siteBase, rest, identity, changeRequest, revision } = location
  const { visitor } = identity
  const siteBasePath = new URL(siteBase).pathname
  const visit = {
    ...identity.visit,
    siteSpaceId: space.id,
    sectionId: section?.id,
    spaceId: space.spaceId ?? '',
    changeRequestId: changeRequest,
    revisionId: revision,
  }
  const claims = JSON.stringify(visitor.claims)
  return {
    organization: site.organization_id,
    site: site.id,
    ...(section && { siteSection: section.id }),
    siteSpace: space.id,
    space: space.spaceId ?? '',
    ...(changeRequest !== undefined && { changeRequest }),
    ...(revision !== undefined && { revision }),
    pathname: `/${rest.map(encodeURIComponent).join('/')}`,
    basePath: siteBasePath + joinSegments(structure.segmentsOf(space)),
    siteBasePath,
    canonicalUrl: buildSiteItemUrl(location, space, rest),
    apiToken: signVisitToken(signer, visit, Date.parse(now()), identity.until),
    ...(visitor.hasShareLink && { shareKey: visitor.shareKey }),
    complete: location.isComplete,
    ...(claims.length > '{"unsigned":{}}'.length && { contextId: hashClaims(claims) }),
    ...(visitor.isPreviewing && { preview: true }),
  }
}

const hashClaims = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)
