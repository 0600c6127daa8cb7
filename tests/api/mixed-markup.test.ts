import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { editLive, emptySpace, updatePage } from '../support/content.ts'
import { type Crawl, crawl } from '../support/crawl.ts'
import { exportTo, importFrom } from '../support/git.ts'
import type { GitServer, TestRepository } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import { publishSpaces } from '../support/published-sites.ts'
import type { TestServer } from '../support/server.ts'

// A repository that mixes Markdown with HTML written by people, generators and other exporters.

const folder = join(import.meta.dirname, '../repositories/harbor')

let octavo: TestServer
let server: GitServer
let repository: TestRepository
let spaceId: string
let base: string
let site: Crawl

gitServersForFile((started) => ({ octavo, server } = started))

beforeAll(async () => {
  repository = server.repository('harbor')
  repository.commitFolder(folder)
  spaceId = await emptySpace(octavo.admin, 'Harbor')
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  ;({ base } = await publishSpaces(octavo, [spaceId]))
  site = await crawl(base)
})

const read = async (path: string): Promise<string> => (await fetch(base + path)).text()

/** Returns the text of the page content as rendered, without code. */
function contentOf(html: string): string {
  const [, content = ''] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? []
  return content.replaceAll(/<(pre|code)\b[^]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, ' ')
}

test('exporting an unedited import changes nothing', async () => {
  const before = repository.tip()
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.tip()).toBe(before)
})

test('no page shows raw markup', () => {
  const shown = [...site.pages.values()].flatMap(({ url, html }) =>
    Array.from(
      contentOf(html)
        .replaceAll('&lt;YOUR_KEY', '')
        .matchAll(/.{0,40}(?:&lt;[/!a-z]|\{[%{:]|!!!|\?\?\?|style=|import ).{0,40}/gi),
      ([text]) => `${url.slice(base.length)}: ${text}`,
    ),
  )
  expect(shown).toEqual([])
  const formatting = contentOf(site.pages.get(`${base}getting-started/formatting`)?.html ?? '')
  expect(formatting).toContain('Last words.')
  expect(contentOf(site.pages.get(`${base}getting-started/setup/laptop`)?.html ?? '')).toContain('&lt;YOUR_KEY')
})

test('comments in the source files appear in no output and no search result of the site', async () => {
  const pages = [...site.pages.keys()].map((url) => url.slice(base.length))
  const markdown = pages.map((path) => (path === '' ? 'index.md' : `${path}.md`))
  const secret = /remark|slogan|to be confirmed|nobody<|may read|never shown|never \{/
  for (const path of [...pages, ...markdown, 'llms.txt', 'llms-full.txt', 'sitemap.xml']) {
    expect([path, secret.exec(await read(path))?.[0]]).toEqual([path, undefined])
  }
  for (const word of ['marketing', 'slogan', 'confirmed']) {
    expect(await read(`~search?q=${word}`)).not.toMatch(/<mark/)
  }
})

test('no page has broken links or anchors', () => {
  expect(site.failures).toEqual([])
  const dead = [...site.pages.values()].flatMap(({ anchors }) =>
    anchors.filter(({ url, id }) => site.pages.get(url)?.ids.has(id) === false).map(({ url, id }) => `${url}#${id}`),
  )
  expect(dead).toEqual([])
  expect([...site.pages.values()].map(({ html }) => html).join('\n')).not.toContain('/broken/')
})

test('the sidebar shows the titles of SUMMARY.md and omits groups without pages', async () => {
  const html = site.pages.get(base)?.html ?? ''
  const [, sidebar = ''] = /<nav[^>]*aria-label="Pages"[^>]*>([^]*?)<\/nav>/.exec(html) ?? []
  const text = sidebar.replaceAll(/<[^>]*>/g, '\n')
  for (const label of ['Welcome', 'Release notes', 'Getting started', 'Install', 'First ship', 'Link targets']) {
    expect(text).toContain(label)
  }
  expect(text).not.toContain('Empty for now')
  expect(text).not.toContain('Prerequisites')
  expect(await read('getting-started/setup')).toMatch(/<h1[^>]*>(?:<[^>]*>)*Prerequisites/)
})

type Json = unknown

const pagesIn = (pages: readonly RevisionPage[]): RevisionPage[] =>
  pages.flatMap((page) => [page, ...('pages' in page ? pagesIn(page.pages) : [])])

/** Replaces a text in the document of a page, exports the space, and returns the lines of the diff. */
async function changedLines(path: string, from: string, to: string): Promise<string[]> {
  const params = { spaceId }
  const { pages } = await octavo.admin.api.listPages({ params })
  const page = pagesIn(pages).find((one) => 'git' in one && one.git?.path === path)
  const pageId = page?.id ?? ''
  const reply = await octavo.fetch(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`, {
    token: octavo.admin.token,
  })
  const { document } = (await reply.json()) as { document: Json }
  const before = JSON.stringify(document)
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  await editLive(octavo.admin, spaceId, updatePage(pageId, { document: { document: JSON.parse(after) as Json } }))
  const tip = repository.tip() as string
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  return repository
    .git(['diff', '--unified=0', tip, 'main'])
    .split('\n')
    .filter((line) => /^[+-](?![+-]{2} )/.test(line))
}

test('notations of other tools become blocks', () => {
  const { html = '' } = site.pages.get(`${base}getting-started/other-tools`) ?? {}
  const text = contentOf(html).replaceAll(/\s+/g, ' ')
  for (const words of [
    'Low bridge',
    'The gate opens',
    'By day',
    'Fly a flag.',
    'Sailing ships',
    'Have the papers',
    'Pilots are free.',
    'on request',
  ])
    expect(text).toContain(words)
  expect(html).toMatch(/<td[^>]*>(?:<[^>]*>|\s)*North pier/)
  expect(html).toMatch(/<li[^>]*>(?:<[^>]*>|\s)*Moor the ship\.[^]*Use four ropes\.[^]*<\/li>/)
})

test.each<[path: string, from: string, to: string, lines: string[]]>([
  [
    'guides/other-tools.md',
    '"the pier"',
    '"the old pier"',
    [
      '-See [the pier][] and <https://harbor.example/map>, and',
      '+See [the old pier][the pier] and <https://harbor.example/map>, and',
    ],
  ],
  [
    'guides/other-tools.md',
    'before noon',
    'before one',
    ['-write to *crew@harbor.example* before noon.', '+write to *crew@harbor.example* before one.'],
  ],
  ['guides/other-tools.md', 'wait outside', 'wait', ['-    wait outside.', '+    wait.']],
  ['guides/other-tools.md', 'Low bridge', 'Bridge', ['-!!! warning "Low bridge"', '+!!! warning "Bridge"']],
  ['guides/other-tools.md', 'By night', 'At night', ['-=== "By night"', '+=== "At night"']],
  ['guides/other-tools.md', 'Show a ', 'Show one ', ['-    Show a *lamp*.', '+    Show one *lamp*.']],
  ['guides/other-tools.md', 'Slow down', 'Stop', ['-Slow down.', '+Stop.']],
  ['guides/other-tools.md', 'four ropes', 'six ropes', ['-Use four ropes.', '+Use six ropes.']],
  ['guides/other-tools.md', 'Deep, ', 'Narrow, ', ['-Deep, __lit__', '+Narrow, __lit__']],
  ['guides/other-tools.md', 'Fuel', 'Oil', ['-<li>Fuel</li>', '+<li>Oil</li>']],
  [
    'changes.md',
    '"down"',
    '"idle"',
    ['-| south | down  | waits for `a | b` |', '+| south | idle  | waits for `a | b` |'],
  ],
  [
    'changes.md',
    'Runs again.',
    'Runs.',
    ['-| north | up    | <p>Inspected.</p><p>Runs again.</p> |', '+| north | up    | <p>Inspected.</p><p>Runs.</p> |'],
  ],
  ['changes.md', 'a first note', 'a new note', ['-- a first note', '+- a new note']],
  ['changes.md', 'crane --open', 'crane --wide', ['-        crane --open', '+        crane --wide']],
  ['changes.md', 'Both cranes are', 'All are', ['-Both cranes are **tested**.', '+All are **tested**.']],
  [
    'README.md',
    'Prices start',
    'The prices start',
    [
      '-\\[New] Prices start at **$5**, and `a || b` is an expression. <!-- price to be confirmed -->',
      '+\\[New] The prices start at **$5**, and `a || b` is an expression. <!-- price to be confirmed -->',
    ],
  ],
  ['README.md', 'Done!', 'Finished!', ['-Harbor loads ships. Done!<br>', '+Harbor loads ships. Finished!<br>']],
  [
    'guides/first-ship.md',
    'Draw them',
    'Sketch them',
    [
      '-Draw them <i>first</i>, <b>then</b> build. <small>Nobody does.</small>',
      '+Sketch them <i>first</i>, <b>then</b> build. <small>Nobody does.</small>',
    ],
  ],
  [
    'guides/formatting.md',
    'A quote with',
    'One quote with',
    ['-> - A quote with a list', '+> - One quote with a list'],
  ],
  ['guides/wrappers.md', '"one"', '"six"', ['-| one  | two   |', '+| six  | two   |']],
  ['guides/wrappers.md', 'A paragraph, and', 'Some words, and', ['-A paragraph, and', '+Some words, and']],
  [
    'setup/README.md',
    'Builders read',
    'Those read',
    [
      '-  Builders read [the plans](../guides/first-ship.md#plans).',
      '+  Those read [the plans](../guides/first-ship.md#plans).',
    ],
  ],
  ['reference/tables.md', '"more"', '"less"', ['-| `a || b` | text | more |', '+| `a || b` | text | less |']],
])('an edit in %s changes only the line that contains %s', async (path, from, to, lines) => {
  expect(await changedLines(path, from, to)).toEqual(lines)
})
