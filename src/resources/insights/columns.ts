import { type RawBuilder, sql } from 'kysely'
import type { ContentRef } from '../../contract/document.ts'
import type {
  CountColumn,
  InsightsColumn,
  InsightsColumnName,
  InsightsValue,
  NumberColumn,
  RatingColumn,
  TextColumn,
} from '../../contract/insights.ts'
import { countColumns, ratingColumns } from '../../contract/insights.ts'
import type { SiteEvent } from './store.ts'

/** A column to group by: one or more SQL expressions, and the conversion of their values for the reply. */
export interface Dimension {
  parts: readonly RawBuilder<unknown>[]
  present: (values: readonly unknown[]) => InsightsValue
}

/** A column to count: sums over the events of a group, and their conversion for the reply. */
export interface Figure {
  sums: readonly SumName[]
  present: (sums: readonly number[]) => InsightsValue
}

type FigureColumn = CountColumn | RatingColumn
type DimensionColumn = Exclude<InsightsColumnName, FigureColumn>

const figureColumns = new Set<string>([...countColumns, ...ratingColumns])

export function isFigure(column: InsightsColumnName): column is FigureColumn {
  return figureColumns.has(column)
}

const stored = (column: keyof SiteEvent) => sql.ref(column)

export const textExpressions: Record<TextColumn, RawBuilder<unknown>> = {
  url: sql`url_origin || url_path`,
  urlPath: stored('url_path'),
  eventType: stored('type'),
  siteSection: stored('section_id'),
  siteSpace: stored('site_space_id'),
  siteShareKey: stored('share_link_id'),
  displayContext: stored('display_context'),
  visitorDevice: stored('device'),
  visitorBrowser: stored('browser'),
  visitorOS: stored('os'),
  visitorBot: stored('bot'),
  visitorLanguage: stored('language'),
  eventLinkTargetKind: stored('link_kind'),
  eventLinkTargetDomain: stored('link_domain'),
  eventLinkPosition: stored('link_position'),
  eventAPIOperationPath: stored('operation_path'),
  eventAPIOperationMethod: stored('operation_method'),
  eventLLMSVariant: stored('llms_variant'),
  eventMarkdownSource: stored('markdown_source'),
  eventSearchQuery: stored('query'),
  eventSearchResultRecordId: stored('record_id'),
  eventPageFeedbackRating: stored('feedback_rating'),
  eventPageFeedbackComment: stored('feedback_comment'),
  referrer: stored('referrer'),
  referrerDomain: stored('referrer_domain'),
  utmSource: stored('utm_source'),
  utmMedium: stored('utm_medium'),
  utmCampaign: stored('utm_campaign'),
  utmTerm: stored('utm_term'),
  utmContent: stored('utm_content'),
  eventAdDomain: stored('ad_domain'),
  eventAdPlacement: stored('ad_placement'),
  eventTrademarkPlacement: stored('trademark_placement'),
}

export const numberExpressions: Record<NumberColumn, RawBuilder<unknown>> = {
  dayOfWeek: stored('day_of_week'),
  hourOfDay: sql`cast(substr(occurred_at, 12, 2) as integer)`,
  eventAskResponseRating: stored('ask_rating'),
}

/** Prefixes of ISO 8601 times that identify the hour, day or month, and the suffixes that complete them. */
const intervals: Record<NonNullable<InsightsColumn['interval']>, { part: RawBuilder<unknown>; rest: string }> = {
  hour: { part: sql`substr(occurred_at, 1, 13)`, rest: ':00:00.000Z' },
  day: { part: sql`substr(occurred_at, 1, 10)`, rest: 'T00:00:00.000Z' },
  week: { part: stored('week'), rest: 'T00:00:00.000Z' },
  month: { part: sql`substr(occurred_at, 1, 7)`, rest: '-01T00:00:00.000Z' },
}

export function dimensionOf(column: DimensionColumn, interval: InsightsColumn['interval']): Dimension {
  switch (column) {
    case 'datetime': {
      if (interval === undefined) return plain(stored('occurred_at'))
      const { part, rest } = intervals[interval]
      return { parts: [part], present: ([value]) => `${value as string}${rest}` }
    }
    case 'page':
      return {
        parts: [stored('space_id'), stored('page_id')],
        present: ([space, page]) => (space === null ? null : { page: page as string | null, space: space as string }),
      }
    case 'eventLinkTargetValue':
      return {
        parts: [stored('link_target')],
        present: ([text]) => (text === null ? null : (JSON.parse(text as string) as ContentRef)),
      }
    case 'visitorAuthenticated':
      return { parts: [stored('authenticated')], present: ([value]) => value === 1 }
    case 'dayOfWeek':
    case 'hourOfDay':
    case 'eventAskResponseRating':
      return plain(numberExpressions[column])
    default:
      return plain(textExpressions[column])
  }
}

function plain(expression: RawBuilder<unknown>): Dimension {
  return { parts: [expression], present: ([value]) => value as InsightsValue }
}

/** Counts ratings without comments, because a comment repeats the rating that was sent before it. */
const ratedAs = (rating: string) =>
  sql`count(case when type = 'page_post_feedback' and feedback_rating = ${sql.lit(rating)} then 1 end)`

/** Sums that are computed per portion and can be added up. */
export const sums = {
  events: sql`count(*)`,
  sessions: sql`count(distinct session_hash)`,
  visitors: sql`count(distinct visitor_hash)`,
  bad: ratedAs('bad'),
  ok: ratedAs('ok'),
  good: ratedAs('good'),
  positive: sql`count(case when ask_rating = 1 then 1 end)`,
  negative: sql`count(case when ask_rating = -1 then 1 end)`,
} satisfies Record<string, RawBuilder<unknown>>
export type SumName = keyof typeof sums

const count = (sum: SumName): Figure => ({ sums: [sum], present: ([value = 0]) => value })

export const figures: Record<FigureColumn, Figure> = {
  eventsCount: count('events'),
  sessionsCount: count('sessions'),
  visitorsCount: count('visitors'),
  pageFeedbackRating: {
    sums: ['bad', 'ok', 'good'],
    present: ([bad = 0, ok = 0, good = 0]) => ({ bad, ok, good }),
  },
  askResponseRating: {
    sums: ['positive', 'negative'],
    present: ([positive = 0, negative = 0]) => ({ positive, negative }),
  },
}
