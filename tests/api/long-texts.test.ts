import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePageFile } from '../../src/content/markdown/parse-page-file.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { type Change, editLive, emptySpace, insertPage, propose, readLive, writePage } from '../support/content.ts'
import { upload } from '../support/files.ts'
import { readMarkdownAt, startImport } from '../support/imports.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { createZip } from '../support/zip.ts'

// Long Markdown is parsed in worker threads, before the transaction that stores it.

let octavo: TestServer
let spaceId: string
beforeAll(async () => {
  octavo = await startTestServer()
  spaceId = await emptySpace(octavo.admin)
})
afterAll(() => octavo.stop())

const edit = (...changes: Change[]) => editLive(octavo.admin, spaceId, ...changes)

/** Returns the Markdown of a page of about 200 KB. */
const long = (word: string) =>
  `# ${word}\n\n${Array.from({ length: 2000 }, (_, index) => `${word} ${index} is *said* in \`many\` words, at length, and again and again.\n`).join('\n')}`

test('stores a long page alone, with other pages and in a change request', async () => {
  const [first = '', second = ''] = await edit(
    insertPage(long('First'), { ref: 'first' }),
    insertPage('# Second\n\n[to the first](/pages/first)'),
  )
  const read = await readLive(octavo.admin, spaceId, first)
  expect(read.title).toBe('First')
  expect(read.markdown).toContain('First 1999 is _said_')
  expect((await readLive(octavo.admin, spaceId, second)).markdown).toContain('to the first')
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(writePage(first, long('Changed')))
  await proposal.merge()
  expect((await readLive(octavo.admin, spaceId, first)).markdown).toContain('Changed 1999')
})

test('rejects invalid front matter of a long page with 400 and its field, and stores nothing', async () => {
  const before = (await octavo.admin.api.getSpaceById({ params: { spaceId } })).revision
  const wrong = `---\nhidden: perhaps\n---\n\n${long('Wrong')}`
  expect(await refusal(edit(insertPage('# x'), insertPage(wrong)))).toBe('400 body.changes.1.document.markdown')
  expect((await octavo.admin.api.getSpaceById({ params: { spaceId } })).revision).toBe(before)
})

test('parsing a page with thousands of nested blocks does not block the event loop', async () => {
  const hostile = '{% hint %}\n\n'.repeat(33_000)
  const start = performance.now()
  parsePageFile(hostile, verbatimReferences)
  const onThisThread = performance.now() - start

  let [last, longest] = [performance.now(), 0]
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 2)
  // The page exceeds the maximum number of blocks, which is checked after parsing.
  expect(await refusal(edit(insertPage(hostile)))).toBe('413 body.changes.0.document')
  clearInterval(watch)
  expect(longest).toBeLessThan(onThisThread)
})

test('an import of long files resolves the links between them', async () => {
  const own = await emptySpace(octavo.admin)
  const names = Array.from({ length: 4 }, (_, index) => `page-${index}.md`)
  const files = names.map((name, index) => ({
    name,
    content: `${long(`Page ${index}`)}\n[next](${names[(index + 1) % names.length]}#part) [gone](gone.md)\n`,
    isDeflated: true,
  }))
  const key = await upload(octavo.admin, octavo.admin.organizationId, 'docs.zip', new Uint8Array(createZip(files)))
  const run = await (await startImport(octavo.admin, { type: 'file', files: [key] }, { space: own })).waitForEnd()
  expect(run).toMatchObject({ status: 'completed', importedResources: 4 })
  expect(run.warnings).toHaveLength(4)
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId: own } })
  const ids = new Map(pages.map(({ title, id }) => [title, id]))
  expect(await readMarkdownAt(octavo.admin, own, 'page-0')).toContain(`[next](/pages/${ids.get('Page 1')}#part)`)
})
