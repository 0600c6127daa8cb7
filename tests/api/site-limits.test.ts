import { expect, test } from 'vitest'
import { editLive, insertPage } from '../support/content.ts'
import { hostileRequests, pageOfFormulas, queryOfLetters } from '../support/hostile-sites.ts'
import { publishPages } from '../support/published-sites.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { serverForTest } from '../support/server.ts'

// Limits on the work that anonymous visitors can cause on a published site.

const pages = [insertPage('# Home\n\nWords about an axolotl'), insertPage('# Second', { slug: 'second' })]

async function publish(env: Record<string, string>) {
  const octavo = await serverForTest(env)
  const site = await publishPages(octavo, pages)
  await waitUntilSearchable(octavo, site.spaceId)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(site.base + path, { headers, redirect: 'manual' })
  return { octavo, ...site, get }
}

const statusesOf = (replies: readonly Response[]) => [...new Set(replies.map(({ status }) => status))]

test('irrelevant parameters and cookies lead to the cached reply, which is not rate limited', async () => {
  const { get, octavo, spaceId } = await publish({ OCTAVO_SITE_RATE_LIMIT: '20' })
  const first = await (await get('second')).text()
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  const same = await Promise.all([
    ...numbers.map((number) => get(`second?x=${number}&utm_source=${number}`)),
    ...numbers.map((number) => get('second', { cookie: `gitbook-visitor-token=${number}` })),
    ...numbers.map((number) => get('second', { cookie: `gitbook-visitor-public-${number}=%7B%22a%22%3A${number}%7D` })),
    get('second/'),
    get('/second'),
    get('%73econd'),
  ])
  expect(statusesOf(same)).toEqual([200])
  for (const reply of same) expect(await reply.text()).toBe(first)
  // A search counts as three requests, but identical concurrent searches share one reply.
  const results = await Promise.all(numbers.map((number) => get(`~search.json?q=axolotl&x=${number}`)))
  expect(statusesOf(results)).toEqual([200])
  expect(await results[0]?.json()).toMatchObject([{ title: 'Home' }])
  // A change of the content replaces the cached reply for all visitors.
  await editLive(octavo.admin, spaceId, insertPage('# Third', { slug: 'third' }))
  octavo.clock.advance(60_000)
  expect(await (await get('second?x=1')).text()).toContain('Third')
})

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.9, ${address}` })

test('an address that exceeds its rate limit gets 429 until the next minute', async () => {
  const { get, octavo } = await publish({ OCTAVO_SITE_RATE_LIMIT: '10', OCTAVO_TRUSTED_PROXIES: '1' })
  expect((await get('second', from('198.51.100.1'))).status).toBe(200)
  const replies: Response[] = []
  for (let number = 0; number < 6; number++) replies.push(await get(`~search?q=x${number}`, from('198.51.100.1')))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429])
  const refused = replies.at(-1) as Response
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(await refused.json()).toMatchObject({ error: { code: 429, message: expect.stringContaining('Try again') } })
  // Cached replies and other addresses are not limited.
  expect((await get('second', from('198.51.100.1'))).status).toBe(200)
  expect((await get('~search?q=other', from('198.51.100.2'))).status).toBe(200)
  octavo.clock.advance(60_000)
  expect((await get('~search?q=again', from('198.51.100.1'))).status).toBe(200)
})

test('every message of an MCP batch counts toward the rate limit', async () => {
  const { base } = await publish({ OCTAVO_SITE_RATE_LIMIT: '30' })
  const { path, init } = hostileRequests['searches of assistants']?.(1) ?? { path: '' }
  const reply = await fetch(base + path, init)
  expect([reply.status, reply.headers.has('retry-after')]).toEqual([429, true])
})

test('concurrent expensive requests are queued or rejected with 429 or 503', async () => {
  const { base, octavo } = await publish({ OCTAVO_SITE_RATE_LIMIT: '0', OCTAVO_SITE_CONCURRENCY: '2' })
  for (const [name, make] of Object.entries(hostileRequests)) {
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const { path, init } = make(number)
        const reply = await fetch(base + path, init)
        await reply.arrayBuffer()
        return reply
      }),
    )
    const unexpected = statusesOf(replies).filter((status) => ![200, 404, 429, 503].includes(status))
    expect([name, unexpected]).toEqual([name, []])
    for (const { status, headers } of replies) {
      if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect([name, replies.some(({ status }) => status === 200 || status === 404)]).toEqual([name, true])
  }
  expect(octavo.log.filter((line) => line.includes('"error"'))).toEqual([])
})

test('limits the size of a page with many formulas and shows the source of the rest', async () => {
  const { get, octavo, spaceId } = await publish({})
  await editLive(octavo.admin, spaceId, insertPage(`# Formulas\n\n${pageOfFormulas(25)}`, { slug: 'formulas' }))
  const page = await (await get('formulas')).text()
  expect(page.length).toBeLessThan(4 * 1024 * 1024)
  expect(page).toContain('<code class="math-error">\\begin{matrix}24&amp;')
})

test('searches only for the first words of a very long query', async () => {
  const { get } = await publish({})
  const find = async (query: string) =>
    (await (await get(`~search.json?q=${encodeURIComponent(query)}`)).json()) as unknown[]
  expect(await find(`axolotl ${queryOfLetters(250)}`)).toHaveLength(1)
  expect(await find(`${'x '.repeat(15)}axolotl`)).toHaveLength(1)
  expect(await find(`${queryOfLetters(26).replaceAll(/[a ]/g, 'q ')} axolotl`)).toHaveLength(0)
})

test('finds pages in an index with thousands of sections', async () => {
  const { get, octavo, spaceId } = await publish({})
  const headings = Array.from({ length: 1200 }, (_, index) => `## Part ${index}\n\nWords about part${index}`)
  await editLive(
    octavo.admin,
    spaceId,
    insertPage(`# Parts\n\n${headings.slice(0, 600).join('\n\n')}`, { slug: 'parts' }),
    insertPage(`# More\n\n${headings.slice(600).join('\n\n')}`, { slug: 'more' }),
    insertPage(`# Copy\n\n${headings.join('\n\n')}`, { slug: 'copy' }),
  )
  await waitUntilSearchable(octavo, spaceId)
  const find = async (query: string) =>
    ((await (await get(`~search.json?q=${encodeURIComponent(query)}`)).json()) as { title: string }[]).map(
      ({ title }) => title,
    )
  expect((await find('part7 words')).toSorted()).toEqual(['Copy', 'Parts'])
  expect(await find('axolotl')).toEqual(['Home'])
  expect(await find('about')).toContain('Parts')
})
