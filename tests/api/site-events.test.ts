import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours, minutes } from '../../src/kernel/time.ts'
import { insertPage } from '../support/content.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { type PublishedSite, publishPages } from '../support/published-sites.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { signVisitorToken } from '../support/visits.ts'

// Events that published pages send about their visitors.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Returns the location data in the HTML of a page that its script sends with events. */
async function placeIn(browser: CookieClient, url: string): Promise<Record<string, string>> {
  const [article = ''] = /<article[^>]*>/.exec(await browser.text(url)) ?? []
  const data = (name: string) => new RegExp(` data-${name}="([^"]*)"`).exec(article)?.[1] ?? ''
  return { url, page: data('page'), space: data('space'), siteSpace: data('site-space'), revision: data('revision') }
}

const send = (browser: CookieClient, base: string, body: unknown, headers: Record<string, string> = {}) =>
  browser.open(`${base}~events`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'user-agent': firefox,
      'accept-language': 'de-AT,de;q=0.9',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  })

async function countBy({ params }: Pick<PublishedSite, 'params'>, ...columns: string[]) {
  const result = await octavo.admin.api.aggregateSiteEvents({
    params,
    body: {
      range: 'last24Hours',
      select: [...columns, 'eventsCount', 'visitorsCount'].map((column) => ({ column })),
    } as never,
  })
  octavo.clock.advance(1)
  const lists = result.columns.map(({ values }) => values as unknown[])
  return (lists[0] ?? []).map((_, index) => lists.map((values) => values[index]))
}

test('records a page view with its page, language, browser and referrer', async () => {
  const site = await publishPages(octavo, [insertPage('# Home'), insertPage('# Two')])
  const browser = new CookieClient()
  const place = await placeIn(browser, `${site.base}two`)
  const told = {
    visitor: 'v1',
    session: 's1',
    referrer: 'https://search.example/?q=x',
    place,
    events: [{ type: 'page_view' }],
  }
  const reply = await send(browser, site.base, told)
  expect([reply.status, await reply.text(), reply.headers.getSetCookie()]).toEqual([204, '', []])
  octavo.clock.advance(1000)
  expect(
    await countBy(site, 'eventType', 'urlPath', 'visitorLanguage', 'visitorBrowser', 'referrerDomain', 'page'),
  ).toEqual([
    [
      'page_view',
      new URL(place['url'] ?? '').pathname,
      'de-AT',
      'firefox',
      'search.example',
      { page: site.pages[1], space: site.spaceId },
      1,
      1,
    ],
  ])
})

const search = (query: string, results?: number) => ({ type: 'search_type_query', query, results })

test('searches are counted by their number of results', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')])
  const browser = new CookieClient()
  const place = await placeIn(browser, site.base)
  const events = [search('zebra', 0), search('home', 1), search('zebra', 0), search('unknown')]
  expect((await send(browser, site.base, { place, events })).status).toBe(204)
  const wrong = await send(browser, site.base, { place, events: [search('x', -1)] })
  expect(wrong.status).toBe(400)
  octavo.clock.advance(1000)
  const { columns } = await octavo.admin.api.aggregateSiteEvents({
    params: site.params,
    body: {
      range: 'last24Hours',
      where: [{ column: 'eventSearchResultCount', values: [0] }],
      groupBy: [{ column: 'eventSearchQuery' }],
    },
  })
  expect(columns.map(({ values }) => values)).toEqual([['zebra'], [2]])
})

test('counts visitors without ids per day, and ignores page views with Sec-GPC', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')])
  const browser = new CookieClient()
  const told = { place: await placeIn(browser, site.base), events: [{ type: 'page_view' }] }
  octavo.clock.advance(hours(12))
  await send(browser, site.base, told)
  await send(browser, site.base, told)
  await send(browser, site.base, told, { 'user-agent': 'curl/8' })
  octavo.clock.advance(hours(13))
  await send(browser, site.base, told)
  expect((await send(browser, site.base, { ...told, visitor: 'v' }, { 'sec-gpc': '1' })).status).toBe(204)
  const rated = [{ type: 'page_post_feedback', feedback: { rating: 'good' } }]
  expect((await send(browser, site.base, { ...told, events: rated }, { 'sec-gpc': '1' })).status).toBe(204)
  octavo.clock.advance(1000)
  expect(await countBy(site, 'eventType')).toEqual([
    ['page_view', 4, 3],
    ['page_post_feedback', 1, 1],
  ])
})

test('lists the feedback on a page with a comment together with its rating', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')])
  const browser = new CookieClient()
  const common = { visitor: 'v', session: 's', place: await placeIn(browser, site.base) }
  const say = (type: string, feedback: object) => send(browser, site.base, { ...common, events: [{ type, feedback }] })
  await say('page_post_feedback', { rating: 'bad' })
  await say('page_post_feedback_comment', { rating: 'bad', comment: 'Too short' })
  const { items } = await octavo.admin.api.listSiteFeedback({ params: site.params, query: {} })
  expect(items).toMatchObject([{ rating: 'bad', comment: 'Too short', page: site.pages[0], space: site.spaceId }])
  expect(items).toHaveLength(1)
})

test('rejects cross-site and invalid events, and ignores pages of other sites', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')])
  const browser = new CookieClient()
  const place = await placeIn(browser, site.base)
  const view = { place, events: [{ type: 'page_view' }] }
  const statuses = async (bodies: unknown[], headers?: Record<string, string>) => {
    const found = []
    for (const body of bodies) found.push((await send(browser, site.base, body, headers)).status)
    return found
  }
  expect(await statuses([view], { 'sec-fetch-site': 'cross-site' })).toEqual([403])
  expect(await statuses([view], { 'sec-fetch-site': 'same-site' })).toEqual([403])
  expect(await statuses([view], { origin: 'https://evil.example' })).toEqual([403])
  expect(await statuses([view], { origin: 'null' })).toEqual([403])
  const wrong = [
    'no json',
    'null',
    {},
    { ...view, events: [] },
    { ...view, events: [{ type: 'ad_click' }] },
    { ...view, events: [{ type: 'page_post_feedback', feedback: { rating: 'great' } }] },
    { ...view, events: [{ type: 'page_post_feedback_comment', feedback: { rating: 'ok', comment: 'x'.repeat(513) } }] },
    { ...view, events: Array.from({ length: 11 }, () => ({ type: 'page_view' })) },
    { ...view, visitor: 'x'.repeat(101) },
    { ...view, referrer: 'a\0b' },
    { ...view, place: { ...place, url: 'https://evil.example/' } },
    { ...view, place: { ...place, url: 'javascript:alert(1)' } },
  ]
  expect(await statuses(wrong)).toEqual(wrong.map(() => 400))
  expect(await statuses([`{"a":"${'x'.repeat(300_000)}"}`])).toEqual([413])
  expect((await browser.open(`${site.base}~events`)).status).toBe(405)
  octavo.clock.advance(1000)
  expect(await countBy(site, 'eventType')).toEqual([])
  // The URL alone determines the site, and pages and spaces of other sites are ignored.
  const other = await publishPages(octavo, [insertPage('# Other')])
  const strange = {
    ...view,
    site: other.params.siteId,
    place: { ...place, space: other.spaceId, page: other.pages[0] },
  }
  expect(
    await statuses([{ ...strange, events: [{ type: 'page_view', session: { visitorId: 'x' }, location: {} }] }]),
  ).toEqual([204])
  octavo.clock.advance(1000)
  expect(await countBy(site, 'page')).toEqual([[null, 1, 1]])
  expect(await countBy(other, 'page')).toEqual([])
})

test('accepts events of admitted visitors only and does not count previews', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')], { visibility: 'visitor-auth' })
  const { params, base } = site
  const view = { place: { url: base }, events: [{ type: 'page_view' }] }
  expect((await send(new CookieClient(), base, view)).status).toBe(403)
  const visitor = new CookieClient()
  await visitor.openFollowingRedirects(`${base}?jwt_token=${await signVisitorToken(octavo, params)}`)
  expect((await send(visitor, base, view)).status).toBe(204)
  const member = new CookieClient()
  await member.openFollowingRedirects((await octavo.admin.api.getSitePublishingPreviewById({ params, query: {} })).url)
  expect((await send(member, base, view)).status).toBe(204)
  octavo.clock.advance(1000)
  expect(await countBy(site, 'visitorAuthenticated')).toEqual([[true, 1, 1]])
  await octavo.admin.api.unpublishSite({ params })
  expect((await send(visitor, base, view)).status).toBe(404)
})

test('limits the events of one address per minute to the configured number', async () => {
  const strict = await serverForTest({ OCTAVO_EVENTS_RATE_LIMIT: '2' })
  const site = await publishPages(strict, [insertPage('# Home')])
  const browser = new CookieClient()
  const told = { place: await placeIn(browser, site.base), events: [{ type: 'page_view' }] }
  const replies = [await send(browser, site.base, told), await send(browser, site.base, told)]
  expect(replies.map(({ status }) => status)).toEqual([204, 204])
  const refused = await send(browser, site.base, told)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  strict.clock.advance(minutes(1))
  expect((await send(browser, site.base, told)).status).toBe(204)
})
