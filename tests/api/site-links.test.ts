import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, editLive, insertPage, propose, readLive, updatePage } from '../support/content.ts'
import { spaceWith } from '../support/content-space.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const textAt = async (url: string) => (await fetch(url)).text()

/** Returns the URLs of the links in the content of a page by their text. */
const linksIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g), ([, href = '', text = '']) => [text, href]),
  )

test('links to headings use the ids of the headings for every notation of the anchor', async () => {
  const { base } = await publishPages(octavo, [
    insertPage(
      [
        '# Home',
        '[title](./guide.md#the-guide) [own title](#home)',
        '[digits](./guide.md#2.-install) [github](./guide.md#modules--features) [again](./guide.md#modules--features-1)',
        '[upper](./guide.md#Request-Targets) [encoded](./guide.md#gr%C3%B6%C3%9Fe) [here](#What-s-new) [dead](./guide.md#gone)',
        '## What’s new?',
      ].join('\n\n'),
    ),
    insertPage(
      '# The guide\n\n## 2. Install\n\n## Modules & Features\n\n## Modules & Features\n\n## Request targets\n\n## Größe',
      { ref: 'guide', slug: 'guide' },
    ),
  ])
  const path = new URL(base).pathname
  expect(linksIn(await textAt(base))).toMatchObject({
    title: `${path}guide#the-guide`,
    'own title': '#home',
    digits: `${path}guide#id-2.-install`,
    github: `${path}guide#modules-and-features`,
    again: `${path}guide#modules-and-features-1`,
    upper: `${path}guide#request-targets`,
    encoded: `${path}guide#groesse`,
    here: '#whats-new',
    dead: `${path}guide#gone`,
  })
  const guide = await textAt(`${base}guide`)
  for (const id of ['the-guide', 'id-2.-install', 'modules-and-features-1', 'request-targets', 'groesse'])
    expect(guide).toContain(` id="${id}"`)
  expect(await textAt(`${base}index.md`)).toContain(`[github](${base}guide.md#modules-and-features)`)
})

test('anchors do not resolve to headings that are hidden from the visitor', async () => {
  const { base } = await publishPages(octavo, [
    insertPage('# Home\n\n[setup](./guide.md#set--up) [second](./guide.md#set--up-1)'),
    insertPage('# Guide\n\n{% if visitor.claims.isBeta %}\n## Set & up\n{% endif %}\n\n## Set & up', { ref: 'guide' }),
  ])
  expect(linksIn(await textAt(base))).toMatchObject({
    setup: expect.stringMatching(/#set-and-up$/),
    second: expect.stringMatching(/#set--up-1$/),
  })
})

const broken = [
  '# Home',
  'See [deleted](/broken/pages/Xy1), [old](broken-reference), [file](/broken/files/f1#a), [gone](./gone.md), [root](/gone.md).',
  '<a href="/broken/pages/Xy1" class="button primary">Start</a>',
  '{% content-ref url="/broken/pages/Xy1" %}\n[Xy1](/broken/pages/Xy1)\n{% endcontent-ref %}',
  '[host](/elsewhere/page)',
].join('\n\n')

test('broken links are plain text on published pages and marked in previews', async () => {
  const site = await publishPages(octavo, [insertPage(broken)])
  const html = await textAt(site.base)
  expect(html).toContain('<p>See deleted, old, file, gone, root.</p>')
  expect(html).not.toContain('broken')
  expect(html).toContain('<a href="/elsewhere/page">host</a>')
  const proposal = await propose(octavo.admin, site.spaceId)
  await proposal.edit(updatePage(site.pages[0] ?? '', { description: 'Changed' }))
  const query = { target: `${site.base}~/changes/1`, draft: 'true' as const }
  const { url } = await octavo.admin.api.getSitePublishingPreviewById({ params: site.params, query })
  const browser = new CookieClient()
  await browser.open(url)
  const preview = await (await browser.open(`${site.base}~/changes/1`)).text()
  expect(preview).toContain('<span class="broken-link" title="This page does not exist">deleted</span>')
  expect(preview.match(/class="broken-link"/g)).toHaveLength(6)
  expect(preview).not.toContain('href="/broken')
  // The stored Markdown remains unchanged.
  expect((await readLive(octavo.admin, site.spaceId, site.pages[0] ?? '')).markdown).toBe(`${broken}\n`)
})

test('writing back the Markdown of a page with relative links keeps its document', async () => {
  const { spaceId, page, pages } = await spaceWith(
    octavo.admin,
    insertPage('# Home\n\n[guide](./guide.md) [readme](./readme.md)', { ref: 'home' }),
    { operation: 'insert_group', title: 'Manual', ref: 'manual' } satisfies Change,
    insertPage('# Guide\n\n[home](./home.md) [one](./one.md#part) [own](./guide.md#top) [here](#top)', {
      ref: 'guide',
      into: 'manual',
    }),
    insertPage('# One\n\n[up](./guide.md) [readme](./readme.md "mention") [two](./two.md)', {
      ref: 'one',
      into: 'guide',
    }),
    insertPage('# Readme\n\n[up](./guide.md) [one](./one.md)', { ref: 'readme', into: 'guide', slug: 'readme' }),
    insertPage('# Two\n\n{% content-ref url="./one.md" %}\n[x](./one.md)\n{% endcontent-ref %}', { ref: 'two' }),
  )
  const read = (id: string) => readLive(octavo.admin, spaceId, id)
  expect((await read(page(2))).markdown).toBe(
    '# Guide\n\n[home](../../README.md) [one](one.md#part) [own](README.md#top) [here](#top)\n',
  )
  expect((await read(page(3))).markdown).toBe(
    '# One\n\n[up](README.md) [readme.md](readme.md "mention") [two](../../two.md)\n',
  )
  // The second page is a group without a document.
  for (const id of pages.toSpliced(1, 1)) {
    const before = await read(id)
    await editLive(octavo.admin, spaceId, updatePage(id, { document: { markdown: before.markdown } }))
    const after = await read(id)
    expect([after.title, after.documentId]).toEqual([before.title, before.documentId])
  }
})

const insertLink = (title: string, page: string): Change => ({
  operation: 'insert_link',
  title,
  target: { kind: 'page', page },
})

test('navigation links have the URL of their target, and broken or unsafe ones have none', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [
    insertPage('# Home'),
    insertPage('# Old'),
    insertPage('# New\n\n## One'),
  ])
  const [, old = '', fresh = ''] = pages
  const section = { kind: 'anchor' as const, page: fresh, anchor: 'one' }
  await editLive(
    octavo.admin,
    spaceId,
    insertLink('To old', old),
    insertLink('To new', fresh),
    { operation: 'insert_link', title: 'To one', target: section },
    { operation: 'insert_link', title: 'Away', target: { kind: 'url', url: 'https://example.com/x' } },
    { operation: 'insert_link', title: 'Never', target: { kind: 'url', url: 'javascript:alert(1)' } },
  )
  await editLive(octavo.admin, spaceId, { operation: 'delete_page', page: old })
  const html = await textAt(base)
  expect(html).toContain('<span class="nowhere"><span>To old</span></span>')
  const hrefOf = (title: string) => new RegExp(`<a href="([^"]*)"[^>]*><span>${title}</span>`).exec(html)?.[1]
  const path = new URL(base).pathname
  expect(['To new', 'To one', 'Away', 'Never'].map(hrefOf)).toEqual([
    `${path}new`,
    `${path}new#one`,
    'https://example.com/x',
    undefined,
  ])
})

test('the paths of navigation links redirect to their targets', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [insertPage('# Home'), insertPage('# New\n\n## Part')])
  const [, fresh = ''] = pages
  const anchor: Change = {
    operation: 'insert_link',
    title: 'To part',
    target: { kind: 'anchor', page: fresh, anchor: 'part' },
  }
  await editLive(octavo.admin, spaceId, insertLink('To new', fresh), anchor)
  const follow = async (path: string) => {
    const reply = await fetch(base + path, { redirect: 'manual' })
    return [reply.status, new URL(reply.headers.get('location') ?? '', base).href]
  }
  expect(await follow('to-new')).toEqual([307, `${base}new`])
  expect(await follow('to-part')).toEqual([307, `${base}new#part`])
})
