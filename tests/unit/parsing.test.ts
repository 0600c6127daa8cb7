import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { DocumentTooLargeError } from '../../src/content/document/limits.ts'
import { parsePageFile } from '../../src/content/markdown/parse-page-file.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import type { LongTextSettings } from '../../src/content/repository/import-texts.ts'
import { type ListedContent, importRepository } from '../../src/content/repository/import.ts'
import { MarkdownParser, UnparsableError } from '../../src/parsing/parse.ts'
import { testRepositories } from '../support/repositories.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'

const parser = new MarkdownParser()
const hasty = new MarkdownParser(1)
afterAll(() => Promise.all([parser.close(), hasty.close()]))

const longTexts = (maxLength: number, by = parser): LongTextSettings => ({
  maxLength,
  maxCount: Infinity,
  parse: by.parseFile,
})

interface Options {
  longTexts?: LongTextSettings
  objects?: CountingObjects
  before?: ListedContent
}

async function imported(files: Record<string, string>, { objects = new CountingObjects(), ...options }: Options = {}) {
  let ids = 0
  // A second import must not reuse the ids of existing pages for new ones.
  const newId = () => `${options.before ? 'new' : 'id'}${ids++}`
  const now = '2026-01-01T00:00:00.000Z'
  return importRepository(objects, new MemoryFolder(files), { newId, now, ...options })
}

const files = {
  'SUMMARY.md':
    '# Table of contents\n\n* [One](README.md)\n* [Two](two.md)\n* [Three](three.md)\n* [Cells](cells.md)\n',
  'README.md':
    '---\ndescription: First\nhidden: 7\n---\n\n# One\n\n[two](two.md#a), [gone](gone.md), [gone](gone.md) and [web](https://a.b/c)\n\n![p](p.png)\n',
  'two.md': '# Two\n\n{% content-ref url="README.md" %}\n{% endcontent-ref %}\n\n{% include "three.md" %}\n',
  'three.md': 'No links at all.\n\n{% hint style="info" %}\nA[^1]\n{% endhint %}\n\n[^1]: Note\n',
  'p.png': 'bytes',
  'cells.md':
    '<table><thead><tr><th data-type="files"></th><th data-type="users"></th><th data-type="content-ref"></th></tr></thead><tbody><tr><td><a href="p.png">p</a></td><td><a href="/users/u1">u</a></td><td><a href="two.md">t</a></td></tr></tbody></table>\n\n<img src="p.png" alt="">\n',
}

test('parsing in a thread gives the same result as parsing directly', async () => {
  const text = `# Title\n\n${'A *word* and a [link](other.md#part).\n\n'.repeat(2000)}`
  expect(await parser.parse(text)).toEqual(parsePageFile(text, verbatimReferences))
})

test('parse rejects a text with too many blocks for a document, but parseFile accepts it', async () => {
  const text = 'A\n\n'.repeat(10_001)
  await expect(parser.parse(text)).rejects.toThrow(DocumentTooLargeError)
  await expect(parser.parse(text.slice(0, -3))).resolves.toMatchObject({ title: undefined })
  expect(await parser.parseFile({ text, previous: undefined, isExtracted: false }, () => [])).not.toHaveProperty(
    'problem',
  )
})

test('an import that parses all texts in threads gives the same content and problems', async () => {
  const direct = await imported(files)
  expect(direct.problems.length).toBeGreaterThan(2)
  expect(await imported(files, { longTexts: longTexts(0) })).toEqual(direct)
})

test('blocks of a changed text get the same keys when parsed in a thread or directly', async () => {
  const edited = { ...files, 'three.md': `A new paragraph, [two](two.md).\n\n${files['three.md']}` }
  const importTwice = async (options: { longTexts?: LongTextSettings }) => {
    const objects = new CountingObjects()
    const before = await imported(files, { objects, ...options })
    return imported(edited, { objects, before, ...options })
  }
  expect(await importTwice({ longTexts: longTexts(0) })).toEqual(await importTwice({}))
})

test('an import with many texts parses all of them in threads', async () => {
  const parsed: string[] = []
  const parse: LongTextSettings['parse'] = (file, resolve) => {
    parsed.push(file.text)
    return parser.parseFile(file, resolve)
  }
  const direct = await imported(files)
  expect(await imported(files, { longTexts: { maxLength: 1000, maxCount: 10, parse } })).toEqual(direct)
  expect(parsed).toEqual([])
  expect(await imported(files, { longTexts: { maxLength: 1000, maxCount: 3, parse } })).toEqual(direct)
  expect(parsed.length).toBe(4)
})

test('an import parses only a limited number of characters ahead', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `page-${index}.md`)
  const summary = `# Table of contents\n\n${names.map((name) => `* [Page](${name})\n`).join('')}`
  const large = Object.fromEntries(names.map((name) => [name, 'a '.repeat(450_000)]))
  let [unfinished, most] = [0, 0]
  const parse: LongTextSettings['parse'] = async ({ text }) => {
    unfinished += text.length
    most = Math.max(most, unfinished)
    await nextTurn()
    unfinished -= text.length
    return { problem: 'is not parsed in this test' }
  }
  const { pages } = await imported(
    { ...large, 'SUMMARY.md': summary },
    { longTexts: { maxLength: 0, maxCount: 0, parse } },
  )
  expect(pages).toBe(6)
  expect(most).toBeLessThan(3_000_000)
})

test.each(testRepositories().slice(0, 4))(
  'an import of the repository $name gives the same content when parsed in threads',
  async ({ path }) => {
    const texts = Object.fromEntries(
      readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => [name, readFileSync(join(path, name), 'utf8')]),
    )
    expect(await imported(texts, { longTexts: longTexts(0) })).toEqual(await imported(texts))
  },
)

test('an import skips a text that takes too long to parse and reports the file', async () => {
  const large = `# Large\n\n${'- *a* `b`\n'.repeat(50_000)}`
  await expect(hasty.parse(large)).rejects.toThrow(UnparsableError)
  const { problems, pages } = await imported({ ...files, 'three.md': large }, { longTexts: longTexts(16_384, hasty) })
  expect(pages).toBe(4)
  expect(problems.filter(({ file }) => file === 'three.md')).toEqual([
    { file: 'three.md', message: 'takes longer than 0.001 seconds to parse and was skipped' },
  ])
})
