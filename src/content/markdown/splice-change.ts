import type { Block, Code, ListItem } from '../document/nodes.ts'
import type { Placed } from './parse-blocks.ts'
import { isSimple, printBlock, printOpening } from './print-blocks.ts'
import { printHtmlBlock } from './print-html.ts'
import type { PrintContext } from './print-inlines.ts'
import type { Sameness } from './sameness.ts'
import { printCodeOver } from './splice-code.ts'
import { indentOf, printItemLike, withCheck, withNumbers } from './splice-list.ts'
import {
  type Matching,
  type Wanted,
  blocksInside,
  isAsWanted,
  isOwnAsWanted,
  keepShared,
  matchBlocks,
  wantedInside,
} from './splice-match.ts'
import { printTableOver } from './splice-table.ts'
import { Weaver, behindPrefix, gapOf } from './splice-weave.ts'
import { mergeWords } from './splice-words.ts'

/** The source into which an edited page is spliced. */
export interface SpliceSource {
  text: string
  newline: string
  sameness: Sameness
}

/** Contexts for printing blocks as they are in the source, and as they are wanted. */
export interface Contexts {
  before: PrintContext
  after: PrintContext
}

/**
 * How much of the source of a block is kept: everything except the edited blocks, lines or rows inside it; everything except the
 * edited words; or nothing. Each level is tried if the text of the previous one does not parse as wanted.
 */
type Level = 'inside' | 'words' | 'nothing'

/** An edited block of the source. */
export class Change {
  readonly #source: SpliceSource
  readonly #placed: Placed
  readonly #wanted: Wanted
  /** Prefix of the lines of the block. */
  readonly #prefix: string
  readonly #levels: Level[]
  #inside: Inside | undefined
  /** Indexes of the inner blocks that are printed again although the source contains them. */
  readonly #reprinted = new Set<number>()

  constructor(source: SpliceSource, placed: Placed, wanted: Wanted, prefix: string) {
    this.#source = source
    this.#placed = withTrimmedChildren(placed, source.text)
    this.#wanted = wanted
    this.#prefix = prefix
    this.#levels = this.#possibleLevels()
  }

  /** Prints the block over its source; undefined if it must be printed from scratch. */
  print(contexts: Contexts): string | undefined {
    while (this.#levels.length > 0) {
      const text = this.#levels[0] === 'inside' ? this.#printInside(contexts) : this.#printWords(contexts)
      if (text !== undefined) return text
      this.#levels.shift()
    }
    return this.#placed.block.type === 'list-item'
      ? this.#printItem(this.#wanted.block as ListItem, contexts)
      : undefined
  }

  /** Keeps less of the source if the text does not parse as wanted; returns false if nothing is kept any more. */
  retreat(read: Block | undefined): boolean {
    if (this.#levels[0] === 'inside' && this.#isContainer() && this.#retreatInside(read)) return true
    return this.#levels.shift() !== undefined
  }

  #retreatInside(read: Block | undefined): boolean {
    const { from, changes, wanted } = this.#contents()
    const { sameness } = this.#source
    const found = read && read.type === this.#placed.block.type ? blocksInside(read) : []
    const isAlike = read && found.length === wanted.length && isOwnAsWanted(read, this.#wanted, sameness)
    const isWrong = (index: number) => {
      const [inner, one] = [found[index], wanted[index]]
      return !inner || !one || !isAsWanted(inner, one, sameness)
    }
    const isKept = (index: number) => from[index] !== undefined && !this.#reprinted.has(index)
    if (!isAlike) {
      const retreated = Array.from(changes.values()).filter((change) => change.retreat(undefined))
      if (retreated.length > 0 || found.length === 0) return retreated.length > 0
      const first = found.findIndex((_, index) => isWrong(index))
      // As at the top level: the block after the first wrong one may have been joined with it.
      const next = [first + 1, first, first - 1].find(isKept)
      if (first < 0 || next === undefined || this.#reprinted.size >= maxReprinted) return false
      this.#reprinted.add(next)
      return true
    }
    const retreated = [...wanted.keys()].filter(isWrong).filter((index) => {
      if (!isKept(index)) return changes.get(index)?.retreat(found[index]) ?? false
      this.#reprinted.add(index)
      return true
    })
    return retreated.length > 0
  }

  get #text(): string {
    return this.#source.text.slice(this.#placed.start, this.#placed.end)
  }

  #possibleLevels(): Level[] {
    const { block } = this.#placed
    if (block.type === 'list-item' || (this.#isContainer() && block.type === this.#wanted.block.type)) {
      return this.#isContainer() ? ['inside'] : []
    }
    if (block.type === 'table') return isHtml(this.#text) ? ['inside', 'words'] : ['inside']
    if (block.type === 'code' && !isHtml(this.#text)) return ['inside']
    return ['words']
  }

  #isContainer(): boolean {
    const { block, children } = this.#placed
    const inner = blocksInside(block)
    if (!children || children.length === 0 || children.length !== inner.length) return false
    if (wantedInside(this.#wanted).length === 0) return false
    return children.every(
      ({ block: child, start, end }, index) =>
        child === inner[index] && start <= end && start >= (children[index - 1]?.end ?? this.#placed.start),
    )
  }

  #contents(): Inside {
    this.#inside ??= this.#match()
    return this.#inside
  }

  #match(): Inside {
    const children = this.#placed.children ?? []
    const wanted = wantedInside(this.#wanted)
    const blocks = children.map(({ block }) => block)
    const matching = matchBlocks(blocks, wanted, this.#source.sameness, (kept) => keepShared(children, kept))
    const prefix = this.#innerPrefix(children)
    const changes = new Map(
      Array.from(matching.changed, ([index, at]) => {
        const child = children[at] as Placed
        return [
          index,
          new Change(this.#source, child, wanted[index] as Wanted, this.#linePrefix(child.start) ?? prefix),
        ]
      }),
    )
    return { ...matching, wanted, prefix, changes }
  }

  #printInside(contexts: Contexts): string | undefined {
    const { block, children } = this.#placed
    const { block: wanted } = this.#wanted
    const { newline } = this.#source
    const prefix = this.#prefix
    if (block.type === 'table') {
      if (wanted.type !== 'table') return undefined
      return printTableOver({ before: block, after: wanted, source: this.#text, prefix, newline, contexts })
    }
    if (block.type !== 'code') return this.#printContainer(contexts)
    const [inner] = children ?? []
    const place = inner?.block.type === 'code' ? inner : this.#placed
    const [start, end] = [place.start - this.#placed.start, place.end - this.#placed.start]
    const edited = { before: block, after: wanted as Code, source: this.#text, start, end, prefix, newline }
    return wanted.type === 'code' ? printCodeOver({ ...edited, context: contexts.after }) : undefined
  }

  #printContainer(contexts: Contexts): string | undefined {
    const { text: source, newline } = this.#source
    const { start, end } = this.#placed
    const children = this.#placed.children as readonly Placed[]
    const { from, kept, changed, changes, wanted, prefix } = this.#contents()
    const [first, last] = [children[0] as Placed, children.at(-1) as Placed]
    const head = this.#printHead(source.slice(start, first.start), contexts)
    if (head === undefined) return undefined

    const slice = (at: number) => source.slice(children[at]?.start, children[at]?.end)
    const known = wanted.map((_, index) => {
      const at = from[index]
      if (at === undefined) return changes.get(index)?.print(contexts)
      return this.#reprinted.has(index) ? undefined : slice(at)
    })
    const placeOf = (index: number) => kept.get(index) ?? changed.get(index)
    const blocks = wanted.map(({ block }) => block)
    const texts = isList(this.#placed.block)
      ? this.#printItems(known, blocks, placeOf, contexts)
      : printMissing(known, blocks, contexts.after).map((text, index) =>
          known[index] === undefined ? behindPrefix(text, prefix, newline) : text,
        )
    if (!texts) return undefined

    const isQuoted = prefix.includes('>')
    const gaps = children.slice(1).map((child, index) => {
      return gapOf(source.slice((children[index] as Placed).end, child.start), isQuoted)
    })
    const weaver = new Weaver([none, ...gaps, none], '', true)
    const separators = this.#separators(
      gaps.map(({ verbatim }) => verbatim as string),
      prefix,
    )
    texts.forEach((text, index) => weaver.put(text, placeOf(index), separators(blocks[index - 1], blocks[index])))
    weaver.close(children.length, separators(undefined, undefined))
    return head + weaver.text + source.slice(last.end, end)
  }

  /** Prints the part before the inner blocks: the tag, marker or summary as wanted. */
  #printHead(head: string, contexts: Contexts): string | undefined {
    const { block } = this.#placed
    const { block: wanted, normal } = this.#wanted
    if (block.type === 'list-ordered' || isOwnAsWanted(block, this.#wanted, this.#source.sameness)) return head
    if (block.type === 'list-item') {
      const checked = (normal as ListItem).data?.checked
      return checked === undefined || checked === block.data?.checked ? head : withCheck(head, checked)
    }
    const [before, after] = [printOpening(block, contexts.before), printOpening(wanted, contexts.after)]
    if (before === undefined || after === undefined) return undefined
    return mergeWords({ before, after, source: head, prefix: this.#prefix, newline: this.#source.newline })
  }

  /** Returns the texts of the items of a list; new items are printed in the style of their neighbors. */
  #printItems(
    known: readonly (string | undefined)[],
    items: readonly Block[],
    placeOf: (index: number) => number | undefined,
    contexts: Contexts,
  ): string[] | undefined {
    const { block, children = [] } = this.#placed
    const { normal } = this.#wanted
    const { prefix } = this.#contents()
    const before = children.map(({ start, end }) => this.#source.text.slice(start, end))
    let like = before[0] as string
    const texts: string[] = []
    for (const [index, text] of known.entries()) {
      like = before[placeOf(index) ?? -1] ?? like
      const item = items[index] as ListItem
      const isTask = block.type === 'list-tasks'
      const printed = text ?? this.#printItemLike(item, isTask, like, prefix, contexts)
      if (printed === undefined) return undefined
      texts.push(printed)
    }
    if (normal.type !== 'list-ordered') return texts
    return withNumbers({ before, items: texts, start: normal.data?.start ?? 1, prefix })
  }

  #printItem(item: ListItem, contexts: Contexts): string | undefined {
    const isTask = (this.#wanted.normal as ListItem).data?.checked !== undefined
    return this.#printItemLike(item, isTask, this.#text, this.#prefix, contexts)
  }

  #printItemLike(item: ListItem, isTask: boolean, like: string, prefix: string, { after: context }: Contexts) {
    return printItemLike({ item, isTask, like, prefix, newline: this.#source.newline, context })
  }

  /** Returns a function that determines the separator between two blocks if one of them is new. */
  #separators(
    gaps: readonly string[],
    prefix: string,
  ): (before: Block | undefined, after: Block | undefined) => string {
    const { block } = this.#placed
    const { newline } = this.#source
    const next = newline + prefix
    const apart = newline + prefix.trimEnd() + next
    if (isList(block)) {
      const usual = gaps.find((gap) => /^[\s>]*$/.test(gap)) ?? (block.nodes.every(isSimple) ? next : apart)
      return () => usual
    }
    if (block.type !== 'list-item') return () => apart
    const isTight = gaps.every((gap) => gap.split('\n').length <= 2)
    return (before, after) => (isTight && before?.type === 'paragraph' && after && isList(after) ? next : apart)
  }

  #printWords({ before, after }: Contexts): string | undefined {
    const { block } = this.#placed
    const { block: wanted } = this.#wanted
    const source = this.#text
    const print = isHtml(source) && !printBlock(block, before, false).startsWith('<') ? printHtmlBlock : printMarkdown
    return mergeWords({
      before: print(block, before),
      after: print(wanted, after),
      source,
      prefix: this.#prefix,
      newline: this.#source.newline,
    })
  }

  /** Returns the prefix of the lines inside the block, after the first one. */
  #innerPrefix(children: readonly Placed[]): string {
    for (const { start } of children) {
      const prefix = this.#linePrefix(start)
      if (prefix !== undefined) return prefix
    }
    if (this.#placed.block.type === 'list-item') return this.#prefix + (indentOf(this.#text) ?? '')
    return this.#placed.block.type === 'blockquote' ? `${this.#prefix}> ` : this.#prefix
  }

  /** Returns the text before an offset on its line; undefined if it is more than indentation and quote markers. */
  #linePrefix(place: number): string | undefined {
    const { text } = this.#source
    let start = place
    while (start > 0 && ' \t>'.includes(text[start - 1] as string)) start--
    return start === 0 || text[start - 1] === '\n' ? text.slice(start, place) : undefined
  }
}

interface Inside extends Matching {
  wanted: readonly Wanted[]
  changes: ReadonlyMap<number, Change>
  prefix: string
}

/** Trims the ends of children: in the tree, some end after empty lines and the quote markers in these. */
function withTrimmedChildren(placed: Placed, source: string): Placed {
  const children = placed.children?.map((child) => {
    const end = trimmedEnd(source, child.start, Math.min(child.end, placed.end))
    return end === child.end ? child : { ...child, end }
  })
  return children ? { ...placed, children } : placed
}

function trimmedEnd(source: string, start: number, end: number): number {
  for (let at = end; at > start;) {
    if (/\s/.test(source[at - 1] as string)) {
      at--
      continue
    }
    let line = at
    while (line > start && ' \t>'.includes(source[line - 1] as string)) line--
    if (line === at || line === start || source[line - 1] !== '\n') return at
    at = line
  }
  return end
}

/** Maximum number of inner blocks that are printed again, one after the other, before the whole block is. */
const maxReprinted = 2

const none = { content: '', verbatim: '' }

const htmlBlock = /^\s*<(?:table|ul|ol|p|h[1-6]|pre|blockquote|details|div|figure|hr)\b/i
const isHtml = (text: string) => htmlBlock.test(text)

const printMarkdown = (block: Block, context: PrintContext) => printBlock(block, context, false)

const isList = (block: Block): block is Extract<Block, { type: 'list-ordered' | 'list-unordered' | 'list-tasks' }> =>
  block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks'

/** Returns the texts of siblings; those that are undefined are printed. */
export function printMissing(
  known: readonly (string | undefined)[],
  blocks: readonly Block[],
  context: PrintContext,
): string[] {
  const texts = [...known]
  blocks.forEach((block, index) => {
    if (texts[index] !== undefined) return
    const markers = [markerOf(texts[index - 1]), markerOf(texts[index + 1])]
    texts[index] = printBlock(block, context, needsOtherMarker(block, markers))
  })
  return texts as string[]
}

/** Returns the marker of the first item if a text starts with a list. */
function markerOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^\s*(?:([*+-])|\d{1,9}([.)]))(?:\s|$)/.exec(text)?.slice(1).find(Boolean)
}

/** Whether a list would be parsed as one list with its neighbors. */
function needsOtherMarker(block: Block, [before, after]: readonly (string | undefined)[]): boolean {
  if (!isList(block)) return false
  const [usual, other] = block.type === 'list-ordered' ? ['.', ')'] : ['*', '-']
  return before === usual || (after === usual && before !== other)
}
