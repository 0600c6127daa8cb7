import { type Embed as OfficialEmbed, GitBookAPI } from '@gitbook/api'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import type { Embed } from '../../src/contract/embeds.ts'
import { days, hours, minutes } from '../../src/kernel/time.ts'
import { emptySpace, insertPage } from '../support/content.ts'
import { makeGate } from '../support/gate.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { publishPages } from '../support/published-sites.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { visit } from '../support/visits.ts'
import { serveWebsite } from '../support/website-server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const inSpace = () => ({ spaceId: octavo.admin.spaceId })
const embed = (url: string) => octavo.admin.api.getEmbedByUrlInSpace({ params: inSpace(), query: { url } })
const countEmbeds = async () => {
  const { database } = octavo.server.app
  return (await database.reader.selectFrom('embeds').select('url').execute()).length
}

/** Serves one body for all paths for one test. */
async function serve(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('with OCTAVO_FETCH_EMBEDS=0 no website is contacted, and players are shown from their URL', async () => {
  const offline = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1', OCTAVO_FETCH_EMBEDS: '0' })
  const site = await serveWebsite({ '/page': '<title>A page</title>' })
  const { api: client, spaceId } = offline.admin
  const find = (url: string) => client.getEmbedByUrlInSpace({ params: { spaceId }, query: { url } })
  expect(await find(`${site.url}/page`)).toMatchObject({ type: 'link', title: '127.0.0.1/page' })
  expect(await find('https://www.youtube.com/watch?v=abcdefghijk')).toMatchObject({ type: 'rich', title: 'YouTube' })
  expect(site.requestedPaths).toEqual([])
})

describe('an embed', () => {
  test('has the title, name and icon of the website, for both operations', async () => {
    const site = await serveWebsite({
      '/page': '<title>A page</title><meta property="og:site_name" content="Example"><link rel=icon href="/icon.png">',
    })
    const expected = { type: 'link', title: 'A page', site: 'Example' }
    expect(await embed(`${site.url}/page`)).toEqual(expected)
    expect(await octavo.admin.api.getEmbedByUrl({ query: { url: `${site.url}/page` } })).toEqual(expected)
    // The second request was answered with what the first one stored.
    expect(site.requestedPaths).toEqual(['/page'])
  })

  test('matches the official schema and is read by the official client', async () => {
    const site = await serveWebsite({ '/page': '<title>A page</title>' })
    const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
    const url = `${site.url}/page`
    const schemas = new OfficialSchemas()
    expectTypeOf<Embed>().toExtend<OfficialEmbed>()
    const replies = {
      getEmbedByUrl: (await client.urls.getEmbedByUrl({ url })).data,
      getEmbedByUrlInSpace: (await client.spaces.getEmbedByUrlInSpace(octavo.admin.spaceId, { url })).data,
    }
    for (const [name, reply] of Object.entries(replies)) {
      expect(reply).toEqual({ type: 'link', title: 'A page', site: '127.0.0.1' })
      expect([name, schemas.problemsOf(name, 200, reply)]).toEqual([name, []])
    }
    const rich = { type: 'rich', title: 'T', site: 'S', icon: 'https://example.com/i.png', html: '<iframe></iframe>' }
    expect(schemas.problemsOf('getEmbedByUrl', 200, rich)).toEqual([])
    expect(api.getEmbedByUrl.reply?.parse(rich)).toEqual(rich)
  })

  test('is rich if the oEmbed data names a supported player, without the HTML of the website', async () => {
    const html = '<iframe src="https://player.vimeo.com/video/76979871" onload="x()"></iframe><script>x()</script>'
    const site = await serveWebsite({
      '/film': '<link rel="alternate" type="application/json+oembed" href="/data">',
      '/data': { body: JSON.stringify({ title: 'A "film"', provider_name: 'Cinema', html }) },
    })
    const found = await embed(`${site.url}/film`)
    expect(found).toMatchObject({ type: 'rich', title: 'A "film"', site: 'Cinema' })
    const shown = 'html' in found ? found.html : ''
    expect(shown).toMatch(
      /^<iframe src="https:\/\/player\.vimeo\.com\/video\/76979871\?dnt=1" title="A &quot;film&quot;"/,
    )
    expect(shown).toContain(' sandbox="')
    expect(shown).not.toMatch(/onload|script>/)
  })

  test('ignores the fragment of the URL', async () => {
    const site = await serveWebsite({ '/page': '<title>A page</title>' })
    await embed(`${site.url}/page#one`)
    await embed(`${site.url}/page#two`)
    expect(site.requestedPaths).toEqual(['/page'])
  })

  test.each([
    'page',
    '/page',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,<title>T</title>',
    'file:///etc/passwd',
    'https://',
    'https://user:secret@example.com/',
    '',
  ])('of the invalid URL %s is refused', async (url) => {
    expect(await refusal(embed(url))).toBe('400 query.url')
    expect(await refusal(octavo.admin.api.getEmbedByUrl({ query: { url } }))).toBe('400 query.url')
  })

  test('needs a URL of at most 4096 characters', async () => {
    const longest = `http://127.0.0.1:9/${'a'.repeat(4096 - 'http://127.0.0.1:9/'.length)}`
    expect(await refusal(embed(longest))).toBe('404')
    expect(await refusal(embed(`${longest}a`))).toBe('400 query.url')
    const reply = await octavo.fetch(`/v1/spaces/${octavo.admin.spaceId}/embed`, { token: octavo.admin.token })
    expect(reply.status).toBe(400)
  })

  test('is not found if nothing is at the URL, also for a while after it appears', async () => {
    let body: string | undefined
    const site = await serveWebsite({ '/late': () => (body === undefined ? { status: 404 } : body) })
    expect(await refusal(embed(`${site.url}/late`))).toBe('404')
    body = '<title>Late</title>'
    expect(await refusal(embed(`${site.url}/late`))).toBe('404')
    octavo.clock.advance(minutes(11))
    expect(await embed(`${site.url}/late`)).toMatchObject({ title: 'Late' })
  })

  test('is not found if the host cannot be reached', async () => {
    expect(await refusal(embed('http://127.0.0.1:9/'))).toBe('404')
    expect(await refusal(embed('https://does-not-exist.invalid/'))).toBe('404')
  })

  test('is fetched once by concurrent requests', async () => {
    const gate = makeGate()
    const site = await serveWebsite({
      '/slow': async () => {
        await gate.passed
        return '<title>Slow</title>'
      },
    })
    const waiting = Array.from({ length: 5 }, () => embed(`${site.url}/slow`))
    await waitUntil(async () => site.requestedPaths.length > 0, 'the first request')
    gate.open()
    expect((await Promise.all(waiting)).map(({ title }) => title)).toEqual(Array(5).fill('Slow'))
    expect(site.requestedPaths).toEqual(['/slow'])
  })

  test('is returned at once when it is expired, and fetched again by a job', async () => {
    const site = await serveWebsite({ '/page': (count) => `<title>Version ${count}</title>` })
    const url = `${site.url}/page`
    expect(await embed(url)).toMatchObject({ title: 'Version 1' })
    octavo.clock.advance(hours(23))
    expect(await embed(url)).toMatchObject({ title: 'Version 1' })
    octavo.clock.advance(hours(2))
    expect(await embed(url)).toMatchObject({ title: 'Version 1' })
    await waitUntil(async () => (await embed(url)).title === 'Version 2', 'the second version')
    expect(site.requestedPaths).toHaveLength(2)
  })

  test('keeps its title while the website is unavailable', async () => {
    const site = await serveWebsite({ '/page': (count) => (count === 1 ? '<title>Kept</title>' : { status: 503 }) })
    const url = `${site.url}/page`
    await embed(url)
    octavo.clock.advance(hours(25))
    await embed(url)
    await waitUntil(async () => site.requestedPaths.length === 2, 'the second request')
    octavo.clock.advance(minutes(5))
    expect(await embed(url)).toMatchObject({ title: 'Kept' })
  })

  test('is deleted a month after it was last shown', async () => {
    const own = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
    const site = await serveWebsite({ '/page': '<title>A page</title>' })
    const { database } = own.server.app
    const read = () => database.reader.selectFrom('embeds').select(['url', 'state']).orderBy('state').execute()
    await own.admin.api.getEmbedByUrl({ query: { url: `${site.url}/page` } })
    await refusal(own.admin.api.getEmbedByUrl({ query: { url: `${site.url}/absent` } }))
    expect((await read()).map(({ state }) => state)).toEqual(['absent', 'found'])
    own.clock.advance(hours(3))
    await waitUntil(async () => (await read()).length === 1, 'the deletion of the absent page')
    own.clock.advance(days(32))
    await waitUntil(async () => (await read()).length === 0, 'the deletion of the page')
  })
})

describe('callers', () => {
  test('who cannot see the space, or have no token, get no embed', async () => {
    const site = await serveWebsite({ '/page': '<title>A page</title>' })
    const stranger = await octavo.person()
    const query = { url: `${site.url}/page` }
    expect(await refusal(stranger.api.getEmbedByUrlInSpace({ params: inSpace(), query }))).toBe('404')
    const path = `/v1/urls/embed?url=${encodeURIComponent(query.url)}`
    expect((await octavo.fetch(path)).status).toBe(401)
    expect(site.requestedPaths).toEqual([])
  })

  test('of other organizations do not share what is stored', async () => {
    const site = await serveWebsite({ '/page': '<title>A page</title>' })
    const query = { url: `${site.url}/page` }
    const other = await octavo.person()
    await other.api.createOrganization({ body: { title: 'Other' } })
    await embed(query.url)
    expect(await other.api.getEmbedByUrl({ query })).toMatchObject({ title: 'A page' })
    expect(site.requestedPaths).toHaveLength(2)
  })

  test('without an organization reach no private address', async () => {
    const site = await serveWebsite({ '/page': '<title>A page</title>' })
    const stranger = await octavo.person()
    expect(await refusal(stranger.api.getEmbedByUrl({ query: { url: `${site.url}/page` } }))).toBe('404')
    expect(site.requestedPaths).toEqual([])
  })

  test('who visit a site get what is stored, and reach no private address', async () => {
    const site = await serveWebsite({ '/stored': '<title>Stored</title>', '/private': '<title>Private</title>' })
    const { base, spaceId } = await publishPages(octavo, [insertPage('# Page')])
    const visitor = await visit(octavo, base)
    const read = (path: string) =>
      visitor.api.getEmbedByUrlInSpace({ params: { spaceId }, query: { url: site.url + path } })
    await embed(`${site.url}/stored`)
    expect(await read('/stored')).toMatchObject({ title: 'Stored' })
    expect(await refusal(read('/private'))).toBe('404')
    expect(site.requestedPaths).toEqual(['/stored'])
    // The refusal of a visitor is not stored for members.
    expect(await embed(`${site.url}/private`)).toMatchObject({ title: 'Private' })
    expect(await refusal(visitor.api.getEmbedByUrlInSpace({ params: inSpace(), query: { url: site.url } }))).toBe('404')
  })
})

describe('attacks', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
  ])('the private address %s has the same reply as a missing host', async (url) => {
    const closed = await serverForTest()
    const read = async (address: string) => {
      const path = `/v1/urls/embed?url=${encodeURIComponent(address)}`
      const reply = await closed.fetch(path, { token: closed.admin.token })
      return [reply.status, await reply.text()]
    }
    expect(await read(url)).toEqual(await read('https://does-not-exist.invalid/'))
  })

  test('a page of 50 MB is read only at its beginning', async () => {
    let sent = 0
    const url = await serve((_, reply) => {
      const block = Buffer.alloc(64 * 1024, '<p>')
      reply.writeHead(200, { 'content-type': 'text/html', 'content-length': 50 * 1024 ** 2 })
      reply.write('<head><title>Large</title>')
      const write = () => {
        while (sent < 50 * 1024 ** 2 && !reply.destroyed) {
          sent += block.length
          if (!reply.write(block)) return reply.once('drain', write)
        }
        return reply.end()
      }
      write()
    })
    expect(await embed(url)).toMatchObject({ title: 'Large' })
    expect(sent).toBeLessThan(20 * 1024 ** 2)
  })

  test('a compressed bomb is read only at its beginning', async () => {
    const url = await serve((_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      const gzip = createGzip()
      gzip.pipe(reply)
      gzip.write('<head><title>Bomb</title>')
      const block = Buffer.alloc(1024 ** 2, ' ')
      for (let count = 0; count < 100; count++) gzip.write(block)
      gzip.end()
    })
    expect(await embed(url)).toMatchObject({ title: 'Bomb' })
  })

  test('a host that sends a few bytes at a time is given up', async () => {
    const url = await serve((_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html' })
      const timer = setInterval(() => reply.write('<p>'), 50)
      reply.on('close', () => clearInterval(timer))
    })
    expect(await refusal(embed(url))).toBe('404')
  }, 20_000)

  test('an endless redirect is given up', async () => {
    const url = await serve((request, reply) => {
      reply.writeHead(302, { location: `${request.url}a` }).end()
    })
    expect(await refusal(embed(url))).toBe('404')
  })

  test.each([
    ['nested elements', `<head>${'<b>'.repeat(200_000)}`],
    ['attributes', `<head><meta ${'a=b '.repeat(200_000)}>`],
    ['open quotes', `<head>${'<meta content="'.repeat(60_000)}`],
    ['comments', `<head>${'<!--'.repeat(200_000)}`],
    ['entities', `<head><title>${'&amp;'.repeat(200_000)}</title>`],
  ])('a page of %s has an embed', async (_, body) => {
    const site = await serveWebsite({ '/bomb': body })
    expect(await embed(`${site.url}/bomb`)).toMatchObject({ type: 'link', site: '127.0.0.1' })
  })

  test('one caller can have 60 URLs fetched per minute, and stored ones without a limit', async () => {
    const site = await serveWebsite({ '/*': '<title>A page</title>' })
    const caller = await octavo.member('read')
    const before = await countEmbeds()
    const read = (path: string) =>
      caller.api.getEmbedByUrlInSpace({ params: inSpace(), query: { url: `${site.url}/${path}` } })
    const results = []
    for (let count = 0; count < 100; count++) results.push(await refusal(read(String(count))))
    expect(results.filter((one) => one === '429')).toHaveLength(40)
    expect(site.requestedPaths).toHaveLength(60)
    expect(await countEmbeds()).toBe(before + 60)
    expect(await refusal(read('0'))).toBe('was not refused')
    expect(await embed(`${site.url}/for-another-caller`)).toMatchObject({ title: 'A page' })
    octavo.clock.advance(minutes(1))
    expect(await refusal(read('next'))).toBe('was not refused')
  })

  test('an organization stores 10,000 URLs, and those that expire first are deleted', async () => {
    const site = await serveWebsite({ '/*': '<title>A page</title>' })
    const own = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
    const { database } = own.server.app
    const { organizationId } = own.admin
    const row = (index: number) => ({
      organization_id: organizationId,
      url_hash: `hash ${index}`,
      url: `https://example.com/${index}`,
      state: 'found' as const,
      expires_at: `2026-01-02T00:00:00.${String(index % 1000).padStart(3, '0')}Z`,
    })
    for (let start = 0; start < 10_000; start += 1000)
      await database.transaction((db) =>
        db
          .insertInto('embeds')
          .values(Array.from({ length: 1000 }, (_, index) => row(start + index)))
          .execute(),
      )
    await own.admin.api.getEmbedByUrl({ query: { url: `${site.url}/page` } })
    const rows = await database.reader.selectFrom('embeds').select(['url', 'expires_at']).execute()
    expect(rows).toHaveLength(9901)
    expect(rows.some(({ url }) => url.startsWith(site.url))).toBe(true)
    expect(rows.some(({ expires_at }) => expires_at < '2026-01-02T00:00:00.010Z')).toBe(false)
  })
})

const markdown = (...urls: string[]) =>
  ['# Page', ...urls.map((url) => `{% embed url="${url}" %}`), '{% embed url="not a URL" %}'].join('\n\n')

/** Publishes a page with embeds, and returns functions that read it. */
async function publish(...urls: string[]) {
  const { base, spaceId, pages } = await publishPages(octavo, [insertPage(markdown(...urls))])
  const read = async (path = '') => (await fetch(base + path)).text()
  return { base, read, spaceId, pageId: pages[0] ?? '' }
}

describe('published pages', () => {
  test('show the title after the first view, without requests while they are rendered', async () => {
    const gate = makeGate()
    const site = await serveWebsite({
      '/page': async () => {
        await gate.passed
        return '<title>A <b>title</b></title><meta name=description content="About it">'
      },
    })
    const { read } = await publish(`${site.url}/page`, `${site.url}/page#again`)
    const first = await read()
    expect(first).toContain('<strong>127.0.0.1</strong>')
    expect(await read()).not.toContain('About it')
    gate.open()
    const shown = await waitUntil(async () => {
      const html = await read()
      return html.includes('About it') && html
    }, 'the title')
    expect(shown).toContain('<strong>A &lt;b&gt;title&lt;/b&gt;</strong><small class="embed-about">About it</small>')
    await read()
    expect(site.requestedPaths).toEqual(['/page'])
  })

  test('are fetched by a job when they are viewed after a day', async () => {
    const site = await serveWebsite({ '/page': (count) => `<title>Version ${count}</title>` })
    const { read } = await publish(`${site.url}/page`)
    const waitFor = (title: string) => waitUntil(async () => (await read()).includes(`<strong>${title}<`), title)
    await waitFor('Version 1')
    await read()
    octavo.clock.advance(hours(25))
    expect(await read()).toContain('<strong>Version 1<')
    await waitFor('Version 2')
    expect(site.requestedPaths).toHaveLength(2)
  })

  test('show what they showed before if nothing is at the URL', async () => {
    const site = await serveWebsite({})
    const { read } = await publish(`${site.url}/absent`)
    const before = await read()
    await waitUntil(async () => site.requestedPaths.length === 1, 'the request')
    octavo.clock.advance(minutes(2))
    expect(await read()).toBe(before)
    expect(site.requestedPaths).toHaveLength(1)
  })

  test('contain the title in Markdown and in the PDF, unless there is a caption', async () => {
    const site = await serveWebsite({ '/page': '<title>A *title*</title>' })
    const { read, spaceId, pageId } = await publish(`${site.url}/page`)
    await embed(`${site.url}/page`)
    expect(await read('page.md')).toContain(`{% embed url="${site.url}/page" %}\nA \\*title\\*\n{% endembed %}`)
    await octavo.admin.api.getSpacePdf({ params: { spaceId }, query: { page: pageId } })
    const { database, blobs } = octavo.server.app
    const files = await database.reader.selectFrom('pdf_files').select('key').execute()
    const sources = await Promise.all(
      files.map(async ({ key }) => Buffer.from((await blobs.get(key)) ?? '').toString()),
    )
    expect(sources.some((source) => source.includes('"text":"A *title*"'))).toBe(true)
    const captioned = await publishPages(octavo, [
      insertPage(`# Page\n\n{% embed url="${site.url}/page" %}\nMine\n{% endembed %}`),
    ])
    expect(await (await fetch(`${captioned.base}page.md`)).text()).not.toContain('title')
  })

  test('request their embeds once, and those of one page in one job', async () => {
    const gate = makeGate()
    const site = await serveWebsite({
      '/*': async () => {
        await gate.passed
        return '<title>A page</title>'
      },
    })
    const { read } = await publish(...Array.from({ length: 150 }, (_, index) => `${site.url}/${index}`))
    const { database } = octavo.server.app
    const countJobs = async () =>
      (await database.reader.selectFrom('jobs').select('id').where('name', '=', 'embeds.fetch').execute()).length
    const before = await countJobs()
    for (let count = 0; count < 5; count++) await read()
    await waitUntil(async () => site.requestedPaths.length === 4, 'the first requests')
    expect((await countJobs()) - before).toBe(1)
    gate.open()
    await waitUntil(async () => site.requestedPaths.length === 100, 'all requests')
    await waitUntil(async () => (await read()).match(/<strong>A page</g)?.length === 100, 'all titles')
    expect(site.requestedPaths).toHaveLength(100)
  })
})

test('embeds of a space that was deleted are not found', async () => {
  const spaceId = await emptySpace(octavo.admin, 'Deleted')
  await octavo.admin.api.deleteSpaceById({ params: { spaceId } })
  const query = { url: 'https://example.com/' }
  expect(await refusal(octavo.admin.api.getEmbedByUrlInSpace({ params: { spaceId }, query }))).toBe('404')
})
