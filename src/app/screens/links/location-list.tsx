import type { ContentLocation } from '../../../contract/links.ts'
import { appHref } from '../../base-path.ts'
import { useWholeList } from '../../data/list.ts'
import { defineTexts } from '../../texts.ts'
import { findPage } from '../space/tree-moves.ts'
import { usePages } from '../space/use-pages.ts'

const texts = defineTexts('locations', {
  otherSpace: 'A page of another space',
  reusableContent: 'A reusable content',
})

interface LocationListProps {
  spaceId: string
  /** Number of the change request whose content is shown. */
  changeRequest?: string | undefined
  locations: readonly ContentLocation[]
}

/** Lists the pages and reusable contents that contain something, each once. */
export function LocationList({ spaceId, changeRequest, locations }: LocationListProps) {
  const { data } = usePages(spaceId, { changeRequest })
  const hasReusable = locations.some(({ kind }) => kind === 'reusable-content')
  const { items: reusable } = useWholeList(
    hasReusable ? 'GET /spaces/{spaceId}/content/reusable-contents' : undefined,
    {
      params: { spaceId },
      query: { metadata: false },
    },
  )
  const pathOf = (space: string): string =>
    space === spaceId && changeRequest !== undefined
      ? `/spaces/${space}/change-requests/${changeRequest}`
      : `/spaces/${space}`
  const byHref = new Map<string, string>()
  for (const location of locations) {
    if (location.kind === 'page') {
      const page = location.space === spaceId ? findPage(data?.pages ?? [], location.page) : undefined
      const title = page?.title ?? (location.space === spaceId ? location.page : texts.otherSpace)
      byHref.set(appHref(`${pathOf(location.space)}/pages/${location.page}`), title)
    } else if (location.kind === 'reusable-content') {
      const content = reusable?.find(({ id }) => id === location.reusableContent)
      const href = appHref(`${pathOf(location.space)}/reusable/${location.reusableContent}`)
      byHref.set(href, content?.title ?? texts.reusableContent)
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
