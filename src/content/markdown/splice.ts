import { withoutKeys } from '../document/identify.ts'
import type { Block } from '../document/nodes.ts'
import { align } from '../document/sequences.ts'
import { escapeText } from './escape.ts'
import { Footnotes } from './footnotes.ts'
import { type ParseOptions, type ParsedPage, type Place, parsePage } from './parse.ts'
import { printBlock } from './print-blocks.ts'
import type { PrintContext } from './print-inlines.ts'
import { type PrintedPage, printPage } from './print.ts'
import { Sameness, bodiesIn } from './sameness.ts'

/** How often more is printed anew when what was kept does not read as it should; each time all of it is read. */
const maxAttempts = 12
const maxReadAgain = 2_000_000

/**
 * Prints a page over the text that it was read from, so that only what was edited changes: other blocks, the front matter
 * and the title stay as they were written. What is returned always reads as the page.
 */
export function printOver(source: string, page: PrintedPage, options: ParseOptions): string {
  const before = parsePage(source, options)
  const splice = new Splice(source, before, { ...page, document: withoutKeys(page.document) }, options)
  if (splice.isUnchanged()) return source
  const reprinted = new Set<number>()
  const attempts = Math.min(maxAttempts, 1 + maxReadAgain / source.length)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = splice.print(reprinted)
    const wrong = splice.firstWrong(text)
    if (wrong === undefined) return text
    // What stands behind the first block that reads wrong may have run into it, or else it into what stands before.
    const next = [wrong + 1, wrong, wrong - 1].find((index) => splice.isKept(index) && !reprinted.has(index))
    if (next === undefined) break
    reprinted.add(next)
  }
  return splice.printAnew()
}

class Splice {
  readonly #source: string
  readonly #before: ParsedPage
  readonly #page: PrintedPage
  readonly #options: ParseOptions
  readonly #newline: string
  readonly #sameness = new Sameness()
  /** Where the blocks of the source stand, on whole lines. */
  readonly #places: readonly Place[]
  readonly #sourceTexts: readonly string[]
  #plan: Plan | undefined

  constructor(source: string, before: ParsedPage, page: PrintedPage, options: ParseOptions) {
    this.#source = source
    this.#before = before
    this.#page = page
    this.#options = options
    this.#newline = usualNewline(source)
    this.#places = wholeLines(source, before, headEnd(before))
    this.#sourceTexts = before.placed.map(({ block }) => this.#sameness.of(block))
  }

  isUnchanged(): boolean {
    const { title, frontMatter, document } = this.#page
    return (
      title === this.#before.title &&
      withUnixNewlines(frontMatter) === withUnixNewlines(this.#before.frontMatter) &&
      document.nodes.length === this.#sourceTexts.length &&
      document.nodes.every((block, index) => this.#sameness.of(block) === this.#sourceTexts[index])
    )
  }

  isKept(index: number): boolean {
    return this.#planned().from[index] !== undefined
  }

  /** The whole page in normal form, with the line ends of the source. */
  printAnew(): string {
    const printed = this.#planned().printed
    const text = this.#source === '' || this.#source.endsWith('\n') ? printed : printed.replace(/\n$/, '')
    const converted = this.#withNewlines(text)
    return this.firstWrong(converted) === undefined ? converted : printed
  }

  /** The first block of a text that is not what it should be, or undefined. */
  firstWrong(text: string): number | undefined {
    const { nodes, texts, normal } = this.#planned()
    const after = parsePage(text, this.#options)
    const isHeadRight =
      after.title === normal.title && withUnixNewlines(after.frontMatter) === withUnixNewlines(normal.frontMatter)
    if (!isHeadRight) return 0
    const found = after.document.nodes
    const wrong = found.findIndex((block, index) => !texts[index]?.includes(this.#sameness.of(block)))
    if (wrong !== -1) return wrong
    return found.length < nodes.length ? found.length : undefined
  }

  print(reprinted: ReadonlySet<number>): string {
    const { nodes, from, aligned } = this.#planned()
    const footnotes = this.#footnotes()
    const context: PrintContext = {
      references: this.#options.references,
      footnote: (body) => footnotes.labels.labelOf(body),
    }
    const kept = nodes.map((_, index) => (reprinted.has(index) ? undefined : from[index]))
    const texts = kept.map((at) => (at === undefined ? undefined : this.#slice(this.#places[at] as Place)))
    nodes.forEach((block, index) => {
      if (texts[index] !== undefined) return
      const markers = [markerOf(texts[index - 1]), markerOf(texts[index + 1])]
      texts[index] = this.#withNewlines(printBlock(block, context, needsOtherMarker(block, markers)))
    })
    const definitions = footnotes.labels.print(context)
    const definitionOf = new Map(definitions.map(({ label, text }) => [label, this.#withNewlines(text)]))
    const gaps = this.#gaps(footnotes.gone, definitionOf)

    const blank = this.#newline.repeat(2)
    const head = this.#head()
    let text = head.text
    /** The gap that comes next in the source, and whether what stands before it stands before it here, too. */
    let [next, isNext] = [0, head.isKept]
    const add = (part: string) => {
      if (part !== '') text += (text === '' ? '' : blank) + part
    }
    const close = (gap: number) => {
      for (; next < gap; next++) add((gaps[next] as Gap).content)
    }
    nodes.forEach((_, index) => {
      const part = texts[index] as string
      const at = aligned.has(index) ? kept[index] : undefined
      if (at === undefined) {
        add(part)
        isNext = false
        return
      }
      const verbatim = isNext && next === at ? gaps[at]?.verbatim : undefined
      if (verbatim !== undefined) text += verbatim + part
      else {
        close(at + 1)
        add(part)
      }
      ;[next, isNext] = [at + 1, true]
    })

    const last = gaps.length - 1
    const tail = isNext && next === last ? gaps[last]?.verbatim : undefined
    const end = this.#source.endsWith('\n') || this.#source === '' ? this.#newline : ''
    const added = definitions.filter(({ label }) => !footnotes.gone.has(label))
    if (tail !== undefined && added.length === 0) return text + tail
    close(last + 1)
    for (const { label } of added) add(definitionOf.get(label) as string)
    return text + end
  }

  /** What matches what; made when it turns out that something has changed. */
  #planned(): Plan {
    this.#plan ??= this.#makePlan()
    return this.#plan
  }

  #makePlan(): Plan {
    const printed = printPage(this.#page, this.#options.references)
    const normal = parsePage(printed, this.#options)
    const { nodes: own } = this.#page.document
    const { nodes: ofNormal } = normal.document
    // Blocks that say nothing are not printed; then only what is printed counts.
    const nodes = own.length === ofNormal.length ? own : ofNormal
    const known = new Set(this.#sourceTexts)
    const texts = nodes.map((block, index) => {
      const text = this.#sameness.of(block)
      return known.has(text) ? [text] : [text, this.#sameness.of(ofNormal[index] as Block)]
    })
    const sought = texts.map((some) => some.find((text) => known.has(text)) ?? (some[0] as string))
    const aligned = new Map(align(this.#sourceTexts, sought).map(([at, index]) => [index, at]))
    const shared = this.#keepShared(aligned)

    const moved = new Map<string, number[]>()
    const taken = new Set(aligned.values())
    for (let at = this.#sourceTexts.length - 1; at >= 0; at--) {
      if (taken.has(at) || shared.has(at)) continue
      const text = this.#sourceTexts[at] as string
      const others = moved.get(text)
      if (others) others.push(at)
      else moved.set(text, [at])
    }
    const from = sought.map((text, index) => aligned.get(index) ?? moved.get(text)?.pop())
    return { printed, normal, nodes, texts, from, aligned }
  }

  /** Blocks that were made from one thing stay together, or none stays. Gives those of the source that share a place. */
  #keepShared(aligned: Map<number, number>): Set<number> {
    const shared = new Set<number>()
    const indexOf = new Map(Array.from(aligned, ([index, at]) => [at, index]))
    const isEmpty = (at: number) => this.#places[at]?.start === this.#places[at]?.end
    for (let from = 0; from < this.#places.length; from++) {
      let to = from + 1
      while (to < this.#places.length && isEmpty(to)) to++
      if (to - from === 1) continue
      const group = Array.from({ length: to - from }, (_, nth) => from + nth)
      const first = indexOf.get(from)
      const isWhole = group.every((at, nth) => first !== undefined && indexOf.get(at) === first + nth)
      for (const at of group) {
        shared.add(at)
        const index = indexOf.get(at)
        if (!isWhole && index !== undefined) aligned.delete(index)
      }
      from = to - 1
    }
    return shared
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
      title === undefined ? '' : isSameTitle && places.title ? this.#slice(places.title) : `# ${escapeText(title)}`
    const between =
      matter !== '' && heading !== '' && places.frontMatter && places.title
        ? this.#source.slice(places.frontMatter.end, places.title.start)
        : this.#newline.repeat(matter !== '' && heading !== '' ? 2 : 0)
    const isKept = heading === '' ? places.title === undefined && matter !== '' : places.title !== undefined
    return { text: matter + between + heading, isKept: isKept && (heading !== '' || places.frontMatter !== undefined) }
  }

  /** What stands between the blocks of the source, before the first and behind the last one. */
  #gaps(gone: ReadonlySet<string>, definitionOf: ReadonlyMap<string, string>): Gap[] {
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

  /** Labels for footnotes in blocks that are printed: those of the source, as far as they say the same. */
  #footnotes(): { labels: Footnotes; gone: Set<string> } {
    const { footnotes } = this.#before
    const numbers = (blocks: readonly Block[]) =>
      new Set(Array.from(bodiesIn(blocks), (body) => this.#sameness.ofBody(body)))
    const before = footnotes.length === 0 ? new Set<number>() : numbers(this.#before.document.nodes)
    const after = footnotes.length === 0 ? new Set<number>() : numbers(this.#planned().nodes)
    const written = new Map<number, string>()
    const gone = new Set<string>()
    for (const { label, body } of footnotes) {
      const number = this.#sameness.ofBody(body)
      // Nothing refers to it any longer. What nothing ever referred to stays.
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

  #slice({ start, end }: Place): string {
    return this.#source.slice(start, end)
  }

  #withNewlines(text: string): string {
    return text.replace(/\r?\n/g, this.#newline)
  }
}

interface Plan {
  /** The page in normal form, and what that reads as. */
  printed: string
  normal: ParsedPage
  nodes: readonly Block[]
  /** For each block the texts of which it must have one. */
  texts: readonly (readonly string[])[]
  /** For each block the one of the source that it is, also when it was moved. */
  from: readonly (number | undefined)[]
  /** The blocks that stand in the order of the source. */
  aligned: ReadonlyMap<number, number>
}

interface Gap {
  /** Without the blank lines around. */
  content: string
  /** Undefined when something was removed from it. */
  verbatim: string | undefined
}

const headEnd = ({ places }: ParsedPage) => places.title?.end ?? places.frontMatter?.end ?? 0

function wholeLines(source: string, { placed }: ParsedPage, from: number): Place[] {
  let last = from
  return placed.map(({ start, end }) => {
    // Not further back than the block before: one line may have very many blocks.
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

/** The marker of the first item, when a text begins with a list. */
function markerOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^\s*(?:([*+-])|\d{1,9}([.)]))(?:\s|$)/.exec(text)?.slice(1).find(Boolean)
}

/** Whether a list would be read as one with what stands beside it. */
function needsOtherMarker(block: Block, [before, after]: readonly (string | undefined)[]): boolean {
  if (block.type === 'list-item' || !block.type.startsWith('list-')) return false
  const [usual, other] = block.type === 'list-ordered' ? ['.', ')'] : ['*', '-']
  return before === usual || (after === usual && before !== other)
}
