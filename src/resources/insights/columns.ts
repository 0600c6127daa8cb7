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

export function isFigureColumn(column: InsightsColumnName): column is FigureColumn {
  return figureColumns.has(column)
}

const columnRef = (column: keyof SiteEvent) => sql.ref(column)

export const textExpressions: Record<TextColumn, RawBuilder<unknown>> = {
  url: sql`url_origin || url_path`,
  urlPath: columnRef('url_path'),
  eventType: columnRef('type'),
  siteSection: columnRef('section_id'),
  siteSpace: columnRef('site_space_id'),
  siteShareKey: columnRef('share_link_id'),
  displayContext: columnRef('display_context'),
  visitorDevice: columnRef('device'),
  visitorBrowser: columnRef('browser'),
  visitorOS: columnRef('os'),
  visitorBot: columnRef('bot'),
  visitorLanguage: columnRef('language'),
  eventLinkTargetKind: columnRef('link_kind'),
  eventLinkTargetDomain: columnRef('link_domain'),
  eventLinkPosition: columnRef('link_position'),
  eventAPIOperationPath: columnRef('operation_path'),
  eventAPIOperationMethod: columnRef('operation_method'),
  eventLLMSVariant: columnRef('llms_variant'),
  eventMarkdownSource: columnRef('markdown_source'),
  eventSearchQuery: columnRef('query'),
  eventSearchResultRecordId: columnRef('record_id'),
  eventPageFeedbackRating: columnRef('feedback_rating'),
  eventPageFeedbackComment: columnRef('feedback_comment'),
  referrer: columnRef('referrer'),
  referrerDomain: columnRef('referrer_domain'),
  utmSource: columnRef('utm_source'),
  utmMedium: columnRef('utm_medium'),
  utmCampaign: columnRef('utm_campaign'),
  utmTerm: columnRef('utm_term'),
  utmContent: columnRef('utm_content'),
  eventAdDomain: columnRef('ad_domain'),
  eventAdPlacement: columnRef('ad_placement'),
  eventTrademarkPlacement: columnRef('trademark_placement'),
}

export const numberExpressions: Record<NumberColumn, RawBuilder<unknown>> = {
  dayOfWeek: columnRef('day_of_week'),
  hourOfDay: sql`cast(substr(occurred_at, 12, 2) as integer)`,
  eventAskResponseRating: columnRef('ask_rating'),
  eventSearchResultCount: columnRef('result_count'),
}

/** Prefixes of ISO 8601 times that identify the hour, day or month, and the suffixes that complete them. */
const intervals: Record<NonNullable<InsightsColumn['interval']>, { part: RawBuilder<unknown>; rest: string }> = {
  hour: { part: sql`substr(occurred_at, 1, 13)`, rest: ':00:00.000Z' },
  day: { part: sql`substr(occurred_at, 1, 10)`, rest: 'T00:00:00.000Z' },
  week: { part: columnRef('week'), rest: 'T00:00:00.000Z' },
  month: { part: sql`substr(occurred_at, 1, 7)`, rest: '-01T00:00:00.000Z' },
}

export function createDimension(column: DimensionColumn, interval: InsightsColumn['interval']): Dimension {
  switch (column) {
    case 'datetime': {
      if (interval === undefined) return plainDimension(columnRef('occurred_at'))
      const { part, rest } = intervals[interval]
      return { parts: [part], present: ([value]) => `${value as string}${rest}` }
    }
    case 'page':
      return {
        parts: [columnRef('space_id'), columnRef('page_id')],
        present: ([space, page]) => (space === null ? null : { page: page as string | null, space: space as string }),
      }
    case 'eventLinkTargetValue':
      return {
        parts: [columnRef('link_target')],
        present: ([text]) => (text === null ? null : (JSON.parse(text as string) as ContentRef)),
      }
    case 'visitorAuthenticated':
      return { parts: [columnRef('authenticated')], present: ([value]) => value === 1 }
    case 'dayOfWeek':
    case 'hourOfDay':
    case 'eventAskResponseRating':
    case 'eventSearchResultCount':
      return plainDimension(numberExpressions[column])
    default:
      return plainDimension(textExpressions[column])
  }
}

function plainDimension(expression: RawBuilder<unknown>): Dimension {
  return { parts: [expression], present: ([value]) => value as InsightsValue }
}

/** Counts ratings without comments, because a comment repeats the rating that was sent before it. */
const countRatings = (rating: string) =>
  sql`count(case when type = 'page_post_feedback' and feedback_rating = ${sql.lit(rating)} then 1 end)`

/** Sums that are computed per portion and can be added up. */
export const sums = {
  events: sql`count(*)`,
  sessions: sql`count(distinct session_hash)`,
  visitors: sql`count(distinct visitor_hash)`,
  bad: countRatings('bad'),
  ok: countRatings('ok'),
  good: countRatings('good'),
  positive: sql`count(case when ask_rating = 1 then 1 end)`,
  negative: sql`count(case when ask_rating = -1 then 1 end)`,
} satisfies Record<string, RawBuilder<unknown>>
export type SumName = keyof typeof sums

const countFigure = (sum: SumName): Figure => ({ sums: [sum], present: ([value = 0]) => value })

export const figures: Record<FigureColumn, Figure> = {
  eventsCount: countFigure('events'),
  sessionsCount: countFigure('sessions'),
  visitorsCount: countFigure('visitors'),
  pageFeedbackRating: {
    sums: ['bad', 'ok', 'good'],
    present: ([bad = 0, ok = 0, good = 0]) => ({ bad, ok, good }),
  },
  askResponseRating: {
    sums: ['positive', 'negative'],
    present: ([positive = 0, negative = 0]) => ({ positive, negative }),
  },
}
