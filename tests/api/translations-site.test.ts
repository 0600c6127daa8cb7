import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, insertPage, writePage } from '../support/content.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { searchTitles, waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { reverseWords, translatedSpace, waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

async function text(url: string): Promise<string> {
  const reply = await fetch(url)
  expect([url, reply.status]).toEqual([url, 200])
  return reply.text()
}

const alternatesIn = (html: string) =>
  Array.from(
    html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g),
    ([, language, href]) => `${language} ${href}`,
  )

test('a site shows a space and its translations as variants in their languages', async () => {
  const { admin } = octavo
  const params = { organizationId: admin.organizationId }
  const translated = await translatedSpace(octavo, [
    insertPage('Read [the guide](./guide.md).', { title: 'Home', slug: 'home', ref: 'home' }),
    insertPage('## Install it\n\nThe walkers walk.', { title: 'Guide', slug: 'guide', ref: 'guide' }),
  ])
  translated.engine.translateWith((source) => reverseWords(source).replace(' klaw', ' الكتابة'))
  const body = { language: 'ar', source: { space: translated.sourceId, language: 'en' } } as const
  const { id } = await admin.api.createTranslation({ params, body })
  const arabic = (await waitForTranslation(admin, id)).result?.space ?? ''
  const french = translated.translation.result?.space ?? ''
  const source = await admin.api.getSpaceById({ params: { spaceId: translated.sourceId } })
  expect(source.language).toBe('en')

  const { base, params: ofSite } = await publishSpaces(octavo, [translated.sourceId, french, arabic])
  const { items } = await admin.api.listSiteSpaces({ params: ofSite })
  const [first = '', second = '', third = ''] = items.map(({ urls }) => urls.published ?? '')
  const english = await text(`${first}guide`)
  const inFrench = await text(`${second}guide`)
  const inArabic = await text(`${third}guide`)
  const links = [`en ${first}guide`, `x-default ${first}guide`, `fr ${second}guide`, `ar ${third}guide`]
  expect(alternatesIn(english)).toEqual(links)
  expect(alternatesIn(inFrench)).toEqual(links)
  expect(alternatesIn(inArabic)).toEqual(links)
  expect(inFrench).toMatch(/<html lang="fr"/)
  expect(inFrench).not.toMatch(/<html[^>]* dir="rtl"/)
  expect(inArabic).toMatch(/<html lang="ar" dir="rtl"/)
  expect(english).toContain('<span>Français</span>')
  expect(base).toBe(first)

  // Links inside the translation lead to its own pages, and anchors are those of the source.
  expect(await text(second)).toContain(`href="${new URL(second).pathname}guide"`)
  expect(inFrench).toContain('id="install-it"')

  await waitUntilSearchable(octavo, french)
  expect(await searchTitles(admin, french, 'srekla')).toEqual(['ediuG'])
  expect(await searchTitles(admin, french, 'walkers')).toEqual([])
  await waitUntilSearchable(octavo, arabic)
  expect(await searchTitles(admin, arabic, 'الكتابة')).toEqual(['ediuG'])
})

test('files and references of the source work in the translation', async () => {
  const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'Home' })])
  const { admin } = octavo
  const { pages } = await admin.api.getCurrentRevision({ params: { spaceId: translated.sourceId } })
  const page = pages[0]?.id ?? ''
  const file = { name: 'note.txt', contentType: 'text/plain', base64: btoa('Some bytes'), ref: 'note' }
  await editLive(
    admin,
    translated.sourceId,
    { operation: 'insert_files', files: [file] },
    { operation: 'insert_reusable_content', title: 'Part', ref: 'part', document: { markdown: 'Shared words.' } },
    writePage(page, '{% file src="./note" %}\nA caption\n{% endfile %}'),
  )
  expect((await translated.run()).failure).toBeUndefined()
  const spaceId = translated.translation.result?.space ?? ''
  const [source, result] = [
    await admin.api.getCurrentRevision({ params: { spaceId: translated.sourceId } }),
    await admin.api.getCurrentRevision({ params: { spaceId } }),
  ]
  expect(result.files.map(({ id, name, size }) => [id, name, size])).toEqual(
    source.files.map(({ id, name, size }) => [id, name, size]),
  )
  expect(result.reusableContents).toMatchObject([{ id: source.reusableContents[0]?.id, title: 'traP' }])
  expect(await translated.read(page)).toContain('A noitpac')
  const { base } = await publishSpaces(octavo, [spaceId])
  const href = /href="([^"]*note\.txt[^"]*)"/.exec(await text(base))?.[1] ?? ''
  expect(await text(new URL(href.replaceAll('&amp;', '&'), base).href)).toBe('Some bytes')
})
