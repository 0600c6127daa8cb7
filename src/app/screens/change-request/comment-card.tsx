import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Comment } from '../../../contract/comment.ts'
import { request } from '../../api.ts'
import { countText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { texts } from './changes/texts.ts'
import { RenderedText } from './rendered-text.tsx'
import { invalidateChangeRequests, paramsOf } from './use-change-request.ts'

/** Shows a comment of a change request, which can be resolved and reopened. */
export function CommentCard({ changeRequest, comment }: { changeRequest: ChangeRequest; comment: Comment }) {
  const { id, postedBy, postedAt, body, status, replies, target, permissions } = comment
  const [toggle, isBusy] = useAction(async () => {
    await request('PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}', {
      params: { ...paramsOf(changeRequest), commentId: id },
      body: { resolved: status === 'open' },
    })
    invalidateChangeRequests(changeRequest)
  })
  return (
    <div class="cr-comment">
      <p class="cr-comment-head">
        <Avatar person={postedBy} size={20} />
        <strong>{postedBy.displayName}</strong>
        <Time at={postedAt} />
        {status === 'resolved' && <Badge tone="success">{texts.resolved}</Badge>}
      </p>
      {target.node?.preview !== undefined && <blockquote class="cr-quote">{target.node.preview}</blockquote>}
      <RenderedText changeRequest={changeRequest} body={body} />
      <p class="toolbar cr-comment-tools">
        {replies > 0 && <span class="quiet">{countText(texts.replies, replies)}</span>}
        {permissions.delete && (
          <Button kind="quiet" isBusy={isBusy} onClick={() => void toggle()}>
            {status === 'open' ? texts.resolve : texts.reopen}
          </Button>
        )}
      </p>
    </div>
  )
}
