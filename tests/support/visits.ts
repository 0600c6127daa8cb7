import { type Client, createClient } from '../../src/client/client.ts'
import type { Site } from '../../src/contract/site.ts'
import type { PublishedContentLookup } from '../../src/contract/urls.ts'
import { type JwtPayload, signJwt } from '../../src/kernel/jwt.ts'
import type { TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

/** Content that a URL resolves to. */
export type ResolvedContent = Extract<PublishedContentLookup, { apiToken: string }>

interface Visitor {
  jwtToken?: string | undefined
  unsignedClaims?: Record<string, unknown>
}

/** Resolves a URL like a front end: without a token. */
export function resolveUrl(
  octavo: TestServer,
  url: string,
  visitor: Visitor = {},
  { redirectOnError = false } = {},
): Promise<PublishedContentLookup> {
  const { jwtToken, ...rest } = visitor
  return createClient({ url: octavo.url }).resolvePublishedContentByUrl({
    body: { url, redirectOnError, visitor: { ...rest, ...(jwtToken !== undefined && { jwtToken }) } },
  })
}

/** Opens a URL that resolves to content; `api` reads it as the visitor. */
export async function visit(
  octavo: TestServer,
  url: string,
  visitor?: Visitor,
): Promise<ResolvedContent & { api: Client; params: SiteParams }> {
  const shown = await resolveUrl(octavo, url, visitor)
  if (!('apiToken' in shown)) throw new Error(`${url} leads on to ${shown.redirect}`)
  return {
    ...shown,
    api: createClient({ url: octavo.url, token: shown.apiToken }),
    params: { organizationId: shown.organization, siteId: shown.site },
  }
}

/** Returns a visitor token signed with the key of the site, which expires in an hour unless the claims contain `exp`. */
export async function signVisitorToken(
  octavo: TestServer,
  params: SiteParams,
  claims: JwtPayload = {},
): Promise<string> {
  const { privateKey } = await octavo.admin.api.getSitePublishingAuthById({ params })
  return signJwt({ exp: Math.floor(octavo.clock.now() / 1000) + 3600, ...claims }, privateKey)
}

/** Returns the URL of a published site. */
export function publishedUrl(site: Site): string {
  if (site.urls.published === undefined) throw new Error('The site is not published')
  return site.urls.published
}
