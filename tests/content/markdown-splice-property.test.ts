import { expect, test } from 'vitest'
import { leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block, Document, InlineNode, ListItem } from '../../src/content/document/nodes.ts'
import { alignSequences } from '../../src/content/document/sequences.ts'
import { walkBlocks, mapNodes } from '../../src/content/document/walk.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { isLong } from '../support/long.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { StyledMarkdown } from '../support/styled-markdown.ts'

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options)

const withWord = (document: Document, from: string, to: string): Document => ({
  ...document,
  nodes: mapNodes(
    document.nodes,
    (block) => block,
    (node: InlineNode) =>
      node.object === 'text'
        ? { ...node, leaves: node.leaves.map((one) => ({ ...one, text: one.text.replace(from, to) })) }
        : node,
  ),
})

const withoutPadding = (line = '') => line.replace(/ +/g, ' ')

test('editing a word changes only its line', () => {
  for (let seed = 1; seed <= (isLong ? 350 : 150); seed++) {
    const source = new StyledMarkdown(seed).page()
    const page = parse(source)
    const chance = seededRandom(seed)
    const words = source.match(/w\d+w/g) ?? []
    const word = words[randomInteger(chance, 0, words.length - 1)] as string
    const document = withWord(page.document, word, 'edited')
    // Titles of tabs and columns are not text nodes.
    if (JSON.stringify(document) === JSON.stringify(page.document)) continue
    const result = splicePage(source, { ...page, document }, options)
    expect({ seed, document: parse(result).document }).toEqual({ seed, document })
    const [before, after] = [source.split('\n'), result.split('\n')]
    const line = before.findIndex((one) => one.includes(word))
    expect({ seed, result: after.toSpliced(line, 1) }).toEqual({ seed, result: before.toSpliced(line, 1) })
    const expected = before[line]?.replace(word, 'edited')
    expect({ seed, line: withoutPadding(after[line]) }).toEqual({ seed, line: withoutPadding(expected) })
  }
}, 120_000)

const text = (value: string): Block => paragraph([{ object: 'text', leaves: [leaf(value)] }])
const item = (value: string): ListItem => ({ object: 'block', type: 'list-item', nodes: [text(value)] })

/** Returns the direct children of a block, where blocks can be inserted and removed. */
function blocksIn(block: Block): readonly Block[] {
  const holdsBlocks = 'nodes' in block && block.nodes[0]?.object === 'block' && block.type !== 'code'
  return holdsBlocks ? (block.nodes as readonly Block[]) : []
}

/** Returns the nonempty lines of a text without indentation and markers, which may change when items are renumbered. */
const linesOf = (value: string) =>
  value
    .split(/\r?\n/)
    .map((line) => line.replace(/^(?:[ >]|\d+[.)] |[-+*] |\[[ x]\] )*/, '').trimEnd())
    .filter((line) => line !== '')

/** Replaces the children of one block of a document. */
function withBlocks(document: Document, container: Block, nodes: readonly Block[]): Document {
  const change = (block: Block): Block => {
    if (block === container) return { ...block, nodes } as Block
    if (block.type === 'expandable') {
      return { ...block, fragments: block.fragments.map((one) => ({ ...one, nodes: one.nodes.map(change) })) }
    }
    return blocksIn(block).length > 0 ? ({ ...block, nodes: blocksIn(block).map(change) } as Block) : block
  }
  return { ...document, nodes: document.nodes.map(change) }
}

function added(container: Block): Block | undefined {
  switch (container.type) {
    case 'list-ordered':
    case 'list-unordered':
      return item('Added')
    case 'list-tasks':
      return { ...item('Added'), data: { checked: false } }
    case 'tabs':
      return undefined
    default:
      return text('Added')
  }
}

test('inserting or removing a block keeps the lines of its neighbors', () => {
  const failed: number[] = []
  let count = 0
  for (let seed = 1; seed <= (isLong ? 250 : 120); seed++) {
    const source = new StyledMarkdown(seed).page()
    const page = parse(source)
    const chance = seededRandom(seed)
    const containers = [...walkBlocks(page.document)].filter((block) => blocksIn(block).length > 1)
    const container = containers[randomInteger(chance, 0, containers.length - 1)]
    if (!container) continue
    const children = blocksIn(container)
    const at = randomInteger(chance, 0, children.length - 1)
    const fresh = chance() < 0.5 ? added(container) : undefined
    const nodes = fresh ? children.toSpliced(at, 0, fresh) : children.toSpliced(at, 1)
    const document = withBlocks(page.document, container, nodes)
    // A task that starts with a block other than a paragraph cannot be printed.
    const printed = parse(printPage({ document }, verbatimReferences)).document
    if (JSON.stringify(printed) !== JSON.stringify(document)) continue
    const result = splicePage(source, { ...page, document }, options)
    expect({ seed, document: parse(result).document }).toEqual({ seed, document })
    count++
    const removed = fresh ? [] : (JSON.stringify(children[at]).match(/w\d+w/g) ?? [])
    const [before, after] = [linesOf(source), linesOf(result)]
    const kept = new Set(alignSequences(before, after).map(([index]) => index))
    const lost = before.filter((line, index) => !kept.has(index) && !removed.some((word) => line.includes(word)))
    if (lost.some((line) => /w\d+w/.test(line))) failed.push(seed)
  }
  expect(count).toBeGreaterThan(30)
  expect(failed).toEqual([])
}, 120_000)
