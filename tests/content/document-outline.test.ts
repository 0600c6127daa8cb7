import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import type { Block } from '../../src/content/document/nodes.ts'
import { createOutline, withAnchorIds } from '../../src/content/document/outline.ts'
import { walkBlocks } from '../../src/content/document/walk.ts'
import { blockOfEachType, expandable, heading, randomDocument, quote, textParagraph } from '../support/blocks.ts'

const slugOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
const anchored = (...nodes: readonly Block[]) => withAnchorIds(createDocument(nodes), slugOf)
const idsOf = (...nodes: readonly Block[]) =>
  Array.from(walkBlocks(anchored(...nodes))).flatMap(({ meta }) => meta?.id ?? [])

const tab = (title: string, slug?: string): Block & { type: 'tabs-item' } => ({
  object: 'block',
  type: 'tabs-item',
  data: { title, ...(slug !== undefined && { slug }) },
  nodes: [],
})

test('gives headings the slug of their title or their explicit id', () => {
  expect(anchored(heading(1, 'First steps'), heading(2, 'Second', 'two')).nodes).toEqual([
    { ...heading(1, 'First steps'), meta: { id: 'first-steps' } },
    { ...heading(2, 'Second', 'two'), meta: { id: 'two' } },
  ])
})

test('prefixes ids of titles that begin with a digit, but not explicit ids', () => {
  expect(idsOf(heading(1, '1 Install'), heading(1, '1 Install'), heading(1, 'Start', '2'))).toEqual([
    'id-1-install',
    'id-1-install-1',
    '2',
  ])
})

test('numbers repeated ids', () => {
  expect(idsOf(heading(1, 'Setup'), heading(2, 'Setup'), heading(3, 'Setup'), heading(1, 'Setup 1'))).toEqual([
    'setup',
    'setup-1',
    'setup-2',
    'setup-1-1',
  ])
})

test('never derives an id from a title that is the explicit id of another heading', () => {
  expect(
    idsOf(heading(1, 'Setup'), heading(1, 'Setup'), heading(2, 'Other', 'setup'), heading(2, 'More', 'setup-1')),
  ).toEqual(['setup-2', 'setup-3', 'setup', 'setup-1'])
})

test('numbers an explicit id that is used twice', () => {
  expect(idsOf(heading(1, 'A', 'x'), heading(1, 'B', 'x'))).toEqual(['x', 'x-1'])
})

test('assigns ids to containers before the blocks inside them', () => {
  expect(idsOf(expandable('Setup', [heading(2, 'Setup')]))).toEqual(['setup', 'setup-1'])
})

test('assigns ids to tabs, expandables and OpenAPI blocks', () => {
  const tabs: Block = { object: 'block', type: 'tabs', nodes: [tab('Linux'), tab('Mac', 'macos')] }
  expect(idsOf(expandable('Before', []), tabs, blockOfEachType['openapi-operation'])).toEqual([
    'before',
    'linux',
    'macos',
    'post-pets',
  ])
})

test('the outline lists headings and API blocks outside expandables, tabs, columns and hints', () => {
  const inside = [heading(2, 'Inside')]
  const column: Block = { object: 'block', type: 'column', nodes: inside }
  const step: Block = { object: 'block', type: 'stepper-step', nodes: [heading(3, 'Step')] }
  const document = anchored(
    expandable('Before', inside),
    heading(2, 'Install'),
    { object: 'block', type: 'tabs', nodes: [{ ...tab('Linux'), nodes: inside }] },
    { object: 'block', type: 'columns', nodes: [column] },
    { object: 'block', type: 'hint', data: { style: 'info' }, nodes: inside },
    { object: 'block', type: 'stepper', nodes: [step] },
    blockOfEachType['openapi-operation'],
    blockOfEachType['openapi-schemas'],
    blockOfEachType['openapi-webhook'],
    blockOfEachType.swagger,
  )
  expect(createOutline(document)).toEqual([
    { id: 'install', depth: 2, title: 'Install', type: 'heading-2' },
    { id: 'step', depth: 3, title: 'Step', type: 'heading-3' },
    { id: 'post-pets', depth: 4, title: 'POST /pets', type: 'openapi-operation' },
    { id: 'models', depth: 4, title: 'Models', type: 'openapi-schemas' },
    { id: 'adopted', depth: 4, title: 'adopted', type: 'openapi-webhook' },
    { id: 'get-pets', depth: 4, title: 'GET /pets', type: 'swagger' },
  ])
})

const icon = (name: string): Block => ({
  object: 'block',
  type: 'heading-1',
  nodes: [{ object: 'inline', type: 'icon', isVoid: true, data: { icon: name } }],
})

test('gives a heading without text the id of its icon and omits it from the outline', () => {
  const document = anchored(icon('rocket'), icon('circle-info'), heading(2, ''), heading(2, '🎉'), heading(2, 'End'))
  expect(Array.from(walkBlocks(document), ({ meta }) => meta?.id)).toEqual([
    'rocket',
    'circle-info',
    'section',
    'section-1',
    'end',
  ])
  expect(createOutline(document).map(({ title }) => title)).toEqual(['🎉', 'End'])
})

test('gives other blocks without a title the id of their type', () => {
  expect(idsOf(tab(''), tab(''))).toEqual(['tabs-item', 'tabs-item-1'])
})

test('returns blocks without ids as the same objects', () => {
  const [text, quoted] = [textParagraph('a'), quote(textParagraph('b'))]
  const { nodes } = anchored(text, heading(1, 'A'), quoted)
  expect(nodes[0]).toBe(text)
  expect(nodes[2]).toBe(quoted)
})

test('ids of generated documents are unique and do not change when assigned again', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const document = randomDocument(seed)
    const once = withAnchorIds(document, slugOf)
    const ids = Array.from(walkBlocks(once)).flatMap(({ meta }) => meta?.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(withAnchorIds(once, slugOf)).toEqual(once)
  }
})

test('numbers 10,000 headings with the same title', () => {
  const ids = idsOf(...Array.from({ length: 10_000 }, () => heading(1, 'Same')))
  expect(ids.at(-1)).toBe('same-9999')
})
