import { z } from 'zod'
import { ContentRef } from './document.ts'
import { Timestamp } from './shared.ts'

export const FeedbackRating = z.enum(['bad', 'ok', 'good']).meta({ id: 'PageFeedbackRating' })
export type FeedbackRating = z.infer<typeof FeedbackRating>

/** Maximum length of a URL in an event; longer than what is stored, so that one long URL does not reject a whole batch. */
const EventText = z.string().max(8192)
const ShortId = z.string().max(200)

const Session = z
  .object({
    visitorId: ShortId.describe('Stored as a hash that differs for each site'),
    sessionId: ShortId.describe('Stored as a hash'),
    userAgent: EventText.describe('Stored as device, browser, operating system and bot'),
    language: z.string().max(100).nullable(),
    referrer: EventText.nullable().describe('Stored without its query string'),
    visitorAuthToken: z.unknown().optional().describe('Not stored, except that it is present'),
    visitorAuthClaims: z.unknown().optional().describe('Not stored, except that they are present'),
  })
  .describe('Cookies and IP addresses are accepted and ignored')

export const DisplayContext = z.enum(['site', 'server', 'embed', 'mcp'])
export type DisplayContext = z.infer<typeof DisplayContext>

const LocationId = ShortId.nullish()

/** Location of an event. Ids that do not belong to the site are ignored. */
const EventLocation = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
    .max(8192)
    .describe('Stored without its query string; `utm_` parameters are stored separately'),
  displayContext: DisplayContext.default('site'),
  siteSection: LocationId,
  siteSpace: LocationId,
  siteShareKey: LocationId,
  space: LocationId,
  revision: LocationId,
  page: LocationId,
})
export type EventLocation = z.infer<typeof EventLocation>

const eventFields = {
  session: Session,
  location: EventLocation,
  timestamp: Timestamp.optional().describe('Defaults to the current time; must be within 5 minutes of it'),
}

const query = z.string().max(8192)
const operation = z.object({ path: z.string().max(8192), method: z.string().max(20) })
const ad = z.object({ domain: z.string().max(255), zoneId: ShortId, placement: z.enum(['aside']) })

/** An event on a site, with fields that depend on its type. */
export const InsightsEvent = z
  .discriminatedUnion('type', [
    z.object({ ...eventFields, type: z.literal('page_view') }),
    z.object({
      ...eventFields,
      type: z.literal('page_markdown_request'),
      markdownSource: z.enum(['page-action']).optional(),
    }),
    z.object({ ...eventFields, type: z.literal('search_open') }),
    z.object({
      ...eventFields,
      type: z.literal('search_type_query'),
      query,
      results: z.int().min(0).max(1_000_000).optional().describe('Number of results that were shown'),
    }),
    z.object({
      ...eventFields,
      type: z.literal('search_open_result'),
      query,
      result: z.union([z.object({ spaceId: ShortId, pageId: ShortId }), z.object({ recordId: ShortId })]),
    }),
    z.object({ ...eventFields, type: z.literal('page_post_feedback'), feedback: z.object({ rating: FeedbackRating }) }),
    z.object({
      ...eventFields,
      type: z.literal('page_post_feedback_comment'),
      feedback: z.object({ rating: FeedbackRating, comment: z.string().min(1).max(512) }),
    }),
    z.object({ ...eventFields, type: z.literal('agent_feedback') }),
    z.object({ ...eventFields, type: z.literal('ask_question'), query }),
    z.object({ ...eventFields, type: z.literal('ask_view') }),
    z.object({
      ...eventFields,
      type: z.literal('ask_rate_response'),
      query,
      rating: z.union([z.literal(1), z.literal(-1)]),
      responseId: ShortId,
    }),
    z.object({
      ...eventFields,
      type: z.literal('link_click'),
      link: z.object({
        target: ContentRef,
        position: z.enum(['announcement', 'header', 'footer', 'sidebar', 'content']),
      }),
    }),
    z.object({ ...eventFields, type: z.literal('api_client_open'), operation }),
    z.object({ ...eventFields, type: z.literal('api_client_request'), operation }),
    z.object({
      ...eventFields,
      type: z.literal('trademark_click'),
      placement: z.enum(['sidebar', 'ad', 'footer', 'pdf', 'embed']),
    }),
    z.object({ ...eventFields, type: z.literal('ad_click'), ad }),
    z.object({ ...eventFields, type: z.literal('ad_display'), ad }),
    z.object({ ...eventFields, type: z.literal('llms_request'), llmsVariant: z.enum(['standard', 'full']) }),
    z.object({ ...eventFields, type: z.literal('mcp_request') }),
    z.object({ ...eventFields, type: z.literal('rss_request') }),
  ])
  .meta({ id: 'SiteInsightsEvent' })
export type InsightsEvent = z.infer<typeof InsightsEvent>
export type InsightsEventType = InsightsEvent['type']
