import { expect, test } from 'vitest'
import { assignKeys, withoutKeys } from '../../src/content/document/assign-keys.ts'
import { mergeDocuments } from '../../src/content/document/merge.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import {
  resolveDocumentConflicts,
  resolveDocumentConflict,
} from '../../src/content/document/resolve-document-conflicts.ts'
import {
  DocumentEditor,
  blockOfSide,
  collectKeys,
  printDocument,
  parseDocument,
  collectSentences,
  collectWords,
} from '../support/edited-documents.ts'
import { isLong } from '../support/long.ts'

// Two authors change one document at random, either with keys as in an editor or without keys as in Markdown.

/** Number of merges per test. */
const merges = isLong ? 1000 : 100

interface History {
  seed: number
  base: Document
  ours: Document
  theirs: Document
}

function* histories(count: number): Generator<History> {
  for (let seed = 1; seed <= count; seed++) {
    const base = new DocumentEditor('base', seed).document()
    const [one, other] = [new DocumentEditor('ours', seed * 2), new DocumentEditor('theirs', seed * 2 + 1)]
    yield { seed, base, ours: versionBy(one, base, seed), theirs: versionBy(other, base, seed) }
  }
}

function versionBy(author: DocumentEditor, base: Document, seed: number): Document {
  let version = base
  for (let count = 0; count <= seed % 4; count++) version = author.change(version)
  return assignKeys(base, seed % 3 === 0 ? withoutKeys(version) : version)
}

const missing = (wanted: Iterable<string>, found: ReadonlySet<string>) => [...wanted].filter((word) => !found.has(word))

test('keeps all text that a side wrote, in the result or in a conflict', async () => {
  for (const { seed, base, ours, theirs } of histories(merges)) {
    const { document, conflicts } = await mergeDocuments(base, ours, theirs)
    const found = collectWords([
      ...document.nodes,
      ...conflicts.flatMap((one) => [blockOfSide(one, 'ours'), blockOfSide(one, 'theirs')]),
    ])
    const before = collectWords(base.nodes)
    for (const side of [ours, theirs]) {
      const written = missing(collectWords(side.nodes), before)
      expect({ seed, missing: missing(written, found) }).toEqual({ seed, missing: [] })
    }
  }
})

test('produces only sentences and lines of code that one of the versions contains', async () => {
  let combined = 0
  for (const { seed, base, ours, theirs } of histories(merges)) {
    const merged = await mergeDocuments(base, ours, theirs)
    combined += merged.combined.length
    const known = new Set([base, ours, theirs].flatMap((side) => [...collectSentences(side)]))
    for (const side of ['ours', 'theirs', 'base'] as const) {
      const result = resolveDocumentConflicts(merged.document, merged.conflicts, side)
      expect({ seed, side, unknown: missing(collectSentences(result), known) }).toEqual({ seed, side, unknown: [] })
    }
  }
  expect(combined).toBeGreaterThanOrEqual(merges / 100)
})

test('resolving all conflicts for one side keeps the undisputed text of the other side', async () => {
  for (const { seed, base, ours, theirs } of histories(merges)) {
    const { document, conflicts } = await mergeDocuments(base, ours, theirs)
    const disputed = collectWords(conflicts.flatMap((one) => [blockOfSide(one, 'ours'), blockOfSide(one, 'theirs')]))
    const undisputed = missing(collectWords(document.nodes), disputed)
    for (const side of ['ours', 'theirs'] as const) {
      const result = collectWords(resolveDocumentConflicts(document, conflicts, side).nodes)
      expect({ seed, side, missing: missing(undisputed, result) }).toEqual({ seed, side, missing: [] })
    }
  }
})

test('keeps keys unique and gives the same result for the same input', async () => {
  for (const { seed, base, ours, theirs } of histories(merges / 2)) {
    const merged = await mergeDocuments(base, ours, theirs)
    const keys = collectKeys(merged.document)
    expect({ seed, keys: new Set(keys).size, none: keys.includes('none') }).toEqual({
      seed,
      keys: keys.length,
      none: false,
    })
    expect(await mergeDocuments(structuredClone(base), structuredClone(ours), structuredClone(theirs))).toEqual(merged)
  }
})

test('takes a change unmodified if only one side made it or both sides made the same', async () => {
  for (const { base, ours } of histories(merges / 2)) {
    for (const [our, their] of [
      [ours, base],
      [base, ours],
      [ours, structuredClone(ours)],
    ] as const) {
      expect(await mergeDocuments(structuredClone(base), our, their)).toEqual({
        document: ours,
        conflicts: [],
        combined: [],
      })
    }
  }
})

test('merges changes to different blocks without a conflict', async () => {
  for (let seed = 1; seed <= merges; seed++) {
    const base = new DocumentEditor('base', seed).document(12)
    const ours = assignKeys(
      base,
      new DocumentEditor('ours', seed + 1).change(base, (index) => index % 2 === 0),
    )
    const theirs = assignKeys(
      base,
      new DocumentEditor('theirs', seed + 2).change(base, (index) => index % 2 === 1),
    )
    // Skipped because the other author may have inserted something into a block that was removed or moved into another.
    if ([ours, theirs].some(({ nodes }) => nodes.length < base.nodes.length)) continue
    const { document, conflicts } = await mergeDocuments(base, ours, theirs)
    const written = [ours, theirs].flatMap(({ nodes }) => missing(collectWords(nodes), collectWords(base.nodes)))
    expect({ seed, conflicts, missing: missing(written, collectWords(document.nodes)) }).toEqual({
      seed,
      conflicts: [],
      missing: [],
    })
  }
})

test('resolving every conflict for one side keeps all text of that side and unique keys', async () => {
  for (const { seed, base, ours, theirs } of histories(merges / 2)) {
    const { document, conflicts } = await mergeDocuments(base, ours, theirs)
    const before = collectWords(base.nodes)
    for (const [name, side] of [
      ['theirs', theirs],
      ['ours', ours],
    ] as const) {
      const resolved = conflicts.reduce(
        (current, conflict) => resolveDocumentConflict(current, conflict, name),
        document,
      )
      const written = missing(collectWords(side.nodes), before)
      expect({ seed, name, missing: missing(written, collectWords(resolved.nodes)) }).toEqual({
        seed,
        name,
        missing: [],
      })
      const keys = collectKeys(resolved)
      expect({ seed, name, keys: new Set(keys).size }).toEqual({ seed, name, keys: keys.length })
    }
  }
})

test('produces a document that can be printed and parsed again', async () => {
  for (const { seed, base, ours, theirs } of histories(merges / 2)) {
    const { document } = await mergeDocuments(base, ours, theirs)
    const markdown = printDocument(document)
    expect({ seed, markdown: printDocument(parseDocument(markdown)) }).toEqual({ seed, markdown })
  }
})
