import { useEffect } from 'preact/hooks'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { Icon } from '../../ui/icon.tsx'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { findNeighbors } from './page-order.ts'
import { pageTexts } from './page-texts.ts'
import { PageHead, PageOutline, PagePager, toPageCrumb } from './page-view.tsx'
import { SpaceFrame } from './space-frame.tsx'
import { usePages } from './use-pages.ts'

/** A page in an earlier revision; without a page, the first one of the revision. */
export default function RevisionScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', revisionId = '', pageId } = params
  const path = `/spaces/${spaceId}/revisions/${revisionId}/pages`
  const { data: tree, error: treeError } = usePages(spaceId, { revision: revisionId })
  const rendered = useQuery(
    pageId === undefined ? undefined : 'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html',
    { params: { spaceId, revisionId, pageId: pageId ?? '' } },
  )
  const first = tree && findNeighbors([{ id: '', title: '', type: 'document' }, ...tree.pages], '').next
  useEffect(() => {
    if (pageId === undefined && first) navigate(`${path}/${first.id}`, { replace: true })
  }, [pageId, first?.id])
  const { data, error, reload } = rendered
  const problem = error ?? treeError
  return (
    <SpaceFrame spaceId={spaceId} revision={revisionId} pageId={pageId} isWide crumbs={data ? [toPageCrumb(data)] : []}>
      {() => (
        <>
          <EarlierBanner spaceId={spaceId} revisionId={revisionId} pageId={pageId} />
          {data && (
            <div class="read">
              <article class="read-page">
                <PageHead page={data} />
                <RenderedContent page={data} onIncomplete={() => void reload()} />
                {tree && pageId !== undefined && <PagePager pages={tree.pages} pageId={pageId} path={path} />}
              </article>
              <PageOutline outline={data.outline} />
            </div>
          )}
          {!data && (problem ? <ErrorState error={problem} onRetry={() => void reload()} /> : <Loading lines={8} />)}
        </>
      )}
    </SpaceFrame>
  )
}

interface EarlierBannerProps {
  spaceId: string
  revisionId: string
  pageId: string | undefined
}

function EarlierBanner({ spaceId, revisionId, pageId }: EarlierBannerProps) {
  const { data } = useQuery('GET /spaces/{spaceId}/revisions', { params: { spaceId }, query: { limit: 100 } })
  const revision = data?.items.find(({ id }) => id === revisionId)
  const live = pageId === undefined ? `/spaces/${spaceId}` : `/spaces/${spaceId}/pages/${pageId}`
  return (
    <p class="read-earlier" role="note">
      <Icon name="history" />
      <span>{pageTexts.earlier}</span>
      {revision && <Time at={revision.createdAt} />}
      <a href={appHref(live)}>{pageTexts.showLive}</a>
    </p>
  )
}
