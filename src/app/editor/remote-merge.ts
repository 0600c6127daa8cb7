import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import type { Mapping } from 'prosemirror-transform'
import { diffLines } from '../screens/edit/line-diff.ts'
import { findPlace } from './find-place.ts'
import { diffInlines, trimChange } from './inline-diff.ts'
import { isSameJson } from './json.ts'

/** Returns a string that is equal for nodes with the same content; it is empty for nodes that are not sent to the server. */
export type Compare = (node: Node) => string

/** A node of the sent content with its position. */
interface PlacedNode {
  node: Node
  from: number
}

/** A sent node, the stored node that replaces it, and the new nodes after it. */
interface NodeChange {
  sent?: PlacedNode
  stored?: Node | undefined
  added: Node[]
}

/** Returns the children that are sent to the server; if there are none, all. */
export function listSent(parent: Node, start: number, compare: Compare): PlacedNode[] {
  const all: PlacedNode[] = []
  parent.forEach((node, offset) => all.push({ node, from: start + offset }))
  const sent = all.filter(({ node }) => compare(node) !== '')
  return sent.length > 0 ? sent : all
}

const endOf = ({ node, from }: PlacedNode): number => from + node.nodeSize

/** Changes the content of a transaction from its end to its start, so that the positions before a change remain valid. */
export class RemoteMerge {
  readonly #tr: Transaction
  readonly #mapping: Mapping
  readonly #compare: Compare
  /** Position of the last insertion. Content that belongs before it in the sent content must not be inserted after it. */
  #limit = Infinity

  constructor(tr: Transaction, mapping: Mapping, compare: Compare) {
    this.#tr = tr
    this.#mapping = mapping
    this.#compare = compare
  }

  mergeChildren(sent: Node, stored: Node, start: number): void {
    for (const { olds, news, at } of this.#listHunks(sent, stored, start)) {
      for (const change of matchNodes(olds, news).toReversed()) {
        this.#insert(change.sent ? endOf(change.sent) : at, change.added)
        if (change.sent && change.stored) this.#mergeNode(change.sent, change.stored)
        else if (change.sent) this.#delete(change.sent)
      }
    }
  }

  /** Replaces the nodes that the user did not change and adds the stored ones beside the others. */
  copyChildren(sent: Node, stored: Node): void {
    for (const { olds, news, at } of this.#listHunks(sent, stored, 0)) {
      const last = olds.at(-1)
      this.#insert(last ? endOf(last) : at, news)
      for (const old of olds.toReversed()) this.#delete(old)
    }
  }

  /** Returns the differences, the last one first, each with the position where new nodes are inserted. */
  #listHunks(sent: Node, stored: Node, start: number): { olds: PlacedNode[]; news: readonly Node[]; at: number }[] {
    const before = listSent(sent, start, this.#compare)
    const hunks = diffLines(
      before.map(({ node }) => this.#compare(node)),
      stored.children.map(this.#compare),
    )
    let added = 0
    const listed = hunks.map(({ from, to, lines }) => {
      const news = stored.children.slice(from + added, from + added + lines.length)
      added += lines.length - (to - from)
      const previous = before[from - 1]
      return { olds: before.slice(from, to), news, at: previous ? endOf(previous) : start }
    })
    return listed.toReversed()
  }

  #mergeNode(sent: PlacedNode, stored: Node): void {
    const { node, from } = sent
    const at = this.#mapping.map(from, 1)
    const current = this.#mapping.mapResult(from, 1).deletedAfter ? null : this.#tr.doc.nodeAt(at)
    if (this.#isDeleted(sent)) {
      // A moved row would be in the table twice.
      if (!node.type.isInGroup('block')) throw new RangeError('A part was deleted or moved')
      this.#insert(from, [stored])
    } else if (current?.eq(node) && !canMerge(node, stored)) this.#tr.replaceWith(at, at + node.nodeSize, stored)
    else if (!canMerge(node, stored, current ?? node)) this.#insert(endOf(sent), [stored])
    else {
      if (node.isTextblock) this.#mergeText(sent, stored)
      else this.mergeChildren(node, stored, from + 1)
      this.#mergeAttributes(node, stored, at, current)
    }
  }

  /** Applies the type and the attributes of a block, unless the user has changed them. */
  #mergeAttributes(sent: Node, stored: Node, at: number, current: Node | null): void {
    if (!current || !hasSameMarkup(current, sent) || hasSameMarkup(sent, stored)) return
    const { key } = current.attrs
    this.#tr.setNodeMarkup(at, stored.type, { ...stored.attrs, ...(key && { key }) })
  }

  #mergeText({ node, from }: PlacedNode, stored: Node): void {
    const start = from + 1
    for (const words of diffInlines(node.content, stored.content).toReversed()) {
      const kept = this.#listKept(start + words.from, start + words.to)
      const isKept = kept.reduce((sum, range) => sum + range.end - range.start, 0) === words.to - words.from
      const isChanged = kept.length > 1 || !isKept
      // If the user typed inside a word, the whole word is replaced, because parts of two versions do not form a word.
      const change = isChanged ? words : trimChange(words, node.content)
      this.#deleteText(start + change.from, start + change.to)
      // Text that the user typed before a word remains before it; other typed text follows the text of others.
      const isStart = words.to > words.from && change.from === words.from
      const at = this.#map(start + change.from, isStart ? 1 : -1)
      if (change.content.size > 0 && !this.#tr.doc.resolve(at).parent.inlineContent)
        throw new RangeError('No text here')
      this.#tr.replaceWith(at, at, change.content)
    }
  }

  /** Returns the current position for an insertion at a position of the sent content. */
  #map(position: number, side: 1 | -1): number {
    this.#limit = Math.min(this.#limit, this.#mapping.map(position, side))
    return this.#limit
  }

  /** Returns the ranges of characters of the sent content that the user did not delete, split where the user inserted something. */
  #listKept(from: number, to: number): { start: number; end: number }[] {
    const ranges: { start: number; end: number }[] = []
    for (let position = from; position < to; position++) {
      const { pos, deletedAfter } = this.#mapping.mapResult(position, 1)
      if (deletedAfter) continue
      const last = ranges.at(-1)
      if (last?.end === pos) last.end++
      else ranges.push({ start: pos, end: pos + 1 })
    }
    return ranges
  }

  /** Deletes characters of the sent content, but not text that the user inserted between them. */
  #deleteText(from: number, to: number): void {
    for (const { start, end } of this.#listKept(from, to).toReversed()) this.#tr.delete(start, end)
  }

  /** Whether the user deleted a node with everything in it. */
  #isDeleted({ node, from }: PlacedNode): boolean {
    for (let offset = 0; offset < node.nodeSize; offset++)
      if (!this.#mapping.mapResult(from + offset, 1).deletedAfter) return false
    return true
  }

  /** Deletes a node, unless the user has changed it. */
  #delete({ node, from }: PlacedNode): void {
    const at = this.#mapping.map(from, 1)
    if (this.#tr.doc.nodeAt(at)?.eq(node)) this.#tr.delete(at, at + node.nodeSize)
  }

  /** Inserts nodes at a position of the sent content, or after the block that contains it now. */
  #insert(position: number, nodes: readonly Node[]): void {
    const [first] = nodes
    if (!first) return
    const place = findPlace(this.#tr.doc.resolve(this.#map(position, -1)), first.type)
    if (place === undefined) throw new RangeError('The nodes do not fit')
    this.#tr.insert(place, nodes)
  }
}

/** Matches sent nodes to stored ones: by key, and nodes without a key in the order of their type. */
function matchNodes(olds: readonly PlacedNode[], news: readonly Node[]): NodeChange[] {
  const keys = new Set(olds.map(({ node }) => keyOf(node)))
  const isMatch = (old: Node, stored: Node) => {
    const [key, storedKey] = [keyOf(old), keyOf(stored)]
    if (key !== null) return key === storedKey
    return old.type === stored.type && !keys.has(storedKey)
  }
  const changes: NodeChange[] = [{ added: [] }]
  let next = 0
  for (const sent of olds) {
    const at = news.findIndex((stored, index) => index >= next && isMatch(sent.node, stored))
    if (at !== -1) {
      changes.at(-1)?.added.push(...news.slice(next, at))
      next = at + 1
    }
    changes.push({ sent, stored: news[at], added: [] })
  }
  changes.at(-1)?.added.push(...news.slice(next))
  return changes
}

/** Returns a string that identifies a block, row or cell among its siblings. */
function keyOf({ attrs }: Node): string | null {
  const { key, id, column, json } = attrs as Partial<Record<'key' | 'id' | 'column', string | null>> & {
    json?: { key?: string }
  }
  return key ?? id ?? column ?? json?.key ?? null
}

/** Whether nodes have the same type and attributes, regardless of their keys. */
const hasSameMarkup = (a: Node, b: Node): boolean =>
  a.type === b.type && isSameJson({ ...a.attrs, key: null }, { ...b.attrs, key: null })

/** Whether versions of a node can be combined: texts, blocks of the same type, and tables with the same columns. */
function canMerge(node: Node, ...others: readonly Node[]): boolean {
  if (node.isTextblock) return others.every(({ isTextblock }) => isTextblock)
  if (node.isLeaf) return false
  if (node.type.name === 'table') return others.every((other) => hasSameMarkup(node, other))
  return others.every(({ type }) => type === node.type)
}
