import { insights } from '../../contract/insights.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement, prepared } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import { aggregate } from './aggregate.ts'
import { presentFeedback } from './feedback.ts'
import { prepareEvents, storeEvents } from './record.ts'
import * as store from './store.ts'

export const insightsRoutes = implement(insights, {
  // Everything is looked up before the transaction, which is then as short as strangers may make it.
  trackEventsInSiteById: prepared(
    async (context, { params, body }) => {
      const site = await store.findPublishedSite(context.db, params.organizationId, params.siteId)
      if (!site) throw notFound('site')
      return prepareEvents(context, site, body.events)
    },
    ({ db }, _input, events) => storeEvents(db, events),
  ),

  aggregateSiteEvents: ({ db, site, now }, { body }) => aggregate({ db, site, now: now() }, body),

  async listSiteFeedback({ db, site }, { query }) {
    const filter = { rating: query.rating, pageId: query.pageId }
    const after = decodeCursor(query.page, 2)
    const rows = await store.findFeedback(db, site, filter, { after, limit: query.limit })
    const count = await store.countFeedback(db, site, filter)
    return toPage(rows, query, count, ({ created_at, id }) => [created_at, id], presentFeedback)
  },
})
