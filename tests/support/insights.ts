import type { z } from 'zod'
import type { InsightsResult } from '../../src/contract/insights.ts'
import type { InsightsEvent, InsightsEventType } from '../../src/contract/insights-events.ts'
import { editLive, insertPage } from './content.ts'
import { randomInteger } from './random.ts'
import type { TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

export type SentEvent = z.input<typeof InsightsEvent>

export const userAgents = {
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36':
    'chrome',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0': 'firefox',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1':
    'safari',
} as const

/** Creates an event as browsers send it; `more` contains the properties of its type. */
export function createEvent(
  type: InsightsEventType,
  more: object = {},
  {
    session = {},
    location = {},
  }: { session?: Partial<SentEvent['session']>; location?: Partial<SentEvent['location']> } = {},
): SentEvent {
  return {
    type,
    session: {
      visitorId: 'visitor',
      sessionId: 'session',
      cookies: {},
      userAgent: Object.keys(userAgents)[0],
      language: 'en',
      referrer: '',
      ...session,
    },
    location: {
      url: 'https://docs.example.com/',
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      space: null,
      revision: null,
      page: null,
      ...location,
    },
    ...more,
  } as SentEvent
}

export interface InsightsSite {
  params: SiteParams
  spaceId: string
  siteSpaceId: string
  pageIds: string[]
  track: (...events: SentEvent[]) => Promise<void>
}

/** Creates a published site with one space of three pages. */
export async function publishInsightsSite({ admin }: TestServer): Promise<InsightsSite> {
  const { api, organizationId } = admin
  const { id: spaceId } = await api.createSpace({ params: { organizationId }, body: {} })
  const pageIds = await editLive(admin, spaceId, ...['One', 'Two', 'Three'].map((title) => insertPage(`# ${title}`)))
  const site = await api.createSite({
    params: { organizationId },
    body: { title: 'Docs', visibility: 'public', spaces: [spaceId] },
  })
  const params = { organizationId, siteId: site.id }
  await api.publishSite({ params })
  const { items } = await api.listSiteSpaces({ params, query: {} })
  return {
    params,
    spaceId,
    siteSpaceId: items[0]?.id ?? '',
    pageIds,
    track: (...events) => api.trackEventsInSiteById({ params, body: { events } }),
  }
}

/** Properties of a random event. */
export interface RandomEvent {
  at: string
  type: 'page_view' | 'search_type_query' | 'page_post_feedback'
  visitor: string
  session: string
  path: string
  page: string | null
  agent: keyof typeof userAgents
  query: string | null
  rating: 'bad' | 'ok' | 'good' | null
}

/** Creates a random event, up to four minutes before `now`. */
export function createRandomEvent(chance: () => number, now: number, pageIds: readonly string[]): RandomEvent {
  const pick = <T>(list: readonly T[]) => list[randomInteger(chance, 0, list.length - 1)] as T
  const type = pick(['page_view', 'page_view', 'search_type_query', 'page_post_feedback'] as const)
  return {
    at: new Date(now - randomInteger(chance, 0, 240_000)).toISOString(),
    type,
    visitor: `visitor ${randomInteger(chance, 1, 12)}`,
    session: `session ${randomInteger(chance, 1, 3)}`,
    path: pick(['/', '/guide', '/guide/start', '/é']),
    page: pick([null, ...pageIds]),
    agent: pick(Object.keys(userAgents) as (keyof typeof userAgents)[]),
    query: type === 'search_type_query' ? pick(['install', "o'neil; drop table sites --", '日本']) : null,
    rating: type === 'page_post_feedback' ? pick(['bad', 'ok', 'good'] as const) : null,
  }
}

export function toSentEvent(happening: RandomEvent, { spaceId, siteSpaceId }: InsightsSite): SentEvent {
  const { at, type, visitor, session, path, page, agent, query, rating } = happening
  return createEvent(
    type,
    { timestamp: at, ...(query !== null && { query }), ...(rating && { feedback: { rating } }) },
    {
      session: { visitorId: visitor, sessionId: session, userAgent: agent },
      location: {
        url: `https://docs.example.com${path}?jwt_token=secret#top`,
        page,
        space: spaceId,
        siteSpace: siteSpaceId,
      },
    },
  )
}

/** Returns the rows of a result, each as a list of values. */
export function toRows({ columns }: InsightsResult): unknown[][] {
  return (columns[0]?.values ?? []).map((_, index) => columns.map(({ values }) => values[index]))
}
