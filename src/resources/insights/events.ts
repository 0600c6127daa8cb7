import type { ContentRef } from '../../contract/document.ts'
import type { InsightsEvent } from '../../contract/insights-events.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { minutes, timestamp, days } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { findLocations } from './event-locations.ts'
import type { SiteEvent } from './store.ts'
import { truncate, parseEventUrl, parseReferrer, serializeLinkTarget } from './texts.ts'
import { parseUserAgent } from './user-agent.ts'

type Site = Pick<Row<'sites'>, 'organization_id' | 'id' | 'visibility'>

/** Maximum difference between the time of an event and the server's clock, for inexact clocks and late senders. */
const maxClockDifference = minutes(5)

/** Converts a batch of events to rows, which contain nothing that identifies a person. */
export async function toEventRows(
  context: Pick<BaseContext, 'db' | 'openObjects' | 'signer' | 'now' | 'newId'>,
  site: Site,
  events: readonly InsightsEvent[],
): Promise<SiteEvent[]> {
  const now = context.now()
  const moments = events.map(({ timestamp: sent }, index) => resolveEventTime(sent, now, index))
  const resolveLocation = await findLocations(
    context,
    site,
    events.map(({ location }) => location),
  )
  return events.map((event, index) => {
    const moment = moments[index] as string
    const { session, location } = event
    const hashOf = (...ids: string[]) => context.signer.sign(JSON.stringify(['insights', site.id, ...ids]))
    const visitor = hashOf(session.visitorId)
    return {
      organization_id: site.organization_id,
      site_id: site.id,
      portion: portionOf(visitor),
      occurred_at: moment,
      id: context.newId(),
      week: mondayOf(moment),
      day_of_week: weekdayOf(moment),
      type: event.type,
      ...parseEventUrl(location.url),
      display_context: location.displayContext,
      ...resolveLocation(location),
      visitor_hash: visitor,
      session_hash: hashOf(session.visitorId, session.sessionId),
      authenticated: toFlag(isAuthenticated(site, session)),
      ...parseUserAgent(session.userAgent),
      language: session.language ? truncate(session.language, 35) : null,
      ...parseReferrer(session.referrer),
      ...noDetails,
      ...toDetails(event),
    }
  })
}

/** Returns the time of an event; a time slightly in the future becomes the current time. */
function resolveEventTime(sent: string | undefined, now: string, index: number): string {
  if (sent === undefined) return now
  const [time, nowTime] = [Date.parse(sent), Date.parse(now)]
  if (!(Math.abs(time - nowTime) <= maxClockDifference)) {
    throw invalid(`body.events.${index}.timestamp`, 'must be within 5 minutes of the current time')
  }
  return timestamp(Math.min(time, nowTime))
}

function isAuthenticated(site: Site, { visitorAuthToken, visitorAuthClaims }: InsightsEvent['session']): boolean {
  if (site.visibility === 'visitor-auth') return true
  const hasClaims =
    typeof visitorAuthClaims === 'object' && visitorAuthClaims !== null && Object.keys(visitorAuthClaims).length > 0
  return hasClaims || (typeof visitorAuthToken === 'string' && visitorAuthToken !== '')
}

type Details = Pick<
  SiteEvent,
  | 'link_target'
  | 'link_kind'
  | 'link_domain'
  | 'link_position'
  | 'operation_path'
  | 'operation_method'
  | 'llms_variant'
  | 'markdown_source'
  | 'query'
  | 'result_count'
  | 'record_id'
  | 'feedback_rating'
  | 'feedback_comment'
  | 'ask_rating'
  | 'ad_domain'
  | 'ad_placement'
  | 'trademark_placement'
>

const noDetails: Details = {
  link_target: null,
  link_kind: null,
  link_domain: null,
  link_position: null,
  operation_path: null,
  operation_method: null,
  llms_variant: null,
  markdown_source: null,
  query: null,
  result_count: null,
  record_id: null,
  feedback_rating: null,
  feedback_comment: null,
  ask_rating: null,
  ad_domain: null,
  ad_placement: null,
  trademark_placement: null,
}

/** Returns the columns that are specific to the type of an event. */
function toDetails(event: InsightsEvent): Partial<Details> {
  switch (event.type) {
    case 'page_markdown_request':
      return { markdown_source: event.markdownSource ?? null }
    case 'search_type_query':
      return { query: normalizeQuery(event), result_count: event.results ?? null }
    case 'ask_question':
      return { query: normalizeQuery(event) }
    case 'search_open_result':
      return { query: normalizeQuery(event), record_id: 'recordId' in event.result ? event.result.recordId : null }
    case 'page_post_feedback':
      return { feedback_rating: event.feedback.rating }
    case 'page_post_feedback_comment':
      return { feedback_rating: event.feedback.rating, feedback_comment: event.feedback.comment }
    case 'ask_rate_response':
      return { query: normalizeQuery(event), ask_rating: event.rating }
    case 'link_click':
      return { ...toLinkDetails(event.link.target), link_position: event.link.position }
    case 'api_client_open':
    case 'api_client_request':
      return {
        operation_path: truncate(event.operation.path, 500),
        operation_method: event.operation.method.toLowerCase(),
      }
    case 'trademark_click':
      return { trademark_placement: event.placement }
    case 'ad_click':
    case 'ad_display':
      return { ad_domain: event.ad.domain, ad_placement: event.ad.placement }
    case 'llms_request':
      return { llms_variant: event.llmsVariant }
    default:
      return {}
  }
}

/** Returns the text of a query; null if it is empty. */
function normalizeQuery({ query }: { query: string }): string | null {
  return truncate(query.trim(), 500) || null
}

function toLinkDetails(target: ContentRef): Partial<Details> {
  const domain = target.kind === 'url' && URL.canParse(target.url) ? new URL(target.url).hostname : ''
  return {
    link_target: serializeLinkTarget(target),
    link_kind: target.kind,
    link_domain: truncate(domain, 255) || null,
  }
}

/**
 * Number of portions of the events of a site. Portions are counted one after another, so that other requests are served
 * in between. All events and sessions of a visitor are in one portion, so numbers of distinct visitors and sessions can
 * be added up.
 */
const portionCount = 64

function portionOf(visitorHash: string): number {
  return (Buffer.from(visitorHash, 'base64url')[0] ?? 0) % portionCount
}

/** Returns the day of the week in UTC, from 1 for Monday to 7. */
function weekdayOf(moment: string): number {
  return new Date(moment).getUTCDay() || 7
}

/** Returns the date of the Monday of a week. */
export function mondayOf(moment: string): string {
  const monday = Date.parse(moment) - days(weekdayOf(moment) - 1)
  return new Date(monday).toISOString().slice(0, 10)
}
