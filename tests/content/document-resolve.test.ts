import { expect, test } from 'vitest'
import { identify } from '../../src/content/document/identify.ts'
import { mergeDocuments } from '../../src/content/document/merge.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { resolveAllWith, resolveWith } from '../../src/content/document/resolve.ts'
import { Author, edited, keysOf, page, print, wordsOf } from '../support/edited-documents.ts'

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `Line ${at} has ${word}.`).join('\n\n')

function changed(base: Document, author: Author): Document {
  let document = base
  for (let change = 1; change <= 6; change++) document = author.change(document)
  return identify(base, document)
}

test('resolving all conflicts at once gives the same words as resolving them one by one', () => {
  let settled = 0
  for (let seed = 1; seed <= 60; seed++) {
    const base = new Author('b', seed).document(12)
    const [ours, theirs] = [changed(base, new Author('o', seed * 7)), changed(base, new Author('t', seed * 11))]
    const { document, conflicts } = mergeDocuments(base, ours, theirs)
    settled += conflicts.length
    for (const side of ['theirs', 'base'] as const) {
      const atOnce = resolveAllWith(document, conflicts, side)
      const oneByOne = conflicts.reduce((current, conflict) => resolveWith(current, conflict, side), document)
      expect(wordsOf(atOnce.nodes)).toEqual(wordsOf(oneByOne.nodes))
      expect(new Set(keysOf(atOnce)).size).toBe(keysOf(atOnce).length)
    }
  }
  expect(settled).toBeGreaterThan(20)
})

test('restores removed blocks in their original order', () => {
  const base = page(lines(40, 'nothing'))
  const ours = edited(base, 'Something else.')
  const theirs = edited(base, lines(40, 'more to say'))
  const { document, conflicts } = mergeDocuments(base, ours, theirs)
  expect(conflicts).toHaveLength(40)
  const resolved = print(resolveAllWith(document, conflicts, 'theirs'))
  expect(resolved.match(/^Line.*$/gm)).toEqual(lines(40, 'more to say').split('\n\n'))
})

// One pass over the document per conflict would exceed the test timeout.
test('resolves thousands of conflicts at once', () => {
  const count = 3000
  const base = page(lines(count, 'nothing'))
  for (const [ours, theirs] of [
    [edited(base, lines(count, 'ours')), edited(base, lines(count, 'theirs'))],
    [edited(base, 'Gone.'), edited(base, lines(count, 'theirs'))],
    [edited(base, lines(count, 'ours')), edited(base, 'Gone.')],
  ] as const) {
    const { document, conflicts } = mergeDocuments(base, ours, theirs)
    expect(conflicts.length).toBeGreaterThan(count / 2)
    const resolved = resolveAllWith(document, conflicts, 'theirs')
    expect(wordsOf(resolved.nodes)).not.toContain('ours.')
  }
})
