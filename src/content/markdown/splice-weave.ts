/** Text between two blocks of the source. */
export interface SourceGap {
  /** Text without surrounding blank lines: comments, link definitions and other content that is not a block. */
  content: string
  /** The text as written; undefined if something was removed from it. */
  verbatim: string | undefined
}

/** Whether a line contains only whitespace and, in quotes, quote markers. */
const isEmptyLine = (line: string, isQuoted: boolean) => (isQuoted ? /^[\s>]*$/ : /^\s*$/).test(line)

export function gapOf(text: string, isQuoted: boolean): SourceGap {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => !isEmptyLine(line, isQuoted))
  const last = lines.findLastIndex((line) => !isEmptyLine(line, isQuoted))
  const content = lines.slice(first, last + 1).join('\n')
  return { content: first < 0 ? '' : content.replace(isQuoted ? /^[\s>]+/ : /^\s+/, '').trimEnd(), verbatim: text }
}

const countLines = (text: string) => text.split('\n').length

/** Concatenates texts and keeps the gaps of the source between those that were adjacent there. */
export class Weaver {
  readonly #gaps: readonly SourceGap[]
  #text: string
  /** Index of the next gap in the source, and whether the current text ends with what is before that gap. */
  #next = 0
  #isNext: boolean

  /** The gap at an index is before the block at that index. */
  constructor(gaps: readonly SourceGap[], start: string, isStartKept: boolean) {
    this.#gaps = gaps
    this.#text = start
    this.#isNext = isStartKept
  }

  get text(): string {
    return this.#text
  }

  add(part: string, separator: string): void {
    if (part !== '') this.#text += (this.#text === '' ? '' : separator) + part
  }

  /** Adds the text of a block that keeps its position `at` in the source; `at` is undefined for a new block. */
  put(part: string, at: number | undefined, separator: string): void {
    if (at === undefined) {
      const gap = this.#isNext && this.#text !== '' ? this.#gaps[this.#next] : undefined
      const isLast = this.#next >= this.#gaps.length - 1
      const mayStay = gap?.content === '' && gap.verbatim !== undefined && !isLast
      this.add(part, mayStay ? longer(separator, gap.verbatim as string) : separator)
      this.#isNext = false
      return
    }
    const verbatim = this.#isNext ? this.#gapUpTo(at) : undefined
    if (verbatim !== undefined) this.#text += verbatim + part
    else {
      this.close(at + 1, separator)
      this.add(part, separator)
    }
    ;[this.#next, this.#isNext] = [at + 1, true]
  }

  /** Adds the content of all gaps before the given one. */
  close(gap: number, separator: string): void {
    for (; this.#next < gap; this.#next++) this.add(this.#gaps[this.#next]?.content ?? '', separator)
  }

  /** Returns the gap at an index as written if the current text ends with what is before it in the source. */
  verbatim(gap: number): string | undefined {
    return this.#isNext && this.#next === gap ? this.#gaps[gap]?.verbatim : undefined
  }

  /** Returns the gap before a block; if blocks before it were removed, one of the gaps around them. */
  #gapUpTo(at: number): string | undefined {
    if (this.#next === at) return this.#gaps[at]?.verbatim
    const gaps = this.#gaps.slice(this.#next, at + 1)
    if (this.#text === '' || gaps.some(({ content, verbatim }) => content !== '' || verbatim === undefined)) {
      return undefined
    }
    return gaps.map(({ verbatim }) => verbatim as string).reduce(longer)
  }
}

/** Returns the text with more lines; the second one if both have the same number. */
const longer = (one: string, other: string) => (countLines(one) > countLines(other) ? one : other)

/** Adds a prefix to all lines of a printed text after the first one. */
export function behindPrefix(text: string, prefix: string, newline: string): string {
  const [first, ...lines] = text.split(/\r?\n/)
  return [first, ...lines.map((line) => (line === '' ? prefix.trimEnd() : prefix + line))].join(newline)
}
