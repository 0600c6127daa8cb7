import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../../contract/comment.ts'
import { address } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/classes.ts'
import { LoadMore } from '../../ui/item-list.tsx'
import { findBlock } from '../../ui/rendered-content.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { CommentComposer } from './comment-composer.tsx'
import { type CommentPlace, reloadComments, requestComments, useComments } from './comment-place.ts'
import { CommentThread } from './comment-thread.tsx'
import { commentTexts } from './comment-texts.ts'
import { type CommentsState, setPanelOpen } from './comments-state.ts'
import { groupByBlock } from './group-comments.ts'

interface CommentsPanelProps {
  place: CommentPlace
  state: CommentsState
  /** Whether the user may write comments here. */
  canComment: boolean
  /** Whether the panel can be closed, as beside a page. */
  isClosable?: boolean
}

/** Maximum number of comments whose replies are expanded initially. */
const maxExpanded = 20

/** The comments of a page, a space or a change request, in the order of the blocks that they are about. */
export function CommentsPanel({ place, state, canComment, isClosable = false }: CommentsPanelProps) {
  const [status, setStatus] = useState<Comment['status']>('open')
  const list = useComments(place, status)
  const panel = useRef<HTMLElement>(null)
  const isOpen = state.isOpen.value === true
  const groups = useMemo(
    () => groupByBlock(list.items ?? [], state.root.value),
    [list.items, state.root.value, state.root.value?.firstChild],
  )
  useFocusedComment(panel.current, state, list.items, () => setStatus('resolved'))
  return (
    <section ref={panel} class={joinClasses('comments', isOpen && 'is-open')} aria-label={commentTexts.comments}>
      <header class="comments-head">
        <h2>
          {isClosable ? (
            <button
              type="button"
              class="comments-toggle"
              aria-expanded={isOpen}
              onClick={() => setPanelOpen(state, !isOpen)}
            >
              {commentTexts.comments} {status === 'open' && <span class="tab-count">{list.items?.length ?? ''}</span>}
            </button>
          ) : (
            commentTexts.comments
          )}
        </h2>
        <div class="segments" role="group" aria-label={commentTexts.filter}>
          {(['open', 'resolved'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={status === one} onClick={() => setStatus(one)}>
              {commentTexts[one]}
            </button>
          ))}
        </div>
        {isClosable && (
          <Button kind="quiet" icon="x" label={uiTexts.close} onClick={() => setPanelOpen(state, false)} />
        )}
      </header>
      <div class="comments-body">
        {canComment && status === 'open' && <NewComment place={place} state={state} />}
        {!list.items &&
          (list.error ? <ErrorState error={list.error} onRetry={() => void list.reload()} /> : <Loading />)}
        {list.items?.length === 0 && <NoComments status={status} canComment={canComment} />}
        {groups.map(({ block, comments }) => (
          <div key={block ?? ''} class="comment-group">
            {comments.map((comment) => (
              <CommentThread
                key={comment.id}
                comment={comment}
                place={place}
                isHighlighted={block !== undefined && state.highlighted.value === block}
                showsReplies={(list.items?.length ?? 0) <= maxExpanded}
                onHover={(isHovered) => (state.highlighted.value = isHovered ? block : undefined)}
                onShowBlock={block === undefined ? undefined : () => showBlock(state, block)}
              />
            ))}
          </div>
        ))}
        <LoadMore list={list} />
      </div>
    </section>
  )
}

/** Scrolls to a block and highlights it. */
function showBlock(state: CommentsState, block: string): void {
  const element = state.root.value && findBlock(state.root.value, block)
  element?.scrollIntoView({ block: 'center' })
  state.highlighted.value = block
}

/** Moves the focus to the comments of a block that was chosen in the page, or to the comment in the address. */
function useFocusedComment(
  panel: HTMLElement | null,
  state: CommentsState,
  comments: readonly Comment[] | undefined,
  showResolved: () => void,
): void {
  const wanted = address.value.query.get('comment')
  const isHandled = useRef(false)
  useEffect(() => {
    const block = state.shown.value
    const found = block === undefined ? undefined : comments?.find(({ target }) => target.node?.id === block)
    if (!found) return
    focusComment(panel, found.id)
    state.shown.value = undefined
  }, [state.shown.value, comments, panel])
  useEffect(() => {
    if (wanted === null || isHandled.current || !comments || !panel) return
    if (comments.some(({ id }) => id === wanted)) {
      isHandled.current = true
      state.isOpen.value = true
      requestAnimationFrame(() => focusComment(panel, wanted))
    } else showResolved()
  }, [wanted, comments, panel])
}

function focusComment(panel: HTMLElement | null, id: string): void {
  const element = panel?.querySelector<HTMLElement>(`[data-comment="${CSS.escape(id)}"]`)
  element?.scrollIntoView({ block: 'nearest' })
  element?.focus({ preventScroll: true })
}

function NoComments({ status, canComment }: { status: Comment['status']; canComment: boolean }) {
  if (status === 'resolved') return <p class="quiet">{commentTexts.noResolved}</p>
  return (
    <EmptyState icon="message" title={commentTexts.noOpen}>
      {canComment ? commentTexts.noOpenHint : commentTexts.noOpenReader}
    </EmptyState>
  )
}

/** Field for a comment about the chosen block, or about the page or change request as a whole. */
function NewComment({ place, state }: { place: CommentPlace; state: CommentsState }) {
  const { space, changeRequest, pageId } = place
  const target = state.target.value
  const about = [space.id, changeRequest ?? 'live', pageId ?? 'all', target?.key ?? 'page'].join('.')
  const label = target
    ? fillText(commentTexts.commentOn, { text: target.preview })
    : pageId === undefined
      ? commentTexts.write
      : commentTexts.commentOnPage
  return (
    <div class="new-comment">
      {target && <p class="comment-preview">{target.preview}</p>}
      <CommentComposer
        key={about}
        organizationId={space.organization}
        draftKey={about}
        label={label}
        submitTitle={commentTexts.send}
        autoFocus={target !== undefined}
        onCancel={target && (() => (state.target.value = undefined))}
        onSubmit={async (markdown) => {
          await requestComments('POST /spaces/{spaceId}/comments', place, {
            body: {
              body: { markdown },
              ...(pageId !== undefined && { page: pageId }),
              ...(target && { node: target.key }),
            },
          })
          state.target.value = undefined
          reloadComments(place)
        }}
      />
    </div>
  )
}
