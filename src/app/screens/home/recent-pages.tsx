import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { recentPages } from '../../recent.ts'
import { defineTexts } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'

const texts = defineTexts('recentPages', { title: 'Recently seen' })

/** Maximum number of shown pages. */
const maxPages = 6

/** Shows the pages of an organization that were last opened in this browser and still exist; nothing if there are none. */
export function RecentPages({ organizationId }: { organizationId: string }) {
  // The same request as that of the navigation. Spaces beyond its first reply may still exist.
  const spaces = useList('GET /orgs/{organizationId}/spaces', { params: { organizationId }, query: { limit: 1000 } })
  const ids = new Set(spaces.items?.map(({ id }) => id))
  const shown = recentPages.value.filter(({ space }) => spaces.hasMore || ids.has(space)).slice(0, maxPages)
  if (shown.length === 0) return null
  return (
    <section class="section">
      <h2>{texts.title}</h2>
      <ul class="rows">
        {shown.map(({ space, page, title, spaceTitle, at }) => (
          <li key={page}>
            <a class="row" href={appHref(`/spaces/${space}/pages/${page}`)}>
              <Icon name="file-text" />
              <span class="row-title">{title}</span>
              <span class="row-facts">
                <span>{spaceTitle}</span>
                <Time at={at} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
