import { appHref } from '../../../base-path.ts'
import { useList } from '../../../data/list.ts'
import { Badge } from '../../../ui/badge.tsx'
import { LoadMore } from '../../../ui/item-list.tsx'
import { Time } from '../../../ui/time.tsx'
import { insightsTexts as texts } from './insights-texts.ts'
import type { PageFilter } from './period.ts'
import { shortenPath } from './shorten-path.ts'

interface FeedbackListProps {
  organizationId: string
  siteId: string
  /** Path of the site, which the paths of all its pages share. */
  basePath: string
  page: PageFilter | undefined
}

const tones = { good: 'success', ok: 'neutral', bad: 'danger' } as const

/** The latest comments of readers about pages. */
export function FeedbackList({ organizationId, siteId, basePath, page }: FeedbackListProps) {
  const { items, ...more } = useList('GET /orgs/{organizationId}/sites/{siteId}/insights/feedback', {
    params: { organizationId, siteId },
    query: { limit: 50, pageId: page?.page },
  })
  const comments = items?.filter(({ comment }) => comment !== undefined) ?? []
  // The first items may be ratings without a comment, followed by comments.
  if (comments.length === 0 && !more.hasMore) return null
  return (
    <section class="section">
      <h2>{texts.comments}</h2>
      <ul class="rows">
        {comments.map(({ id, rating, comment, url, page: pageId, space, createdAt }) => (
          <li key={id} class="reader-comment">
            <p>{comment}</p>
            <p class="row-facts">
              <Badge tone={tones[rating]}>{texts[rating]}</Badge>
              {space !== null && pageId !== null ? (
                <a href={appHref(`/spaces/${space}/pages/${pageId}`)}>{shortenPath(new URL(url).pathname, basePath)}</a>
              ) : (
                <span>{shortenPath(new URL(url).pathname, basePath)}</span>
              )}
              <Time at={createdAt} />
            </p>
          </li>
        ))}
      </ul>
      <LoadMore list={more} />
    </section>
  )
}
