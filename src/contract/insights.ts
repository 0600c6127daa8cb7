import { z } from 'zod'
import { ContentRef } from './document.ts'
import { FeedbackRating, InsightsEvent } from './insights-events.ts'
import { operation } from './operation.ts'
import { Id, ListQuery, Timestamp, paginated } from './shared.ts'

/** Columns with short texts or with a fixed set of values. */
const textColumns = [
  'url',
  'urlPath',
  'eventType',
  'siteSection',
  'siteSpace',
  'siteShareKey',
  'displayContext',
  'visitorDevice',
  'visitorBrowser',
  'visitorOS',
  'visitorBot',
  'visitorLanguage',
  'eventLinkTargetKind',
  'eventLinkTargetDomain',
  'eventLinkPosition',
  'eventAPIOperationPath',
  'eventAPIOperationMethod',
  'eventLLMSVariant',
  'eventMarkdownSource',
  'eventSearchQuery',
  'eventSearchResultRecordId',
  'eventPageFeedbackRating',
  'eventPageFeedbackComment',
  'referrer',
  'referrerDomain',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'eventAdDomain',
  'eventAdPlacement',
  'eventTrademarkPlacement',
] as const
export type TextColumn = (typeof textColumns)[number]

const numberColumns = ['dayOfWeek', 'hourOfDay', 'eventAskResponseRating', 'eventSearchResultCount'] as const
export type NumberColumn = (typeof numberColumns)[number]

/** Aggregations over the events of a group. */
export const countColumns = ['eventsCount', 'sessionsCount', 'visitorsCount'] as const
export type CountColumn = (typeof countColumns)[number]

/** Number of events for each rating in a group. */
export const ratingColumns = ['pageFeedbackRating', 'askResponseRating'] as const
export type RatingColumn = (typeof ratingColumns)[number]

/** Values of the official API that this server does not record. */
const unrecordedColumns = new Set<unknown>([
  'visitorGeoCountry',
  'visitorGeoPoint',
  'visitorClaim',
  'visitorClaimProperty',
  'eventPageNotFoundType',
])

const columns = [
  'datetime',
  'page',
  'eventLinkTargetValue',
  'visitorAuthenticated',
  ...textColumns,
  ...numberColumns,
  ...countColumns,
  ...ratingColumns,
] as const
export type InsightsColumnName = (typeof columns)[number]

const describeUnknownColumn = (column: unknown) =>
  unrecordedColumns.has(column) ? `${String(column)} is not recorded by this server` : 'must be a known column'

export const InsightsColumn = z
  .object({
    column: z.enum(columns, { error: ({ input }) => describeUnknownColumn(input) }),
    interval: z
      .enum(['hour', 'day', 'week', 'month'])
      .optional()
      .describe('Only for `datetime`: length of the time buckets, in UTC; weeks begin on Monday'),
  })
  .meta({ id: 'SiteInsightsColumn' })
export type InsightsColumn = z.infer<typeof InsightsColumn>

const PageValue = z.object({ page: Id.nullable(), space: Id })

const equalityOperators = ['in', 'notIn'] as const
const comparisonOperators = ['greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual'] as const
export type Comparison = (typeof comparisonOperators)[number]

const maxValues = 100

/** A filter for columns without an order. */
function equalityFilter<const Names extends readonly string[], Value extends z.ZodType>(names: Names, value: Value) {
  return z.object({
    column: z.enum(names),
    operator: z.enum(equalityOperators).default('in'),
    values: z.array(value).max(maxValues),
  })
}

/** A filter for ordered columns. */
function comparisonFilter<const Names extends readonly string[], Value extends z.ZodType>(names: Names, value: Value) {
  return z
    .object({
      column: z.enum(names),
      operator: z.enum([...equalityOperators, ...comparisonOperators]).default('in'),
      values: z.array(value).max(maxValues),
    })
    .refine(({ operator, values }) => operator === 'in' || operator === 'notIn' || values.length === 1, {
      path: ['values'],
      message: 'must contain exactly one value for a comparison',
    })
}

export const InsightsFilter = z
  .discriminatedUnion(
    'column',
    [
      equalityFilter(textColumns, z.string().max(8192).nullable()),
      equalityFilter(['page'], PageValue.nullable()),
      equalityFilter(['eventLinkTargetValue'], ContentRef.nullable()),
      equalityFilter(['visitorAuthenticated'], z.boolean().nullable()),
      comparisonFilter(['datetime'], Timestamp),
      comparisonFilter(numberColumns, z.number()),
      comparisonFilter(countColumns, z.number()),
    ],
    { error: ({ input }) => describeInvalidFilter(input) },
  )
  .meta({ id: 'SiteInsightsFilter' })
export type InsightsFilter = z.infer<typeof InsightsFilter>

function describeInvalidFilter(input: unknown): string {
  const column = (input as { column?: unknown } | null | undefined)?.column
  return ratingColumns.some((name) => name === column)
    ? `${String(column)} cannot be used as a filter`
    : describeUnknownColumn(column)
}

const rangePresets = ['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours'] as const

export const InsightsAggregation = z
  .object({
    select: z.array(InsightsColumn).max(20).default([]).describe('Columns to return; defaults to `eventsCount`'),
    where: z.array(InsightsFilter).max(20).default([]).describe('Filters, all of which must match'),
    groupBy: z.array(InsightsColumn).max(10).default([]),
    order: z
      .object({ by: InsightsColumn, direction: z.enum(['asc', 'desc']) })
      .optional()
      .describe(
        'Defaults to ascending time when `datetime` is selected, otherwise to the first count in descending order',
      ),
    range: z.union([
      z.enum(rangePresets).describe('Period that ends now'),
      z.object({ from: Timestamp, to: Timestamp.describe('Exclusive') }),
    ]),
    limit: z.int().min(1).max(1000).default(1000),
  })
  .meta({ id: 'SiteInsightsAggregation' })
export type InsightsAggregation = z.infer<typeof InsightsAggregation>

const InsightsValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  ContentRef,
  PageValue,
  z.object({ bad: z.int(), ok: z.int(), good: z.int() }),
  z.object({ positive: z.int(), negative: z.int() }),
])
export type InsightsValue = z.infer<typeof InsightsValue>

const InsightsResult = z
  .object({
    columns: z.array(
      z.object({
        column: z.enum(columns),
        values: z
          .array(InsightsValue)
          .describe('One value per group; null where the events of the group have no such value'),
      }),
    ),
  })
  .meta({ id: 'SiteInsightsResult' })
export type InsightsResult = z.infer<typeof InsightsResult>

export const SiteFeedback = z
  .object({
    id: Id,
    page: Id.nullable(),
    space: Id.nullable(),
    rating: FeedbackRating,
    comment: z.string().optional(),
    url: z.string().describe('URL of the page on which the feedback was given'),
    createdAt: Timestamp,
  })
  .meta({ id: 'SiteFeedback' })
export type SiteFeedback = z.infer<typeof SiteFeedback>

export const insights = {
  trackEventsInSiteById: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/insights/events',
    summary: 'Record events of a published site',
    description: 'Requires no token. Stores all events, or none when one of them is invalid.',
    access: 'public',
    scope: 'any',
    maxBody: 1024 ** 2,
    body: z.object({ events: z.array(InsightsEvent).max(100) }),
    errors: [404],
  }),
  aggregateSiteEvents: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/insights/events/aggregate',
    summary: 'Aggregate the events of a site',
    description: 'Selected columns that are not counts are also used for grouping.',
    access: 'site:view',
    scope: 'site:insights:read',
    readOnly: true,
    body: InsightsAggregation,
    reply: InsightsResult,
    errors: [404],
  }),
  listSiteFeedback: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/insights/feedback',
    summary: 'List visitor feedback',
    description: 'Sorted by time, newest first. Contains only the latest feedback of each visitor for each page.',
    access: 'site:view',
    scope: 'site:insights:read',
    query: ListQuery.extend({
      rating: FeedbackRating.optional(),
      pageId: Id.optional().describe('Only feedback for this page'),
    }),
    reply: paginated(SiteFeedback),
    errors: [404],
  }),
}
