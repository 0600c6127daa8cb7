import type { ContentLocation } from '../../../contract/links.ts'
import { appHref } from '../../base-path.ts'
import { defineTexts } from '../../texts.ts'
import { findPage } from '../space/tree-moves.ts'
import { usePages } from '../space/use-pages.ts'

const texts = defineTexts('locations', {
  otherSpace: 'A page of another space',
  reusableContent: 'A reusable content',
})

/** Lists the pages that contain something; each page once. */
export function LocationList({ spaceId, locations }: { spaceId: string; locations: readonly ContentLocation[] }) {
  const { data } = usePages(spaceId)
  const byHref = new Map<string, string>()
  for (const location of locations) {
    if (location.kind === 'page') {
      const page = location.space === spaceId ? findPage(data?.pages ?? [], location.page) : undefined
      const title = page?.title ?? (location.space === spaceId ? location.page : texts.otherSpace)
      byHref.set(appHref(`/spaces/${location.space}/pages/${location.page}`), title)
    } else if (location.kind === 'reusable-content') {
      byHref.set(appHref(`/spaces/${location.space}/reusable/${location.reusableContent}`), texts.reusableContent)
    }
  }
  return (
    <ul class="location-list">
      {[...byHref].map(([href, title]) => (
        <li key={href}>
          <a href={href}>{title}</a>
        </li>
      ))}
    </ul>
  )
}
