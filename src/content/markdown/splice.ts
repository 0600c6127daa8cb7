import { withoutKeys } from '../document/identify.ts'
import type { Block } from '../document/nodes.ts'
import { Footnotes } from './footnotes.ts'
import type { Placed } from './parse-blocks.ts'
import { type ParseOptions, type ParsedPage, type SourceRange, parsePage } from './parse.ts'
import { printPageTitle } from './print-blocks.ts'
import type { PrintContext } from './print-inlines.ts'
import { type PrintedPage, printPage } from './print.ts'
import { Sameness, bodiesIn } from './sameness.ts'
import { Change, type Contexts, printMissing } from './splice-change.ts'
import { type Matching, type Wanted, isAsWanted, keepShared, matchBlocks, wantedBlocks } from './splice-match.ts'
import { type SourceGap, Weaver } from './splice-weave.ts'

/** Maximum number of attempts to print a page if the kept parts do not parse as wanted; each attempt parses the whole page. */
const maxAttempts = 12
const maxReadAgain = 2_000_000

/**
 * Prints a page over the text that it was parsed from, so that only the edited parts change: other blocks, rows and lines, the
 * front matter and the title are kept as written. The result always parses as the page.
 */
export function printOver(source: string, page: PrintedPage, options: ParseOptions): string {
  const before = parsePage(source, options)
  const splice = new Splice(source, before, { ...page, document: withoutKeys(page.document) }, options)
  if (splice.isUnchanged()) return source
  const attempts = Math.min(maxAttempts, 1 + maxReadAgain / source.length)
  return splice.tryOften(attempts) ?? splice.withoutChanges().tryOften(attempts) ?? splice.printAnew()
}

class Splice {
  readonly #source: string
  readonly #before: ParsedPage
  readonly #page: PrintedPage
  readonly #options: ParseOptions
  readonly #newline: string
  readonly #sameness = new Sameness()
  /** Positions of the blocks in the source, extended to whole lines. */
  readonly #places: readonly SourceRange[]
  #plan: Plan | undefined
  /** Indexes of the blocks that are printed again although the source contains them or an earlier version of them. */
  readonly #reprinted = new Set<number>()

  constructor(source: string, before: ParsedPage, page: PrintedPage, options: ParseOptions) {
    this.#source = source
    this.#before = before
    this.#page = page
    this.#options = options
    this.#newline = usualNewline(source)
    this.#places = wholeLines(source, before, headEnd(before))
  }

  isUnchanged(): boolean {
    const { title, frontMatter, document } = this.#page
    const { placed } = this.#before
    return (
      title === this.#before.title &&
      withUnixNewlines(frontMatter) === withUnixNewlines(this.#before.frontMatter) &&
      document.nodes.length === placed.length &&
      document.nodes.every((block, at) => this.#sameness.of(block) === this.#sameness.of((placed[at] as Placed).block))
    )
  }

  /** Prints the page repeatedly, and keeps less of the source each time it does not parse as wanted. */
  tryOften(attempts: number): string | undefined {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const text = this.#print()
      const wrong = this.#findWrong(text)
      if (!wrong) return text
      if (!this.#retreat(wrong)) return undefined
    }
    return undefined
  }

  /** Returns the same splice, in which edited blocks are printed completely. */
  withoutChanges(): Splice {
    this.#reprinted.clear()
    for (const index of this.#planned().changes.keys()) this.#reprinted.add(index)
    return this
  }

  /** Prints the whole page in normal form, with the newlines of the source. */
  printAnew(): string {
    const printed = this.#planned().printed
    const text = this.#source === '' || this.#source.endsWith('\n') ? printed : printed.replace(/\n$/, '')
    const converted = this.#withNewlines(text)
    return this.#findWrong(converted) === undefined ? converted : printed
  }

  #findWrong(text: string): Wrong | undefined {
    const { wanted, normal } = this.#planned()
    const after = parsePage(text, this.#options)
    const isHeadRight =
      after.title === normal.title && withUnixNewlines(after.frontMatter) === withUnixNewlines(normal.frontMatter)
    const found = after.document.nodes
    if (!isHeadRight) return { found, indexes: [0] }
    const isWrong = (_: unknown, index: number) => {
      const [block, one] = [found[index], wanted[index]]
      return !block || !one || !isAsWanted(block, one, this.#sameness)
    }
    if (found.length === wanted.length) {
      const indexes = [...found.keys()].filter(isWrong)
      return indexes.length > 0 ? { found, indexes } : undefined
    }
    const first = found.findIndex(isWrong)
    return { found, indexes: [first < 0 ? found.length : first] }
  }

  /** Keeps less of the source around blocks that do not parse as wanted; returns false if nothing less can be kept. */
  #retreat({ found, indexes }: Wrong): boolean {
    const { wanted, from, changes } = this.#planned()
    const isAligned = found.length === wanted.length
    const printsMore = (index: number, read: Block | undefined) => {
      const change = this.#reprinted.has(index) ? undefined : changes.get(index)
      if (!change) return false
      if (!change.retreat(read)) this.#reprinted.add(index)
      return true
    }
    // All of them at once, so that a page with many edits does not need as many attempts.
    const retreated = indexes.filter((index) => printsMore(index, isAligned ? found[index] : undefined))
    if (retreated.length > 0) return true
    const wrong = indexes[0] as number
    if ([wrong + 1, wrong - 1].some((index) => printsMore(index, undefined))) return true
    // The block after the first wrong one may have been joined with it, or the wrong one with the block before it.
    const next = [wrong + 1, wrong, wrong - 1].find((index) => from[index] !== undefined && !this.#reprinted.has(index))
    if (next === undefined) return false
    this.#reprinted.add(next)
    return true
  }

  #print(): string {
    const { wanted, from, kept, changed, changes } = this.#planned()
    const footnotes = this.#footnotes()
    const contexts: Contexts = {
      before: this.#contextBefore(),
      after: { references: this.#options.references, footnote: (body) => footnotes.labels.labelOf(body) },
    }
    const known = wanted.map((_, index) => {
      if (this.#reprinted.has(index)) return undefined
      const at = from[index]
      return at === undefined ? changes.get(index)?.print(contexts) : this.#slice(this.#places[at] as SourceRange)
    })
    const blocks = wanted.map(({ block }) => block)
    const texts = printMissing(known, blocks, contexts.after)
    const definitions = footnotes.labels.print(contexts.after)
    const definitionOf = new Map(definitions.map(({ label, text }) => [label, this.#withNewlines(text)]))
    const gaps = this.#gaps(footnotes.gone, definitionOf)

    const blank = this.#newline.repeat(2)
    const head = this.#head()
    const weaver = new Weaver(gaps, head.text, head.isKept)
    texts.forEach((text, index) => {
      const part = known[index] === undefined ? this.#withNewlines(text) : text
      weaver.put(part, this.#reprinted.has(index) ? undefined : (kept.get(index) ?? changed.get(index)), blank)
    })
    const last = gaps.length - 1
    const tail = weaver.verbatim(last)
    const end = this.#source.endsWith('\n') || this.#source === '' ? this.#newline : ''
    const added = definitions.filter(({ label }) => !footnotes.gone.has(label))
    if (tail !== undefined && added.length === 0) return weaver.text + tail
    weaver.close(last + 1, blank)
    for (const { label } of added) weaver.add(definitionOf.get(label) as string, blank)
    return weaver.text + end
  }

  /** Returns the plan, which is made only if something has changed. */
  #planned(): Plan {
    this.#plan ??= this.#makePlan()
    return this.#plan
  }

  #makePlan(): Plan {
    const printed = printPage(this.#page, this.#options.references)
    const normal = parsePage(printed, this.#options)
    const wanted = wantedBlocks(this.#page.document.nodes, normal.document.nodes)
    const { placed } = this.#before
    const matching = matchBlocks(
      placed.map(({ block }) => block),
      wanted,
      this.#sameness,
      (kept) => keepShared(this.#places, kept),
    )
    const source = { text: this.#source, newline: this.#newline, sameness: this.#sameness }
    const changes = new Map(
      Array.from(matching.changed, ([index, at]) => {
        const block = { ...(placed[at] as Placed), ...(this.#places[at] as SourceRange) }
        return [index, new Change(source, block, wanted[index] as Wanted, '')]
      }),
    )
    return { ...matching, printed, normal, wanted, changes }
  }

  #head(): { text: string; isKept: boolean } {
    const { frontMatter, title } = this.#page
    const { places } = this.#before
    const isSameMatter = withUnixNewlines(frontMatter) === withUnixNewlines(this.#before.frontMatter)
    const isSameTitle = title === this.#before.title
    if (isSameMatter && isSameTitle) return { text: this.#source.slice(0, headEnd(this.#before)), isKept: true }
    const matter =
      frontMatter === undefined
        ? ''
        : isSameMatter && places.frontMatter
          ? this.#source.slice(0, places.frontMatter.end)
          : this.#withNewlines(`---\n${frontMatter}\n---`)
    const heading =
      title === undefined ? '' : isSameTitle && places.title ? this.#slice(places.title) : printPageTitle(title)
    const between =
      matter !== '' && heading !== '' && places.frontMatter && places.title
        ? this.#source.slice(places.frontMatter.end, places.title.start)
        : this.#newline.repeat(matter !== '' && heading !== '' ? 2 : 0)
    const isKept = heading === '' ? places.title === undefined && matter !== '' : places.title !== undefined
    return { text: matter + between + heading, isKept: isKept && (heading !== '' || places.frontMatter !== undefined) }
  }

  /** Returns the text between the blocks of the source, before the first and after the last one. */
  #gaps(gone: ReadonlySet<string>, definitionOf: ReadonlyMap<string, string>): SourceGap[] {
    const starts = [headEnd(this.#before), ...this.#places.map(({ end }) => end)]
    const ends = [...this.#places.map(({ start }) => start), this.#source.length]
    const footnotes = this.#before.footnotes.filter(({ label }) => gone.has(label))
    let at = 0
    return starts.map((start, index) => {
      const end = ends[index] as number
      let [text, from, isRemoved] = ['', start, false]
      for (let note = footnotes[at]; note && note.start < end; note = footnotes[++at]) {
        const instead = definitionOf.get(note.label)
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
  #footnotes(): { labels: Footnotes; gone: Set<string> } {
    const { footnotes } = this.#before
    const numbers = (blocks: readonly Block[]) =>
      new Set(Array.from(bodiesIn(blocks), (body) => this.#sameness.ofBody(body)))
    const before = footnotes.length === 0 ? new Set<number>() : numbers(this.#before.document.nodes)
    const after = footnotes.length === 0 ? new Set<number>() : numbers(this.#planned().wanted.map(({ block }) => block))
    const written = new Map<number, string>()
    const gone = new Set<string>()
    for (const { label, body } of footnotes) {
      const number = this.#sameness.ofBody(body)
      // The footnote is no longer referenced. Footnotes that were never referenced are kept.
      if (before.has(number) && !after.has(number)) gone.add(label)
      else if (!written.has(number)) written.set(number, label)
    }
    const taken = new Set(
      Array.from(this.#source.matchAll(/\[\^([^\]\s]{1,100})\]|#user-content-fn-([^"\s]{1,100})/g), (match) =>
        String(match[1] ?? match[2]),
      ),
    )
    const labels = new Footnotes({ sameness: this.#sameness, written, free: [...gone], taken })
    return { labels, gone }
  }

  /** Returns a context that prints blocks with the footnote labels of the source. */
  #contextBefore(): PrintContext {
    const labels = new Map(
      this.#before.footnotes.map(({ label, body }) => [this.#sameness.ofBody(body), label] as const).toReversed(),
    )
    return {
      references: this.#options.references,
      footnote: (body) => labels.get(this.#sameness.ofBody(body)) ?? '',
    }
  }

  #slice({ start, end }: SourceRange): string {
    return this.#source.slice(start, end)
  }

  #withNewlines(text: string): string {
    return text.replace(/\r?\n/g, this.#newline)
  }
}

interface Plan extends Matching {
  /** The page in normal form, and the result of parsing it. */
  printed: string
  normal: ParsedPage
  wanted: readonly Wanted[]
  /** Edited blocks by index. */
  changes: ReadonlyMap<number, Change>
}

/** Blocks that a text is parsed as, and the indexes of those that are not as wanted. */
interface Wrong {
  found: readonly Block[]
  indexes: readonly number[]
}

const headEnd = ({ places }: ParsedPage) => places.title?.end ?? places.frontMatter?.end ?? 0

function wholeLines(source: string, { placed }: ParsedPage, from: number): SourceRange[] {
  let last = from
  return placed.map(({ start, end }) => {
    // The search for the line start ends at the previous block: one line may contain very many blocks.
    const lineStart = last + source.slice(last, start).lastIndexOf('\n') + 1
    const first = source.slice(lineStart, start).trim() === '' ? lineStart : start
    last = first + source.slice(first, end).trimEnd().length
    return { start: first, end: last }
  })
}

function usualNewline(source: string): string {
  const all = source.split('\n').length - 1
  return all > 0 && source.split('\r\n').length - 1 > all / 2 ? '\r\n' : '\n'
}

const withUnixNewlines = (text: string | undefined) => text?.replaceAll('\r\n', '\n')
