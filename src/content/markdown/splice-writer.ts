/** Text between two blocks of the source. */
export interface SourceGap {
  /** Text without surrounding blank lines: comments, link definitions and other content that is not a block. */
  content: string
  /** The text as written; undefined if something was removed from it. */
  verbatim: string | undefined
}

/** Whether a line contains only whitespace and, in quotes, quote markers. */
const isEmptyLine = (line: string, isQuoted: boolean) => (isQuoted ? /^[\s>]*$/ : /^\s*$/).test(line)

export function createGap(text: string, isQuoted: boolean): SourceGap {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => !isEmptyLine(line, isQuoted))
  const last = lines.findLastIndex((line) => !isEmptyLine(line, isQuoted))
  const content = lines.slice(first, last + 1).join('\n')
  return { content: first < 0 ? '' : content.replace(isQuoted ? /^[\s>]+/ : /^\s+/, '').trimEnd(), verbatim: text }
}

const countLines = (text: string) => text.split('\n').length

/** Concatenates texts and keeps the gaps of the source between those that were adjacent there. */
export class SpliceWriter {
  readonly #gaps: readonly SourceGap[]
  #text: string
  /** Index of the next gap in the source, and whether the current text ends with what is before that gap. */
  #nextGap = 0
  #isAtNextGap: boolean

  /** The gap at an index is before the block at that index. */
  constructor(gaps: readonly SourceGap[], start: string, isStartKept: boolean) {
    this.#gaps = gaps
    this.#text = start
    this.#isAtNextGap = isStartKept
  }

  get text(): string {
    return this.#text
  }

  append(part: string, separator: string): void {
    if (part !== '') this.#text += (this.#text === '' ? '' : separator) + part
  }

  /**
   * Adds the text of a block that keeps its position `at` in the source; `at` is undefined for a new block. The separator replaces
   * the gap before it if the block is kept apart.
   */
  writeBlock(part: string, at: number | undefined, separator: string, isApart = false): void {
    if (at === undefined) {
      const gap = this.#isAtNextGap && this.#text !== '' ? this.#gaps[this.#nextGap] : undefined
      const isLast = this.#nextGap >= this.#gaps.length - 1
      const mayStay = gap?.content === '' && gap.verbatim !== undefined && !isLast
      const wanted = mayStay ? longer(separator, gap.verbatim as string) : separator
      this.append(part, gap?.verbatim === undefined ? wanted : withBlanksOf(gap.verbatim, wanted))
      this.#isAtNextGap = false
      return
    }
    const verbatim = this.#isAtNextGap && !isApart ? this.#findGapBefore(at) : undefined
    if (verbatim !== undefined) this.#text += verbatim + part
    else {
      this.writeGapsBefore(at + 1, separator)
      this.append(part, separator)
    }
    ;[this.#nextGap, this.#isAtNextGap] = [at + 1, true]
  }

  /** Adds the content of all gaps before the given one. */
  writeGapsBefore(gap: number, separator: string): void {
    for (; this.#nextGap < gap; this.#nextGap++) this.append(this.#gaps[this.#nextGap]?.content ?? '', separator)
  }

  /** Returns the gap at an index as written if the current text ends with what is before it in the source. */
  verbatimGap(gap: number): string | undefined {
    return this.#isAtNextGap && this.#nextGap === gap ? this.#gaps[gap]?.verbatim : undefined
  }

  /** Returns the gap before a block; if blocks before it were removed, one of the gaps around them. */
  #findGapBefore(at: number): string | undefined {
    if (this.#nextGap === at) return this.#gaps[at]?.verbatim
    const gaps = this.#gaps.slice(this.#nextGap, at + 1)
    if (this.#text === '' || gaps.some(({ content, verbatim }) => content !== '' || verbatim === undefined)) {
      return undefined
    }
    const verbatim = gaps.map((gap) => gap.verbatim as string)
    return withBlanksOf(verbatim[0] as string, verbatim.reduce(longer))
  }
}

/** Returns a gap that begins with the blanks of another one, which are at the end of the line before it. */
function withBlanksOf(first: string, gap: string): string {
  const [own, wanted] = [leadingBlanks(first), leadingBlanks(gap)]
  return own === undefined || wanted === undefined ? gap : own + gap.slice(wanted.length)
}

/** Returns the blanks before the first newline; undefined if there is other text before it, or no newline. */
const leadingBlanks = (gap: string): string | undefined => /^[ \t]*(?=\r?\n)/.exec(gap)?.[0]

/** Returns the text with more lines; the second one if both have the same number. */
const longer = (one: string, other: string) => (countLines(one) > countLines(other) ? one : other)

/** Adds a prefix to all lines of a printed text after the first one. */
export function prefixFollowingLines(text: string, prefix: string, newline: string): string {
  const [first, ...lines] = text.split(/\r?\n/)
  return [first, ...lines.map((line) => (line === '' ? prefix.trimEnd() : prefix + line))].join(newline)
}
