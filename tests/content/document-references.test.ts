import { expect, test } from 'vitest'
import { createDocument, paragraph } from '../../src/content/document/build.ts'
import type { Block, ContentRef } from '../../src/content/document/nodes.ts'
import { mapReferences, collectReferences } from '../../src/content/document/references.ts'
import {
  annotation,
  blockOfEachType,
  expandable,
  link,
  randomDocument,
  quote,
  textParagraph,
} from '../support/blocks.ts'

const refsOf = (...nodes: readonly Block[]) => collectReferences(createDocument(nodes)).map(({ ref }) => ref)
const moved = (block: Block, change: (ref: ContentRef) => ContentRef) =>
  mapReferences(createDocument([block]), change).nodes[0]

const url = { kind: 'url', url: 'https://example.com/a.png' }
const file = { kind: 'file', file: 'f1' }
const spec = { kind: 'openapi', spec: 'petstore' }

test('finds references in inlines, blocks, cells and tags', () => {
  expect(refsOf(blockOfEachType.paragraph)).toEqual([
    url,
    file,
    url,
    { kind: 'user', user: 'u1' },
    { kind: 'page', page: 'p1' },
  ])
  expect(refsOf(blockOfEachType.images)).toEqual([file, url])
  expect(refsOf(blockOfEachType.table)).toEqual([{ kind: 'page', page: 'p2' }, file, { kind: 'file', file: 'f2' }])
  expect(refsOf(blockOfEachType.update)).toEqual([
    { kind: 'tag', tag: 'new' },
    { kind: 'tag', tag: 'api' },
  ])
  expect(refsOf(blockOfEachType['openapi-operation'])).toEqual([spec])
  expect(refsOf(blockOfEachType['reusable-content'])).toEqual([{ kind: 'reusable-content', reusableContent: 'rc1' }])
})

test('finds references in every block type that has them', () => {
  const referring = Object.entries(blockOfEachType).flatMap(([type, block]) => (refsOf(block).length > 0 ? [type] : []))
  const withRef = Object.entries(blockOfEachType).flatMap(([type, block]) =>
    JSON.stringify(block).includes('"ref":') || type.startsWith('update') ? [type] : [],
  )
  expect(referring).toEqual(withRef)
})

test('finds references in annotations and fragments in reading order', () => {
  const document = [
    paragraph([link('a', 'x'), annotation('y', [paragraph([link('b', 'x')])])]),
    expandable('z', [paragraph([link('c', 'x')])]),
  ]
  expect(refsOf(...document)).toEqual(['a', 'b', 'c'].map((page) => ({ kind: 'page', page })))
})

test('reports the key of the nearest block that has one', () => {
  const outer: Block = {
    ...quote(paragraph([link('a', 'x')]), { ...paragraph([link('b', 'x')]), key: 'inner' }),
    key: 'outer',
  }
  expect(collectReferences(createDocument([outer, paragraph([link('c', 'x')])]))).toEqual([
    { ref: { kind: 'page', page: 'a' }, key: 'outer' },
    { ref: { kind: 'page', page: 'b' }, key: 'inner' },
    { ref: { kind: 'page', page: 'c' } },
  ])
})

const elsewhere = (ref: ContentRef): ContentRef => {
  if (ref.kind === 'file') return { ...ref, file: `${ref.file}-copy` }
  if (ref.kind === 'page') return { ...ref, page: `${ref.page}-copy` }
  return ref.kind === 'tag' ? { ...ref, tag: `${ref.tag}-copy` } : ref
}

test('maps all references of a document', () => {
  const document = createDocument(Object.values(blockOfEachType))
  const changed = mapReferences(document, elsewhere)
  expect(collectReferences(changed)).toEqual(
    collectReferences(document).map(({ ref, ...rest }) => ({ ...rest, ref: elsewhere(ref) })),
  )
})

const toPage = (): ContentRef => ({ kind: 'page', page: 'p' })

test('ignores a mapped reference of a kind that is not allowed in its position', () => {
  expect(moved(blockOfEachType.file, toPage)).toBe(blockOfEachType.file)
  expect(moved(blockOfEachType.image, toPage)).toBe(blockOfEachType.image)
  expect(moved(blockOfEachType['openapi-webhook'], toPage)).toBe(blockOfEachType['openapi-webhook'])
  expect(moved(blockOfEachType.update, toPage)).toBe(blockOfEachType.update)
  expect(moved(blockOfEachType['content-ref'], toPage)).toMatchObject({ data: { ref: { page: 'p' } } })
})

test('maps URLs in a files cell to files', () => {
  const table: Block = {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'grid', columns: ['c'], hideHeader: false },
      definition: { c: { id: 'c', title: '', type: 'files' } },
      records: { r: { orderIndex: '1', values: { c: ['dir/a.png'] } } },
    },
    fragments: [],
  }
  expect(refsOf(table)).toEqual([{ kind: 'url', url: 'dir/a.png' }])
  expect(moved(table, () => ({ kind: 'file', file: 'f9' }))).toMatchObject({
    data: { records: { r: { values: { c: ['f9'] } } } },
  })
})

test('returns the same object for generated documents whose references do not change', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const document = randomDocument(seed)
    expect(mapReferences(document, (ref) => ref)).toBe(document)
  }
})

test('finds nothing in a document without references', () => {
  expect(refsOf(textParagraph('a'), quote(textParagraph('b')))).toEqual([])
})
