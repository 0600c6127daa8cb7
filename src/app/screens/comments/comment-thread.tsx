import { useState } from 'preact/hooks'
import type { Comment, CommentReply } from '../../../contract/comment.ts'
import { countText, fillText } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/classes.ts'
import { confirmAction } from '../../ui/confirm.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CommentComposer } from './comment-composer.tsx'
import { type CommentPlace, reloadComments, requestComments, useReplies } from './comment-place.ts'
import { CommentPost } from './comment-post.tsx'
import { commentTexts } from './comment-texts.ts'

interface CommentThreadProps {
  comment: Comment
  place: CommentPlace
  /** Whether its block is under the pointer. */
  isHighlighted: boolean
  /** Whether the replies are expanded initially. */
  showsReplies: boolean
  onHover: (isHovered: boolean) => void
  /** Shows the block that the comment is about. */
  onShowBlock?: (() => void) | undefined
}

/** A comment with its subject and its replies. */
export function CommentThread(props: CommentThreadProps) {
  const { comment, place, isHighlighted, onHover, onShowBlock } = props
  const { id, target, permissions } = comment
  const [isExpanded, setExpanded] = useState(props.showsReplies)
  const [isReplying, setReplying] = useState(false)
  const params = { commentId: id }
  const update = async (body: object) => {
    await requestComments('PUT /spaces/{spaceId}/comments/{commentId}', place, { params, body })
    reloadComments(place)
  }
  const setResolved = async (resolved: boolean) => {
    await update({ resolved })
    showToast(resolved ? commentTexts.wasResolved : commentTexts.wasReopened, {
      action: { title: commentTexts.undo, onSelect: () => void update({ resolved: !resolved }).catch(showError) },
    })
  }
  const [changeResolved, isChanging] = useAction(setResolved)
  const isResolved = comment.status === 'resolved'
  const preview = target.node?.preview
  return (
    <article
      class={joinClasses('comment', isHighlighted && 'is-highlighted')}
      data-comment={id}
      tabIndex={-1}
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
      onFocusIn={() => onHover(true)}
      onFocusOut={() => onHover(false)}
    >
      {target.page?.outdated === true && (
        <span title={commentTexts.outdatedHint}>
          <Badge tone="warning">{commentTexts.outdated}</Badge>
        </span>
      )}
      {preview !== undefined && preview !== '' && (
        <button type="button" class="comment-preview" disabled={!onShowBlock} onClick={onShowBlock}>
          <span class="sr-only">{fillText(commentTexts.onBlock, { text: preview })}</span>
          <span aria-hidden="true">{preview}</span>
        </button>
      )}
      <CommentPost
        post={comment}
        spaceId={place.space.id}
        organizationId={place.space.organization}
        readMarkdown={async () => {
          const read = await requestComments('GET /spaces/{spaceId}/comments/{commentId}', place, {
            params,
            query: { format: 'markdown' },
          })
          return read.body.markdown ?? ''
        }}
        onEdit={(markdown) => update({ body: { markdown } })}
        onReact={update}
        onDelete={() => removeComment(place, id)}
      />
      {isExpanded && comment.replies > 0 && <Replies comment={comment} place={place} />}
      <div class="comment-actions">
        {!isExpanded && comment.replies > 0 && (
          <Button kind="quiet" onClick={() => setExpanded(true)}>
            {countText(commentTexts.replies, comment.replies)}
          </Button>
        )}
        {permissions.reply && !isReplying && (
          <Button kind="quiet" icon="message-reply" onClick={() => setReplying(true)}>
            {commentTexts.reply}
          </Button>
        )}
        {permissions.delete && (
          <Button
            kind="quiet"
            icon={isResolved ? 'refresh' : 'check'}
            isBusy={isChanging}
            onClick={() => void changeResolved(!isResolved)}
          >
            {isResolved ? commentTexts.reopen : commentTexts.resolve}
          </Button>
        )}
      </div>
      {isReplying && (
        <CommentComposer
          organizationId={place.space.organization}
          draftKey={`reply.${id}`}
          label={commentTexts.writeReply}
          submitTitle={commentTexts.reply}
          autoFocus
          onCancel={() => setReplying(false)}
          onSubmit={async (markdown) => {
            await requestComments('POST /spaces/{spaceId}/comments/{commentId}/replies', place, {
              params,
              body: { body: { markdown } },
            })
            setReplying(false)
            setExpanded(true)
            reloadComments(place)
          }}
        />
      )}
    </article>
  )
}

async function removeComment(place: CommentPlace, commentId: string): Promise<void> {
  const isConfirmed = await confirmAction({
    title: commentTexts.removeTitle,
    text: commentTexts.removeText,
    action: commentTexts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await requestComments('DELETE /spaces/{spaceId}/comments/{commentId}', place, { params: { commentId } })
  reloadComments(place)
}

/** The replies to a comment, oldest first. */
function Replies({ comment, place }: { comment: Comment; place: CommentPlace }) {
  const { items, hasMore, isLoading, loadMore } = useReplies(place, comment.id)
  return (
    <div class="comment-replies">
      {items?.map((reply) => (
        <ReplyPost key={reply.id} reply={reply} comment={comment} place={place} />
      ))}
      {hasMore && (
        <Button kind="quiet" isBusy={isLoading} onClick={() => void loadMore()}>
          {commentTexts.moreReplies}
        </Button>
      )}
    </div>
  )
}

function ReplyPost({ reply, comment, place }: { reply: CommentReply; comment: Comment; place: CommentPlace }) {
  const params = { commentId: comment.id, commentReplyId: reply.id }
  const update = async (body: object) => {
    await requestComments('PUT /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}', place, {
      params,
      body,
    })
    reloadComments(place)
  }
  return (
    <CommentPost
      post={reply}
      spaceId={place.space.id}
      organizationId={place.space.organization}
      readMarkdown={async () => {
        const route = 'GET /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}'
        return (await requestComments(route, place, { params, query: { format: 'markdown' } })).body.markdown ?? ''
      }}
      onEdit={(markdown) => update({ body: { markdown } })}
      onReact={update}
      onDelete={async () => {
        const isConfirmed = await confirmAction({
          title: commentTexts.removeReplyTitle,
          text: commentTexts.removeReplyText,
          action: commentTexts.remove,
          isDangerous: true,
        })
        if (!isConfirmed) return
        const route = 'DELETE /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}'
        await requestComments(route, place, { params })
        reloadComments(place)
      }}
    />
  )
}
