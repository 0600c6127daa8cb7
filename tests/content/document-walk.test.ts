import { expect, test } from 'vitest'
import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block, InlineNode } from '../../src/content/document/nodes.ts'
import { plainText } from '../../src/content/document/text.ts'
import {
  childBlocks,
  walkBlocks,
  walkInlines,
  inlinesOf,
  mapBlocks,
  mapNodes,
} from '../../src/content/document/walk.ts'
import {
  annotation,
  blockOfEachType,
  expandable,
  link,
  randomDocument,
  quote,
  textParagraph,
  textNode,
} from '../support/blocks.ts'

const said = (block: Block) => (block.type === 'paragraph' ? plainText(block.nodes) : block.type)

/** Creates nested quotes without recursion, so that the stack does not limit their depth. */
function nested(levels: number): Block {
  let block: Block = textParagraph('inmost')
  for (let level = 1; level < levels; level++) block = quote(block)
  return block
}

test('returns child blocks from nodes, fragments and the bodies of annotations', () => {
  expect(childBlocks(quote(textParagraph('a'), textParagraph('b'))).map(said)).toEqual(['a', 'b'])
  expect(childBlocks(expandable('Title', [textParagraph('body')])).map(said)).toEqual(['Title', 'body'])
  expect(childBlocks(paragraph([annotation('word', [textParagraph('note')])])).map(said)).toEqual(['note'])
  expect(childBlocks(blockOfEachType.table).map(said)).toEqual(['second', 'first'])
  expect(childBlocks(blockOfEachType.divider)).toEqual([])
})

test('finds the body of an annotation inside a link', () => {
  const block = paragraph([
    {
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'page', page: 'p' } },
      nodes: [annotation('a', [textParagraph('note')])],
    },
  ])
  expect(Array.from(walkBlocks(createDocument([block])), said)).toEqual(['a', 'note'])
})

test('returns the inlines of a paragraph and none for a quote', () => {
  const inlines = [textNode('a'), link('p', 'b')]
  expect(inlinesOf(paragraph(inlines))).toEqual(inlines)
  expect(inlinesOf(quote(textParagraph('a')))).toEqual([])
})

test('visits every block before its children, in reading order', () => {
  const document = createDocument([
    quote(textParagraph('a'), expandable('b', [quote(textParagraph('c'))])),
    textParagraph('d'),
  ])
  expect(Array.from(walkBlocks(document), said)).toEqual(['blockquote', 'a', 'expandable', 'b', 'blockquote', 'c', 'd'])
})

test('visits every inline once, including those in links and annotations', () => {
  const document = createDocument([
    paragraph([link('p', 'a'), annotation('b', [paragraph([link('q', 'c')])])]),
    textParagraph('d'),
  ])
  const texts = Array.from(walkBlocks(document), (block) => [...walkInlines(block)])
    .flat()
    .flatMap((node) => (node.object === 'text' ? [plainText([node])] : []))
  expect(texts).toEqual(['a', 'b', 'c', 'd'])
})

test('walks a document nested 100,000 levels deep', () => {
  const blocks = Array.from(walkBlocks(createDocument([nested(100_000)])))
  expect(blocks).toHaveLength(100_000)
})

test('walks a block with 300,000 inlines in a link', () => {
  const nodes = Array.from({ length: 300_000 }, () => textNode('x'))
  const wide: Block = paragraph([{ object: 'inline', type: 'link', data: { ref: { kind: 'page', page: 'p' } }, nodes }])
  expect(Array.from(walkInlines(wide))).toHaveLength(300_001)
})

test('replaces blocks with one, several or no blocks', () => {
  const nodes = [quote(textParagraph('drop'), textParagraph('twice'), textParagraph('keep')), textParagraph('drop')]
  const changed = mapBlocks(nodes, (block) => {
    if (said(block) === 'drop') return []
    return said(block) === 'twice' ? [block, block] : block
  })
  expect(changed).toEqual([quote(textParagraph('twice'), textParagraph('twice'), textParagraph('keep'))])
})

test('maps inner blocks before the blocks around them', () => {
  const seen: string[] = []
  mapBlocks([quote(textParagraph('a'), expandable('b', [textParagraph('c')]))], (block) => {
    seen.push(said(block))
    return block
  })
  expect(seen).toEqual(['a', 'b', 'c', 'expandable', 'blockquote'])
})

const shout = (node: InlineNode): InlineNode =>
  node.object === 'text' ? { ...node, leaves: node.leaves.map(({ text }) => leaf(text.toUpperCase())) } : node

test('maps inlines in links, annotations and fragments', () => {
  const nodes = [
    paragraph([link('p', 'a'), annotation('b', [textParagraph('c')])]),
    expandable('d', [textParagraph('e')]),
  ]
  expect(mapNodes(nodes, (block) => block, shout)).toEqual([
    paragraph([link('p', 'A'), annotation('B', [textParagraph('C')])]),
    expandable('D', [textParagraph('E')]),
  ])
})

test('returns unchanged blocks as the same objects, also next to a changed block', () => {
  const [still, changing] = [
    quote(textParagraph('still')),
    expandable('Title', [textParagraph('old'), textParagraph('beside')]),
  ]
  const changed = mapBlocks([still, changing], (block) => (said(block) === 'old' ? textParagraph('new') : block))
  expect(changed[0]).toBe(still)
  expect(changed[1]).toEqual(expandable('Title', [textParagraph('new'), textParagraph('beside')]))
  expect(childBlocks(changed[1] as Block)[2]).toBe(childBlocks(changing)[2])
})

test('returns the same object when a generated document is mapped to itself', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { nodes } = randomDocument(seed)
    expect(mapBlocks(nodes, (block) => block)).toBe(nodes)
    expect(
      mapNodes(
        nodes,
        (block) => block,
        (inline) => inline,
      ),
    ).toBe(nodes)
  }
})

test('returns an equal document when every block of a generated document is copied', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { nodes } = randomDocument(seed)
    expect(mapBlocks(nodes, (block) => ({ ...block }))).toEqual(nodes)
  }
})
