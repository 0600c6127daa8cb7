import { canonical } from '../revision/canonical.ts'
import { hashOf } from './hash.ts'
import { type Item, countWords } from './match.ts'
import type { Block, InlineNode, Table } from './nodes.ts'
import { groupsOf, isTextBlock } from './parts.ts'
import { type TableNames, inCellOrder, withoutTableNames } from './tables.ts'
import { marksText } from './tokens.ts'

/** A block of one version of a document, to be matched with one of another version. */
export interface Place extends Item<Place> {
  block: Block
  /** What the block says itself, without the blocks inside. */
  own: string
  groups: readonly PlaceGroup[]
  key: string | undefined
  tableNames: TableNames | undefined
  /** A name for what it says, whatever else is in the document. */
  hash: () => string
}

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

export function placesOf(blocks: readonly Block[], numbering: Numbering): Place[] {
  return blocks.map((written) => {
    const block = written.type === 'table' ? inCellOrder(written) : written
    const groups = groupsOf(block).map(({ name, blocks: inner }) => ({ name, places: placesOf(inner, numbering) }))
    const own = ownText(block)
    const inside = groups.map(({ places }) => places.map(({ content }) => content).join()).join(';')
    let hash: string | undefined
    let words: ReadonlyMap<string, number> | undefined
    return {
      block,
      own,
      groups,
      content: numbering.of(`${own}\0${inside}`),
      // A heading whose level changes is still the same heading.
      kind: block.type.startsWith('heading-') ? 'heading' : block.type,
      words: () => (words ??= countWords([block])),
      partner: undefined,
      key: undefined,
      tableNames: undefined,
      hash: () =>
        (hash ??= hashOf([own, ...groups.map(({ places }) => places.map((place) => place.hash()).join())].join('\0'))),
    }
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
      if (node.object === 'text')
        return node.leaves.map(({ text, marks }) => `${JSON.stringify(text)}${marksText(marks)}`).join('')
      const data = 'data' in node ? canonical(node.data) : ''
      const inside = 'nodes' in node ? inlineText(node.nodes) : ''
      return `<${node.type}${data}${inside}${'fragments' in node ? canonical(node.fragments) : ''}>`
    })
    .join('')
}
