import { expect, test } from 'vitest'
import { createFetch } from '../../src/fetch/fetch.ts'
import { checkUrls } from '../../src/website/check-urls.ts'
import { crawlClock, serveWebsite } from '../support/website-server.ts'

const fetch = createFetch({ allowPrivateNetwork: true })
const { signal } = new AbortController()

const check = async (urls: string[], clock = crawlClock(1e6)) =>
  Object.fromEntries(await checkUrls(urls, { fetch, signal, clock }))

test('requests each URL once, with a delay between the requests to a host', async () => {
  const { url, requestedPaths } = await serveWebsite({ '/a': 'A', '/b?c=d': 'B' })
  const clock = crawlClock(1e6)
  expect(await check([`${url}/a#one`, `${url}/a#two`, `${url}/b?c=d`, `${url}/gone`], clock)).toEqual({
    [`${url}/a#one`]: { result: 'ok' },
    [`${url}/a#two`]: { result: 'ok' },
    [`${url}/b?c=d`]: { result: 'ok' },
    [`${url}/gone`]: { result: 'broken', reason: 'The host returned the status 404' },
  })
  expect(requestedPaths).toEqual(['/robots.txt', '/a', '/b?c=d', '/gone'])
  expect(clock.waits).toEqual([1000, 1000, 1000])
})

test('respects robots.txt', async () => {
  const { url, requestedPaths } = await serveWebsite({
    '/robots.txt': {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nDisallow: /private\nCrawl-delay: 3',
    },
    '/open': 'Open',
    '/private/a': 'Private',
  })
  const clock = crawlClock(1e6)
  expect(await check([`${url}/private/a`, `${url}/open`], clock)).toMatchObject({
    [`${url}/private/a`]: { result: 'unchecked', reason: 'The robots.txt of the host disallows the URL' },
    [`${url}/open`]: { result: 'ok' },
  })
  expect(requestedPaths).toEqual(['/robots.txt', '/open'])
  expect(clock.waits).toEqual([3000])
  const failing = await serveWebsite({ '/robots.txt': { status: 500 }, '/a': 'A' })
  expect(await check([`${failing.url}/a`])).toMatchObject({ [`${failing.url}/a`]: { result: 'unchecked' } })
  expect(failing.requestedPaths).toEqual(['/robots.txt'])
})

test('sends no more requests to a host that limits them', async () => {
  const { url, requestedPaths } = await serveWebsite({ '/a': { status: 429 }, '/b': 'B' })
  expect(await check([`${url}/a`, `${url}/b`])).toMatchObject({
    [`${url}/a`]: { result: 'unchecked' },
    [`${url}/b`]: { result: 'unchecked' },
  })
  expect(requestedPaths).toEqual(['/robots.txt', '/a', '/a'])
})

test('hosts that do not exist are broken, and private addresses are not requested', async () => {
  const { url, requestedPaths } = await serveWebsite({ '/a': 'A' })
  const guarded = createFetch({ allowPrivateNetwork: false })
  const checks = await checkUrls([`${url}/a`, 'https://host.invalid/x', 'http://['], { fetch: guarded, signal })
  expect([...checks.values()].map(({ result }) => result)).toEqual(['broken', 'broken', 'broken'])
  expect(requestedPaths).toEqual([])
})
