import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { type RedirectScenario, externalDestination, makeRedirectScenario } from '../support/redirects.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let world: RedirectScenario
beforeAll(async () => {
  octavo = await startTestServer()
  world = await makeRedirectScenario(octavo)
})
afterAll(() => octavo.stop())

const open = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { redirect: 'manual', headers, method })

/** Returns the status of a URL, followed by the target if it redirects. */
async function leads(url: string, headers: Record<string, string> = {}): Promise<string> {
  const reply = await open(url, headers)
  return [reply.status, reply.headers.get('location')].filter(Boolean).join(' ')
}

/** Returns the suggested pages of a 404 reply. */
async function suggestions(url: string): Promise<string[]> {
  const reply = await open(url)
  expect([url, reply.status]).toEqual([url, 404])
  const [, list = ''] = /<ul class="suggestions">(.*?)<\/ul>/.exec(await reply.text()) ?? []
  return Array.from(list.matchAll(/<a href="([^"]*)">/g), ([, href = '']) => href)
}

/** Publishes a site with the given spaces, where each space after the first is its own section. */
async function publish(spaces: string[], body: Record<string, unknown> = {}) {
  const { api, organizationId } = octavo.admin
  const [first = '', ...others] = spaces
  const created = await api.createSite({ params: { organizationId }, body: { title: 'Handbook', spaces: [first] } })
  const params = { organizationId, siteId: created.id }
  for (const spaceId of others) await api.addSectionToSite({ params, body: { spaceId, title: 'Reference' } })
  await api.updateSiteById({ params, body })
  const base = (await api.publishSite({ params })).urls.published ?? ''
  for (const id of spaces) await waitUntilSearchable(octavo, id)
  return { params, base, path: new URL(base).pathname }
}

test('a 404 page suggests similar visible pages and keeps the navigation', async () => {
  const guide = await emptySpace(octavo.admin, 'Guide')
  const calls = await emptySpace(octavo.admin, 'Calls')
  const pages = await editLive(
    octavo.admin,
    guide,
    insertPage('# Home'),
    insertPage('# Installation', { slug: 'installation' }),
  )
  const hidden = { hidden: true, slug: 'instalation' }
  const forNobody = { condition: "visitor.claims.plan == 'pro'", slug: 'installatiom' }
  await editLive(
    octavo.admin,
    guide,
    insertPage('# Set up a proxy\n\nTurnstile', { slug: 'set-up', into: pages[1] }),
    insertPage('# Hidden installation', hidden),
    insertPage('# Secret installation', forNobody),
  )
  await editLive(octavo.admin, calls, insertPage('# Overview'), insertPage('# Turnstile', { slug: 'turnstile' }))
  const { base, path } = await publish([guide, calls], { adaptiveContent: { enabled: true } })
  expect(await suggestions(`${base}instalaton`)).toEqual([`${path}installation`])
  expect(await suggestions(`${base}installation/setup`)).toContain(`${path}installation/set-up`)
  expect(await suggestions(`${base}old/turnstile_proxy.html`)).toEqual([`${path}installation/set-up`])
  expect((await suggestions(`${base}reference/turnstiles`))[0]).toBe(`${path}reference/turnstile`)
  // A page that only mentions a similar word in its text is not suggested.
  expect(await suggestions(`${base}turnstilez`)).toEqual([`${path}reference/turnstile`])
  // Pages that share only short words are not suggested; a page with a similar slug elsewhere is.
  expect(await suggestions(`${base}how-to-set-sail-on-a-lake`)).toEqual([])
  expect(await suggestions(`${base}old/path/set-upp`)).toEqual([`${path}installation/set-up`])
  for (const nowhere of ['secret-installation', 'hidden', 'xyzzy', 'wp-login.php', '%F0%9F%90%92', 'a'.repeat(2000)]) {
    const found = await suggestions(base + nowhere)
    expect(found.filter((href) => /installatiom|instalation$/.test(href))).toEqual([])
  }
  const page = await (await open(`${base}reference/nowhere`)).text()
  expect(page).toContain('Page not found')
  expect(page).toMatch(/aria-current="true"[^>]*><span>Reference/)
  // The navigation remains, expanded as far as the path matches, without pages that are hidden from the visitor.
  const navigation = async (at: string) =>
    Array.from(
      (/<nav id="~pages".*?<\/nav>/s.exec(await (await open(base + at)).text())?.[0] ?? '').matchAll(
        /<a href="([^"]*)"/g,
      ),
      ([, href = '']) => href,
    )
  expect(await navigation('nowhere')).toEqual([path, `${path}installation`])
  expect(await navigation('installation/nowhere')).toEqual([path, `${path}installation`, `${path}installation/set-up`])
})

test('clients that do not accept HTML get a 404 as plain text', async () => {
  const { base } = await publish([world.docs])
  for (const accept of ['application/json', 'text/markdown', 'image/avif,image/webp,*/*;q=0.8']) {
    const reply = await open(`${base}nowhere`, { accept })
    expect([accept, reply.status, reply.headers.get('content-type')]).toEqual([
      accept,
      404,
      'text/plain; charset=utf-8',
    ])
    expect(await reply.text()).toBe('Page not found\n')
  }
  const page = await open(`${base}nowhere`, { accept: 'text/html,*/*' })
  expect([page.status, page.headers.get('x-robots-tag')]).toEqual([404, 'noindex'])
  expect((await open(`${base}nowhere`, {}, 'HEAD')).status).toBe(404)
})

test('a 404 page uses the language of the site', async () => {
  const { base, params } = await publish([world.docs])
  const internationalization = { locale: 'de' as const }
  await octavo.admin.api.updateSiteCustomizationById({ params, body: { internationalization } })
  const page = await (await open(`${base}nirgendwo`)).text()
  expect(page).toContain('<html lang="de"')
  expect(page).not.toContain('Page not found')
})

test('redirects to sections, spaces, pages and external URLs, permanently or temporarily', async () => {
  const { params, site, docs, guides } = await world.site({ sections: true })
  const base = site.urls.published ?? ''
  const { api } = octavo.admin
  const { items } = await api.listSiteSections({ params, query: {} })
  const section = items.find(({ title }) => title === 'Guides')?.id ?? ''
  await world.redirect(params, '/a/section', { kind: 'site-section', siteSectionId: section })
  await world.redirect(params, '/a/space', { kind: 'site-space', siteSpaceId: guides }, { permanent: true })
  await world.redirect(params, '/a/page', { kind: 'site-page', siteSpaceId: docs, pageId: world.pages.setup })
  await world.redirect(params, '/a/home', { kind: 'site-page', siteSpaceId: docs, pageId: world.pages.home })
  await world.redirect(params, '/out', externalDestination('https://example.com/x?y=1'), { permanent: true })
  await world.redirect(params, '/v1/*', externalDestination('https://old.example.com/docs'), { captureWildcard: true })
  expect(await leads(`${base}a/section`)).toBe(`307 ${base}guides/`)
  expect(await leads(`${base}a/space`)).toBe(`308 ${base}guides/`)
  expect(await leads(`${base}A/Page/`)).toBe(`307 ${base}guide/set-up`)
  expect(await leads(`${base}a/home`)).toBe(`307 ${base}`)
  expect(await leads(`${base}out`)).toBe('308 https://example.com/x?y=1')
  expect(await leads(`${base}v1/b/c%20d`)).toBe('307 https://old.example.com/docs/b/c%20d')
  // Query parameters are kept, except for those with the claims or the token of the visitor.
  expect(await leads(`${base}a/page?a=b&c=%26`)).toBe(`307 ${base}guide/set-up?a=b&c=%26`)
  expect(await leads(`${base}out?y=2&z=3`)).toBe('308 https://example.com/x?y=1&z=3')
  const asked = await open(`${base}out?jwt_token=secret&visitor.plan=pro`, {}, 'HEAD')
  expect(asked.headers.get('location') ?? '').not.toMatch(/secret|pro/)
  // A path with .md redirects to the Markdown of the page.
  expect(await leads(`${base}a/page.md`)).toBe(`307 ${base}guide/set-up.md`)
  expect(await leads(`${base}v1/b.md`)).toBe('307 https://old.example.com/docs/b.md')
})

test('pages take precedence over redirects, drafts apply in previews only, and loops return 404', async () => {
  const { params, site, docs } = await world.site()
  const base = site.urls.published ?? ''
  const { api, organizationId } = octavo.admin
  const toSecret = { kind: 'site-page' as const, siteSpaceId: docs, pageId: world.pages.secret }
  await world.redirect(params, '/guide', externalDestination('https://example.com/'))
  await world.redirect(params, '/soon', externalDestination('https://example.com/soon'), { draft: true })
  await world.redirect(params, '/for/testers', toSecret)
  expect((await open(`${base}guide`)).status).toBe(200)
  expect(await leads(`${base}soon`)).toBe('404')
  const { url } = await api.getSitePublishingPreviewById({ params, query: {} })
  const preview = (await open(url)).headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await leads(`${base}soon`, { cookie: preview })).toBe('307 https://example.com/soon')
  // A redirect must not reveal the path of a page that the visitor cannot see.
  expect(await leads(`${base}for/testers`)).toBe('404')
  const tester = 'gitbook-visitor-public={"beta":true}'
  expect(await leads(`${base}for/testers`, { cookie: tester })).toBe(`307 ${base}secret`)
  // An external URL can later become a URL of this site.
  const later = `${octavo.url}/sites/${organizationId}/round-and-round/`
  await world.redirect(params, '/loop', externalDestination(`${later}Loop`))
  expect(await leads(`${base}loop`)).toBe(`307 ${later}Loop`)
  await api.updateSiteById({ params, body: { basename: 'round-and-round' } })
  expect(await leads(`${later}loop?again=1`)).toBe('404')
})

test('redirects keep the key of a share link', async () => {
  const { params, docs } = await world.site({ visibility: 'share-link' })
  await world.redirect(params, '/old', { kind: 'site-page', siteSpaceId: docs, pageId: world.pages.guide })
  const { urls } = await octavo.admin.api.createSiteShareLink({ params, body: { name: 'Friends' } })
  const base = urls.published ?? ''
  expect(await leads(`${base}old?x=1`)).toBe(`307 ${base}guide?x=1`)
  expect(await leads(`${new URL('..', base).href}old`)).toBe('404')
})
