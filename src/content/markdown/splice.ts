import { withoutKeys } from '../document/assign-keys.ts'
import { isList } from '../document/lists.ts'
import type { Block, Fragment } from '../document/nodes.ts'
import { Footnotes } from './footnotes.ts'
import type { LocatedBlock } from './parse-blocks.ts'
import { type ParseOptions, type ParsedPage, type SourceRange, parsePage } from './parse.ts'
import { printPageTitle } from './print-blocks.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { type PrintablePage, printPage } from './print.ts'
import { Fingerprints, collectAnnotationBodies } from './fingerprints.ts'
import { printMissing, withOtherMarkers } from './neighboring-lists.ts'
import { BlockSplice } from './splice-block.ts'
import { GroupSplice } from './splice-group.ts'
import type { PrintContexts } from './splice-source.ts'
import {
  type BlockMatching,
  type WantedBlock,
  isBehindRemoved,
  isWantedBlock,
  dropPartialGroups,
  findEditedGroups,
  matchBlocks,
  pairWithNormalForm,
} from './splice-match.ts'
import { spliceFootnote } from './splice-footnote.ts'
import { type SourceGap, SpliceWriter } from './splice-writer.ts'

/** Maximum number of attempts to print a page if the kept parts do not parse as wanted; each attempt parses the whole page. */
const maxAttempts = 12
const maxReparsedLength = 2_000_000

/**
 * Prints a page over the text that it was parsed from, so that only the edited parts change: other blocks, rows and lines, the
 * front matter and the title are kept as written. The result always parses as the page.
 */
export function splicePage(source: string, page: PrintablePage, options: ParseOptions): string {
  const before = parsePage(source, options)
  const splice = new PageSplice(source, before, { ...page, document: withoutKeys(page.document) }, options)
  if (splice.isUnchanged()) return source
  const attempts = Math.min(maxAttempts, 1 + maxReparsedLength / source.length)
  return (
    splice.printWithRetries(attempts) ??
    splice.reprintEditedBlocks().printWithRetries(attempts) ??
    splice.printFromScratch()
  )
}

class PageSplice {
  readonly #source: string
  readonly #before: ParsedPage
  readonly #page: PrintablePage
  readonly #options: ParseOptions
  readonly #newline: string
  readonly #fingerprints = new Fingerprints()
  /** Positions of the blocks in the source, extended to whole lines. */
  readonly #ranges: readonly SourceRange[]
  #plan: Plan | undefined
  /** Indexes of the blocks that are printed again although the source contains them or an earlier version of them. */
  readonly #reprinted = new Set<number>()
  /** Indexes of the lists of the source that get other markers, because they would be joined with their neighbors. */
  readonly #remarked = new Set<number>()
  /** Indexes of the blocks that are kept, but separated from the block before them. */
  readonly #apart = new Set<number>()
  #footnoteByLabel: ReadonlyMap<string, ParsedPage['footnotes'][number]> | undefined
  /** Edited footnotes that were printed over their source, by label; undefined if footnotes are printed completely. */
  #splicedFootnotes: Map<string, string | undefined> | undefined = new Map()

  constructor(source: string, before: ParsedPage, page: PrintablePage, options: ParseOptions) {
    this.#source = source
    this.#before = before
    this.#page = page
    this.#options = options
    this.#newline = detectNewline(source)
    this.#ranges = extendToWholeLines(source, before, findHeadEnd(before))
  }

  isUnchanged(): boolean {
    const { title, frontMatter, document } = this.#page
    const { locatedBlocks } = this.#before
    return (
      title === this.#before.title &&
      normalizeNewlines(frontMatter) === normalizeNewlines(this.#before.frontMatter) &&
      document.nodes.length === locatedBlocks.length &&
      document.nodes.every(
        (block, at) =>
          this.#fingerprints.ofBlock(block) === this.#fingerprints.ofBlock((locatedBlocks[at] as LocatedBlock).block),
      )
    )
  }

  /** Prints the page repeatedly, and keeps less of the source each time it does not parse as wanted. */
  printWithRetries(attempts: number): string | undefined {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const text = this.#print()
      const mismatch = this.#findMismatch(text)
      if (!mismatch) return text
      const hasFootnotes = this.#splicedFootnotes !== undefined && this.#splicedFootnotes.size > 0
      this.#splicedFootnotes = undefined
      if (!hasFootnotes && !this.#keepLess(mismatch)) return undefined
    }
    return undefined
  }

  /** Returns the same splice, in which edited blocks are printed completely. */
  reprintEditedBlocks(): PageSplice {
    this.#reprinted.clear()
    this.#remarked.clear()
    this.#apart.clear()
    for (const index of this.#getPlan().splices.keys()) this.#reprinted.add(index)
    return this
  }

  /** Prints the whole page in normal form, with the newlines of the source. */
  printFromScratch(): string {
    const printed = this.#getPlan().printed
    const text = this.#source === '' || this.#source.endsWith('\n') ? printed : printed.replace(/\n$/, '')
    const converted = this.#withNewlines(text)
    return this.#findMismatch(converted) === undefined ? converted : printed
  }

  #findMismatch(text: string): Mismatch | undefined {
    const { wanted, normal } = this.#getPlan()
    const after = parsePage(text, this.#options)
    const isHeadRight =
      after.title === normal.title && normalizeNewlines(after.frontMatter) === normalizeNewlines(normal.frontMatter)
    const found = after.document.nodes
    if (!isHeadRight) return { found, indexes: [0] }
    const isWrong = (_: unknown, index: number) => {
      const [block, one] = [found[index], wanted[index]]
      return !block || !one || !isWantedBlock(block, one, this.#fingerprints)
    }
    if (found.length === wanted.length) {
      const indexes = [...found.keys()].filter(isWrong)
      return indexes.length > 0 ? { found, indexes } : undefined
    }
    const first = found.findIndex(isWrong)
    return { found, indexes: [first < 0 ? found.length : first] }
  }

  /** Keeps less of the source around blocks that do not parse as wanted; returns false if nothing less can be kept. */
  #keepLess({ found, indexes }: Mismatch): boolean {
    const { wanted, from, splices } = this.#getPlan()
    const isAligned = found.length === wanted.length
    const keepLessOfBlock = (index: number, read: Block | undefined) => {
      const blockSplice = this.#reprinted.has(index) ? undefined : splices.get(index)
      if (!blockSplice) return false
      if (blockSplice.keepLess(read)) return true
      if (blockSplice instanceof GroupSplice)
        for (let nth = 0; nth < blockSplice.size; nth++) this.#reprinted.add(blockSplice.first + nth)
      else this.#reprinted.add(index)
      return true
    }
    // All of them at once, so that a page with many edits does not need as many attempts.
    const reduced = indexes.filter((index) => keepLessOfBlock(index, isAligned ? found[index] : undefined))
    if (reduced.length > 0) return true
    const firstIndex = indexes[0] as number
    if ([firstIndex + 1, firstIndex - 1].some((index) => keepLessOfBlock(index, undefined))) return true
    // The block after the first wrong one may have been joined with it, or the wrong one with the block before it.
    const next = [firstIndex + 1, firstIndex, firstIndex - 1].find(
      (index) => from[index] !== undefined && !this.#reprinted.has(index),
    )
    if (next === undefined) return false
    if (isBehindRemoved(next, this.#getPlan()) && !this.#apart.has(next)) {
      this.#apart.add(next)
      return true
    }
    const [before, block, after] = [next - 1, next, next + 1].map((index) => wanted[index]?.block)
    const isNextToList = [before, after].some((neighbor) => neighbor && isList(neighbor))
    if (block && isList(block) && isNextToList && !this.#remarked.has(next)) this.#remarked.add(next)
    else this.#reprinted.add(next)
    return true
  }

  #print(): string {
    const { wanted, from, kept, changed, splices } = this.#getPlan()
    const footnotes = this.#footnotes()
    const contexts: PrintContexts = {
      before: this.#contextBefore(),
      after: { references: this.#options.references, addFootnote: (body) => footnotes.labels.assignLabel(body) },
    }
    const known = wanted.map((_, index) => {
      if (this.#reprinted.has(index)) return undefined
      const at = from[index]
      if (at === undefined) return this.#printEdited(index, splices, contexts)
      const range = this.#ranges[at] as SourceRange
      const remarked = this.#remarked.has(index)
        ? withOtherMarkers(this.#source, { ...(this.#before.locatedBlocks[at] as LocatedBlock), ...range })
        : undefined
      return remarked ?? this.#slice(range)
    })
    const blocks = wanted.map(({ block }) => block)
    const texts = printMissing(known, blocks, contexts.after)
    const definitions = footnotes.labels.print(contexts.after)
    const definitionByLabel = new Map(
      definitions.map(({ label, body, text }) => {
        const spliced = footnotes.removedLabels.has(label) ? this.#spliceFootnote(label, body) : undefined
        return [label, this.#withNewlines(spliced ?? text)]
      }),
    )
    const gaps = this.#gaps(footnotes.removedLabels, definitionByLabel)

    const blank = this.#newline.repeat(2)
    const head = this.#head()
    const writer = new SpliceWriter(gaps, head.text, head.isKept)
    texts.forEach((text, index) => {
      const part = known[index] === undefined ? this.#withNewlines(text) : text
      const at = this.#reprinted.has(index) ? undefined : (kept.get(index) ?? changed.get(index))
      writer.writeBlock(part, at, blank, this.#apart.has(index))
    })
    const last = gaps.length - 1
    const tail = writer.verbatimGap(last)
    const end = this.#source.endsWith('\n') || this.#source === '' ? this.#newline : ''
    const added = definitions.filter(({ label }) => !footnotes.removedLabels.has(label))
    if (tail !== undefined && added.length === 0) return writer.text + tail
    writer.writeGapsBefore(last + 1, blank)
    for (const { label } of added) writer.append(definitionByLabel.get(label) as string, blank)
    return writer.text + end
  }

  #spliceFootnote(label: string, body: Fragment): string | undefined {
    if (!this.#splicedFootnotes) return undefined
    if (!this.#splicedFootnotes.has(label)) {
      this.#footnoteByLabel ??= new Map(this.#before.footnotes.map((one) => [one.label, one]))
      const note = this.#footnoteByLabel.get(label)
      const options = { ...this.#options, hasTitle: false }
      const printed =
        note && spliceFootnote(this.#slice(note), body, (source, document) => splicePage(source, { document }, options))
      this.#splicedFootnotes.set(label, printed)
    }
    return this.#splicedFootnotes.get(label)
  }

  /** Prints an edited block; of blocks that share a range, the first one is printed with all of their text. */
  #printEdited(index: number, splices: Plan['splices'], contexts: PrintContexts): string | undefined {
    const splice = splices.get(index)
    return splice instanceof GroupSplice && splice.first !== index ? '' : splice?.print(contexts)
  }

  /** Returns the plan, which is made only if something has changed. */
  #getPlan(): Plan {
    this.#plan ??= this.#makePlan()
    return this.#plan
  }

  #makePlan(): Plan {
    const printed = printPage(this.#page, this.#options.references)
    const normal = parsePage(printed, this.#options)
    const wanted = pairWithNormalForm(this.#page.document.nodes, normal.document.nodes)
    const { locatedBlocks } = this.#before
    const matching = matchBlocks(
      locatedBlocks.map(({ block }) => block),
      wanted,
      this.#fingerprints,
      (kept) => dropPartialGroups(this.#ranges, kept),
    )
    const source = { text: this.#source, newline: this.#newline, fingerprints: this.#fingerprints }
    const changed = new Map(matching.changed)
    const splices = new Map<number, BlockSplice | GroupSplice>(
      Array.from(matching.changed, ([index, at]) => {
        const block = { ...(locatedBlocks[at] as LocatedBlock), ...(this.#ranges[at] as SourceRange) }
        return [index, new BlockSplice(source, block, wanted[index] as WantedBlock, '')]
      }),
    )
    for (const { index, at, size } of findEditedGroups(this.#ranges, { ...matching, changed }, wanted, locatedBlocks)) {
      const blocks = locatedBlocks.slice(at, at + size).map(({ block }) => block)
      const range = this.#ranges[at] as SourceRange
      const group = new GroupSplice(source, range, blocks, wanted.slice(index, index + size), index)
      for (let nth = 0; nth < size; nth++) {
        changed.set(index + nth, at + nth)
        splices.set(index + nth, group)
      }
    }
    return { ...matching, changed, printed, normal, wanted, splices }
  }

  #head(): { text: string; isKept: boolean } {
    const { frontMatter, title } = this.#page
    const { ranges } = this.#before
    const isSameMatter = normalizeNewlines(frontMatter) === normalizeNewlines(this.#before.frontMatter)
    const isSameTitle = title === this.#before.title
    if (isSameMatter && isSameTitle) return { text: this.#source.slice(0, findHeadEnd(this.#before)), isKept: true }
    const matter =
      frontMatter === undefined
        ? ''
        : isSameMatter && ranges.frontMatter
          ? this.#source.slice(0, ranges.frontMatter.end)
          : this.#withNewlines(`---\n${frontMatter}\n---`)
    const heading =
      title === undefined ? '' : isSameTitle && ranges.title ? this.#slice(ranges.title) : printPageTitle(title)
    const between =
      matter !== '' && heading !== '' && ranges.frontMatter && ranges.title
        ? this.#source.slice(ranges.frontMatter.end, ranges.title.start)
        : this.#newline.repeat(matter !== '' && heading !== '' ? 2 : 0)
    const isKept = heading === '' ? ranges.title === undefined && matter !== '' : ranges.title !== undefined
    return { text: matter + between + heading, isKept: isKept && (heading !== '' || ranges.frontMatter !== undefined) }
  }

  /** Returns the text between the blocks of the source, before the first and after the last one. */
  #gaps(removedLabels: ReadonlySet<string>, definitionByLabel: ReadonlyMap<string, string>): SourceGap[] {
    const starts = [findHeadEnd(this.#before), ...this.#ranges.map(({ end }) => end)]
    const ends = [...this.#ranges.map(({ start }) => start), this.#source.length]
    const footnotes = this.#before.footnotes.filter(({ label }) => removedLabels.has(label))
    let at = 0
    return starts.map((start, index) => {
      const end = ends[index] as number
      let [text, from, isRemoved] = ['', start, false]
      for (let note = footnotes[at]; note && note.start < end; note = footnotes[++at]) {
        const instead = definitionByLabel.get(note.label)
        isRemoved ||= instead === undefined
        const before = this.#source.slice(from, note.start)
        text += instead === undefined ? before.trimEnd() : before + instead
        from = note.end
      }
      text += this.#source.slice(from, end)
      return { content: text.trim(), verbatim: isRemoved ? undefined : text }
    })
  }

  /** Returns labels for the footnotes of printed blocks; footnotes with unchanged bodies keep the labels of the source. */
  #footnotes(): { labels: Footnotes; removedLabels: Set<string> } {
    const { footnotes } = this.#before
    const numbers = (blocks: readonly Block[]) =>
      new Set(Array.from(collectAnnotationBodies(blocks), (body) => this.#fingerprints.ofBody(body)))
    const before = footnotes.length === 0 ? new Set<number>() : numbers(this.#before.document.nodes)
    const after = footnotes.length === 0 ? new Set<number>() : numbers(this.#getPlan().wanted.map(({ block }) => block))
    const written = new Map<number, string>()
    const removedLabels = new Set<string>()
    for (const { label, body } of footnotes) {
      const number = this.#fingerprints.ofBody(body)
      // The footnote is no longer referenced. Footnotes that were never referenced are kept.
      if (before.has(number) && !after.has(number)) removedLabels.add(label)
      else if (!written.has(number)) written.set(number, label)
    }
    const taken = new Set(
      Array.from(this.#source.matchAll(/\[\^([^\]\s]{1,100})\]|#user-content-fn-([^"\s]{1,100})/g), (match) =>
        String(match[1] ?? match[2]),
      ),
    )
    const labels = new Footnotes({ fingerprints: this.#fingerprints, written, free: [...removedLabels], taken })
    return { labels, removedLabels }
  }

  /** Returns a context that prints blocks with the footnote labels of the source. */
  #contextBefore(): PrintContext {
    const labels = new Map(
      this.#before.footnotes.map(({ label, body }) => [this.#fingerprints.ofBody(body), label] as const).toReversed(),
    )
    return {
      references: this.#options.references,
      addFootnote: (body) => labels.get(this.#fingerprints.ofBody(body)) ?? '',
    }
  }

  #slice({ start, end }: SourceRange): string {
    return this.#source.slice(start, end)
  }

  #withNewlines(text: string): string {
    return text.replace(/\r?\n/g, this.#newline)
  }
}

interface Plan extends BlockMatching {
  /** The page in normal form, and the result of parsing it. */
  printed: string
  normal: ParsedPage
  wanted: readonly WantedBlock[]
  /** Edited blocks by index. */
  splices: ReadonlyMap<number, BlockSplice | GroupSplice>
}

/** Blocks that a text is parsed as, and the indexes of those that are not as wanted. */
interface Mismatch {
  found: readonly Block[]
  indexes: readonly number[]
}

const findHeadEnd = ({ ranges }: ParsedPage) => ranges.title?.end ?? ranges.frontMatter?.end ?? 0

function extendToWholeLines(source: string, { locatedBlocks }: ParsedPage, from: number): SourceRange[] {
  let last = from
  return locatedBlocks.map(({ start, end }) => {
    // The search for the line start ends at the previous block: one line may contain very many blocks.
    const lineStart = last + source.slice(last, start).lastIndexOf('\n') + 1
    const first = source.slice(lineStart, start).trim() === '' ? lineStart : start
    last = first + source.slice(first, end).trimEnd().length
    return { start: first, end: last }
  })
}

function detectNewline(source: string): string {
  const all = source.split('\n').length - 1
  return all > 0 && source.split('\r\n').length - 1 > all / 2 ? '\r\n' : '\n'
}

const normalizeNewlines = (text: string | undefined) => text?.replaceAll('\r\n', '\n')
