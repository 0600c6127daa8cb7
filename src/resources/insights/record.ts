import type { InsightsEvent } from '../../contract/insights-events.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toEventRows } from './events.ts'
import { collectFeedback } from './feedback.ts'
import * as store from './store.ts'

/** Events and feedback of a site, ready to be stored. */
export interface PreparedEvents {
  events: store.SiteEvent[]
  feedback: store.Feedback[]
}

/** Looks up everything that storing events needs, outside of a transaction. */
export async function prepareEvents(
  context: BaseContext,
  site: Pick<Row<'sites'>, 'organization_id' | 'id' | 'visibility'>,
  events: readonly InsightsEvent[],
): Promise<PreparedEvents> {
  const rows = await toEventRows(context, site, events)
  return { events: rows, feedback: collectFeedback(context, rows) }
}

export async function storeEvents(db: Db, { events, feedback }: PreparedEvents): Promise<void> {
  if (events.length > 0) await store.insertEvents(db, events)
  if (feedback.length > 0) await store.upsertFeedback(db, feedback)
}
