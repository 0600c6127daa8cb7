import { z } from 'zod'
import { InsightsEvent } from '../contract/insights-events.ts'
import { AppError } from '../kernel/errors.ts'
import type { SiteReply, SiteRequest } from '../kernel/site-http.ts'
import { prepareEvents, storeEvents } from '../resources/insights/record.ts'
import type { SiteSession } from '../visitors/locate.ts'
import type { OutputHandler } from './visit.ts'

// Events sent by the script of the site. If it sends no ids, because the site or the visitor disabled them, visitors are
// identified by a hash of their network address and user agent that changes every day.

const id = z.string().max(200).nullish()

const EventReport = z.object({
  visitor: z.string().min(1).max(100).optional(),
  session: z.string().min(1).max(100).optional(),
  referrer: z.string().max(8192).default(''),
  place: z.object({ url: z.string().max(8192), siteSection: id, siteSpace: id, space: id, revision: id, page: id }),
  events: z
    .array(
      z.looseObject({
        type: z.enum([
          'page_view',
          'page_post_feedback',
          'page_post_feedback_comment',
          'search_open',
          'search_type_query',
          'search_open_result',
        ]),
      }),
    )
    .min(1)
    .max(10),
})

const noContent: SiteReply = { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }

/** Stores the events that the script of a site reports. */
export const recordEvents: OutputHandler = async (
  { view: { context, session }, request, transaction, limits },
  rest,
) => {
  if (rest.length > 0) return undefined
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: '' }
  if (!isFromSite(request, session)) throw new AppError('forbidden', 'Events are accepted only from pages of the site')
  limits.countEvent(request.clientNetwork)
  const report = parseReport(await request.json(), session)
  const { site, identity } = session
  if (identity.visitor.isPreviewing) return noContent
  // Visitors who send Global Privacy Control are recorded only when they give feedback.
  const isPrivate = request.header('sec-gpc') === '1'
  const events = report.events.filter(({ type }) => !isPrivate || type.startsWith('page_post_feedback'))
  const userAgent = (request.header('user-agent') ?? '').slice(0, 8192)
  const dailyIdentity = [context.now().slice(0, 10), site.id, request.clientAddress, userAgent]
  const anonymousId = context.signer.sign(JSON.stringify(['visitor of a day', ...dailyIdentity]))
  const visitorSession = {
    visitorId: (!isPrivate && report.visitor) || anonymousId,
    sessionId: (!isPrivate && report.session) || anonymousId,
    userAgent,
    language: request.header('accept-language')?.split(/[,;]/, 1)[0]?.trim().slice(0, 100) || null,
    referrer: report.referrer || null,
    ...(identity.visitor.isSignedIn && { visitorAuthToken: 'was checked' }),
  }
  const location = { ...report.place, siteShareKey: identity.visitor.shareKey }
  const validEvents = events.map((event) =>
    parseOrThrow(InsightsEvent, { ...event, session: visitorSession, location, timestamp: undefined }),
  )
  const prepared = await prepareEvents(context, site, validEvents)
  if (prepared.events.length > 0) await transaction((db) => storeEvents(db, prepared))
  return noContent
}

/** Whether a request was made by a page of the site; clients other than browsers do not send these headers and are accepted. */
export function isFromSite(request: SiteRequest, { siteBase, host }: SiteSession): boolean {
  const from = request.header('sec-fetch-site')
  if (from !== undefined && from !== 'same-origin') return false
  const origin = request.header('origin')
  if (origin === undefined) return true
  return URL.canParse(origin) && [host, new URL(siteBase).host].includes(new URL(origin).host)
}

function parseReport(value: unknown, { siteBase, host }: SiteSession): z.infer<typeof EventReport> {
  const report = parseOrThrow(EventReport, value)
  const { url } = report.place
  const isOnSite = URL.canParse(url) && [host, new URL(siteBase).host].includes(new URL(url).host)
  if (!isOnSite) throw new AppError('invalid', 'The URL is not a URL of this site')
  return report
}

function parseOrThrow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw new AppError('invalid', z.prettifyError(result.error))
  return result.data
}
