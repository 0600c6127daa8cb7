import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, picture } from '../support/browser.ts'
import { type Crawl, crawl } from '../support/crawl.ts'
import { checkSpace } from '../support/official-documents.ts'
import { type PublishedRepository, publishRepositories } from '../support/published-corpus.ts'
import { ownRepositories, testRepositories } from '../support/repositories.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

const names = [...new Set(testRepositories().map(({ name }) => name.split('/')[0] ?? ''))]

let octavo: TestServer
const repositories = new Map<string, PublishedRepository>()
const crawls = new Map<string, Crawl>()
const browser = browserForFile()

beforeAll(async () => {
  octavo = await startTestServer()
  const published = await publishRepositories(octavo, testRepositories())
  for (const repository of published) repositories.set(repository.name, repository)
}, 180_000)
afterAll(() => octavo.stop())

/** How many looks there are on a page. */
const kinds = (html: string) => new Set(html.match(/class="[^"]*"/g)).size

/** The number of pages that no link has to lead to. */
const hiddenPages: Readonly<Record<string, number>> = { evolve: 5, 'iot-logic': 1 }

/** Anchors that are dead in the repositories themselves: written by hand, or left behind by a heading that was renamed. */
const deadAnchors: Readonly<Record<string, number>> = { elsa: 1, beefree: 13, evolve: 1, 'iot-logic': 3 }

test.for(names)('every page of %s opens, and whatever it leads to is there', { timeout: 180_000 }, async (name) => {
  const { base, pages: imported } = repositories.get(name) as PublishedRepository
  const found = await crawl(base)
  crawls.set(name, found)
  expect(found.failures).toEqual([])

  const isThere = ({ url, id }: { url: string; id: string }) => found.pages.get(url)?.ids.has(id) !== false
  const pages = [...found.pages.values()]
  const shown = new Set(pages.flatMap(({ html }) => /\sdata-page="([^"]*)"/.exec(html)?.[1] ?? []))
  expect(shown.size).toBeGreaterThanOrEqual(imported - (hiddenPages[name] ?? 0))
  expect(pages.flatMap(({ outline }) => outline).filter((one) => !isThere(one))).toEqual([])
  const dead = new Set(
    pages.flatMap(({ anchors }) => anchors.filter((one) => !isThere(one)).map(({ url, id }) => `${url}#${id}`)),
  )
  expect(dead.size).toBeLessThanOrEqual(deadAnchors[name] ?? 0)
})

test.for(names)(
  'pages of %s show everything without an error or a request to others',
  { timeout: 90_000 },
  async (name) => {
    const pages = [...(crawls.get(name) as Crawl).pages.values()].filter(({ html }) => html.startsWith('<!doctype'))
    const largest = pages.toSorted((one, other) => other.html.length - one.html.length).slice(0, 3)
    const richest = pages.toSorted((one, other) => kinds(other.html) - kinds(one.html)).slice(0, 3)
    const [first = '', ...rest] = new Set([...largest, ...richest].map(({ url }) => url))
    // Pictures that a repository takes from elsewhere are the only thing that is asked of others.
    const { page } = await browser.open(first, { mayAsk: (_, kind) => kind === 'image' })
    await picture(page, `corpus-${name}`)
    for (const url of rest) await page.goto(url)
  },
)

// The schema needs no browser, but importing these repositories again would take longer than the check.
const isOwn = (name: string) => ownRepositories.some((folder) => folder.name.startsWith(name))
test.for(names.filter((name) => !isOwn(name)))(
  'every revision and document of %s fits the public schema, and documents that are sent back change nothing',
  { timeout: 120_000 },
  async (name) => {
    const { spaces, pages } = repositories.get(name) as PublishedRepository
    let count = 0
    for (const spaceId of spaces) count += await checkSpace(octavo, spaceId)
    expect(count).toBe(pages)
  },
)
