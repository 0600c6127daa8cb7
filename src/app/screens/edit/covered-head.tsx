import type { ComponentChildren } from 'preact'
import { useContentQuery } from '../../data/content-place.ts'
import { PageHeader } from '../space/page-view.tsx'
import type { PagePlace } from './page-text.ts'

interface CoveredHeadProps {
  place: PagePlace
  /** The title and the description. */
  children: ComponentChildren
}

/** Shows the title and the description with the cover of the page, as readers see them. */
export function CoveredHead({ place, children }: CoveredHeadProps) {
  const { data } = useContentQuery('GET /spaces/{spaceId}/content/page/{pageId}/html', place, {
    params: { pageId: place.pageId },
  })
  return <PageHeader cover={data?.cover}>{children}</PageHeader>
}
