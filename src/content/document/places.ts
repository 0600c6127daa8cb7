import { canonical } from './canonical.ts'
import { Hasher } from './hash.ts'
import { type Item, countWords } from './match.ts'
import type { Block, InlineNode, Table } from './nodes.ts'
import { groupsOf, isTextBlock } from './parts.ts'
import { type TableNames, inCellOrder, isNamedByPlace, withoutTableNames } from './tables.ts'
import { marksText } from './tokens.ts'

/** Block of one version of a document that is matched with a block of another version. */
export class MatchableBlock implements Item<MatchableBlock> {
  readonly block: Block
  readonly groups: readonly MatchableGroup[]
  readonly content: number
  readonly kind: string
  partner: MatchableBlock | undefined
  key: string | undefined
  tableNames: TableNames | undefined
  #words: ReadonlyMap<string, number> | undefined
  #hash: string | undefined

  constructor(block: Block, groups: readonly MatchableGroup[], numbering: Numbering | undefined) {
    this.block = block
    this.groups = groups
    this.content = numbering?.of(`${ownText(block, groups)}\0${contentsOf(groups)}`) ?? 0
    // A heading whose level changes is still the same heading.
    this.kind = block.type.startsWith('heading-') ? 'heading' : block.type
    this.partner = undefined
    this.key = undefined
    this.tableNames = undefined
    this.#words = undefined
    this.#hash = undefined
  }

  words(): ReadonlyMap<string, number> {
    return (this.#words ??= countWords([this.block]))
  }

  /** Returns a hash of the content that is independent of the rest of the document. */
  hash(): string {
    return (this.#hash ??= this.#computeHash())
  }

  #computeHash(): string {
    const hasher = new Hasher()
    writeOwn(this.block, this.groups, hasher)
    for (const { places } of this.groups) {
      hasher.add('\0')
      places.forEach((place, index) => {
        if (index > 0) hasher.add(',')
        hasher.add(place.hash())
      })
    }
    return hasher.finish()
  }
}

const contentsOf = (groups: readonly MatchableGroup[]): string =>
  groups.map(({ places }) => places.map(({ content }) => content).join()).join(';')

export interface MatchableGroup {
  name: string
  places: readonly MatchableBlock[]
}

/** Assigns numbers to texts; equal texts get equal numbers. */
export class Numbering {
  readonly #numbers = new Map<string, number>()

  of(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }
}

/** Returns the places of blocks; without a numbering, they cannot be matched with others. */
export function matchableBlocks(blocks: readonly Block[], numbering: Numbering | undefined): MatchableBlock[] {
  return blocks.map((written) => {
    const block = written.type === 'table' ? inCellOrder(written) : written
    const groups = groupsOf(block).map(({ name, blocks: inner }) => ({
      name,
      places: matchableBlocks(inner, numbering),
    }))
    return new MatchableBlock(block, groups, numbering)
  })
}

/** Receives a text in parts. */
interface TextSink {
  add(text: string): void
  /** Adds a text as JSON. */
  addJson(text: string): void
}

class JoinedText implements TextSink {
  text = ''

  add(text: string): void {
    this.text += text
  }

  addJson(text: string): void {
    this.text += JSON.stringify(text)
  }
}

function ownText(block: Block, groups: readonly MatchableGroup[]): string {
  const joined = new JoinedText()
  writeOwn(block, groups, joined)
  return joined.text
}

/** Writes the content of a block without its nested blocks. */
function writeOwn(block: Block, groups: readonly MatchableGroup[], out: TextSink): void {
  out.add(block.type)
  if (block.type === 'table') return out.add(tableText(block))
  if ('data' in block && block.data) out.add(canonical(block.data))
  if (isTextBlock(block)) return writeInlines(block.nodes, out)
  if (block.type === 'code') {
    return block.nodes.forEach((line, index) => {
      if (index > 0) out.add('\n')
      writeOwn(line, [], out)
    })
  }
  out.add(groups.map(({ name }) => name).join())
}

function tableText(table: Table): string {
  const { data, fragments } = isNamedByPlace(table) ? table : withoutTableNames(table)
  return canonical([data, fragments.map(({ fragment, type }) => [fragment, type])])
}

function writeInlines(nodes: readonly InlineNode[], out: TextSink): void {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves) {
        out.addJson(text)
        if (marks.length > 0) out.add(marksText(marks))
      }
      continue
    }
    out.add(`<${node.type}`)
    if ('data' in node) out.add(canonical(node.data))
    if ('nodes' in node) writeInlines(node.nodes, out)
    if ('fragments' in node) out.add(canonical(node.fragments))
    out.add('>')
  }
}
