import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, takeScreenshot } from '../support/browser.ts'
import { type Crawl, crawl, readSitemap } from '../support/crawl.ts'
import { isLong } from '../support/long.ts'
import { checkSpace } from '../support/official-documents.ts'
import { type PublishedRepository, publishRepositories } from '../support/published-corpus.ts'
import { ownRepositories, sampleRepositories } from '../support/repositories.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

const names = [...new Set(sampleRepositories().map(({ name }) => name.split('/')[0] ?? ''))]

let octavo: TestServer
const repositories = new Map<string, PublishedRepository>()
const crawls = new Map<string, Crawl>()
const browser = browserForFile()

beforeAll(async () => {
  octavo = await startTestServer()
  const published = await publishRepositories(octavo, sampleRepositories())
  for (const repository of published) repositories.set(repository.name, repository)
}, 600_000)
afterAll(() => octavo.stop())

const isOwn = (name: string) => ownRepositories.some((folder) => folder.name.startsWith(name))

/** One of how many pages of a repository is checked: all of ours, which have every construct, and a sample of the others. */
const oneOf = (name: string) => (isLong || isOwn(name) ? 1 : 4)

/** Counts the distinct class attributes of a page. */
const kinds = (html: string) => new Set(html.match(/class="[^"]*"/g)).size

/** Number of hidden pages, which need not be linked from other pages. */
const hiddenPages: Readonly<Record<string, number>> = { evolve: 5, 'iot-logic': 1 }

/** Number of anchors that are broken in the repositories themselves. */
const deadAnchors: Readonly<Record<string, number>> = { elsa: 1, beefree: 13, evolve: 1, 'iot-logic': 3 }

test.for(names)(
  'pages of %s open without failures, and their links and anchors resolve',
  { timeout: 180_000 },
  async (name) => {
    const { base, pages: imported } = repositories.get(name) as PublishedRepository
    const listed = await readSitemap(`${base}sitemap.xml`)
    const included = new Set(listed.filter((_, index) => index % oneOf(name) === 0))
    // Links to pages of the sitemap resolve, whether they are requested or not.
    const skipped = new Set(listed.filter((url) => !included.has(url)))
    const found = await crawl(base, { included, skipped })
    crawls.set(name, found)
    expect(found.failures).toEqual([])

    const isThere = ({ url, id }: { url: string; id: string }) => found.pages.get(url)?.ids.has(id) !== false
    const pages = [...found.pages.values()]
    const shown = new Set(pages.flatMap(({ html }) => /\sdata-page="([^"]*)"/.exec(html)?.[1] ?? []))
    expect(shown.size).toBeGreaterThanOrEqual(imported - (hiddenPages[name] ?? 0) - skipped.size)
    expect(pages.flatMap(({ outline }) => outline).filter((one) => !isThere(one))).toEqual([])
    const dead = new Set(
      pages.flatMap(({ anchors }) => anchors.filter((one) => !isThere(one)).map(({ url, id }) => `${url}#${id}`)),
    )
    expect(dead.size).toBeLessThanOrEqual(deadAnchors[name] ?? 0)
  },
)

test.for(names)('pages of %s load without errors and without third-party requests except images', async (name) => {
  const pages = [...(crawls.get(name) as Crawl).pages.values()].filter(({ html }) => html.startsWith('<!doctype'))
  const largest = pages.toSorted((one, other) => other.html.length - one.html.length).slice(0, 2)
  const richest = pages.toSorted((one, other) => kinds(other.html) - kinds(one.html)).slice(0, 2)
  const [first = '', ...rest] = new Set([...largest, ...richest].map(({ url }) => url))
  // Images on other hosts are the only third-party requests that a repository may cause.
  const { page } = await browser.open(first, { mayAsk: (_, kind) => kind === 'image' })
  await takeScreenshot(page, `corpus-${name}`)
  for (const url of rest) await page.goto(url)
})

// This check needs no browser; it is here because importing the repositories again would take longer.
test.for(names.filter((name) => !isOwn(name)))(
  'revisions and documents of %s match the public schema, and writing a document back changes nothing',
  { timeout: 120_000 },
  async (name) => {
    const { spaces, pages } = repositories.get(name) as PublishedRepository
    let count = 0
    for (const spaceId of spaces) count += await checkSpace(octavo, spaceId, oneOf(name))
    expect(count).toBe(pages)
  },
)
