import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Change, editLive, insertPage } from '../support/content.ts'
import { measureHealth } from '../support/health.ts'
import { type PublishedSite, publishPages } from '../support/published-sites.ts'
import { type TestServer, engine, startTestServer } from '../support/server.ts'

// Pages and spaces of the maximum size. Time limits are generous, to detect only work that does not end.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const lines = (count: number, line: (index: number) => string, between = '\n\n') =>
  Array.from({ length: count }, (_, index) => line(index)).join(between)

async function text(url: string, init: RequestInit = {}): Promise<string> {
  const reply = await fetch(url, { redirect: 'manual', ...init })
  expect([url, reply.status]).toEqual([url, 200])
  return reply.text()
}

/** Returns how often a part occurs in a text. */
const count = (whole: string, part: string) => whole.split(part).length - 1

// Rendering does not depend on the database, and these pages are slow to write and to render.
if (engine === 'sqlite')
  describe('large pages', () => {
    const words = 'Some words that fill a line, and a few more. '
    const large: Record<string, { markdown: string; shows: string; times: number }> = {
      text: { markdown: lines(230, () => words.repeat(100)), shows: 'Some words', times: 23_000 },
      blocks: { markdown: lines(9990, (index) => `P${index} **b**`), shows: '<strong>b</strong>', times: 9990 },
      headings: { markdown: lines(4000, () => '## Again'), shows: '<h2 id="again', times: 4000 },
      table: {
        markdown: `| a | b |\n|---|---|\n${lines(2400, (index) => `| ${index} | cell |`, '\n')}`,
        shows: '<tr>',
        times: 2401,
      },
      code: {
        markdown: `\`\`\`js\n${lines(5000, (index) => `const a${index} = { b: "x" }`, '\n')}\n\`\`\``,
        shows: 'const',
        times: 5000,
      },
      formulas: {
        markdown: lines(500, (index) => `$$\n\\frac{a_{${index}}}{b}\n$$`),
        shows: 'class="katex"',
        times: 500,
      },
      links: { markdown: lines(3000, () => '[x](/pages/home)'), shows: '>x</a></p>', times: 3000 },
      deep: { markdown: `${'> '.repeat(45)}x`, shows: '<blockquote>', times: 45 },
    }

    test.each(Object.entries(large))('%s: renders completely while other requests are answered', async (slug, page) => {
      const { base } = await publishPages(octavo, [
        insertPage('# Home', { slug: 'home' }),
        insertPage(`# Large\n\n${page.markdown}`, { slug }),
      ])
      const { result: made, longestWait } = await measureHealth(octavo.url, () => text(base + slug))
      expect(count(made.slice(made.indexOf('<main')), page.shows)).toBe(page.times)
      expect(longestWait).toBeLessThan(250)
      expect(await text(base + slug)).toBe(made)
      expect(await text(`${base}${slug}.md`)).toMatch(/^# Large\n/)
      expect(await text(`${base}llms-full.txt`)).toContain('# Large')
    })
  })

const inOneFolder = engine === 'sqlite' ? 1000 : 400

describe('large spaces', () => {
  let site: PublishedSite & { spaceId: string }
  let folder: string
  beforeAll(async () => {
    const { pages, ...published } = await publishPages(octavo, [
      insertPage('# Home'),
      insertPage('# Folder', { slug: 'folder' }),
      insertPage('# After', { slug: 'after' }),
    ])
    site = published
    folder = pages[1] ?? ''
    for (let from = 0; from < inOneFolder; from += 50) {
      const some = Array.from({ length: 50 }, (_, index): Change => {
        const slug = `p${from + index}`
        return insertPage(`# Page ${slug}`, { slug, into: folder })
      })
      await editLive(octavo.admin, published.spaceId, ...some)
    }
  })

  const neighboursOf = (html: string) =>
    Array.from(html.matchAll(/<a[^>]*rel="(prev|next)"[^>]*>/g), ([link, rel]) => {
      const href = /href="([^"]+)"/.exec(link)?.[1] ?? ''
      return `${rel} ${new URL(href, site.base).href.slice(site.base.length)}`
    })

  const last = inOneFolder - 1
  const middle = inOneFolder / 2
  test.each([
    ['folder', ['prev ', 'next folder/p0']],
    ['folder/p0', ['prev folder', 'next folder/p1']],
    [`folder/p${middle}`, [`prev folder/p${middle - 1}`, `next folder/p${middle + 1}`]],
    [`folder/p${last}`, [`prev folder/p${last - 1}`, 'next after']],
    ['after', [`prev folder/p${last}`]],
  ])('%s is small and links to the previous and next page', async (path, neighbours) => {
    const html = await text(site.base + path)
    expect(neighboursOf(html)).toEqual(neighbours)
    expect(html.length).toBeLessThan(100_000)
    expect(gzipSync(html).length).toBeLessThan(12_000)
    expect(count(html, 'aria-current="page"')).toBe(1)
  })

  test('the navigation links to a list with the pages that it omits', async () => {
    const html = await text(`${site.base}folder/p${middle}`)
    const more = new Set(Array.from(html.matchAll(/<a[^>]*href="([^"]*~navigation[^"]*)"/g), ([, href = '']) => href))
    expect(more.size).toBe(1)
    const [branch = ''] = more
    for (const target of ['document', 'empty']) {
      const list = await text(new URL(branch, site.base).href, { headers: { 'sec-fetch-dest': target } })
      for (const index of [0, middle, last]) expect(list).toContain(`/folder/p${index}"`)
      expect(list.match(/\/folder\/p\d+"/g)?.length).toBe(inOneFolder)
    }
  })

  test('sitemap.xml, llms.txt and llms-full.txt contain every page', async () => {
    const sitemap = await text(`${site.base}sitemap.xml`)
    expect(count(sitemap, '<url>')).toBe(inOneFolder + 3)
    const index = await text(`${site.base}llms.txt`)
    expect(count(index, '\n- [')).toBe(inOneFolder + 3)
    expect(count(await text(`${site.base}llms-full.txt`), '# Page p')).toBe(inOneFolder)
    expect((await fetch(`${site.base}folder/p${inOneFolder}`)).status).toBe(404)
  })

  test('serves a page that is nested 50 levels deep', async () => {
    const path = Array.from({ length: 50 }, (_, depth) => `d${depth}`)
    const nested = path.map((slug, depth) =>
      insertPage(`# Deep ${depth}`, { slug, ref: slug, ...(depth > 0 && { into: path[depth - 1] }) }),
    )
    await editLive(octavo.admin, site.spaceId, ...nested)
    const html = await text(site.base + path.join('/'))
    expect(html).toContain('Deep 49</h1>')
    expect(neighboursOf(html)).toEqual([`prev ${path.slice(0, -1).join('/')}`])
    expect((await fetch(`${site.base}${path.join('/')}/d50`)).status).toBe(404)
  })
})
