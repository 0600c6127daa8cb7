import { canonicalJson } from './canonical-json.ts'
import { Hasher } from './hash.ts'
import { type MatchItem, countWords } from './match-lists.ts'
import type { Block, InlineNode, Table } from './nodes.ts'
import { blockGroupsOf, isTextBlock } from './block-groups.ts'
import { type TableNames, sortFragments, isNamedByPosition, renameTableByPosition } from './tables.ts'
import { marksKey } from './inline-tokens.ts'

/** Block of one version of a document that is matched with a block of another version. */
export class MatchableBlock implements MatchItem<MatchableBlock> {
  readonly block: Block
  readonly groups: readonly MatchableGroup[]
  readonly contentId: number
  readonly kind: string
  partner: MatchableBlock | undefined
  key: string | undefined
  tableNames: TableNames | undefined
  #words: ReadonlyMap<string, number> | undefined
  #hash: string | undefined

  constructor(block: Block, groups: readonly MatchableGroup[], textIds: TextIds | undefined) {
    this.block = block
    this.groups = groups
    this.contentId = textIds?.idOf(`${ownContentText(block, groups)}\0${joinContentIds(groups)}`) ?? 0
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
    writeOwnContent(this.block, this.groups, hasher)
    for (const { blocks } of this.groups) {
      hasher.add('\0')
      blocks.forEach((block, index) => {
        if (index > 0) hasher.add(',')
        hasher.add(block.hash())
      })
    }
    return hasher.finish()
  }
}

const joinContentIds = (groups: readonly MatchableGroup[]): string =>
  groups.map(({ blocks }) => blocks.map(({ contentId }) => contentId).join()).join(';')

export interface MatchableGroup {
  name: string
  blocks: readonly MatchableBlock[]
}

/** Assigns numbers to texts; equal texts get equal numbers. */
export class TextIds {
  readonly #numbers = new Map<string, number>()

  idOf(text: string): number {
    const existing = this.#numbers.get(text)
    if (existing !== undefined) return existing
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }
}

/** Returns the places of blocks; without a numbering, they cannot be matched with others. */
export function matchableBlocks(blocks: readonly Block[], textIds: TextIds | undefined): MatchableBlock[] {
  return blocks.map((original) => {
    const block = original.type === 'table' ? sortFragments(original) : original
    const groups = blockGroupsOf(block).map(({ name, blocks: inner }) => ({
      name,
      blocks: matchableBlocks(inner, textIds),
    }))
    return new MatchableBlock(block, groups, textIds)
  })
}

/** Receives a text in parts. */
interface TextSink {
  add(text: string): void
  /** Adds a text as JSON. */
  addJson(text: string): void
}

class StringSink implements TextSink {
  text = ''

  add(text: string): void {
    this.text += text
  }

  addJson(text: string): void {
    this.text += JSON.stringify(text)
  }
}

function ownContentText(block: Block, groups: readonly MatchableGroup[]): string {
  const joined = new StringSink()
  writeOwnContent(block, groups, joined)
  return joined.text
}

/** Writes the content of a block without its nested blocks. */
function writeOwnContent(block: Block, groups: readonly MatchableGroup[], out: TextSink): void {
  out.add(block.type)
  if (block.type === 'table') return out.add(tableText(block))
  if ('data' in block && block.data) out.add(canonicalJson(block.data))
  if (isTextBlock(block)) return writeInlines(block.nodes, out)
  if (block.type === 'code') {
    return block.nodes.forEach((line, index) => {
      if (index > 0) out.add('\n')
      writeOwnContent(line, [], out)
    })
  }
  out.add(groups.map(({ name }) => name).join())
}

function tableText(table: Table): string {
  const { data, fragments } = isNamedByPosition(table) ? table : renameTableByPosition(table)
  return canonicalJson([data, fragments.map(({ fragment, type }) => [fragment, type])])
}

function writeInlines(nodes: readonly InlineNode[], out: TextSink): void {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves) {
        out.addJson(text)
        if (marks.length > 0) out.add(marksKey(marks))
      }
      continue
    }
    out.add(`<${node.type}`)
    if ('data' in node) out.add(canonicalJson(node.data))
    if ('nodes' in node) writeInlines(node.nodes, out)
    if ('fragments' in node) out.add(canonicalJson(node.fragments))
    out.add('>')
  }
}
