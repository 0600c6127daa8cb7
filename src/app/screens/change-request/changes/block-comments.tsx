import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { Comment } from '../../../../contract/comment.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { Button } from '../../../ui/button.tsx'
import { uiTexts } from '../../../ui/ui-texts.ts'
import { useAction } from '../../../ui/use-action.ts'
import { CommentCard } from '../comment-card.tsx'
import { clearDraft, readDraft, storeDraft } from '../drafts.ts'
import { invalidateChangeRequests, paramsOf } from '../use-change-request.ts'
import type { RenderedBlock } from './split-blocks.ts'
import { texts } from './texts.ts'

/** Starts a comment on a block. */
export const CommentButton = ({ onClick }: { onClick: () => void }) => (
  <span class="cr-comment-button">
    <Button kind="quiet" icon="message-plus" label={texts.comment} onClick={onClick} />
  </span>
)

interface BlockCommentsProps {
  changeRequest: ChangeRequest
  pageId: string
  block: RenderedBlock
  comments: readonly Comment[]
  isWriting: boolean
  onClose: () => void
}

/** Shows the comments about a block below it, and the field for a new one. */
export function BlockComments({ changeRequest, pageId, block, comments, isWriting, onClose }: BlockCommentsProps) {
  const own = comments.filter(({ target }) => target.node && block.blockKeys.includes(target.node.id))
  if (own.length === 0 && !isWriting) return null
  return (
    <div class="cr-block-comments">
      {own.map((comment) => (
        <CommentCard key={comment.id} changeRequest={changeRequest} comment={comment} />
      ))}
      {isWriting && (
        <CommentForm
          draftKey={`comment.${changeRequest.id}.${block.key}`}
          onClose={onClose}
          onSend={async (markdown) => {
            const node = block.blockKeys[0] as string
            await postComment(changeRequest, { body: { markdown }, page: pageId, node })
          }}
        />
      )}
    </div>
  )
}

type CommentInput = { body: { markdown: string }; page?: string; node?: string }

/** Posts a comment in a change request. */
export async function postComment(changeRequest: ChangeRequest, body: CommentInput): Promise<void> {
  const params = paramsOf(changeRequest)
  await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments', { params, body })
  invalidateChangeRequests(changeRequest)
  invalidate(`/spaces/${changeRequest.space}/comments`)
}

interface CommentFormProps {
  /** Name under which the text is kept in this browser until it is sent. */
  draftKey: string
  onSend: (markdown: string) => Promise<void>
  /** Called after sending or cancelling; without it, the form remains. */
  onClose?: () => void
}

/** Field for a comment; Ctrl+Enter sends it. */
export function CommentForm({ draftKey, onSend, onClose }: CommentFormProps) {
  const [text, setText] = useState(readDraft(draftKey))
  const change = (value: string) => {
    setText(value)
    storeDraft(draftKey, value)
  }
  const [send, isSending] = useAction(async () => {
    if (text.trim() === '') return
    await onSend(text.trim())
    setText('')
    clearDraft(draftKey)
    onClose?.()
  })
  return (
    <form
      class="cr-comment-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
        else if (event.key === 'Escape') onClose?.()
      }}
    >
      <textarea
        class="input"
        rows={3}
        aria-label={texts.commentPlaceholder}
        placeholder={texts.commentPlaceholder}
        value={text}
        autoFocus={onClose !== undefined}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <span class="toolbar">
        <Button type="submit" kind="primary" icon="send" isBusy={isSending} disabled={text.trim() === ''}>
          {texts.send}
        </Button>
        {onClose && <Button onClick={onClose}>{uiTexts.cancel}</Button>}
      </span>
    </form>
  )
}
