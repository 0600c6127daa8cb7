import { References } from '../references.ts'
import type { PlacedPage, SiteView, SpaceView } from '../view.ts'

/** Returns an absolute URL, for use outside the pages of the site. */
export const absolute = ({ session }: SiteView, href: string): string => new URL(href, session.siteBase).toString()

/** Returns the canonical URL of a page. */
export async function canonicalOf(space: SpaceView, { entry, page, address }: PlacedPage): Promise<string> {
  const ref = page.metaLinks?.canonical
  const href = ref && (await References.of(space, [ref], entry.id)).linkTo(ref)?.href
  return href !== undefined && isPage(href) ? absolute(space.site, href) : address
}

/** Returns the URLs of alternate versions that a page declares. */
export async function alternatesOf(space: SpaceView, { entry, page }: PlacedPage): Promise<string[]> {
  const refs = page.metaLinks?.alternates ?? []
  if (refs.length === 0) return []
  const references = await References.of(space, refs, entry.id)
  return refs.flatMap((ref) => {
    const href = references.linkTo(ref)?.href
    return href !== undefined && isPage(href) ? [absolute(space.site, href)] : []
  })
}

const isPage = (href: string): boolean => /^(\/|https?:)/i.test(href)
