import { GitBookAPI, GitBookAPIError, type SiteInsightsEvent, SiteInsightsQueryRangePreset } from '@gitbook/api'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { z } from 'zod'
import type { InsightsAggregation } from '../../src/contract/insights.ts'
import { days, hours } from '../../src/kernel/time.ts'
import { editLive } from '../support/content.ts'
import {
  type RandomEvent,
  type InsightsSite,
  userAgents,
  createRandomEvent,
  toSentEvent,
  createEvent,
  publishInsightsSite,
  toRows,
} from '../support/insights.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { advanceClock } from '../support/sweep.ts'

type Query = z.input<typeof InsightsAggregation>

let octavo: TestServer
beforeAll(async () => {
  // Without scheduled jobs, because the clock moves in large steps.
  octavo = await startTestServer({ ROLES: 'api' })
})
afterAll(() => octavo.stop())

const aggregate = async ({ params }: InsightsSite, query: Omit<Query, 'range'> & Partial<Query>) =>
  toRows(await octavo.admin.api.aggregateSiteEvents({ params, body: { range: 'lastYear', ...query } }))

const total = async (site: InsightsSite) => (await aggregate(site, {}))[0]?.[0]

/** Computes the expected counts of each group from the single events. */
function recount(happenings: readonly RandomEvent[], keysOf: (one: RandomEvent) => unknown[]): unknown[][] {
  const groups = new Map<string, RandomEvent[]>()
  for (const one of happenings) {
    const key = JSON.stringify(keysOf(one))
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return Array.from(groups, ([key, group]) => [
    ...(JSON.parse(key) as unknown[]),
    group.length,
    new Set(group.map(({ visitor, session }) => `${visitor}/${session}`)).size,
    new Set(group.map(({ visitor }) => visitor)).size,
  ])
}

function mondayOf({ at }: RandomEvent): string {
  const day = new Date(`${at.slice(0, 10)}T00:00:00.000Z`)
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString()
}

const byPath = ({ path }: RandomEvent) => [encodeURI(path)]

const counts = [{ column: 'eventsCount' }, { column: 'sessionsCount' }, { column: 'visitorsCount' }] as const
const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort()

test('counts match the recorded events for every grouping and filter', async () => {
  const site = await publishInsightsSite(octavo)
  const chance = seededRandom(7)
  const happenings: RandomEvent[] = []
  for (let batch = 0; batch < 25; batch++) {
    octavo.clock.advance(randomInteger(chance, 1, 60) * hours(1))
    const now = octavo.clock.now()
    const some = Array.from({ length: 20 }, () => createRandomEvent(chance, now, site.pageIds))
    await site.track(...some.map((one) => toSentEvent(one, site)))
    happenings.push(...some)
  }
  const check = async (
    query: Omit<Query, 'range'>,
    of: readonly RandomEvent[],
    keysOf: (one: RandomEvent) => unknown[],
  ) => expect(sorted(await aggregate(site, { select: [...counts], ...query }))).toEqual(sorted(recount(of, keysOf)))

  await check({}, happenings, () => [])
  const datetime = { column: 'datetime' } as const
  await check({ groupBy: [{ ...datetime, interval: 'hour' }] }, happenings, ({ at }) => [
    `${at.slice(0, 13)}:00:00.000Z`,
  ])
  await check({ groupBy: [{ ...datetime, interval: 'day' }] }, happenings, ({ at }) => [
    `${at.slice(0, 10)}T00:00:00.000Z`,
  ])
  await check({ groupBy: [{ ...datetime, interval: 'month' }] }, happenings, ({ at }) => [
    `${at.slice(0, 7)}-01T00:00:00.000Z`,
  ])
  await check({ groupBy: [{ ...datetime, interval: 'week' }] }, happenings, (one) => [mondayOf(one)])
  await check({ groupBy: [{ column: 'dayOfWeek' }, { column: 'hourOfDay' }] }, happenings, ({ at }) => [
    new Date(at).getUTCDay() || 7,
    new Date(at).getUTCHours(),
  ])
  await check({ groupBy: [{ column: 'page' }, { column: 'eventType' }] }, happenings, ({ page, type }) => [
    { page, space: site.spaceId },
    type,
  ])
  await check(
    { groupBy: [{ column: 'url' }, { column: 'visitorBrowser' }, { column: 'eventSearchQuery' }] },
    happenings,
    ({ path, agent, query }) => [`https://docs.example.com${encodeURI(path)}`, userAgents[agent], query],
  )

  const onPages = happenings.filter(({ page }) => page === null || page === site.pageIds[1])
  const pages = [null, { page: site.pageIds[1] ?? '', space: site.spaceId }]
  const groupBy = [{ column: 'urlPath' }] as const
  await check({ groupBy: [...groupBy], where: [{ column: 'page', values: pages }] }, onPages, byPath)
  await check(
    { groupBy: [...groupBy], where: [{ column: 'page', operator: 'notIn', values: pages }] },
    happenings.filter((one) => !onPages.includes(one)),
    byPath,
  )
  await check(
    {
      groupBy: [...groupBy],
      where: [
        { column: 'eventSearchQuery', operator: 'notIn', values: ["o'neil; drop table sites --", '日本'] },
        { column: 'hourOfDay', operator: 'greaterThanOrEqual', values: [12] },
        { column: 'url', operator: 'notIn', values: ['https://docs.example.com/guide?any=query'] },
      ],
    },
    happenings.filter(
      ({ query, at, path }) =>
        (query === null || query === 'install') && new Date(at).getUTCHours() >= 12 && path !== '/guide',
    ),
    byPath,
  )
  const middle = happenings.map(({ at }) => at).sort()[250] as string
  expect(await aggregate(site, { range: { from: '2026-01-01T00:00:00Z', to: middle } })).toEqual([
    [happenings.filter(({ at }) => at < middle).length],
  ])
  expect(await aggregate(site, { where: [{ column: 'datetime', operator: 'lessThan', values: [middle] }] })).toEqual([
    [happenings.filter(({ at }) => at < middle).length],
  ])
  const rated = (rating: string) => happenings.filter((one) => one.rating === rating).length
  expect(await aggregate(site, { select: [{ column: 'pageFeedbackRating' }] })).toEqual([
    [{ bad: rated('bad'), ok: rated('ok'), good: rated('good') }],
  ])
})

test('counts the events of a small site with two statements', async () => {
  const site = await publishInsightsSite(octavo)
  const executor = octavo.server.app.database.reader.getExecutor()
  const statements = vi.spyOn(executor, 'executeQuery')
  onTestFinished(() => statements.mockRestore())
  const countStatements = async () => {
    statements.mockClear()
    const rows = await aggregate(site, { select: [...counts] })
    const onEvents = statements.mock.calls.filter(([{ sql }]) => sql.includes('site_events'))
    return { rows, statements: onEvents.length }
  }
  expect(await countStatements()).toEqual({ rows: [[0, 0, 0]], statements: 2 })
  for (let batch = 0; batch < 3; batch++) {
    const visitors = Array.from({ length: 100 }, (_, index) => `visitor ${batch} ${index}`)
    await site.track(...visitors.map((visitorId) => createEvent('page_view', {}, { session: { visitorId } })))
  }
  expect(await countStatements()).toEqual({ rows: [[300, 300, 300]], statements: 2 })
})

test('returns groups in the requested order, up to the limit, and filtered by their counts', async () => {
  const site = await publishInsightsSite(octavo)
  const views = { '/a': 3, '/b': 1, '/c': 2, '/d': 3 }
  const events = Object.entries(views).flatMap(([path, count]) =>
    Array.from({ length: count }, (_, index) =>
      createEvent(
        'page_view',
        {},
        { location: { url: `https://x.example${path}` }, session: { visitorId: `${index}` } },
      ),
    ),
  )
  await site.track(...events)
  const urlPath = { column: 'urlPath' } as const
  const eventsCount = { column: 'eventsCount' } as const
  const select = [urlPath, eventsCount]
  expect(await aggregate(site, { select })).toEqual([
    ['/a', 3],
    ['/d', 3],
    ['/c', 2],
    ['/b', 1],
  ])
  expect(await aggregate(site, { select, limit: 2, order: { by: urlPath, direction: 'desc' } })).toEqual([
    ['/d', 3],
    ['/c', 2],
  ])
  expect(await aggregate(site, { select: [urlPath], order: { by: eventsCount, direction: 'asc' }, limit: 1 })).toEqual([
    ['/b'],
  ])
  const where = [{ column: 'eventsCount', operator: 'greaterThan', values: [2] }] satisfies Query['where']
  expect(await aggregate(site, { groupBy: [urlPath], where })).toEqual([
    ['/a', 3],
    ['/d', 3],
  ])
})

test('the official client records events without a token and aggregates them with one', async () => {
  const site = await publishInsightsSite(octavo)
  const { organizationId, siteId } = site.params
  const stranger = new GitBookAPI({ endpoint: octavo.url })
  const official = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const click = { link: { target: { kind: 'url', url: 'https://example.org/a?b' }, position: 'header' } }
  const events = [createEvent('page_view'), createEvent('link_click', click)] as SiteInsightsEvent[]
  await stranger.orgs.trackEventsInSiteById(organizationId, siteId, { events })
  const { data } = await official.orgs.aggregateSiteEvents(organizationId, siteId, {
    select: [{ column: 'eventsCount' }],
    groupBy: [{ column: 'eventLinkTargetValue' }, { column: 'eventLinkTargetDomain' }],
    order: { by: { column: 'eventLinkTargetDomain' }, direction: 'asc' },
    range: SiteInsightsQueryRangePreset.Last24Hours,
  })
  expect(data.columns).toEqual([
    { column: 'eventLinkTargetValue', values: [{ kind: 'url', url: 'https://example.org/a?b' }, null] },
    { column: 'eventLinkTargetDomain', values: ['example.org', null] },
    { column: 'eventsCount', values: [1, 1] },
  ])
  const refused = stranger.orgs.aggregateSiteEvents(organizationId, siteId, {
    range: SiteInsightsQueryRangePreset.Last24Hours,
  })
  await expect(refused).rejects.toBeInstanceOf(GitBookAPIError)
  await expect(refused).rejects.toMatchObject({ code: 401 })
})

test('stores no personal data and no references to content outside the site', async () => {
  const site = await publishInsightsSite(octavo)
  const other = await publishInsightsSite(octavo)
  const secret = { visitorId: 'Secret-visitor', sessionId: 'Secret-session', referrer: 'https://from.example/p?Secret' }
  const unread = { cookies: { name: 'Secret-cookie' }, ip: 'Secret-ip' }
  const sent = createEvent(
    'page_view',
    {},
    {
      session: {
        ...secret,
        userAgent: 'Secret-agent (compatible; GPTBot/1.2)',
        visitorAuthClaims: { email: 'Secret-mail' },
        ...unread,
      },
      location: {
        url: 'https://Secret-user:Secret-pass@docs.example.com/a?jwt_token=Secret&utm_source=letter#Secret',
        space: other.spaceId,
        siteSpace: other.siteSpaceId,
        siteSection: site.siteSpaceId,
        page: other.pageIds[0],
        siteShareKey: 'Secret-key',
        revision: 'any',
      },
    },
  )
  await site.track(sent)
  const stored = await octavo.server.app.database.reader
    .selectFrom('site_events')
    .selectAll()
    .where('site_id', '=', site.params.siteId)
    .execute()
  expect(JSON.stringify(stored)).not.toMatch(/secret/i)
  const columns = ['url', 'referrer', 'visitorBot', 'utmSource', 'visitorAuthenticated', 'page', 'siteSpace'] as const
  const places = ['siteSection', 'siteShareKey'] as const
  const select = [...columns, ...places].map((column) => ({ column }))
  expect(await aggregate(site, { select })).toEqual([
    ['https://docs.example.com/a', 'https://from.example/p', 'gptbot', 'letter', true, null, null, null, null],
  ])
})

test('keeps a deleted page in an event if the given revision contains it', async () => {
  const site = await publishInsightsSite(octavo)
  const { admin } = octavo
  const { id: revision } = await admin.api.getCurrentRevision({ params: { spaceId: site.spaceId } })
  const [page = ''] = site.pageIds
  await editLive(admin, site.spaceId, { operation: 'delete_page', page })
  const at = (more: object) => createEvent('page_view', {}, { location: { space: site.spaceId, page, ...more } })
  await site.track(at({ revision }), at({}))
  expect(sorted(await aggregate(site, { groupBy: [{ column: 'page' }] }))).toEqual(
    sorted([
      [{ page, space: site.spaceId }, 1],
      [{ page: null, space: site.spaceId }, 1],
    ]),
  )
})

test('rejects a whole batch if one event is invalid', async () => {
  const site = await publishInsightsSite(octavo)
  const now = octavo.clock.now()
  const at = (offset: number) => ({ timestamp: new Date(now + offset).toISOString() })
  const wrong: [object, string][] = [
    [createEvent('page_view', at(-301_000)), '400 body.events.1.timestamp'],
    [createEvent('page_view', at(360_000)), '400 body.events.1.timestamp'],
    [createEvent('page_view', { timestamp: 'yesterday' }), '400 body.events.1.timestamp'],
    [createEvent('nothing' as never), '400 body.events.1.type'],
    [createEvent('search_type_query'), '400 body.events.1.query'],
    [createEvent('search_type_query', { query: { $gt: '' } }), '400 body.events.1.query'],
    [createEvent('search_type_query', { query: 'x'.repeat(9000) }), '400 body.events.1.query'],
    [createEvent('page_post_feedback', { feedback: { rating: 'best' } }), '400 body.events.1.feedback.rating'],
    [
      createEvent('page_post_feedback_comment', { feedback: { rating: 'ok', comment: 'x'.repeat(513) } }),
      '400 body.events.1.feedback.comment',
    ],
    [createEvent('page_view', { location: { url: 'javascript:alert(1)' } }), '400 body.events.1.location.url'],
    [createEvent('page_view', {}, { location: { page: 7 as never } }), '400 body.events.1.location.page'],
    [createEvent('page_view', {}, { session: { visitorId: 'x'.repeat(201) } }), '400 body.events.1.session.visitorId'],
    [
      createEvent('link_click', { link: { target: { kind: 'url' }, position: 'header' } }),
      '400 body.events.1.link.target.url',
    ],
  ]
  for (const [one, refused] of wrong) {
    expect(await refusal(site.track(createEvent('page_view'), one as never))).toBe(refused)
  }
  expect(await refusal(site.track(...Array.from({ length: 101 }, () => createEvent('page_view'))))).toBe(
    '400 body.events',
  )
  expect(await total(site)).toBe(0)

  const long = 'ä'.repeat(8000)
  const fast = createEvent('search_type_query', { query: long, ...at(60_000) })
  await site.track({ ...fast, session: { ...fast.session, referrer: `https://x.example/${'y'.repeat(8000)}` } })
  const [row] = await aggregate(site, { select: [{ column: 'eventSearchQuery' }, { column: 'datetime' }] })
  expect(row?.[0]).toBe('ä'.repeat(500))
  expect(Date.parse(row?.[1] as string)).toBeLessThan(octavo.clock.now())
})

test('rejects an invalid query with the path of the field', async () => {
  const site = await publishInsightsSite(octavo)
  const refused = (query: object) => refusal(aggregate(site, query))
  expect(await refused({ groupBy: [{ column: 'visitorGeoCountry' }] })).toBe('400 body.groupBy.0.column')
  expect(await refused({ groupBy: [{ column: 'eventsCount' }] })).toBe('400 body.groupBy.0.column')
  expect(await refused({ where: [{ column: 'visitorClaim', values: [] }] })).toBe('400 body.where.0.column')
  expect(await refused({ where: [{ column: 'pageFeedbackRating', values: [] }] })).toBe('400 body.where.0.column')
  expect(await refused({ where: [{ column: 'hourOfDay', operator: 'lessThan', values: [1, 2] }] })).toBe(
    '400 body.where.0.values',
  )
  expect(await refused({ where: [{ column: 'urlPath', operator: 'lessThan', values: ['a'] }] })).toBe(
    '400 body.where.0.operator',
  )
  expect(await refused({ order: { by: { column: 'urlPath' }, direction: 'asc' } })).toBe('400 body.order.by')
  expect(await refused({ range: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } })).toBe(
    '400 body.range.to',
  )
  expect(await refused({ limit: 1001 })).toBe('400 body.limit')
})

test('only published sites accept events, and only members can read them', async () => {
  const site = await publishInsightsSite(octavo)
  const { admin } = octavo
  const stranger = await octavo.person('Stranger')
  const elsewhere = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  const send = (params: InsightsSite['params']) =>
    refusal(admin.api.trackEventsInSiteById({ params, body: { events: [createEvent('page_view')] } }))
  expect(await send({ ...site.params, organizationId: elsewhere.id })).toBe('404')
  expect(await send({ ...site.params, siteId: 'none' })).toBe('404')
  await admin.api.unpublishSite({ params: site.params })
  expect(await send(site.params)).toBe('404')
  expect(await total(site)).toBe(0)
  const { params } = site
  expect(await refusal(stranger.api.aggregateSiteEvents({ params, body: { range: 'lastYear' } }))).toBe('404')
  expect(await refusal(stranger.api.listSiteFeedback({ params, query: {} }))).toBe('404')
})

test('lists feedback newest first, with a rating and its comment as one item', async () => {
  const site = await publishInsightsSite(octavo)
  const [one = '', two = ''] = site.pageIds
  const feedback = (visitor: string, page: string, rating: string, comment?: string) =>
    createEvent(
      comment === undefined ? 'page_post_feedback' : 'page_post_feedback_comment',
      { feedback: { rating, ...(comment && { comment }) } },
      {
        session: { visitorId: visitor },
        location: { url: `https://docs.example.com/${page}`, page, space: site.spaceId },
      },
    )
  await site.track(feedback('a', one, 'bad'))
  await site.track(feedback('b', two, 'good'))
  await site.track(feedback('a', one, 'bad', 'Does <b>not</b> work'))
  await site.track(feedback('a', two, 'ok'))
  await site.track(createEvent('page_view'))
  const list = (query: object) => octavo.admin.api.listSiteFeedback({ params: site.params, query })
  const all = await list({})
  expect(all).toMatchObject({
    count: 3,
    items: [
      { page: two, rating: 'ok' },
      { page: one, space: site.spaceId, rating: 'bad', comment: 'Does <b>not</b> work' },
      { page: two, rating: 'good', url: `https://docs.example.com/${two}` },
    ],
  })
  expect(await list({ rating: 'good' })).toEqual({ count: 1, items: [all.items[2]] })
  expect(await list({ pageId: one })).toEqual({ count: 1, items: [all.items[1]] })
  const first = await list({ limit: '2' })
  expect(first.items).toEqual(all.items.slice(0, 2))
  expect(await list({ limit: '2', page: first.next?.page })).toEqual({ count: 3, items: all.items.slice(2) })
  expect(await aggregate(site, { select: [{ column: 'pageFeedbackRating' }] })).toEqual([[{ bad: 1, ok: 1, good: 1 }]])
})

test('deletes events after 400 days, and those of a deleted site within a day', async () => {
  const busy = await serverForTest()
  const [kept, deleted] = [await publishInsightsSite(busy), await publishInsightsSite(busy)]
  const rating = createEvent('page_post_feedback', { feedback: { rating: 'ok' } })
  await kept.track(createEvent('page_view'), rating)
  await advanceClock(busy, days(200))
  await kept.track(createEvent('page_view'))
  const visits = Array.from({ length: 50 }, (_, index) =>
    createEvent('page_view', {}, { session: { visitorId: `${index}` } }),
  )
  await deleted.track(...visits, rating)
  const left = async () => {
    const { reader } = busy.server.app.database
    const [events, feedback] = [reader.selectFrom('site_events'), reader.selectFrom('site_feedback')]
    const rows = [...(await events.select('site_id').execute()), ...(await feedback.select('site_id').execute())]
    return rows.map(({ site_id: id }) => id)
  }
  await busy.admin.api.deleteSiteById({ params: deleted.params })
  await advanceClock(busy, days(1))
  expect(await left()).toEqual(Array.from({ length: 4 }, () => kept.params.siteId))
  await advanceClock(busy, days(200))
  expect(await left()).toEqual([kept.params.siteId])
})
