import type { InsightsColumnName } from '../../../../contract/insights.ts'
import type { ApiError } from '../../../api.ts'
import type { DayCounts } from './chart.tsx'
import { type PageFilter, type Period, listDays, toConditions, toRange } from './period.ts'
import { type Aggregate, type InsightsRow, useAggregate } from './use-aggregate.ts'

interface TitleCount {
  title: string
  count: number
}

/** Data of the screen for a period. */
export interface SiteInsights {
  totals: { views: number; visitors: number; searches: number; ratings: number }
  days: DayCounts[]
  pages: { path: string; space: string | undefined; id: string | undefined; views: number; visitors: number }[]
  searches: TitleCount[]
  missedSearches: TitleCount[]
  referrers: TitleCount[]
  ratings: { path: string; good: number; ok: number; bad: number }[]
}

interface SiteParams {
  organizationId: string
  siteId: string
}

/** Maximum number of rows of a table. */
const maxRows = 10
/** Maximum number of searches that are added up for the total. */
const maxSearches = 1000

const columns = (...names: InsightsColumnName[]) => names.map((column) => ({ column }))

/** Reads the numbers of a site for a period of days, for one page or all pages. */
export function useInsights(
  site: SiteParams,
  period: Period,
  page: PageFilter | undefined,
): { insights: SiteInsights | undefined; error: ApiError | undefined; reload: () => void } {
  const range = toRange(period)
  const views = toConditions(['page_view'], page)
  const searches = toConditions(['search_type_query'], page)
  const aggregates = {
    totals: useAggregate(site, { range, where: views, select: columns('eventsCount', 'visitorsCount') }),
    days: useAggregate(site, {
      range,
      where: views,
      groupBy: [{ column: 'datetime', interval: 'day' }],
      select: columns('eventsCount', 'visitorsCount'),
    }),
    pages: useAggregate(site, {
      range,
      where: views,
      groupBy: columns('urlPath', 'page'),
      select: columns('eventsCount', 'visitorsCount'),
      limit: maxRows,
    }),
    searches: useAggregate(site, {
      range,
      where: searches,
      groupBy: columns('eventSearchQuery'),
      select: columns('eventsCount'),
      limit: maxSearches,
    }),
    missedSearches: useAggregate(site, {
      range,
      where: [...searches, { column: 'eventSearchResultCount', operator: 'in', values: [0] }],
      groupBy: columns('eventSearchQuery'),
      select: columns('eventsCount'),
      limit: maxRows,
    }),
    referrers: useAggregate(site, {
      range,
      where: [...views, { column: 'referrerDomain', operator: 'notIn', values: [null] }],
      groupBy: columns('referrerDomain'),
      select: columns('eventsCount'),
      limit: maxRows,
    }),
    ratings: useAggregate(site, {
      range,
      where: toConditions(['page_post_feedback'], page),
      groupBy: columns('urlPath'),
      select: columns('eventsCount', 'pageFeedbackRating'),
      limit: 1000,
    }),
  }
  const all = Object.values(aggregates)
  return {
    insights: all.every(({ rows }) => rows) ? toInsights(aggregates, range) : undefined,
    error: all.find(({ error }) => error)?.error,
    reload: () => all.forEach(({ reload }) => reload()),
  }
}

const countOf = (row: InsightsRow | undefined, column: InsightsColumnName): number =>
  typeof row?.[column] === 'number' ? row[column] : 0

const textOf = (row: InsightsRow, column: InsightsColumnName): string =>
  typeof row[column] === 'string' ? row[column] : ''

const toTitleCounts = ({ rows = [] }: Aggregate, column: InsightsColumnName): TitleCount[] =>
  rows
    .map((row) => ({ title: textOf(row, column), count: countOf(row, 'eventsCount') }))
    .filter(({ title }) => title !== '')

type AggregateName = 'totals' | 'days' | 'pages' | 'searches' | 'missedSearches' | 'referrers' | 'ratings'

function toInsights(aggregates: Record<AggregateName, Aggregate>, range: { from: string; to: string }): SiteInsights {
  const { totals, days, pages, ratings } = aggregates
  const byDay = new Map(days.rows?.map((row) => [textOf(row, 'datetime'), row]))
  const searches = toTitleCounts(aggregates.searches, 'eventSearchQuery')
  return {
    totals: {
      views: countOf(totals.rows?.[0], 'eventsCount'),
      visitors: countOf(totals.rows?.[0], 'visitorsCount'),
      searches: searches.reduce((total, { count }) => total + count, 0),
      ratings: (ratings.rows ?? []).reduce((total, row) => total + countOf(row, 'eventsCount'), 0),
    },
    days: listDays(range).map((day) => ({
      day,
      views: countOf(byDay.get(day), 'eventsCount'),
      visitors: countOf(byDay.get(day), 'visitorsCount'),
    })),
    pages: (pages.rows ?? []).map((row) => ({
      path: textOf(row, 'urlPath'),
      ...toPageIds(row),
      views: countOf(row, 'eventsCount'),
      visitors: countOf(row, 'visitorsCount'),
    })),
    searches: searches.slice(0, maxRows),
    missedSearches: toTitleCounts(aggregates.missedSearches, 'eventSearchQuery'),
    referrers: toTitleCounts(aggregates.referrers, 'referrerDomain'),
    ratings: (ratings.rows ?? []).slice(0, maxRows).map((row) => ({
      path: textOf(row, 'urlPath'),
      ...((row.pageFeedbackRating ?? { good: 0, ok: 0, bad: 0 }) as { good: number; ok: number; bad: number }),
    })),
  }
}

function toPageIds({ page }: InsightsRow): { space: string | undefined; id: string | undefined } {
  const value = page as { space?: string; page?: string | null } | null | undefined
  return { space: value?.space, id: value?.page ?? undefined }
}
