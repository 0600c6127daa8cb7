import type { ComponentChildren } from 'preact'
import type { Comment } from '../../../contract/comment.ts'
import type { ChangeRequest, Review } from '../../../contract/change-request.ts'
import type { User } from '../../../contract/shared.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { navigate } from '../../router.ts'
import { countText, fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import type { Space } from '../../../contract/space.ts'
import { CommentComposer } from '../comments/comment-composer.tsx'
import { CommentThread } from '../comments/comment-thread.tsx'
import { postComment } from './post-comment.ts'
import { texts } from './overview-texts.ts'
import { ReviewBadge, useContributors, useRequestedReviewers } from './people.tsx'
import { RenderedText } from './rendered-text.tsx'
import { paramsOf, screenPath, useReviews } from './use-change-request.ts'

/** An event with the time by which it is sorted. */
interface ActivityItem {
  key: string
  at: string
  content: ComponentChildren
}

/** History of a change request, with its comments and a field for a new one. */
export function Activity({ changeRequest, space }: { changeRequest: ChangeRequest; space: Space }) {
  const place = { space, changeRequest: changeRequest.id }
  const { reviews = [] } = useReviews(changeRequest)
  const requested = useRequestedReviewers(changeRequest) ?? []
  const contributors = useContributors(changeRequest) ?? []
  const comments = useList('GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments', {
    params: paramsOf(changeRequest),
    query: { format: 'document', order: 'asc', limit: 100 },
  })
  const items = [
    toFact('created', changeRequest.createdAt, changeRequest.createdBy, texts.created),
    ...contributors
      .filter(({ actionType }) => actionType === 'edit')
      .map(({ user, count, updatedAt }) =>
        toFact(`edits-${user.id}`, updatedAt, user, countText(texts.edited, count, { name: user.displayName })),
      ),
    ...requested.map((one): ActivityItem => {
      const reviewer = one.kind === 'user' ? one.user.displayName : one.team.title
      const sentence = fillText(texts.askedFor, { name: one.requestedBy.displayName, reviewer })
      return toFact(`asked-${reviewer}`, one.createdAt, one.requestedBy, sentence)
    }),
    ...reviews.map((review): ActivityItem => ({
      key: review.id,
      at: review.createdAt,
      content: <ReviewItem changeRequest={changeRequest} review={review} />,
    })),
    // The text of a review is shown with the review.
    ...(comments.items ?? [])
      .filter(({ target }) => target.review === undefined)
      .map((comment): ActivityItem => ({
        key: comment.id,
        at: comment.postedAt,
        content: (
          <CommentThread
            comment={comment}
            place={place}
            isHighlighted={false}
            showsReplies
            onHover={() => undefined}
            onShowBlock={showBlockOf(changeRequest, comment)}
          />
        ),
      })),
    ...(changeRequest.mergedBy && changeRequest.mergedAt !== undefined
      ? [toFact('merged', changeRequest.mergedAt, changeRequest.mergedBy, texts.mergedIt)]
      : []),
  ].toSorted((one, other) => one.at.localeCompare(other.at))
  return (
    <>
      <ol class="cr-activity">
        {items.map(({ key, content }) => (
          <li key={key}>{content}</li>
        ))}
      </ol>
      {comments.hasMore && (
        <Button isBusy={comments.isLoading} onClick={() => void comments.loadMore()}>
          {uiTexts.loadMore}
        </Button>
      )}
      {changeRequest.permissions.comment && (
        <CommentComposer
          organizationId={space.organization}
          draftKey={[space.id, changeRequest.id, 'all', 'page'].join('.')}
          label={texts.newComment}
          submitTitle={texts.send}
          onSubmit={(markdown) => postComment(changeRequest, { body: { markdown } })}
        />
      )}
    </>
  )
}

/** Opens the changes of the page that a comment is about. */
function showBlockOf(changeRequest: ChangeRequest, { target }: Comment): (() => void) | undefined {
  const { page } = target
  return page && (() => navigate(screenPath(changeRequest, `/changes?change=page:${page.id}`)))
}

function toFact(key: string, at: string, person: User, sentence: string): ActivityItem {
  return {
    key,
    at,
    content: (
      <p class="cr-fact">
        <Avatar person={person} size={20} />
        <span>{fillText(sentence, { name: person.displayName })}</span>
        <Time at={at} />
      </p>
    ),
  }
}

function ReviewItem({ changeRequest, review }: { changeRequest: ChangeRequest; review: Review }) {
  const { reviewer, status, comment, outdated, createdAt } = review
  const sentence = status === 'approved' ? texts.approvedIt : texts.requestedChanges
  return (
    <div class="cr-comment">
      <p class="cr-comment-head">
        <Avatar person={reviewer} size={20} />
        <strong>{fillText(sentence, { name: reviewer.displayName })}</strong>
        <Time at={createdAt} />
        <ReviewBadge review={review} />
      </p>
      {comment && <RenderedText changeRequest={changeRequest} body={comment.body} />}
      {outdated && (
        <p>
          <a href={appHref(screenPath(changeRequest, '/changes?since=review'))}>{texts.changedSince}</a>
        </p>
      )}
    </div>
  )
}
