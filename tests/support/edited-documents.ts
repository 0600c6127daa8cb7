import { InlineBuilder, addMark, createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import type { DocumentConflict } from '../../src/content/document/merge.ts'
import type { Block, Document, InlineNode, Table } from '../../src/content/document/nodes.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { isTextBlock } from '../../src/content/document/block-groups.ts'
import { splitSentences } from '../../src/content/document/sentences.ts'
import { plainText } from '../../src/content/document/text.ts'
import { tokenizeInlines } from '../../src/content/document/inline-tokens.ts'
import { walkBlocks, walkInlines, mapBlocks } from '../../src/content/document/walk.ts'
import { randomInteger, seededRandom } from './random.ts'

export const parseDocument = (markdown: string): Document =>
  parsePage(markdown, { references: verbatimReferences, isExpression: () => true }).document

export const printDocument = (document: Document): string => printPage({ document }, verbatimReferences)

/** Parses a page and assigns keys; `parseEdited` parses a later version of it and keeps the keys. */
export function parseWithKeys(markdown: string): Document {
  return assignKeys(undefined, parseDocument(markdown))
}

export function parseEdited(previous: Document, markdown: string): Document {
  return assignKeys(previous, parseDocument(markdown))
}

/** Returns the words of blocks; all words of generated documents are different. */
export function collectWords(blocks: readonly (Block | null)[]): Set<string> {
  const words = new Set<string>()
  const document = createDocument(blocks.filter((block) => block !== null))
  for (const block of walkBlocks(document)) {
    for (const inline of walkInlines(block)) {
      if (inline.object === 'text') for (const word of plainText([inline]).split(/\s+/)) words.add(word)
    }
    if (block.type === 'tabs-item') words.add(block.data?.title ?? '')
  }
  for (const word of ['', '.', 'The']) words.delete(word)
  return words
}

/** Returns the block of a side in a conflict; null for a conflict about the position. */
export const blockOfSide = (conflict: DocumentConflict, side: 'ours' | 'theirs'): Block | null =>
  conflict.part === 'place' ? null : conflict[side]

/** Returns the sentences of texts and the lines of code. */
export function collectSentences(document: Document): Set<string> {
  const sentences = new Set<string>()
  for (const block of walkBlocks(document)) {
    if (block.type === 'code-line') sentences.add(plainText(block.nodes))
    else if (isTextBlock(block))
      for (const { comparisonKey } of splitSentences(tokenizeInlines(block.nodes))) sentences.add(comparisonKey)
  }
  return sentences
}

export function collectKeys(document: Document): string[] {
  return Array.from(walkBlocks(document)).flatMap((block) => (block.type === 'code-line' ? [] : (block.key ?? 'none')))
}

/** Generator of random documents and changes; every word is unique. */
export class DocumentEditor {
  readonly #name: string
  readonly #chance: () => number
  #count = 0

  constructor(name: string, seed: number) {
    this.#name = name
    this.#chance = seededRandom(seed)
  }

  document(size = 8): Document {
    return assignKeys(undefined, createDocument(Array.from({ length: this.#number(1, size) }, () => this.block(3))))
  }

  word(): string {
    return `${this.#name}${this.#count++}`
  }

  /** Changes a document; with `only`, only top-level blocks for which it returns true. */
  change(document: Document, only: (index: number) => boolean = () => true): Document {
    const { nodes } = document
    const at = this.#number(0, nodes.length - 1)
    if (nodes.length === 0 || !only(at)) return document
    const block = nodes[at] as Block
    switch (this.#number(0, 7)) {
      case 0:
        return { ...document, nodes: nodes.toSpliced(at, 0, this.block(2)) }
      case 1:
        return { ...document, nodes: nodes.toSpliced(at, 1) }
      case 2: {
        const rest = nodes.toSpliced(at, 1)
        return { ...document, nodes: rest.toSpliced(this.#number(0, rest.length), 0, block) }
      }
      case 3:
        return this.#wrap(document, at)
      default:
        return { ...document, nodes: nodes.with(at, this.#changeInside(block)) }
    }
  }

  /** Moves a top-level block into a hint. */
  #wrap(document: Document, at: number): Document {
    const block = document.nodes[at] as Block
    const hints = document.nodes.filter((one) => one.type === 'hint' && one !== block)
    if (hints.length === 0) return document
    const hint = this.pick(hints)
    const nodes = document.nodes
      .filter((one) => one !== block)
      .map((one) => (one === hint && one.type === 'hint' ? { ...one, nodes: [...one.nodes, block] } : one))
    return { ...document, nodes }
  }

  /** Changes one of the nested blocks, or the block itself. */
  #changeInside(block: Block): Block {
    const inside = Array.from(walkBlocks(createDocument([block]))).filter(({ type }) => type !== 'code-line')
    const chosen = this.pick(inside)
    const [changed] = mapBlocks([block], (one) => (isCopyOf(one, chosen) ? this.#changeBlock(one) : one))
    return changed ?? block
  }

  #changeBlock(block: Block): Block {
    switch (block.type) {
      case 'paragraph':
      case 'heading-1':
        return { ...block, nodes: this.#changeText(block.nodes) }
      case 'hint':
        return this.#chance() < 0.5
          ? { ...block, data: { ...block.data, style: this.pick(['info', 'warning', 'danger', 'success']) } }
          : { ...block, nodes: [...block.nodes, paragraph(this.#inlines())] }
      case 'list-unordered': {
        const item = this.#item()
        return { ...block, nodes: block.nodes.toSpliced(this.#number(0, block.nodes.length), this.#number(0, 1), item) }
      }
      case 'code': {
        const [line] = this.#code(1).nodes
        const at = this.#number(0, block.nodes.length - 1)
        return { ...block, nodes: block.nodes.toSpliced(at, this.#number(0, 1), ...(line ? [line] : [])) }
      }
      case 'tabs-item':
        return { ...block, data: { title: this.word() } }
      case 'table':
        return this.#changeTable(block)
      default:
        return block
    }
  }

  #changeText(nodes: readonly InlineNode[]): InlineNode[] {
    const builder = new InlineBuilder()
    const action = this.#number(0, 3)
    const leaves = nodes.flatMap((node) => (node.object === 'text' ? node.leaves : []))
    const words = leaves.flatMap(({ text, marks }) => text.split(' ').map((word) => ({ text: word, marks })))
    const at = this.#number(0, words.length - 1)
    words.forEach(({ text, marks }, index) => {
      if (index > 0) builder.addText(' ', [])
      if (index !== at) builder.addText(text, marks)
      else if (action === 0) builder.addText(`${text} ${this.word()}`, marks)
      else if (action === 1) builder.addText(this.word(), marks)
      else if (action === 2) builder.addText(text, addMark(marks, mark('bold')))
      else builder.addText(`${this.word()} ${text}`, marks)
    })
    return builder.build()
  }

  #changeTable(table: Table): Table {
    const { data } = table
    const rows = Object.entries(data.records)
    const [chosen, record] = this.pick(rows)
    if (this.#chance() < 0.5 && rows.length > 1) {
      const gone = Object.values(record.values)
      return {
        ...table,
        data: { ...data, records: Object.fromEntries(rows.filter(([id]) => id !== chosen)) },
        fragments: table.fragments.filter(({ fragment = '' }) => !gone.includes(fragment)),
      }
    }
    const id = `row-${this.word()}`
    const values = Object.fromEntries(Object.keys(data.definition).map((column) => [column, `${id}-${column}`]))
    const fragments = Object.values(values).map((fragment) => ({
      object: 'fragment' as const,
      fragment,
      nodes: [paragraph(this.#inlines())],
    }))
    const orderIndex = `${record.orderIndex}5`
    return {
      ...table,
      data: { ...data, records: { ...data.records, [id]: { orderIndex, values } } },
      fragments: [...table.fragments, ...fragments],
    }
  }

  block(depth: number): Block {
    switch (this.#number(0, depth > 0 ? 8 : 3)) {
      case 0:
      case 1:
        return paragraph(this.#inlines())
      case 2:
        return { object: 'block', type: 'heading-1', nodes: this.#inlines() }
      case 3:
        return this.#code(this.#number(1, 4))
      case 4:
        return { object: 'block', type: 'hint', data: { style: 'info' }, nodes: this.#blocks(depth - 1) }
      case 5:
        return {
          object: 'block',
          type: 'list-unordered',
          nodes: Array.from({ length: this.#number(1, 4) }, () => this.#item()),
        }
      case 6:
        return {
          object: 'block',
          type: 'tabs',
          nodes: [
            { object: 'block', type: 'tabs-item', data: { title: this.word() }, nodes: this.#blocks(depth - 1) },
            { object: 'block', type: 'tabs-item', data: { title: this.word() }, nodes: this.#blocks(depth - 1) },
          ],
        }
      case 7:
        return {
          object: 'block',
          type: 'expandable',
          isVoid: true,
          data: {},
          fragments: [
            { object: 'fragment', type: 'expandable-title', nodes: [paragraph(this.#inlines())] },
            { object: 'fragment', type: 'expandable-body', nodes: this.#blocks(depth - 1) },
          ],
        }
      default:
        return this.#table()
    }
  }

  #blocks(depth: number): Block[] {
    return Array.from({ length: this.#number(1, 3) }, () => this.block(depth))
  }

  #item() {
    return { object: 'block' as const, type: 'list-item' as const, nodes: [paragraph(this.#inlines())] }
  }

  #table(): Block {
    const rows = Array.from({ length: this.#number(1, 4) }, () => row([this.word(), this.word()]))
    return parseDocument([row([this.word(), this.word()]), row(['---', '---']), ...rows].join('\n')).nodes[0] as Block
  }

  #code(lines: number) {
    return {
      object: 'block' as const,
      type: 'code' as const,
      nodes: Array.from({ length: lines }, () => ({
        object: 'block' as const,
        type: 'code-line' as const,
        nodes: [{ object: 'text' as const, leaves: [leaf(this.word())] }],
      })),
    }
  }

  #inlines(): InlineNode[] {
    const sentences = Array.from({ length: this.#number(1, 3) }, () => this.#sentence())
    return [{ object: 'text', leaves: [leaf(sentences.join(' '))] }]
  }

  #sentence(): string {
    const words = Array.from({ length: this.#number(1, 5) }, () => this.word())
    return `The ${words.join(' ')} .`
  }

  #number(low: number, high: number): number {
    return randomInteger(this.#chance, low, high)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.#number(0, items.length - 1)] as T
  }
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

const isCopyOf = (one: Block, other: Block) => one === other || (one.key !== undefined && one.key === other.key)
