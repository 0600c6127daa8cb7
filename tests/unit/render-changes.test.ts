import { expect, test } from 'vitest'
import { walkBlocks } from '../../src/content/document/walk.ts'
import { compareDocuments } from '../../src/render/changes.ts'
import { renderDocument } from '../../src/render/document.ts'
import { trusted } from '../../src/render/html.ts'
import { expectLinear } from '../support/growth.ts'
import { createRenderContext } from '../support/render-context.ts'
import { parseEdited, parseWithKeys, collectWords } from '../support/edited-documents.ts'

/** Returns paragraphs of two words each that have no word in common with those of another `word`. */
const linesOf = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word}${index} ${word}x${index}`).join('\n\n')

test('compares documents without a common block in linear time', () => {
  const versions = new Map(
    [500, 2000].map((count) => {
      const before = parseWithKeys(linesOf('old', count))
      return [count, [before, parseEdited(before, linesOf('new', count))] as const]
    }),
  )
  return expectLinear(500, (count) =>
    compareDocuments(...(versions.get(count) ?? [parseWithKeys(''), parseWithKeys('')])),
  )
})

test('a comparison contains all blocks of both versions, with unique keys', async () => {
  const count = 2000
  const lines = (word: string) => linesOf(word, count)
  const before = parseWithKeys(`Begin\n\n${lines('old')}\n\nEnd`)
  const after = parseEdited(before, `Begin\n\nMiddle\n\n${lines('new')}\n\nEnd`)
  const { document, counts } = await compareDocuments(before, after)
  const shown = collectWords(document.nodes)
  const missing = [...collectWords(before.nodes), ...collectWords(after.nodes)].filter((word) => !shown.has(word))
  expect(missing).toEqual([])
  expect(counts).toEqual({ added: count + 1, changed: 0, removed: count })
  const keys = Array.from(walkBlocks(document), ({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(await compareDocuments(after, after)).toMatchObject({
    document: after,
    counts: { added: 0, changed: 0, removed: 0 },
  })
})

const code = (...lines: string[]) => ['```js', ...lines, '```'].join('\n')

const highlighted = (text: string) => text.split('\n').map((line) => trusted(`<i>${line}</i>`))

test('marks added and removed lines of code and keeps the highlighting of current lines', async () => {
  const before = parseWithKeys(code('one()', 'two()', 'three()', 'four()'))
  const { document, changes } = await compareDocuments(
    before,
    parseEdited(before, code('one()', 'zwei()', 'four()', 'five()')),
  )
  const html = renderDocument(document, createRenderContext({ changes, highlighted })).text
  expect(/<code>(.*)<\/code>/s.exec(html)?.[1]?.trimEnd().split('\n')).toEqual([
    '<span class="line"><i>one()</i></span>',
    '<del class="line">two()</del>',
    '<del class="line">three()</del>',
    '<ins class="line"><i>zwei()</i></ins>',
    '<span class="line"><i>four()</i></span>',
    '<ins class="line"><i>five()</i></ins>',
  ])
})

const titled = (title: string) => parseWithKeys(`{% code title="${title}" %}\n\`\`\`js\none()\n\`\`\`\n{% endcode %}`)

test('marks no lines of code when only the title has changed', async () => {
  const { document, changes } = await compareDocuments(titled('a'), titled('b'))
  expect(renderDocument(document, createRenderContext({ changes })).text).not.toMatch(/<(?:ins|del) class="line"/)
})

test('marks a very long text as replaced if it changed', async () => {
  const long = 'word '.repeat(5000)
  const before = parseWithKeys(`${long}old`)
  const { document, changes } = await compareDocuments(before, parseEdited(before, `${long}new`))
  const html = renderDocument(document, createRenderContext({ changes })).text
  expect(html).toMatch(/<del>(?:word )+old<\/del><ins>(?:word )+new<\/ins>/)
})
