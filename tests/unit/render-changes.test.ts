import { expect, test } from 'vitest'
import { everyBlock } from '../../src/content/document/walk.ts'
import { compareDocuments } from '../../src/render/changes.ts'
import { edited, page, wordsOf } from '../support/edited-documents.ts'

test('what is compared holds all that is there now and all that was, however much came and went', () => {
  const count = 2000
  const lines = (word: string) =>
    Array.from({ length: count }, (_, index) => `${word}${index} ${word}x${index}`).join('\n\n')
  const before = page(`Begin\n\n${lines('old')}\n\nEnd`)
  const after = edited(before, `Begin\n\nMiddle\n\n${lines('new')}\n\nEnd`)
  const begun = performance.now()
  const { document, counts } = compareDocuments(before, after)
  expect(performance.now() - begun).toBeLessThan(3000)
  const shown = wordsOf(document.nodes)
  const missing = [...wordsOf(before.nodes), ...wordsOf(after.nodes)].filter((word) => !shown.has(word))
  expect(missing).toEqual([])
  expect(counts).toEqual({ added: count + 1, changed: 0, removed: count })
  const keys = Array.from(everyBlock(document), ({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(compareDocuments(after, after)).toMatchObject({
    document: after,
    counts: { added: 0, changed: 0, removed: 0 },
  })
})
