import type { SiteFeedback } from '../../contract/insights.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Feedback, SiteEvent } from './store.ts'

/** Returns the feedback in a batch of events: the last rating and the last comment of each session on each page. */
export function collectFeedback({ signer }: Pick<BaseContext, 'signer'>, events: readonly SiteEvent[]): Feedback[] {
  const feedback = new Map<string, Feedback>()
  for (const event of events) {
    if (event.feedback_rating === null) continue
    const url = event.url_origin + event.url_path
    const saidBy = signer.sign(JSON.stringify(['feedback', event.session_hash, url]))
    feedback.set(saidBy, {
      organization_id: event.organization_id,
      site_id: event.site_id,
      id: event.id,
      said_by: saidBy,
      space_id: event.space_id,
      page_id: event.page_id,
      url,
      rating: event.feedback_rating,
      comment: event.feedback_comment ?? feedback.get(saidBy)?.comment ?? null,
      created_at: event.occurred_at,
    })
  }
  return [...feedback.values()]
}

export function presentFeedback(feedback: Feedback): SiteFeedback {
  return {
    id: feedback.id,
    page: feedback.page_id,
    space: feedback.space_id,
    rating: feedback.rating,
    ...(feedback.comment !== null && { comment: feedback.comment }),
    url: feedback.url,
    createdAt: feedback.created_at,
  }
}
