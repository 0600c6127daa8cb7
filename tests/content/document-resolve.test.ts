import { expect, test } from 'vitest'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import { mergeDocuments } from '../../src/content/document/merge.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import {
  resolveDocumentConflicts,
  resolveDocumentConflict,
} from '../../src/content/document/resolve-document-conflicts.ts'
import {
  DocumentEditor,
  parseEdited,
  collectKeys,
  parseWithKeys,
  printDocument,
  collectWords,
} from '../support/edited-documents.ts'

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `Line ${at} has ${word}.`).join('\n\n')

function changed(base: Document, author: DocumentEditor): Document {
  let document = base
  for (let change = 1; change <= 6; change++) document = author.change(document)
  return assignKeys(base, document)
}

test('resolving all conflicts at once gives the same words as resolving them one by one', async () => {
  let settled = 0
  for (let seed = 1; seed <= 60; seed++) {
    const base = new DocumentEditor('b', seed).document(12)
    const [ours, theirs] = [
      changed(base, new DocumentEditor('o', seed * 7)),
      changed(base, new DocumentEditor('t', seed * 11)),
    ]
    const { document, conflicts } = await mergeDocuments(base, ours, theirs)
    settled += conflicts.length
    for (const side of ['theirs', 'base'] as const) {
      const atOnce = resolveDocumentConflicts(document, conflicts, side)
      const oneByOne = conflicts.reduce(
        (current, conflict) => resolveDocumentConflict(current, conflict, side),
        document,
      )
      expect(collectWords(atOnce.nodes)).toEqual(collectWords(oneByOne.nodes))
      expect(new Set(collectKeys(atOnce)).size).toBe(collectKeys(atOnce).length)
    }
  }
  expect(settled).toBeGreaterThan(20)
})

test('restores removed blocks in their original order', async () => {
  const base = parseWithKeys(lines(40, 'nothing'))
  const ours = parseEdited(base, 'Something else.')
  const theirs = parseEdited(base, lines(40, 'more to say'))
  const { document, conflicts } = await mergeDocuments(base, ours, theirs)
  expect(conflicts).toHaveLength(40)
  const resolved = printDocument(resolveDocumentConflicts(document, conflicts, 'theirs'))
  expect(resolved.match(/^Line.*$/gm)).toEqual(lines(40, 'more to say').split('\n\n'))
})

// One pass over the document per conflict would exceed the test timeout.
test('resolves thousands of conflicts at once', async () => {
  const count = 3000
  const base = parseWithKeys(lines(count, 'nothing'))
  for (const [ours, theirs] of [
    [parseEdited(base, lines(count, 'ours')), parseEdited(base, lines(count, 'theirs'))],
    [parseEdited(base, 'Gone.'), parseEdited(base, lines(count, 'theirs'))],
    [parseEdited(base, lines(count, 'ours')), parseEdited(base, 'Gone.')],
  ] as const) {
    const { document, conflicts } = await mergeDocuments(base, ours, theirs)
    expect(conflicts.length).toBeGreaterThan(count / 2)
    const resolved = resolveDocumentConflicts(document, conflicts, 'theirs')
    expect(collectWords(resolved.nodes)).not.toContain('ours.')
  }
})
