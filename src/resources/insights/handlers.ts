import { insights } from '../../contract/insights.ts'
import type { PublicContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Db } from '../../schema/tables.ts'
import { aggregateEvents } from './aggregate.ts'
import { presentFeedback } from './feedback.ts'
import { prepareEvents, storeEvents } from './record.ts'
import * as store from './store.ts'

async function getPublishedSite(db: Db, { organizationId, siteId }: { organizationId: string; siteId: string }) {
  const site = await store.findPublishedSite(db, organizationId, siteId)
  if (!site) throw notFound('site')
  return site
}

export const insightsRoutes = implement(insights, {
  trackEventsInSiteById: {
    async admit({ db }, params) {
      await getPublishedSite(db, params)
    },
    // All lookups run before the transaction, so that anonymous requests keep it short.
    ...withPreparation(
      async (context: PublicContext, { params, body }: OperationInput<typeof insights.trackEventsInSiteById>) =>
        prepareEvents(context, await getPublishedSite(context.db, params), body.events),
      ({ db }, _input, events) => storeEvents(db, events),
    ),
  },

  aggregateSiteEvents: ({ db, site, now }, { body }) => aggregateEvents({ db, site, now: now() }, body),

  async listSiteFeedback({ db, site }, { query }) {
    const filter = { rating: query.rating, pageId: query.pageId }
    const after = decodeCursor(query.page, 2)
    const rows = await store.findFeedback(db, site, filter, { after, limit: query.limit })
    const count = await store.countFeedback(db, site, filter)
    return toPage(rows, query, count, ({ created_at, id }) => [created_at, id], presentFeedback)
  },
})
