import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours } from '../../src/kernel/time.ts'
import { editLive, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { type PublishedSite, publishPages } from '../support/published-sites.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

// Previews of change requests and revisions on the site that they would be published on.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Returns a preview URL that works without an account. */
async function previewAt({ params, base }: PublishedSite, path: string, { api }: Pick<Person, 'api'> = octavo.admin) {
  const query = { target: base + path, draft: 'true' as const }
  return (await api.getSitePublishingPreviewById({ params, query })).url
}

const contentOf = (page: string) =>
  /<div class="content"[^>]*>(.*?)<\/div><(?:nav|footer|\/article)/s.exec(page)?.[1] ?? ''
const bannerOf = (page: string) => /<aside class="preview-banner".*?<\/aside>/s.exec(page)?.[0] ?? ''
const links = (page: string) => Array.from(page.matchAll(/<a[^>]* href="([^"]*)"/g), (match) => match[1] ?? '')

async function makeChange(body: Record<string, unknown> = {}) {
  const site = await publishPages(
    octavo,
    [
      insertPage('# Home\n\nIt costs ten euros a month.\n\nThis goes away.\n\n* one\n* two\n\nThis stays.'),
      insertPage('# Guide\n\n[Home](/pages/home)', { slug: 'guide' }),
    ],
    body,
  )
  const [home = '', guide = ''] = site.pages
  const proposal = await propose(octavo.admin, site.spaceId, 'Prices & <more>')
  const [fresh = ''] = await proposal.edit(
    writePage(home, 'It costs twenty euros a month.\n\n* one\n* two\n* three\n\nThis stays.\n\nThis comes.'),
    insertPage('# Fresh\n\nAll new', { slug: 'fresh', into: guide }),
    updatePage(guide, { slug: 'manual' }),
  )
  return { site, proposal, home, guide, fresh }
}

test('a change request is shown with marked changes, and its links point into the preview', async () => {
  const { site } = await makeChange()
  const { base } = site
  const inside = `${new URL(base).pathname}~/changes/1`
  const browser = new CookieClient()
  const arriving = await browser.open(await previewAt(site, '~/changes/1'))
  expect([arriving.status, arriving.headers.get('location')]).toEqual([307, `${base}~/changes/1`])
  expect(arriving.headers.getSetCookie().join()).toMatch(
    /^octavo-preview=[\w.-]+; Path=[^;]+; HttpOnly; SameSite=Lax; Max-Age=3\d\d\d$/,
  )
  const reply = await browser.open(`${base}~/changes/1`)
  expect(reply.headers.get('cache-control')).toBe('private, no-cache')
  expect(reply.headers.get('x-robots-tag')).toBe('noindex')
  const page = await reply.text()
  expect(page).toContain('<meta name="robots" content="noindex">')

  const content = contentOf(page)
  expect(content).toContain('It costs <del>ten</del><ins>twenty</ins> euros a month.')
  expect(content).toMatch(
    /<div class="change change-removed"><span class="sr-only">Removed: <\/span><p>This goes away.<\/p><\/div><ul>/,
  )
  expect(content).toContain('<li><ins>three</ins></li>')
  expect(content).toContain(
    '</ul><p>This stays.</p><div class="change change-added"><span class="sr-only">New: </span><p>This comes.</p></div>',
  )
  const banner = bannerOf(page)
  expect(banner).toContain('change request #1 (Prices &amp; &lt;more&gt;)')
  expect(banner).toContain('New: 2 · Changed: 1 · Removed: 1')
  expect(links(banner)).toEqual([`${new URL(base).pathname}?preview=`])

  const manual = await browser.text(`${base}~/changes/1/guide`)
  expect(manual).toContain('>Guide</h1>')
  expect(bannerOf(manual)).toContain('Nothing was changed on this page')
  const [article = ''] = /<article.*<\/article>/s.exec(manual) ?? []
  const [navigation = ''] = /<nav id="~pages".*?<\/nav>/s.exec(manual) ?? []
  const main = article + navigation
  const stray = links(main).filter((href) => !href.startsWith(inside) && !href.startsWith('https://'))
  expect(stray).toEqual([])
  expect(links(main)).toContain(`${inside}/manual/fresh`)
  const fresh = await browser.text(`${base}~/changes/1/manual/fresh`)
  expect(contentOf(fresh)).toMatch(/^<div class="change change-added">.*All new/)
  expect(fresh).toContain('<span class="new-mark"><span class="sr-only">New</span></span>')
  expect(links(bannerOf(fresh))).toEqual([`${new URL(base).pathname}?preview=`])

  const [branch = ''] = /data-branch="([^"]+)"/.exec(page)?.slice(1) ?? []
  const list = await (await browser.open(octavo.url + branch, { headers: { 'sec-fetch-dest': 'empty' } })).text()
  expect(links(list)).toEqual([`${inside}/manual/fresh`])
  expect((await new CookieClient().open(octavo.url + branch)).status).toBe(404)
})

test('leaving a preview shows the live page and removes access to the change request', async () => {
  const { site } = await makeChange()
  const browser = new CookieClient()
  const [leave = ''] = links(bannerOf(await browser.text(await previewAt(site, '~/changes/1/manual'))))
  expect(leave).toBe(`${new URL(site.base).pathname}guide?preview=`)
  const live = await browser.text(octavo.url + leave)
  expect(bannerOf(live)).toBe('')
  expect(browser.cookiesFor(new URL(site.base).pathname)).toBe('')
  expect((await browser.open(`${site.base}~/changes/1`)).status).toBe(404)
})

test('a revision is shown with its differences from the live content', async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nOld words')])
  const [home = ''] = site.pages
  const { revision } = await octavo.admin.api.getSpaceById({ params: { spaceId: site.spaceId }, query: {} })
  await editLive(octavo.admin, site.spaceId, writePage(home, 'New words'), insertPage('# Later'))
  const page = await new CookieClient().text(await previewAt(site, `~/revisions/${revision}`))
  expect(contentOf(page)).toContain('<del>New</del><ins>Old</ins> words')
  expect(bannerOf(page)).toContain('an earlier version')
  expect(page).not.toContain('Later')
})

test('a preview opens only with its cookie, and only while its creator may see the space', async () => {
  for (const visibility of ['public', 'share-link', 'visitor-auth'] as const) {
    const { site } = await makeChange({ visibility })
    const member = await octavo.member('admin')
    const browser = new CookieClient()
    const url = await previewAt(site, '~/changes/1', member)
    expect([visibility, contentOf(await browser.text(url)).includes('twenty')]).toEqual([visibility, true])
    const other = await makeChange()
    const foreign = browser.cookiesFor(new URL(site.base).pathname)
    expect((await browser.open(`${other.site.base}~/changes/1`, { headers: { cookie: foreign } })).status).toBe(404)
    const outside = (await new CookieClient().open(`${site.base}~/changes/1`)).status
    expect([visibility, outside]).toEqual([visibility, visibility === 'visitor-auth' ? 403 : 404])
    await octavo.admin.api.removeMemberFromOrganizationById({
      params: { organizationId: octavo.admin.organizationId, userId: member.id },
    })
    expect([visibility, (await browser.open(`${site.base}~/changes/1`)).status]).toEqual([visibility, outside])
  }
})

test('previews expire with their token, and share links keep working', async () => {
  const { site } = await makeChange({ visibility: 'share-link' })
  const { api } = octavo.admin
  const link = await api.createSiteShareLink({ params: site.params, body: { name: 'Friends' } })
  const browser = new CookieClient()
  await browser.text(await previewAt(site, '~/changes/1'))
  expect(await browser.text(link.urls.published ?? '')).toContain('ten euros')
  octavo.clock.advance(hours(1))
  expect((await browser.open(`${site.base}~/changes/1`)).status).toBe(404)
  expect((await browser.open(site.base)).status).toBe(404)
  expect(await browser.text(link.urls.published ?? '')).toContain('ten euros')
})

test('an unpublished site is previewed with a banner, and returns 404 after the preview is left', async () => {
  const { site } = await makeChange()
  await octavo.admin.api.unpublishSite({ params: site.params })
  const browser = new CookieClient()
  const page = await browser.text(await previewAt(site, ''))
  expect(bannerOf(page)).toContain('Preview')
  const [leave = ''] = links(bannerOf(page))
  expect((await browser.openFollowingRedirects(octavo.url + leave)).status).toBe(404)
  expect(browser.cookiesFor(new URL(site.base).pathname)).toBe('')
})
