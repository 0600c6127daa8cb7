import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Change,
  editLive,
  emptySpace,
  insertPage,
  readLive,
  sendContent,
  updatePage,
  writePage,
} from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let spaceId: string
let page: string
beforeAll(async () => {
  octavo = await startTestServer()
  spaceId = await emptySpace(octavo.admin)
  ;[page = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# Page\n\nText', { ref: 'p' }),
    insertPage('# Sub', { into: 'p' }),
  )
})
afterAll(() => octavo.stop())

const edit = (...changes: Change[]) => editLive(octavo.admin, spaceId, ...changes)
const head = async () => (await octavo.admin.api.getSpaceById({ params: { spaceId } })).revision

const send = (body: string | Uint8Array<ArrayBuffer>) => sendContent(octavo, spaceId, body)

const paragraph = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})
const documentOf = (nodes: unknown[]) => ({ document: { object: 'document', data: {}, nodes } })
const nested = (depth: number) => {
  let block: object = paragraph('x')
  for (let level = 1; level < depth; level++) block = { object: 'block', type: 'blockquote', nodes: [block] }
  return documentOf([block])
}

describe('documents', () => {
  const tooLarge: [string, object][] = [
    ['Markdown of more than 1 MB', { markdown: 'x'.repeat(1024 ** 2 + 1) }],
    ['a text of more than 1 MB', { markdown: 'ä'.repeat(600_000) }],
    ['more than 10,000 blocks in Markdown', { markdown: 'x\n\n'.repeat(10_001) }],
    ['more than 10,000 blocks', documentOf(Array.from({ length: 10_001 }, () => paragraph('')))],
    ['blocks nested deeper than 50', nested(51)],
    ['more than 1 MB in one block', documentOf([paragraph('x'.repeat(1024 ** 2 + 1))])],
  ]

  test.each(tooLarge)('with %s are rejected with 413', async (_, document) => {
    const before = await head()
    const field = 'markdown' in document ? 'document' : 'document.document'
    expect(await refusal(edit(insertPage('# x'), updatePage(page, { document })))).toBe(`413 body.changes.1.${field}`)
    expect(await head()).toBe(before)
  })

  test('are accepted with 10,000 blocks or 50 levels of nesting', async () => {
    const own = await emptySpace(octavo.admin)
    const [full = '', deep = ''] = await editLive(
      octavo.admin,
      own,
      insertPage('', { title: 'Full', document: documentOf(Array.from({ length: 10_000 }, () => paragraph('x'))) }),
      insertPage('', { title: 'Deep', document: nested(50) }),
    )
    expect((await readLive(octavo.admin, own, full)).markdown).toHaveLength('# Full\n\n'.length + 3 * 10_000 - 1)
    expect((await readLive(octavo.admin, own, deep)).markdown).toContain(`${'> '.repeat(49)}x`)
  })

  test.each([
    ['quotes', '>'.repeat(10_000)],
    ['lists', '- '.repeat(10_000)],
    ['numbered lists', '1. '.repeat(10_000)],
    ['lists with many blanks', `${'-   '.repeat(10_000)}x`],
    ['backticks in a row', `${'`'.repeat(100_000)}a\``],
    ['colons', ':a'.repeat(10_000)],
    ['attributes', `{% a ${'a'.repeat(100_000)} %}`],
    ['brackets', '['.repeat(10_000)],
    ['links', '[a]('.repeat(10_000)],
    ['images', '!['.repeat(10_000) + ']()'.repeat(10_000)],
    ['emphasis', '*a _b '.repeat(10_000)],
    ['tags', '{% hint %}\n'.repeat(10_000)],
    ['tags of one line', '{% if a %}'.repeat(10_000)],
    ['details', '<details>\n'.repeat(10_000)],
    ['backticks', Array.from({ length: 1000 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['entities', '&'.repeat(100_000)],
    ['comments', '<!--'.repeat(10_000)],
    [
      'footnotes',
      Array.from({ length: 500 }, (_, index) => `[^${index}]: [^${index + 1}][^${index + 1}]`).join('\n\n'),
    ],
    ['YAML', `---\na: ${'['.repeat(10_000)}\n---\n`],
    [
      'aliases',
      `---\n${Array.from({ length: 30 }, (_, index) => `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`).join('\n')}\n---\n`,
    ],
    ['expressions', `{% if ${'('.repeat(10_000)} %}\n\nx\n\n{% endif %}`],
    ['a table', `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n`],
  ])('with pathological Markdown (%s) are parsed or rejected within the test timeout', async (_, markdown) => {
    const status = await send(JSON.stringify({ changes: [writePage(page, markdown)] }))
    expect(status).toMatch(/^(200|400 body\.changes\.0\.document\.markdown|413 body\.changes\.0\.document)$/)
    if (status === '200') await readLive(octavo.admin, spaceId, page)
  })

  test('store unsupported HTML and scripts as text', async () => {
    const dangerous = [
      '<script>alert(1)</script>',
      'a <script>alert(2)</script> b',
      '<img src=x onerror=alert(3)>',
      '<iframe src="javascript:alert(4)"></iframe>',
      '<svg/onload=alert(5)>',
    ]
    const own = await emptySpace(octavo.admin)
    const [id = ''] = await editLive(octavo.admin, own, insertPage(dangerous.join('\n\n'), { title: 'T' }))
    const params = { spaceId: own, pageId: id }
    const read = await octavo.admin.api.getPageById({ params, query: { format: 'document' } })
    const document = 'document' in read ? read.document : undefined
    const texts = JSON.stringify(document)
    for (const number of [1, 2, 4, 5]) expect(texts).toContain(`alert(${number})`)
    const types = new Set(document?.nodes.map(({ type }) => type))
    for (const type of types) expect(['paragraph', 'images']).toContain(type)
    // Parsing the printed Markdown again produces the same document: no text becomes markup.
    const { markdown, documentId } = await readLive(octavo.admin, own, id)
    await editLive(octavo.admin, own, writePage(id, markdown as string))
    expect((await readLive(octavo.admin, own, id)).documentId).toBe(documentId)
  })
})

test('the server answers other requests while it applies a list of long documents', async () => {
  const long = `# Long\n\n${'Words of a paragraph.\n\n'.repeat(1500)}`
  const inserted = edit(...Array.from({ length: 15 }, () => insertPage(long)))
  const progress = { isDone: false }
  void inserted.finally(() => Object.assign(progress, { isDone: true }))
  let answered = 0
  for (; !progress.isDone; answered++) await head()
  expect(await inserted).toHaveLength(15)
  // A blocked event loop would answer only one request before and one after the edit.
  expect(answered).toBeGreaterThan(5)
})

test('a list of documents over the total limit is rejected with 413 and changes nothing', async () => {
  const before = await head()
  const full = `# Full\n\n${'x\n\n'.repeat(9000)}`
  const changes = Array.from({ length: 25 }, () => insertPage(full))
  expect(await send(JSON.stringify({ changes }))).toMatch(/^413/)
  expect(await head()).toBe(before)
})
