import { ResolvedReferences } from '../../resources/rendered/references.ts'
import type { SitePage, SiteView, SpaceView } from '../view.ts'

/** Returns an absolute URL, for use outside the pages of the site. */
export const toAbsoluteSiteUrl = ({ session }: SiteView, href: string): string =>
  new URL(href, session.siteBase).toString()

/** Returns the canonical URL of a page. */
export async function resolveCanonicalUrl(space: SpaceView, { entry, page, address }: SitePage): Promise<string> {
  const ref = page.metaLinks?.canonical
  const href = ref && (await ResolvedReferences.resolve(space, [ref], entry.id)).linkTo(ref)?.href
  return href !== undefined && isPage(href) ? toAbsoluteSiteUrl(space.site, href) : address
}

/** Returns the URLs of alternate versions that a page declares. */
export async function resolveAlternateUrls(space: SpaceView, { entry, page }: SitePage): Promise<string[]> {
  const refs = page.metaLinks?.alternates ?? []
  if (refs.length === 0) return []
  const references = await ResolvedReferences.resolve(space, refs, entry.id)
  return refs.flatMap((ref) => {
    const href = references.linkTo(ref)?.href
    return href !== undefined && isPage(href) ? [toAbsoluteSiteUrl(space.site, href)] : []
  })
}

const isPage = (href: string): boolean => /^(\/|https?:)/i.test(href)
