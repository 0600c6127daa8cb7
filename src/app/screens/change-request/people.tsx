import type { ChangeRequest, Review } from '../../../contract/change-request.ts'
import { request } from '../../api.ts'
import { useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { texts } from './overview-texts.ts'
import { invalidateChangeRequests, isActive, paramsOf, useReviews } from './use-change-request.ts'

/** Reads the people who were asked for a review. */
export const useRequestedReviewers = (changeRequest: ChangeRequest) =>
  useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers', {
    params: paramsOf(changeRequest),
    query: { limit: 200 },
  }).data?.items

/** Requested reviewers, with the verdict of those who have reviewed. */
export function Reviewers({ changeRequest }: { changeRequest: ChangeRequest }) {
  const requested = useRequestedReviewers(changeRequest) ?? []
  const { reviews = [] } = useReviews(changeRequest)
  const latest = new Map(reviews.map((review) => [review.reviewer.id, review]))
  const [remove] = useAction(async (userId: string) => {
    await request('DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}', {
      params: { ...paramsOf(changeRequest), userId },
    })
    invalidateChangeRequests(changeRequest)
  })
  const canRemove = changeRequest.permissions.edit && isActive(changeRequest)
  return (
    <section class="cr-side">
      <h2>{texts.reviewers}</h2>
      {requested.length + latest.size === 0 && <p class="quiet">{texts.noReviewers}</p>}
      <ul class="cr-people">
        {[...latest.values()].map((review) => (
          <li key={review.id}>
            <Avatar person={review.reviewer} />
            <span>{review.reviewer.displayName}</span>
            <ReviewBadge review={review} />
          </li>
        ))}
        {requested.map((one) => {
          const person = one.kind === 'user' ? one.user : { id: one.team.id, displayName: one.team.title }
          return (
            <li key={`asked-${person.id}`}>
              <Avatar person={person} />
              <span>{person.displayName}</span>
              <Badge icon="clock">{texts.requested}</Badge>
              {canRemove && (
                <Button
                  kind="quiet"
                  icon="x"
                  label={fillText(texts.removeReviewer, { name: person.displayName })}
                  onClick={() => void remove(person.id)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Shows the verdict of a review; one of an earlier revision no longer counts. */
export function ReviewBadge({ review: { status, outdated } }: { review: Review }) {
  const isApproval = status === 'approved'
  return (
    <>
      <Badge
        tone={outdated ? 'neutral' : isApproval ? 'success' : 'warning'}
        icon={isApproval ? 'circle-check' : 'circle-x'}
      >
        {isApproval ? texts.approved : texts.changesRequested}
      </Badge>
      {outdated && <Badge icon="history">{texts.outdatedReview}</Badge>}
    </>
  )
}

/** Reads the people who edited the change request or commented on it, with the number of times. */
export const useContributors = (changeRequest: ChangeRequest) =>
  useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/contributors', {
    params: paramsOf(changeRequest),
    query: { limit: 50 },
  }).data?.items

/** People who edited the change request or commented on it. */
export function Contributors({ changeRequest }: { changeRequest: ChangeRequest }) {
  const people = new Map((useContributors(changeRequest) ?? []).map(({ user }) => [user.id, user]))
  if (people.size === 0) return null
  return (
    <section class="cr-side">
      <h2>{texts.contributors}</h2>
      <ul class="cr-people">
        {[...people.values()].map((user) => (
          <li key={user.id}>
            <Avatar person={user} />
            <span>{user.displayName}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
