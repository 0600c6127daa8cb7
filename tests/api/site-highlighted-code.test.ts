import { afterEach, beforeEach, expect, test } from 'vitest'
import { editLive, insertPage, writePage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { waitUntilSearchable, waitUntilDerived } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeEach(async () => {
  octavo = await startTestServer()
})
afterEach(() => octavo.stop())

const highlighted = (spaceId: string) => waitUntilDerived(octavo, 'highlight_states', spaceId)

const read = async (url: string) => (await fetch(url)).text()

const storedRows = (spaceId: string) =>
  octavo.server.app.database.reader
    .selectFrom('highlighted_code')
    .select(['page_id', 'html'])
    .where('space_id', '=', spaceId)
    .execute()

const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

test('the first visitor of a page gets code that is already highlighted', async () => {
  const { base, spaceId } = await publishPages(octavo, [
    insertPage(`# Start\n\n${code('ts', 'const answer = 42')}\n\n${code('mystery', 'left alone')}`),
  ])
  await highlighted(spaceId)
  await octavo.server.app.highlighter.close()
  const html = await read(base)
  expect(html).toContain('<span class="k">const</span> answer = <span class="n">42</span>')
  expect(html).toContain('left alone')
})

test('highlights code of reusable content on the pages that include it, and again when it changes', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [
    {
      operation: 'insert_reusable_content',
      title: 'Snippet',
      ref: 'snippet',
      document: { markdown: code('ts', 'let first') },
    },
    insertPage('# Start\n\n{% include "./snippet" %}'),
  ])
  const { reusableContents } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  const reusableContent = reusableContents[0]?.id ?? ''
  const [page = ''] = pages
  await highlighted(spaceId)
  await waitUntilSearchable(octavo, spaceId)
  expect(await storedRows(spaceId)).toEqual([{ page_id: page, html: '<span class="k">let</span> first' }])
  await editLive(octavo.admin, spaceId, {
    operation: 'update_reusable_content',
    reusableContent,
    document: { markdown: code('ts', 'let second') },
  })
  await highlighted(spaceId)
  await octavo.server.app.highlighter.close()
  expect(await read(base)).toContain('<span class="k">let</span> second')
})

test('updates the stored rows of changed pages and deletes those of deleted pages', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [
    insertPage(`# One\n\n${code('ts', 'let one')}`),
    insertPage(`# Two\n\n${code('ts', 'let two')}`, { slug: 'two' }),
  ])
  await highlighted(spaceId)
  const [one = '', two = ''] = pages
  expect((await storedRows(spaceId)).map(({ page_id: id }) => id).sort()).toEqual([one, two].sort())
  await editLive(octavo.admin, spaceId, writePage(one, `# One\n\n${code('ts', 'let changed')}`), {
    operation: 'delete_page',
    page: two,
  })
  await highlighted(spaceId)
  expect(await storedRows(spaceId)).toEqual([{ page_id: one, html: '<span class="k">let</span> changed' }])
  await octavo.server.app.highlighter.close()
  expect(await read(base)).toContain('<span class="k">let</span> changed')
})
