import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { splitSitemap } from '../../src/site/machines/sitemap.ts'
import { signVisitorToken } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Publishes a site with the given spaces and pages. */
async function publish(spaces: readonly (readonly Change[])[], body: Record<string, unknown> = {}) {
  const { admin } = octavo
  const { api, organizationId } = admin
  const spaceIds: string[] = []
  const pages: string[][] = []
  for (const [index, changes] of spaces.entries()) {
    const spaceId = await emptySpace(admin, `Guide ${index + 1}`)
    spaceIds.push(spaceId)
    pages.push(await editLive(admin, spaceId, ...changes))
  }
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Handbook', spaces: spaceIds } })
  const params = { organizationId, siteId: site.id }
  await api.publishSite({ params })
  const { basename } = await api.updateSiteById({ params, body })
  return { params, spaceIds, pages, base: `${octavo.url}/sites/${organizationId}/${basename}/` }
}

const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })

async function text(url: string, init: RequestInit = {}): Promise<string> {
  const reply = await open(url, init)
  expect([url, reply.status]).toEqual([url, 200])
  return reply.text()
}

const accepting = (accept: string) => ({ headers: { accept } })

test('serves every page as self-contained Markdown, by the .md suffix and by the Accept header', async () => {
  const { base, pages, spaceIds } = await publish([[insertPage('# Welcome\n\nHello'), insertPage('# Install')]])
  const [welcome = '', install = ''] = pages[0] ?? []
  const [spaceId = ''] = spaceIds
  await editLive(
    octavo.admin,
    spaceId,
    updatePage(install, { description: 'How to *begin*' }),
    writePage(
      install,
      `Go [home](/pages/${welcome}), [down](#more), [away](https://example.com/x) or [nowhere](/pages/absent).\n\n{% content-ref url="/pages/${welcome}" %}\n[x](/pages/${welcome})\n{% endcontent-ref %}\n\n## More\n\n{% hint style="info" %}\nMind **this**\n{% endhint %}`,
    ),
  )
  const expected = `# Install

How to \\*begin\\*

Go [home](${base}index.md), [down](#more), [away](https://example.com/x) or nowhere.

[Welcome](${base}index.md)

## More

{% hint style="info" %}
Mind **this**
{% endhint %}
`
  const reply = await open(`${base}install.md`)
  expect(await reply.text()).toBe(expected)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    link: `<${base}install>; rel="canonical"`,
    'x-robots-tag': 'noindex',
  })
  const etag = reply.headers.get('etag') ?? ''
  expect((await open(`${base}install.md`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const head = await open(`${base}install.md`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const ranged = await open(`${base}install.md`, { headers: { range: 'bytes=0-3' } })
  expect([ranged.status, await ranged.text()]).toEqual([200, expected])
  expect(await text(`${base}index.md`)).toBe('# Welcome\n\nHello\n')
  expect(await text(base, accepting('text/markdown'))).toBe('# Welcome\n\nHello\n')
  const html = await text(`${base}install`)
  expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${new URL(base).pathname}install.md">`)
  // The URL of a moved page redirects, and paths without a page return 404.
  await editLive(octavo.admin, spaceId, updatePage(install, { slug: 'set-up' }))
  const moved = await open(`${base}install.md`)
  expect([moved.status, moved.headers.get('location')]).toEqual([307, `${base}set-up.md`])
  for (const path of ['absent.md', '.md', 'set-up/rss.xml', 'set-up/llms.txt', 'constructor', 'constructor.md']) {
    expect([path, (await open(base + path)).status]).toEqual([path, 404])
  }
})

test('serves Markdown to clients that prefer it to HTML, for any Accept header', async () => {
  const { base } = await publish([[insertPage('# Home')]])
  const kindOf = async (accept: string) => {
    const reply = await open(base, accepting(accept))
    return [reply.status, reply.headers.get('content-type')?.split(';')[0]]
  }
  for (const accept of [
    'text/markdown',
    'text/markdown, */*',
    'text/markdown, text/html;q=0.9, */*;q=0.8',
    'text/html;q=0.5,TEXT/MARKDOWN;q=0.7',
    'text/markdown;q=0.1, */*;q=0',
  ]) {
    expect([accept, ...(await kindOf(accept))]).toEqual([accept, 200, 'text/markdown'])
  }
  for (const accept of [
    '',
    '*/*',
    '*/*;q=0',
    'text/html, text/markdown',
    'text/markdown;q=0.5, */*',
    'text/markdown;q=0',
    'text/markdown;q=x',
    ';;;,,,=',
    'x/y,'.repeat(2500),
    `text/markdown;q=0,${'text/markdown;q=0,'.repeat(500)}`,
  ]) {
    expect([accept, ...(await kindOf(accept))]).toEqual([accept, 200, 'text/html'])
  }
})

test('llms.txt, llms-full.txt and sitemap.xml list all public pages and include a merge immediately', async () => {
  const { base, pages, spaceIds } = await publish([
    [
      insertPage('# Start\n\nFirst words', { description: 'Where it begins' }),
      insertPage('# Below & beyond', { slug: 'below' }),
      insertPage('# Hidden', { slug: 'hidden', hidden: true }),
      insertPage('# Not indexed', { slug: 'not-indexed', noIndex: true }),
      insertPage('# No robots', { slug: 'no-robots', noRobotsIndex: true }),
      insertPage('# For pro', { slug: 'pro', condition: "visitor.claims.plan == 'pro'" }),
    ],
    [insertPage('# Other', { slug: 'other' }), insertPage('# Deep', { slug: 'deep' })],
  ])
  const second = `${base}guide-2/`
  expect(await text(`${base}llms.txt`)).toBe(`# Handbook

> Where it begins

## Guide 1

- [Start](${base}index.md): Where it begins
- [Below & beyond](${base}below.md)
- [No robots](${base}no-robots.md)

## Guide 2

- [Other](${second}index.md)
- [Deep](${second}deep.md)
`)
  expect(await text(`${second}llms.txt`)).toBe(
    `# Handbook\n\n## Guide 2\n\n- [Other](${second}index.md)\n- [Deep](${second}deep.md)\n`,
  )
  const full = '# Start\n\nWhere it begins\n\nFirst words\n\n# Below & beyond\n\n# No robots\n\n# Other\n\n# Deep\n'
  expect(await text(`${base}llms-full.txt`)).toBe(full)
  const sitemap = await text(`${base}sitemap.xml`)
  expect(Array.from(sitemap.matchAll(/<loc>(.*?)<\/loc>/g), ([, address]) => address)).toEqual([
    base,
    `${base}below`,
    second,
    `${second}deep`,
  ])
  expect(sitemap).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
  expect((await open(`${base}sitemap-1.xml`)).status).toBe(200)
  expect(await text(`${base}sitemap-pages.xml`)).toBe(sitemap)
  const ofSecond = await text(`${second}sitemap-pages.xml`)
  expect(Array.from(ofSecond.matchAll(/<loc>(.*?)<\/loc>/g), ([, address]) => address)).toEqual([
    second,
    `${second}deep`,
  ])
  expect((await open(`${second}sitemap-pages.xml/x`)).status).toBe(404)
  expect((await open(`${base}sitemap-2.xml`)).status).toBe(404)
  const path = new URL(base).pathname
  expect((await text(`${base}robots.txt`)).split('\n')).toEqual([
    'User-agent: *',
    `Allow: ${path}~assets/`,
    `Allow: ${path}~social/`,
    `Disallow: ${path}~`,
    'Allow: /',
    '',
    `Sitemap: ${base}sitemap.xml`,
    '',
  ])
  const proposal = await propose(octavo.admin, spaceIds[1] ?? '')
  await proposal.edit(updatePage(pages[1]?.[1] ?? '', { title: 'Deeper' }), insertPage('# New', { slug: 'new' }))
  expect(await text(`${base}llms.txt`)).not.toContain('Deeper')
  await proposal.merge()
  expect(await text(`${base}llms.txt`)).toContain(`- [Deeper](${second}deep.md)\n- [New](${second}new.md)\n`)
  expect(await text(`${base}llms-full.txt`)).toContain('# Deeper\n\n# New\n')
  expect(await text(`${base}sitemap.xml`)).toContain(`<loc>${second}new</loc>`)
  expect(await text(`${second}deep.md`)).toBe('# Deeper\n')
})

test('serves a long llms-full.txt completely, with an ETag that changes with the content', async () => {
  const words = 'word '.repeat(4000)
  const { base, spaceIds } = await publish([
    Array.from({ length: 30 }, (_, index) => insertPage(`# Page ${index}\n\n${words}`, { slug: `page-${index}` })),
  ])
  const reply = await open(`${base}llms-full.txt`)
  const full = await reply.text()
  expect(full.match(/^# Page \d+$/gm)).toHaveLength(30)
  expect(full.length).toBeGreaterThan(30 * (words.length - 1))
  const etag = reply.headers.get('etag') ?? ''
  const again = { headers: { 'if-none-match': etag } }
  expect((await open(`${base}llms-full.txt`, again)).status).toBe(304)
  const head = await open(`${base}llms-full.txt`, { method: 'HEAD' })
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
  await editLive(octavo.admin, spaceIds[0] ?? '', insertPage('# Last'))
  expect(await text(`${base}llms-full.txt`, again)).toMatch(/\n# Last\n$/)
})

/** Yields pages as entries of a sitemap. */
async function* entries() {
  for (let index = 0; index < 7; index++) {
    yield { address: `https://a.example/${index}?a&b`, updatedAt: `2026-01-0${index + 1}T00:00:00Z` }
  }
}

const cut = async (limits: { entries: number; bytes: number }) => {
  const parts: string[] = []
  for await (const { text: part, lastModified } of splitSitemap(entries(), limits)) {
    parts.push(`${part.split('<url>').length - 1} until ${lastModified.slice(8, 10)}`)
    expect(part).toContain('?a&amp;b</loc>')
  }
  return parts
}

test('splits a long sitemap into parts', async () => {
  expect(await cut({ entries: 3, bytes: 10_000 })).toEqual(['3 until 03', '3 until 06', '1 until 07'])
  expect(await cut({ entries: 100, bytes: 200 })).toEqual(['2 until 02', '2 until 04', '2 until 06', '1 until 07'])
  expect(await cut({ entries: 7, bytes: 10_000 })).toEqual(['7 until 07'])
})

test('outputs contain conditional content only for its visitors, and unlisted sites have no sitemap', async () => {
  const secret = "{% if visitor.claims.plan == 'pro' %}\nSecret words\n{% endif %}"
  const { base, params } = await publish(
    [
      [
        insertPage(`# Home\n\n${secret}`),
        insertPage('# Pro', { slug: 'pro', condition: "visitor.claims.plan == 'pro'" }),
      ],
    ],
    { adaptiveContent: { enabled: true } },
  )
  const token = await signVisitorToken(octavo, params, { plan: 'pro' })
  const arriving = await open(`${base}?jwt_token=${token}`)
  const cookie = arriving.headers.get('set-cookie')?.split(';')[0] ?? ''
  for (const [path, word] of [
    ['index.md', 'Secret words'],
    ['llms.txt', 'pro.md'],
    ['llms-full.txt', 'Secret words'],
  ]) {
    expect(await text(base + path)).not.toContain(word)
    expect(await text(base + path, { headers: { cookie } })).toContain(word)
    expect(await text(base + path)).not.toContain(word)
  }
  expect((await open(`${base}pro.md`)).status).toBe(404)
  expect((await open(`${base}pro.md`, { headers: { cookie } })).headers.get('cache-control')).toContain('private')
  await octavo.admin.api.updateSiteById({ params, body: { visibility: 'unlisted' } })
  expect((await open(`${base}sitemap.xml`)).status).toBe(404)
  expect(await text(`${base}robots.txt`)).toBe('User-agent: *\nDisallow: /\n')
  expect(await text(`${base}llms.txt`)).toContain('- [Home]')
})

const idsIn = (feed: string) => Array.from(feed.matchAll(/<guid isPermaLink="false">(.*?)<\/guid>/g), ([, id]) => id)

test('a page with updates has an RSS feed with absolute URLs and stable ids', async () => {
  const { base, pages, spaceIds } = await publish([[insertPage('# Home'), insertPage('# News', { slug: 'news' })]])
  const [home = '', news = ''] = pages[0] ?? []
  const [spaceId = ''] = spaceIds
  const updates = (newest: string) =>
    `{% updates format="full" %}\n${newest}{% update date="2026-03-02" tags="fix" %}\n## Faster \\<b> & better\n\nSee [home](/pages/${home}) and [here](#faster)\n{% endupdate %}\n\n{% update date="2026-02-01" %}\nOlder\n{% endupdate %}\n{% endupdates %}`
  await editLive(
    octavo.admin,
    spaceId,
    { operation: 'set_tags', tags: [{ slug: 'fix', label: 'Fixes' }] },
    writePage(news, updates('')),
  )
  const reply = await open(`${base}news/rss.xml`)
  expect(reply.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  const feed = await reply.text()
  expect(feed).toContain('<title>News | Handbook</title>')
  const items = feed.split('<item>').slice(1)
  expect(items).toHaveLength(2)
  expect(items[0]).toContain('<title>Faster &lt;b&gt; &amp; better</title>')
  expect(items[0]).toContain('<pubDate>Mon, 02 Mar 2026 00:00:00 GMT</pubDate>')
  expect(items[0]).toContain('<category>Fixes</category>')
  expect(items[0]).toContain(`href=&quot;${base}&quot;`)
  expect(items[0]).toContain(`href=&quot;${base}news#faster&quot;`)
  expect(items[1]).toContain('<title>February 1, 2026</title>')
  const known = idsIn(feed)
  expect(new Set(known).size).toBe(2)
  // Existing items keep their ids, also when the page is moved.
  await editLive(
    octavo.admin,
    spaceId,
    writePage(news, updates('{% update date="2026-04-01" %}\nNewest\n{% endupdate %}\n\n')),
    updatePage(news, { slug: 'changes' }),
  )
  expect(idsIn(await text(`${base}changes/rss.xml`)).slice(1)).toEqual(known)
  expect(await text(`${base}changes`)).toContain('type="application/rss+xml"')
  expect(await text(base)).not.toContain('application/rss+xml')
  expect((await open(`${base}rss.xml`)).status).toBe(404)
  await editLive(octavo.admin, spaceId, writePage(home, updates('')))
  expect(await text(`${base}rss.xml`)).toContain('<title>Home | Handbook')
})

test('a preview is available as Markdown with the preview cookie only and is not cached', async () => {
  const { base, params, pages, spaceIds } = await publish([
    [insertPage('# Home'), insertPage('# Inner', { slug: 'inner' })],
  ])
  const proposal = await propose(octavo.admin, spaceIds[0] ?? '')
  await proposal.edit(writePage(pages[0]?.[1] ?? '', `To [home](/pages/${pages[0]?.[0]})`))
  const { url } = await octavo.admin.api.getSitePublishingPreviewById({ params, query: {} })
  const arriving = await open(`${base}?preview=${new URL(url).searchParams.get('preview')}`)
  const cookie = arriving.headers.get('set-cookie')?.split(';')[0] ?? ''
  const aside = `${base}~/changes/${proposal.id}`
  expect(await text(`${aside}/inner.md`, { headers: { cookie } })).toBe(`# Inner\n\nTo [home](${aside}.md)\n`)
  expect(await text(`${aside}.md`, { headers: { cookie } })).toBe('# Home\n')
  await proposal.edit(writePage(pages[0]?.[0] ?? '', 'Again'))
  expect(await text(`${aside}.md`, { headers: { cookie } })).toBe('# Home\n\nAgain\n')
  expect((await open(`${aside}.md`)).status).toBe(404)
})

const headIn = (html: string) => html.slice(0, html.indexOf('</head>'))

test('pages contain canonical URLs, Open Graph tags and structured data', async () => {
  const { base, pages, spaceIds } = await publish([
    [
      insertPage('# Home\n\nShort', { slug: 'home' }),
      insertPage(`# \\</script>\\<script>alert(1)\\</script>\n\n${'Many words follow. '.repeat(30)}`, { slug: 'odd' }),
    ],
  ])
  const [home = '', odd = ''] = pages[0] ?? []
  const [spaceId = ''] = spaceIds
  await editLive(octavo.admin, spaceId, insertPage('# Inner', { slug: 'inner', into: odd }))
  const head = headIn(await text(`${base}odd`))
  expect(head).toContain(`<link rel="canonical" href="${base}odd">`)
  expect(head).toMatch(/<meta name="description" content="Many words follow\. [^"]{100,150}…">/)
  expect(head).toContain('<meta property="og:type" content="article">')
  expect(head).toContain('<meta property="og:site_name" content="Handbook">')
  expect(head).not.toContain('<script>alert')
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head)?.[1] ?? '') as {
    '@graph': Record<string, unknown>[]
  }
  expect(data['@graph'][0]).toMatchObject({ '@type': 'TechArticle', headline: '</script><script>alert(1)</script>' })
  const inner = headIn(await text(`${base}odd/inner`))
  const trail = /"itemListElement":(\[.*?\])/.exec(inner)?.[1] ?? ''
  expect((JSON.parse(trail) as { item: string }[]).map(({ item }) => item)).toEqual([
    base,
    `${base}odd`,
    `${base}odd/inner`,
  ])
  await editLive(
    octavo.admin,
    spaceId,
    updatePage(odd, {
      metaLinks: { canonical: { kind: 'page', page: home }, alternates: [{ kind: 'url', url: 'https://b.example/' }] },
    }),
  )
  const changed = headIn(await text(`${base}odd`))
  expect(changed).toContain(`<link rel="canonical" href="${base}">`)
  expect(changed).toContain('<link rel="alternate" href="https://b.example/">')
  expect((await open(`${base}odd.md`)).headers.get('link')).toBe(`<${base}>; rel="canonical"`)
})

const linksIn = (html: string) =>
  Array.from(
    html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g),
    ([, name, to]) => `${name} ${to}`,
  )

test('translations of a page link to each other with hreflang where they exist', async () => {
  const { base, params } = await publish([
    [
      insertPage('# Home', { slug: 'home' }),
      insertPage('# Both', { slug: 'both' }),
      insertPage('# Only', { slug: 'only' }),
    ],
    [insertPage('# Accueil', { slug: 'home' }), insertPage('# Deux', { slug: 'both' })],
  ])
  const { api } = octavo.admin
  const { items } = await api.listSiteSpaces({ params })
  for (const [index, language] of ['en', 'fr'].entries()) {
    await api.updateSpaceById({ params: { spaceId: items[index]?.space.id ?? '' }, body: { language } as never })
  }
  const french = `${base}guide-2/`
  expect(linksIn(await text(`${base}both`))).toEqual([`en ${base}both`, `x-default ${base}both`, `fr ${french}both`])
  expect(linksIn(await text(french))).toEqual([`en ${base}`, `x-default ${base}`, `fr ${french}`])
  expect(linksIn(await text(`${base}only`))).toEqual([])
})

test('serves the social image of a page only to visitors who can see the page', async () => {
  const { base, pages } = await publish([
    [insertPage('# Home', { slug: 'home' }), insertPage('# Pro', { condition: "visitor.claims.plan == 'pro'" })],
  ])
  const address = /<meta property="og:image" content="([^"]+)">/.exec(await text(base))?.[1] ?? ''
  expect(address.startsWith(`${base}~social/`)).toBe(true)
  const picture = await open(address)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  const other = address.replace(/v=.*/, 'v=other')
  expect((await open(other)).headers.get('cache-control')).toBe('public, no-cache')
  const [home = '', pro = ''] = pages[0] ?? []
  expect((await open(address.replace(home, pro))).status).toBe(404)
})
