import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, propose, readLive, updatePage, writePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const says = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})

const same = 'Repeat the step above.'

describe('merging the deletion of one of three identical items with a live edit of the second', () => {
  test.each<[string, (texts: readonly string[]) => string]>([
    ['paragraphs', (texts) => texts.join('\n\n')],
    ['list items', (texts) => texts.map((text) => `* ${text}`).join('\n')],
    [
      'table rows',
      (texts) => ['| Name | Note |', '| --- | --- |', ...texts.map((text) => `| ${text} | n |`)].join('\n'),
    ],
    ['code lines', (texts) => ['```', ...texts, '```'].join('\n')],
  ])('keeps both changes or reports a conflict for %s', async (_, write) => {
    for (const edit of ['Repeat the second step above.', 'Other words.']) {
      const spaceId = await emptySpace(octavo.admin)
      const [page = ''] = await editLive(octavo.admin, spaceId, insertPage(`# Page\n\n${write([same, same, same])}`))
      const request = await propose(octavo.admin, spaceId)
      await request.edit(writePage(page, write([same, same])))
      await editLive(octavo.admin, spaceId, writePage(page, write([same, edit, same])))
      const { result } = await request.merge()
      const { markdown = '' } = await readLive(octavo.admin, spaceId, page)
      const count = (text: string) => markdown.split(text).length - 1
      // Either the merge applies both changes, or it changes nothing and reports a conflict.
      expect([result, count(same), count(edit)]).toEqual(result === 'merge' ? ['merge', 1, 1] : ['conflicts', 2, 1])
    }
  })
})

describe('a table with a row deleted in its JSON document', () => {
  test('is unchanged when its Markdown is written back', async () => {
    const spaceId = await emptySpace(octavo.admin)
    const rows = ['| a | b |', '| --- | --- |', '| 1 | 2 |', '| 3 | 4 |', '| 5 | 6 |'].join('\n')
    const [pageId = ''] = await editLive(octavo.admin, spaceId, insertPage(`# Page\n\n${rows}`))
    const params = { spaceId, pageId }
    const documentOf = async () => {
      const page = await octavo.admin.api.getPageById({ params, query: { format: 'document' } })
      return ('document' in page ? page.document : undefined) as unknown as {
        nodes: { data: { records: Record<string, unknown> } }[]
      }
    }
    const document = await documentOf()
    const { records } = document.nodes[0]?.data ?? { records: {} }
    delete records[Object.keys(records)[1] ?? '']
    await editLive(octavo.admin, spaceId, updatePage(pageId, { document: { document } }))
    const before = await documentOf()
    const { markdown = '' } = await readLive(octavo.admin, spaceId, pageId)
    expect(markdown).not.toContain('3')
    await editLive(octavo.admin, spaceId, writePage(pageId, markdown))
    expect((await documentOf()).nodes[0]?.data).toEqual(before.nodes[0]?.data)
  })
})

test('an expandable title of two paragraphs is rejected with 400 at the second paragraph', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const expandable = (...title: object[]) => ({
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'expandable',
        isVoid: true,
        data: {},
        fragments: [
          { object: 'fragment', type: 'expandable-title', nodes: title },
          { object: 'fragment', type: 'expandable-body', nodes: [says('Body')] },
        ],
      },
    ],
  })
  const insert = (document: object) =>
    editLive(octavo.admin, spaceId, { operation: 'insert_page', title: 'Page', document: { document } })
  expect(await refusal(insert(expandable(says('One'), says('Two'))))).toMatch(
    /^400 body\.changes\.0\.document\.document\.nodes\.0\.fragments\.0\.nodes\.1$/,
  )
  const [page = ''] = await insert(expandable(says('One')))
  expect((await readLive(octavo.admin, spaceId, page)).markdown).toContain('<summary>One</summary>')
})
