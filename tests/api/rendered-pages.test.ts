import { createCanvas } from '@napi-rs/canvas'
import { parseHTML } from 'linkedom'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RenderedPage } from '../../src/contract/rendered.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { documentWithEveryBlock } from '../support/every-block.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

// Pages as HTML, for the web app.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const readPage = (spaceId: string, pageId: string, api = octavo.admin.api): Promise<RenderedPage> =>
  api.getRenderedPageById({ params: { spaceId, pageId }, query: {} })

/**
 * Returns the content of an element without what depends on where it is shown: URLs, keys of blocks, links to feeds, and content
 * with a condition, which visitors do not see.
 */
function comparableContent(html: string, selector: string): string {
  const { document } = parseHTML(html)
  const content = document.querySelector(selector) as HTMLElement
  for (const element of content.querySelectorAll('.subscribe, .condition')) element.remove()
  for (const element of content.querySelectorAll('*'))
    for (const name of ['href', 'data-src', 'data-block', 'data-block-text']) element.removeAttribute(name)
  return content.innerHTML.replaceAll('<', '\n<')
}

test('shows every type of block as the published site does, with the keys of blocks', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const [page = ''] = await editLive(admin, spaceId, insertPage('# Home\n\n## One\n\nText.'))
  const drawing = await createCanvas(640, 360).encode('png')
  const [light, dark, text] = await addFiles(
    admin,
    spaceId,
    inlineFile('light.png', drawing, 'image/png'),
    inlineFile('dark.png', drawing, 'image/png'),
    inlineFile('notes.txt', 'Notes'),
  )
  const document = documentWithEveryBlock({
    page,
    light: light?.id ?? '',
    dark: dark?.id ?? '',
    document: text?.id ?? '',
    user: admin.id,
    reusableContent: 'absent',
  })
  const [everything = ''] = await editLive(admin, spaceId, {
    operation: 'insert_page',
    title: 'Everything',
    slug: 'everything',
    document: { document },
  })
  const site = await publishSpaces(octavo, [spaceId])
  const rendered = await waitUntil(async () => {
    const page = await readPage(spaceId, everything)
    return page.complete ? page : undefined
  }, 'all code is highlighted')
  // A preview marks broken links, like the web app.
  await propose(admin, spaceId)
  const query = { target: `${site.base}~/changes/1/everything`, draft: 'true' as const }
  const preview = await admin.api.getSitePublishingPreviewById({ params: site.params, query })
  const published = comparableContent(await new CookieClient().text(preview.url), '.content')
  expect(published).toContain('What others show')
  expect(comparableContent(`<main>${rendered.html}</main>`, 'main')).toBe(published)
})
