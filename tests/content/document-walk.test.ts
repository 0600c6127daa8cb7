import { expect, test } from 'vitest'
import { documentOf, leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block, InlineNode } from '../../src/content/document/nodes.ts'
import { plainText } from '../../src/content/document/text.ts'
import {
  childBlocks,
  everyBlock,
  everyInlineIn,
  inlinesIn,
  mapBlocks,
  mapNodes,
} from '../../src/content/document/walk.ts'
import { annotation, blockOfEachType, expandable, link, madeDocument, quote, says, textOf } from '../support/blocks.ts'

const said = (block: Block) => (block.type === 'paragraph' ? plainText(block.nodes) : block.type)

/** Made without recursion, as hostile input is. */
function nested(levels: number): Block {
  let block: Block = says('inmost')
  for (let level = 1; level < levels; level++) block = quote(block)
  return block
}

test('blocks stand in nodes, in fragments and in the bodies of annotations', () => {
  expect(childBlocks(quote(says('a'), says('b'))).map(said)).toEqual(['a', 'b'])
  expect(childBlocks(expandable('Title', [says('body')])).map(said)).toEqual(['Title', 'body'])
  expect(childBlocks(paragraph([annotation('word', [says('note')])])).map(said)).toEqual(['note'])
  expect(childBlocks(blockOfEachType.table).map(said)).toEqual(['second', 'first'])
  expect(childBlocks(blockOfEachType.divider)).toEqual([])
})

test('the body of an annotation inside a link is found', () => {
  const block = paragraph([
    {
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'page', page: 'p' } },
      nodes: [annotation('a', [says('note')])],
    },
  ])
  expect(Array.from(everyBlock(documentOf([block])), said)).toEqual(['a', 'note'])
})

test('inlines stand in texts, not in other blocks', () => {
  const inlines = [textOf('a'), link('p', 'b')]
  expect(inlinesIn(paragraph(inlines))).toEqual(inlines)
  expect(inlinesIn(quote(says('a')))).toEqual([])
})

test('every block comes before those below it, in the order of reading', () => {
  const document = documentOf([quote(says('a'), expandable('b', [quote(says('c'))])), says('d')])
  expect(Array.from(everyBlock(document), said)).toEqual(['blockquote', 'a', 'expandable', 'b', 'blockquote', 'c', 'd'])
})

test('every inline comes once, those in links and in annotations too', () => {
  const document = documentOf([paragraph([link('p', 'a'), annotation('b', [paragraph([link('q', 'c')])])]), says('d')])
  const texts = Array.from(everyBlock(document), (block) => [...everyInlineIn(block)])
    .flat()
    .flatMap((node) => (node.object === 'text' ? [plainText([node])] : []))
  expect(texts).toEqual(['a', 'b', 'c', 'd'])
})

test('a document nested 100,000 deep is walked to its end', () => {
  const blocks = Array.from(everyBlock(documentOf([nested(100_000)])))
  expect(blocks).toHaveLength(100_000)
})

test('a block with 300,000 inlines in a link is walked to its end', () => {
  const nodes = Array.from({ length: 300_000 }, () => textOf('x'))
  const wide: Block = paragraph([{ object: 'inline', type: 'link', data: { ref: { kind: 'page', page: 'p' } }, nodes }])
  expect(Array.from(everyInlineIn(wide))).toHaveLength(300_001)
})

test('blocks are replaced by one, several or none', () => {
  const nodes = [quote(says('drop'), says('twice'), says('keep')), says('drop')]
  const changed = mapBlocks(nodes, (block) => {
    if (said(block) === 'drop') return []
    return said(block) === 'twice' ? [block, block] : block
  })
  expect(changed).toEqual([quote(says('twice'), says('twice'), says('keep'))])
})

test('inner blocks change before the ones around them', () => {
  const seen: string[] = []
  mapBlocks([quote(says('a'), expandable('b', [says('c')]))], (block) => {
    seen.push(said(block))
    return block
  })
  expect(seen).toEqual(['a', 'b', 'c', 'expandable', 'blockquote'])
})

const shout = (node: InlineNode): InlineNode =>
  node.object === 'text' ? { ...node, leaves: node.leaves.map(({ text }) => leaf(text.toUpperCase())) } : node

test('inlines change wherever they stand', () => {
  const nodes = [paragraph([link('p', 'a'), annotation('b', [says('c')])]), expandable('d', [says('e')])]
  expect(mapNodes(nodes, (block) => block, shout)).toEqual([
    paragraph([link('p', 'A'), annotation('B', [says('C')])]),
    expandable('D', [says('E')]),
  ])
})

test('what does not change stays the same value, and so does all beside a change', () => {
  const [still, changing] = [quote(says('still')), expandable('Title', [says('old'), says('beside')])]
  const changed = mapBlocks([still, changing], (block) => (said(block) === 'old' ? says('new') : block))
  expect(changed[0]).toBe(still)
  expect(changed[1]).toEqual(expandable('Title', [says('new'), says('beside')]))
  expect(childBlocks(changed[1] as Block)[2]).toBe(childBlocks(changing)[2])
})

test('a made document that is mapped to itself is the same value', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { nodes } = madeDocument(seed)
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

test('a map that copies every block of a made document gives an equal document', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { nodes } = madeDocument(seed)
    expect(mapBlocks(nodes, (block) => ({ ...block }))).toEqual(nodes)
  }
})
