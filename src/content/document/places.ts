import { canonical } from '../revision/canonical.ts'
import { hashOf } from './hash.ts'
import { type Item, countWords } from './match.ts'
import type { Block, InlineNode, Leaf, Table } from './nodes.ts'
import { groupsOf, isTextBlock } from './parts.ts'
import { type TableNames, inCellOrder, withoutTableNames } from './tables.ts'
import { marksText } from './tokens.ts'

/** A block of one version of a document, to be matched with one of another version. */
export class Place implements Item<Place> {
  readonly block: Block
  readonly groups: readonly PlaceGroup[]
  readonly content: number
  readonly kind: string
  partner: Place | undefined
  key: string | undefined
  tableNames: TableNames | undefined
  /** The block's own content, without the blocks inside. */
  readonly #own: string
  #words: ReadonlyMap<string, number> | undefined
  #hash: string | undefined

  constructor(block: Block, groups: readonly PlaceGroup[], numbering: Numbering | undefined) {
    this.block = block
    this.groups = groups
    this.#own = ownText(block)
    this.content = numbering?.of(`${this.#own}\0${contentsOf(groups)}`) ?? 0
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

  /** A name for what it says, whatever else is in the document. */
  hash(): string {
    return (this.#hash ??= hashOf(this.#own + this.groups.map(hashesOf).join('')))
  }
}

const contentsOf = (groups: readonly PlaceGroup[]): string =>
  groups.map(({ places }) => places.map(({ content }) => content).join()).join(';')

const hashesOf = ({ places }: PlaceGroup): string => `\0${places.map((place) => place.hash()).join()}`

export interface PlaceGroup {
  name: string
  places: readonly Place[]
}

/** Numbers that are equal for equal texts. */
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

/** The places of blocks; without a numbering, they cannot be matched with others. */
export function placesOf(blocks: readonly Block[], numbering: Numbering | undefined): Place[] {
  return blocks.map((written) => {
    const block = written.type === 'table' ? inCellOrder(written) : written
    const groups = groupsOf(block).map(({ name, blocks: inner }) => ({ name, places: placesOf(inner, numbering) }))
    return new Place(block, groups, numbering)
  })
}

function ownText(block: Block): string {
  if (block.type === 'table') return `table${tableText(block)}`
  const data = 'data' in block && block.data ? canonical(block.data) : ''
  if (isTextBlock(block)) return `${block.type}${data}${inlineText(block.nodes)}`
  if (block.type === 'code') return `code${data}${block.nodes.map(ownText).join('\n')}`
  return `${block.type}${data}${groupsOf(block)
    .map(({ name }) => name)
    .join()}`
}

function tableText(table: Table): string {
  const { data, fragments } = withoutTableNames(table)
  return canonical([data, fragments.map(({ fragment, type }) => [fragment, type])])
}

function inlineText(nodes: readonly InlineNode[]): string {
  return nodes
    .map((node) => {
      if (node.object === 'text') return leavesText(node.leaves)
      const data = 'data' in node ? canonical(node.data) : ''
      const inside = 'nodes' in node ? inlineText(node.nodes) : ''
      return `<${node.type}${data}${inside}${'fragments' in node ? canonical(node.fragments) : ''}>`
    })
    .join('')
}

function leavesText(leaves: readonly Leaf[]): string {
  let all = ''
  for (const { text, marks } of leaves) all += JSON.stringify(text) + (marks.length === 0 ? '' : marksText(marks))
  return all
}
