import { expect, test } from 'vitest'
import { PageAnchors } from '../../src/content/document/anchors.ts'
import { createDocument, paragraph } from '../../src/content/document/build.ts'
import type { Block, InlineNode } from '../../src/content/document/nodes.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { expectLinear } from '../support/growth.ts'
import { expandable, heading } from '../support/blocks.ts'

const anchorsOf = (title: string, ...nodes: readonly Block[]) =>
  new PageAnchors(title, withAnchorIds(createDocument(nodes), toSlug), toSlug)

test('prefers an exact id over a normalized match', () => {
  const anchors = anchorsOf('Page', heading(1, 'Fan-out / Fan-in'), heading(1, 'Other', 'fan-out--fan-in'))
  expect(anchors.find('fan-out-fan-in')).toBe('fan-out-fan-in')
  expect(anchors.find('fan-out--fan-in')).toBe('fan-out--fan-in')
})

test('gives the page title an id unless its slug is empty or used by a heading', () => {
  expect(anchorsOf('Getting started').titleId).toBe('getting-started')
  expect(anchorsOf('3 steps').titleId).toBe('id-3-steps')
  expect(anchorsOf('Getting started', heading(2, 'Getting started')).titleId).toBeUndefined()
  expect(anchorsOf('🚀').titleId).toBeUndefined()
  expect(anchorsOf('Getting started').find('getting-started')).toBe('getting-started')
  expect(anchorsOf('C & C++: basics').find('c--c-basics')).toBe('c-and-c++-basics')
  expect(anchorsOf('Getting started', heading(2, 'Getting started')).find('getting-started')).toBe('getting-started')
})

test('finds ids with and without the prefix before digits', () => {
  const anchors = anchorsOf('Page', heading(1, '2. Foo'), heading(1, 'Bar', '3-bar'))
  expect(anchors.find('2.-foo')).toBe('id-2.-foo')
  expect(anchors.find('2-foo')).toBe('id-2.-foo')
  expect(anchors.find('id-2-foo')).toBe('id-2.-foo')
  expect(anchors.find('id-3-bar')).toBe('3-bar')
})

test.each([
  ['Modules & Features', 'modules--features'],
  ['Modules & Features', 'modules-features'],
  ['What’s new?', 'whats-new'],
  ['`streamToBytes`', 'streamToBytes'],
  ['Request targets', 'Request-targets'],
  ['Die Größe', 'die-größe'],
  ['Die Größe', 'die-gr%C3%B6%C3%9Fe'],
  ['Установка пакета', 'установка-пакета'],
  ['关于 API', '关于-api'],
  ['snake_case: why', 'snake_case-why'],
  ['🚀 Launch', '-launch'],
  ['Price ($)', 'user-content-price-'],
  ['Broken %', 'broken-%'],
])('finds the heading "%s" by #%s', (title, written) => {
  const anchors = anchorsOf('Page', heading(1, 'Before'), heading(2, title), heading(1, 'After'))
  expect(anchors.find(written)).toBe(anchorsOf('Page', heading(2, title)).find(toSlug(title)))
  expect(anchors.find(written)).toBeDefined()
})

test('numbers headings of equal text as GitHub does, counting the page title first', () => {
  const anchors = anchorsOf('R & D', heading(1, 'A & B'), heading(1, 'A & B'), heading(1, 'R & D'))
  expect(anchors.find('a--b')).toBe('a-and-b')
  expect(anchors.find('a--b-1')).toBe('a-and-b-1')
  expect(anchors.find('r--d-1')).toBe('r-and-d')
})

test('distinguishes headings whose letters are omitted from slugs', () => {
  const anchors = anchorsOf('Page', heading(1, '소개'), heading(1, '설치'), heading(1, 'API キー'), heading(1, 'API'))
  expect(anchors.find('설치')).toBe('undefined-1')
  expect(anchors.find(encodeURIComponent('설치'))).toBe('undefined-1')
  expect(anchors.find('api-キー')).toBe('api')
  expect(anchors.find('API-キー')).toBe('api')
  expect(anchors.find('요약')).toBeUndefined()
})

test('finds a heading with an explicit id by the slug of its text', () => {
  const anchors = anchorsOf('Page', heading(1, 'Größe', 'size'), heading(1, 'Set & up', 'setup-here'))
  expect(anchors.find('groesse')).toBe('size')
  expect(anchors.find('set-and-up')).toBe('setup-here')
})

test('returns undefined for anchors that match nothing on the page', () => {
  const anchors = anchorsOf('Page', heading(1, 'A (b)', 'first'), heading(1, 'A – b', 'second'))
  for (const written of ['elsewhere', '', '---', '%', 'ab']) expect(anchors.find(written)).toBeUndefined()
})

test('finds expandables by their title', () => {
  expect(anchorsOf('Page', expandable('Why & how', [])).find('why-how')).toBe('why-and-how')
})

test('finds inline anchors by their exact id and by other spellings', () => {
  const anchor: InlineNode = { object: 'inline', type: 'anchor', isVoid: true, data: { id: 'Section_A1' } }
  const anchors = anchorsOf('Page', paragraph([anchor]))
  for (const written of ['Section_A1', 'section_a1', 'section-a1']) expect(anchors.find(written)).toBe('Section_A1')
})

test('finds thousands of equal headings in linear time', () =>
  expectLinear(4000, (count) => {
    const anchors = anchorsOf('Page', ...Array.from({ length: count }, () => heading(1, 'A & B')))
    const found = Array.from({ length: count - 1 }, (_, index) => anchors.find(`a--b-${index + 1}`))
    expect(found).toEqual(Array.from({ length: count - 1 }, (_, index) => `a-and-b-${index + 1}`))
  }))
