import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { Comment } from '../../../../contract/comment.ts'
import type { Space } from '../../../../contract/space.ts'
import { CommentComposer } from '../../comments/comment-composer.tsx'
import { CommentThread } from '../../comments/comment-thread.tsx'
import { postComment } from '../post-comment.ts'
import type { RenderedBlock } from './split-blocks.ts'
import { texts } from './texts.ts'

interface BlockCommentsProps {
  changeRequest: ChangeRequest
  space: Space
  pageId: string
  block: RenderedBlock
  /** Comments about the block. */
  comments: readonly Comment[]
  isWriting: boolean
  onClose: () => void
}

/** Shows the comments about a block below it, and the field for a new one. */
export function BlockComments({
  changeRequest,
  space,
  pageId,
  block,
  comments,
  isWriting,
  onClose,
}: BlockCommentsProps) {
  const place = { space, changeRequest: changeRequest.id, pageId }
  return (
    <div class="cr-block-comments">
      {comments.map((comment) => (
        <CommentThread
          key={comment.id}
          comment={comment}
          place={place}
          isHighlighted={false}
          showsReplies
          onHover={() => undefined}
        />
      ))}
      {isWriting && (
        <CommentComposer
          organizationId={space.organization}
          draftKey={[space.id, changeRequest.id, pageId, block.key].join('.')}
          label={texts.comment}
          submitTitle={texts.send}
          autoFocus
          onCancel={onClose}
          onSubmit={async (markdown) => {
            await postComment(changeRequest, { body: { markdown }, page: pageId, node: block.blockKeys[0] })
            onClose()
          }}
        />
      )}
    </div>
  )
}
