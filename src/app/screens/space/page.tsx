import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RenderedPage } from '../../../contract/rendered.ts'
import type { RevisionPage } from '../../../contract/revision.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { type Query, useQuery } from '../../data/query.ts'
import { rememberPage } from '../../recent.ts'
import { fillText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { formatAge } from '../../ui/time.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { BlockComments } from '../comments/block-comments.tsx'
import { type CommentPlace, useComments } from '../comments/comment-place.ts'
import { type CommentsState, setPanelOpen, useCommentsState } from '../comments/comments-state.ts'
import { ViewAs } from '../view-as/view-as.tsx'
import { readVisitorClaims } from '../view-as/visitor-claims.ts'
import { EditButton } from './edit-button.tsx'
import { PageMenu } from './page-menu.tsx'
import { pageTexts } from './page-texts.ts'
import { PageHead, PageOutline, PagePager, toPageCrumb } from './page-view.tsx'
import { SpaceFrame } from './space-frame.tsx'
import { usePages } from './use-pages.ts'

const CommentsPanel = lazy(async () => (await import('../comments/comments-panel.tsx')).CommentsPanel)

/** A live page of a space, with its comments. */
export default function PageScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', pageId = '' } = params
  const { data: space } = useQuery('GET /spaces/{spaceId}', { params: { spaceId } })
  if (space) return <LivePage space={space} pageId={pageId} />
  return (
    <SpaceFrame spaceId={spaceId} pageId={pageId}>
      {() => <Loading />}
    </SpaceFrame>
  )
}

function LivePage({ space, pageId }: { space: Space; pageId: string }) {
  const spaceId = space.id
  const rendered = useQuery('GET /spaces/{spaceId}/content/page/{pageId}/html', {
    params: { spaceId, pageId },
    query: { visitorClaims: readVisitorClaims() },
  })
  const { data: page } = useQuery('GET /spaces/{spaceId}/content/page/{pageId}', { params: { spaceId, pageId } })
  const place: CommentPlace = { space, pageId }
  const comments = useComments(place, 'open').items ?? []
  const state = useCommentsState(pageId)
  const isSheet = useMedia('(max-width: 64rem)')
  const canComment = space.permissions.comment
  const { isOpen } = state
  useEffect(() => {
    // Unless the user has opened or closed the panel, it is shown if there are comments.
    if (isOpen.value === undefined && comments.length > 0) isOpen.value = true
  }, [pageId, comments.length])
  useEffect(() => {
    if (rendered.data)
      rememberPage({ space: spaceId, page: pageId, title: rendered.data.title, spaceTitle: space.title })
  }, [pageId, rendered.data?.title])
  const isAsideShown = isSheet ? canComment || comments.length > 0 : isOpen.value === true
  return (
    <SpaceFrame
      spaceId={spaceId}
      pageId={pageId}
      isWide
      crumbs={rendered.data ? [toPageCrumb(rendered.data)] : []}
      {...(isAsideShown && {
        aside: <CommentsPanel key={pageId} place={place} state={state} canComment={canComment} isClosable />,
        asideLabel: pageTexts.comments,
      })}
    >
      {() => (
        <LiveContent
          key={pageId}
          space={space}
          pageId={pageId}
          page={page}
          rendered={rendered}
          state={state}
          comments={comments}
        />
      )}
    </SpaceFrame>
  )
}

interface LiveContentProps {
  space: Space
  pageId: string
  page: RevisionPage | undefined
  rendered: Query<RenderedPage>
  state: CommentsState
  comments: NonNullable<ReturnType<typeof useComments>['items']>
}

function LiveContent({ space, pageId, page, rendered, state, comments }: LiveContentProps) {
  const { data, error, reload } = rendered
  const { data: tree } = usePages(space.id)
  const isViewingAs = useSignal(false)
  if (!data) {
    if (error?.status === 404) return <GonePage space={space} />
    return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={8} />
  }
  return (
    <div class="read">
      <article class="read-page">
        <PageHead
          page={data}
          actions={
            <div class="toolbar read-actions">
              {state.isOpen.value !== true && (
                <Button
                  kind="quiet"
                  icon="message"
                  label={pageTexts.comments}
                  onClick={() => setPanelOpen(state, true)}
                />
              )}
              {space.permissions.edit && <EditButton space={space} kind="page" pageId={pageId} />}
              {page && <PageMenu space={space} page={page} onViewAs={() => (isViewingAs.value = true)} />}
            </div>
          }
        />
        <ViewAs space={space} isOpen={isViewingAs} isPageHidden={data.isVisible === false} />
        {data.html === '' ? (
          <PageWithoutContent page={page} />
        ) : (
          <BlockComments state={state} comments={comments} canComment={space.permissions.comment}>
            <RenderedContent
              page={data}
              onIncomplete={() => void reload()}
              onShown={(root) => (state.root.value = root)}
            />
          </BlockComments>
        )}
        <p class="read-state">
          <span class="read-live">{pageTexts.live}</span>
          {page?.updatedAt !== undefined && (
            <span title={page.updatedAt}>{fillText(pageTexts.changed, { age: formatAge(page.updatedAt) })}</span>
          )}
          <a href={appHref(`/spaces/${space.id}/history`)}>{pageTexts.history}</a>
        </p>
        {tree && <PagePager pages={tree.pages} pageId={pageId} path={`/spaces/${space.id}/pages`} />}
      </article>
      <PageOutline outline={data.outline} />
    </div>
  )
}

/** Shown for a page that was deleted while it was open, or for a wrong address. */
function GonePage({ space }: { space: Space }) {
  return (
    <EmptyState
      icon="file"
      title={pageTexts.gone}
      actions={
        <>
          <LinkButton href={appHref(`/spaces/${space.id}`)}>{pageTexts.openSpace}</LinkButton>
          <LinkButton href={appHref(`/spaces/${space.id}/history`)}>{pageTexts.history}</LinkButton>
        </>
      }
    >
      {pageTexts.goneHint}
    </EmptyState>
  )
}

/** Shown for entries of the navigation that are not documents, and for empty pages. */
function PageWithoutContent({ page }: { page: RevisionPage | undefined }) {
  if (page?.type === 'link')
    return (
      <EmptyState
        icon="external-link"
        title={pageTexts.linkPage}
        actions={page.href !== undefined && <LinkButton href={page.href}>{pageTexts.openTarget}</LinkButton>}
      />
    )
  if (page?.type === 'group') return <EmptyState icon="folder" title={pageTexts.groupPage} />
  if (page?.type === 'computed') return <EmptyState icon="bolt" title={pageTexts.computedPage} />
  return <EmptyState icon="file" title={pageTexts.emptyPage} />
}
