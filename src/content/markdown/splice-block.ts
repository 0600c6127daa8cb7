import { isList } from '../document/lists.ts'
import type { Block, Code, ListItem } from '../document/nodes.ts'
import type { LocatedBlock } from './parse-blocks.ts'
import { printMissing } from './neighboring-lists.ts'
import { isTightItem, printBlock, printContainerOpening } from './print-blocks.ts'
import { printHtmlBlock } from './print-html.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { spliceCode } from './splice-code.ts'
import { readItemIndent, printItemLike, setCheckbox, renumberItems } from './splice-list.ts'
import {
  type BlockMatching,
  type WantedBlock,
  innerBlocksOf,
  isBehindRemoved,
  isWantedBlock,
  hasWantedOwnContent,
  dropPartialGroups,
  matchBlocks,
  wantedInnerBlocks,
} from './splice-match.ts'
import type { PrintContexts, SpliceSource } from './splice-source.ts'
import { spliceTable } from './splice-table.ts'
import { SpliceWriter, prefixFollowingLines, createGap } from './splice-writer.ts'
import { spliceLinks, spliceWords } from './splice-words.ts'
import { lineEnd } from './tags.ts'

/**
 * How much of the source of a block is kept: everything except the edited blocks, lines or rows inside it; everything except the
 * edited words, found in the block printed as usual or as HTML, or in the Markdown in its cells; everything except the edited words and
 * the links that they touch; or everything except the edited cells of a table. Each level is tried if the text of the previous one does
 * not parse as wanted.
 */
type Level = 'inside' | 'words' | 'html' | 'links' | 'cells' | 'markdown'

/** An edited block of the source. */
export class BlockSplice {
  readonly #source: SpliceSource
  readonly #located: LocatedBlock
  readonly #wanted: WantedBlock
  /** Prefix of the lines of the block. */
  readonly #prefix: string
  readonly #levels: Level[]
  #innerMatching: InnerMatching | undefined
  /** Indexes of the inner blocks that are printed again although the source contains them. */
  readonly #reprinted = new Set<number>()
  /** Indexes of the inner blocks that are kept, but separated from the block before them. */
  readonly #apart = new Set<number>()

  constructor(source: SpliceSource, located: LocatedBlock, wanted: WantedBlock, prefix: string) {
    this.#source = source
    this.#located = withTrimmedChildren(located, source.text)
    this.#wanted = wanted
    this.#prefix = prefix
    this.#levels = this.#possibleLevels()
  }

  /** Prints the block over its source; undefined if it must be printed from scratch. */
  print(contexts: PrintContexts): string | undefined {
    while (this.#levels.length > 0) {
      const text = this.#printLevel(this.#levels[0] as Level, contexts)
      if (text !== undefined) return text
      this.#levels.shift()
    }
    return this.#located.block.type === 'list-item'
      ? this.#printItem(this.#wanted.block as ListItem, contexts)
      : undefined
  }

  #printLevel(level: Level, contexts: PrintContexts): string | undefined {
    const { block } = this.#located
    if (block.type === 'table' && tableLevels.has(level)) return this.#printTable(level, contexts)
    return level === 'inside' ? this.#printInside(contexts) : this.#printWords(level, contexts)
  }

  /** Keeps less of the source if the text does not parse as wanted; returns false if nothing is kept any more. */
  keepLess(read: Block | undefined): boolean {
    if (this.#levels[0] === 'inside' && this.#isContainer() && this.#keepLessInside(read)) return true
    return this.#levels.shift() !== undefined
  }

  #keepLessInside(read: Block | undefined): boolean {
    const { from, splices, wanted } = this.#getInnerMatching()
    const { fingerprints } = this.#source
    const found = read && read.type === this.#located.block.type ? innerBlocksOf(read) : []
    const isAlike = read && found.length === wanted.length && hasWantedOwnContent(read, this.#wanted, fingerprints)
    const isWrong = (index: number) => {
      const [inner, one] = [found[index], wanted[index]]
      return !inner || !one || !isWantedBlock(inner, one, fingerprints)
    }
    const isKept = (index: number) => from[index] !== undefined && !this.#reprinted.has(index)
    if (!isAlike) {
      const reduced = Array.from(splices.values()).filter((splice) => splice.keepLess(undefined))
      if (reduced.length > 0 || found.length === 0) return reduced.length > 0
      const first = found.findIndex((_, index) => isWrong(index))
      // As at the top level: the block after the first wrong one may have been joined with it.
      const next = [first + 1, first, first - 1].find(isKept)
      if (first < 0 || next === undefined) return false
      if (isBehindRemoved(next, this.#getInnerMatching()) && !this.#apart.has(next)) {
        this.#apart.add(next)
        return true
      }
      if (this.#reprinted.size >= maxReprinted) return false
      this.#reprinted.add(next)
      return true
    }
    const reduced = [...wanted.keys()].filter(isWrong).filter((index) => {
      if (!isKept(index)) return splices.get(index)?.keepLess(found[index]) ?? false
      this.#reprinted.add(index)
      return true
    })
    return reduced.length > 0
  }

  get #text(): string {
    return this.#source.text.slice(this.#located.start, this.#located.end)
  }

  #possibleLevels(): Level[] {
    const { block } = this.#located
    const htmlLevels: Level[] = isHtml(this.#text) ? ['html'] : []
    if (block.type === 'list-item' || (this.#isContainer() && block.type === this.#wanted.block.type)) {
      if (block.type === 'list-item') return this.#isContainer() ? ['inside'] : []
      return ['inside', 'words', ...htmlLevels]
    }
    if (block.type === 'table')
      return isHtml(this.#text) ? ['inside', 'words', 'markdown'] : ['inside', 'links', 'cells', 'words']
    if (block.type === 'code' && !isHtml(this.#text)) return ['inside', 'words']
    return ['words', 'links', ...htmlLevels]
  }

  #isContainer(): boolean {
    const { block, children } = this.#located
    const inner = innerBlocksOf(block)
    if (!children || children.length === 0 || children.length !== inner.length) return false
    if (wantedInnerBlocks(this.#wanted).length === 0) return false
    return children.every(
      ({ block: child, start, end }, index) =>
        child === inner[index] && start <= end && start >= (children[index - 1]?.end ?? this.#located.start),
    )
  }

  #getInnerMatching(): InnerMatching {
    this.#innerMatching ??= this.#matchInner()
    return this.#innerMatching
  }

  #matchInner(): InnerMatching {
    const children = this.#located.children ?? []
    const wanted = wantedInnerBlocks(this.#wanted)
    const blocks = children.map(({ block }) => block)
    const matching = matchBlocks(blocks, wanted, this.#source.fingerprints, (kept) => dropPartialGroups(children, kept))
    const prefix = this.#innerPrefix(children)
    const splices = new Map(
      Array.from(matching.changed, ([index, at]) => {
        const child = children[at] as LocatedBlock
        return [
          index,
          new BlockSplice(this.#source, child, wanted[index] as WantedBlock, this.#linePrefix(child.start) ?? prefix),
        ]
      }),
    )
    return { ...matching, wanted, prefix, splices }
  }

  #printInside(contexts: PrintContexts): string | undefined {
    const { block, children } = this.#located
    const { block: wanted } = this.#wanted
    const { newline } = this.#source
    const prefix = this.#prefix
    if (block.type !== 'code') return this.#printContainer(contexts)
    const [inner] = children ?? []
    const codeRange = inner?.block.type === 'code' ? inner : this.#located
    const [start, end] = [codeRange.start - this.#located.start, codeRange.end - this.#located.start]
    const edited = { before: block, after: wanted as Code, source: this.#text, start, end, prefix, newline }
    return wanted.type === 'code' ? spliceCode({ ...edited, context: contexts.after }) : undefined
  }

  #printTable(level: Level, contexts: PrintContexts): string | undefined {
    const [{ block: before }, { block: after }] = [this.#located, this.#wanted]
    if (before.type !== 'table' || after.type !== 'table') return undefined
    const { newline } = this.#source
    const spliceCell = level === 'links' ? spliceLinks : level === 'cells' ? () => undefined : spliceWords
    return spliceTable({ before, after, source: this.#text, prefix: this.#prefix, newline, contexts, spliceCell })
  }

  #printContainer(contexts: PrintContexts): string | undefined {
    const { text: source, newline } = this.#source
    const { start, end } = this.#located
    const children = this.#located.children as readonly LocatedBlock[]
    const { from, kept, changed, splices, wanted, prefix } = this.#getInnerMatching()
    const [first, last] = [children[0] as LocatedBlock, children.at(-1) as LocatedBlock]
    const head = this.#printHead(source.slice(start, first.start), contexts)
    if (head === undefined) return undefined

    const slice = (at: number) => source.slice(children[at]?.start, children[at]?.end)
    const known = wanted.map((_, index) => {
      const at = from[index]
      if (at === undefined) return splices.get(index)?.print(contexts)
      return this.#reprinted.has(index) ? undefined : slice(at)
    })
    const findSourceIndex = (index: number) => kept.get(index) ?? changed.get(index)
    const blocks = wanted.map(({ block }) => block)
    const texts = isList(this.#located.block)
      ? this.#printItems(known, blocks, findSourceIndex, contexts)
      : printMissing(known, blocks, contexts.after).map((text, index) =>
          known[index] === undefined ? prefixFollowingLines(text, prefix, newline) : text,
        )
    if (!texts) return undefined

    const isQuoted = prefix.includes('>')
    const gaps = children.slice(1).map((child, index) => {
      return createGap(source.slice((children[index] as LocatedBlock).end, child.start), isQuoted)
    })
    // Blanks at the end of the last line remain there if blocks are added behind it.
    const tail = source.slice(last.end, end)
    const blanks = /^[ \t]*$/.exec(source.slice(last.end, lineEnd(source, last.end)))?.[0] ?? ''
    const isExtended = findSourceIndex(texts.length - 1) !== children.length - 1
    const writer = new SpliceWriter([emptyGap, ...gaps, createGap(blanks + newline, isQuoted)], '', true)
    const separators = this.#separators(
      gaps.map(({ verbatim }) => verbatim as string),
      prefix,
    )
    texts.forEach((text, index) =>
      writer.writeBlock(
        text,
        findSourceIndex(index),
        separators(blocks[index - 1], blocks[index]),
        this.#apart.has(index),
      ),
    )
    writer.writeGapsBefore(children.length, separators(undefined, undefined))
    return head + writer.text + (isExtended ? tail.slice(blanks.length) : tail)
  }

  /** Prints the part before the inner blocks: the tag, marker or summary as wanted. */
  #printHead(head: string, contexts: PrintContexts): string | undefined {
    const { block } = this.#located
    const { block: wanted, normal } = this.#wanted
    if (block.type === 'list-ordered' || hasWantedOwnContent(block, this.#wanted, this.#source.fingerprints))
      return head
    if (block.type === 'list-item') {
      const checked = (normal as ListItem).data?.checked
      return checked === undefined || checked === block.data?.checked ? head : setCheckbox(head, checked)
    }
    const [before, after] = [
      printContainerOpening(block, contexts.before),
      printContainerOpening(wanted, contexts.after),
    ]
    if (before === undefined || after === undefined) return undefined
    return spliceWords({ before, after, source: head, prefix: this.#prefix, newline: this.#source.newline })
  }

  /** Returns the texts of the items of a list; new items are printed in the style of their neighbors. */
  #printItems(
    known: readonly (string | undefined)[],
    items: readonly Block[],
    findSourceIndex: (index: number) => number | undefined,
    contexts: PrintContexts,
  ): string[] | undefined {
    const { block, children = [] } = this.#located
    const { normal } = this.#wanted
    const { prefix } = this.#getInnerMatching()
    const before = children.map(({ start, end }) => this.#source.text.slice(start, end))
    let sample = before[0] as string
    const texts: string[] = []
    for (const [index, text] of known.entries()) {
      sample = before[findSourceIndex(index) ?? -1] ?? sample
      const item = items[index] as ListItem
      const isTask = block.type === 'list-tasks'
      const printed = text ?? this.#printItemLike(item, isTask, sample, prefix, contexts)
      if (printed === undefined) return undefined
      texts.push(printed)
    }
    if (normal.type !== 'list-ordered') return texts
    return renumberItems({ before, items: texts, start: normal.data?.start ?? 1, prefix })
  }

  #printItem(item: ListItem, contexts: PrintContexts): string | undefined {
    const isTask = (this.#wanted.normal as ListItem).data?.checked !== undefined
    return this.#printItemLike(item, isTask, this.#text, this.#prefix, contexts)
  }

  #printItemLike(item: ListItem, isTask: boolean, sample: string, prefix: string, { after: context }: PrintContexts) {
    return printItemLike({ item, isTask, sample, prefix, newline: this.#source.newline, context })
  }

  /** Returns a function that determines the separator between two blocks if one of them is new. */
  #separators(
    gaps: readonly string[],
    prefix: string,
  ): (before: Block | undefined, after: Block | undefined) => string {
    const { block } = this.#located
    const { newline } = this.#source
    const next = newline + prefix
    const apart = newline + prefix.trimEnd() + next
    if (isList(block)) {
      const usual = gaps.find((gap) => /^[\s>]*$/.test(gap)) ?? (block.nodes.every(isTightItem) ? next : apart)
      return () => usual
    }
    if (block.type !== 'list-item') return () => apart
    const isTight = gaps.every((gap) => gap.split('\n').length <= 2)
    return (before, after) => (isTight && before?.type === 'paragraph' && after && isList(after) ? next : apart)
  }

  #printWords(level: Level, { before, after }: PrintContexts): string | undefined {
    const { block } = this.#located
    const { block: wanted } = this.#wanted
    const source = this.#text
    const isMarkdown = level !== 'html' && (!isHtml(source) || printBlock(block, before, false).startsWith('<'))
    const print = level === 'markdown' ? printCells : isMarkdown ? printMarkdown : printHtmlBlock
    const spliceText = level === 'links' ? spliceLinks : spliceWords
    return spliceText({
      before: print(block, { ...before, isUnpadded: true }),
      after: print(wanted, { ...after, isUnpadded: true }),
      source,
      prefix: this.#prefix,
      newline: this.#source.newline,
    })
  }

  /** Returns the prefix of the lines inside the block, after the first one. */
  #innerPrefix(children: readonly LocatedBlock[]): string {
    for (const { start } of children) {
      const prefix = this.#linePrefix(start)
      if (prefix !== undefined) return prefix
    }
    if (this.#located.block.type === 'list-item') return this.#prefix + (readItemIndent(this.#text) ?? '')
    return this.#located.block.type === 'blockquote' ? `${this.#prefix}> ` : this.#prefix
  }

  /** Returns the text before an offset on its line; undefined if it is more than indentation and quote markers. */
  #linePrefix(offset: number): string | undefined {
    const { text } = this.#source
    let start = offset
    while (start > 0 && ' \t>'.includes(text[start - 1] as string)) start--
    return start === 0 || text[start - 1] === '\n' ? text.slice(start, offset) : undefined
  }
}

interface InnerMatching extends BlockMatching {
  wanted: readonly WantedBlock[]
  splices: ReadonlyMap<number, BlockSplice>
  prefix: string
}

/** Trims the ends of children: in the tree, some end after empty lines and the quote markers in these. */
function withTrimmedChildren(located: LocatedBlock, source: string): LocatedBlock {
  const children = located.children?.map((child) => {
    const end = findTrimmedEnd(source, child.start, Math.min(child.end, located.end))
    return end === child.end ? child : { ...child, end }
  })
  return children ? { ...located, children } : located
}

function findTrimmedEnd(source: string, start: number, end: number): number {
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

const emptyGap = { content: '', verbatim: '' }

const htmlBlock = /^\s*<(?:table|ul|ol|p|h[1-6]|pre|blockquote|details|div|figure|hr)\b/i
const isHtml = (text: string) => htmlBlock.test(text)

/** Levels at which the rows of a table are compared. */
const tableLevels: ReadonlySet<Level> = new Set(['inside', 'links', 'cells'])

const printMarkdown = (block: Block, context: PrintContext) => printBlock(block, context, false)

/** Prints the cells of a table as Markdown, one below the other. */
const printCells = (block: Block, context: PrintContext): string =>
  block.type === 'table'
    ? block.fragments.flatMap(({ nodes }) => nodes.map((inner) => printMarkdown(inner, context))).join('\n\n')
    : printMarkdown(block, context)
