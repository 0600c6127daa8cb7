import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useCommentsState } from '../comments/comments-state.ts'
import { canEditLive } from '../space/can-edit-live.ts'
import { pageTexts } from '../space/page-texts.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { findPage } from '../space/tree-moves.ts'
import { usePages } from '../space/use-pages.ts'
import { continueInChangeRequest } from './continue-in-change-request.ts'
import { findDraft } from './drafts.ts'
import { editTexts as texts } from './edit-texts.ts'
import { toReadingPath } from './editor-path.ts'
import { PageLoader, type PageLoaderProps, preloadEditor } from './page-loader.tsx'
import type { PagePlace } from './page-text.ts'

const CommentsPanel = lazy(async () => (await import('../comments/comments-panel.tsx')).CommentsPanel)

/** Edits the live content of a page or a reusable content. */
export default function LiveEditScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', pageId, reusableContentId = '' } = params
  useLayoutEffect(() => (pageId === undefined ? undefined : preloadEditor()), [])
  const { data: space, isLoading } = useQuery('GET /spaces/{spaceId}', { params: { spaceId } })
  const comments = useCommentsState(pageId)
  const place: PagePlace = {
    spaceId,
    changeRequestId: undefined,
    pageId: pageId ?? reusableContentId,
    kind: pageId === undefined ? 'reusable-content' : 'page',
  }
  const { data: tree } = usePages(spaceId)
  const page = tree && pageId !== undefined && findPage(tree.pages, pageId)
  const isAsideShown = space && pageId !== undefined && comments.isOpen.value === true
  return (
    <SpaceFrame
      spaceId={spaceId}
      pageId={pageId}
      crumbs={[...(page ? [{ title: page.title, path: toReadingPath(place) }] : []), { title: texts.editLive }]}
      title={page ? page.title : undefined}
      isWide
      {...(isAsideShown && {
        aside: (
          <CommentsPanel
            key={pageId}
            place={{ space, pageId }}
            state={comments}
            canComment={space.permissions.comment}
            isClosable
          />
        ),
        asideLabel: texts.comments,
      })}
    >
      {(shown) => (
        <LiveEditor
          key={place.pageId}
          space={shown}
          revision={isLoading ? undefined : shown.revision}
          place={place}
          comments={comments}
        />
      )}
    </SpaceFrame>
  )
}

interface LiveEditorProps extends Pick<PageLoaderProps, 'space' | 'revision' | 'comments'> {
  place: PagePlace
}

function LiveEditor({ place, ...props }: LiveEditorProps) {
  const isOpened = useRef(false)
  // The editor remains open when the space is locked, so that unsaved text is not lost.
  isOpened.current ||= canEditLive(props.space)
  const { pageId, kind } = place
  if (!isOpened.current) return <NotLive space={props.space} place={place} />
  return <PageLoader {...props} changeRequest={undefined} pageId={pageId} kind={kind} />
}

/** Shown if the live content cannot be edited; unsaved text in this browser is kept. */
function NotLive({ space, place }: { space: Space; place: PagePlace }) {
  const draft = findDraft(place)
  const [start, isStarting] = useAction(() => continueInChangeRequest(space, place, draft))
  const canPropose = space.permissions.edit
  return (
    <EmptyState
      icon="lock"
      title={texts.notLive}
      actions={
        <>
          {canPropose && (
            <Button kind="primary" isBusy={isStarting} onClick={() => void start()}>
              {draft ? texts.continueInNew : pageTexts.editInChangeRequest}
            </Button>
          )}
          <LinkButton href={appHref(toReadingPath(place))}>{texts.openPage}</LinkButton>
        </>
      }
    >
      {canPropose ? texts.notLiveLocked : texts.notLiveForbidden} {draft && texts.keptText}
    </EmptyState>
  )
}
