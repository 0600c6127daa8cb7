import type { FlatEntry } from './summary-match.ts'
import { type LocatedSummary, indentWidth, itemLine } from './summary.ts'

export interface SummaryLine {
  text: string
  /** Line break at the end of the line; empty at the end of a text without a final newline. */
  end: string
  isDivider?: boolean
}

/** Kind of gap between two entries, by their relation to each other. */
export type GapKind = 'head' | 'first' | 'item' | 'group' | 'break'

export interface SummaryGap {
  /** Comments and the like, which belong to the previous entry. */
  attached: readonly SummaryLine[]
  /** Blank lines and dividers. */
  separator: readonly SummaryLine[]
}

/** The lines of a table of contents and its style. */
export class SummarySource {
  readonly newline: string
  readonly hasFinalNewline: boolean
  /** Lines of each entry. */
  readonly entryLines: readonly (readonly SummaryLine[])[]
  /** Indentation of each entry. */
  readonly indents: readonly string[]
  /** Gaps before each entry and after the last one. */
  readonly gaps: readonly SummaryGap[]
  /** Lines of a comment or fence that is never closed, so that nothing can follow it. */
  readonly unclosed: readonly SummaryLine[]
  /** Whether the last entry is never closed. */
  readonly isLastUnclosed: boolean
  /** Kinds of the gaps before the entries. */
  readonly kinds: readonly GapKind[]
  /** Usual bullet with the whitespace after it. */
  readonly bullet: string
  /** Usual indentation of children, relative to their parent. */
  readonly indentUnit: string
  readonly #usual: Readonly<Record<GapKind, readonly SummaryLine[]>>

  constructor(text: string, located: LocatedSummary, flat: readonly FlatEntry[]) {
    const lines = linesOf(text, located.dividers)
    const { entryLines, unclosedFrom } = located
    const lastEnd = entryLines.at(-1)?.to ?? 0
    // An item that is never closed is an entry like any other.
    const end = unclosedFrom !== undefined && unclosedFrom >= lastEnd ? unclosedFrom : lines.length
    this.newline = mostFrequent(lines.map((line) => line.end).filter(Boolean)) ?? '\n'
    this.hasFinalNewline = lines.length === 0 || lines.at(-1)?.end !== ''
    this.entryLines = entryLines.map(({ from, to }) => lines.slice(from, to))
    const starts = [0, ...entryLines.map(({ to }) => to)]
    const ends = [...entryLines.map(({ from }) => from), Math.max(end, lastEnd)]
    this.gaps = starts.map((start, index) => gapOf(lines.slice(start, ends[index])))
    this.unclosed = lines.slice(Math.max(end, lastEnd))
    this.isLastUnclosed = unclosedFrom !== undefined && unclosedFrom < lastEnd
    this.kinds = classifyGaps(flat)
    const parts = this.entryLines.map(([line]) => splitItemLine(line?.text ?? ''))
    this.indents = parts.map(({ indent }) => indent)
    this.bullet = usualBullet(parts)
    this.indentUnit = usualUnit(this.indents, flat, this.bullet)
    this.#usual = this.#usualSeparators()
  }

  /** Returns the usual separator for a kind of gap. */
  usualSeparator(kind: GapKind): readonly SummaryLine[] {
    return this.#usual[kind]
  }

  #usualSeparators(): Record<GapKind, readonly SummaryLine[]> {
    const blank = { text: '', end: this.newline }
    const head = this.gaps[0]
    const usual: Record<GapKind, readonly SummaryLine[]> = {
      head: head && head.attached.length > 0 && this.entryLines.length === 0 ? [blank] : (head?.separator ?? []),
      first: [blank],
      item: [],
      group: [blank],
      break: [blank, { text: '***', end: this.newline, isDivider: true }, blank],
    }
    for (const kind of ['first', 'item', 'group', 'break'] as const) {
      const written = this.gaps.filter((gap, index) => this.kinds[index] === kind && gap.attached.length === 0)
      const texts = written.map(({ separator }) => separator.map(({ text }) => text).join('\n'))
      const found = mostFrequent(texts)
      const gap = found === undefined ? undefined : written[texts.indexOf(found)]
      if (gap) usual[kind] = gap.separator
    }
    return usual
  }
}

/** Returns the kinds of the gaps before entries. */
export function classifyGaps(flat: readonly FlatEntry[]): GapKind[] {
  let inGroup = false
  return flat.map(({ entry, parent }, index) => {
    const wasInGroup = inGroup
    if (parent === -1) inGroup = entry.type === 'group'
    if (index === 0) return 'head'
    if (entry.type === 'group') return 'group'
    if (parent === -1 && wasInGroup) return 'break'
    return flat[index - 1]?.entry.type === 'group' ? 'first' : 'item'
  })
}

export interface ItemParts {
  indent: string
  /** Marker with the whitespace after it. */
  bullet: string
  text: string
  /** Whitespace at the end of the line. */
  tail: string
}

export function splitItemLine(line: string): ItemParts {
  const [, indent = '', marker = '', gap = '', rest = ''] = itemLine.exec(line) ?? []
  const text = rest.trim()
  return { indent, bullet: marker + gap, text, tail: rest.slice(rest.indexOf(text) + text.length) }
}

/** Returns the number of columns of a bullet. */
export function bulletWidth(bullet: string): number {
  const marker = bullet.trimEnd()
  return marker.length + indentWidth(bullet.slice(marker.length))
}

function linesOf(text: string, dividers: ReadonlySet<number>): SummaryLine[] {
  const lines: SummaryLine[] = []
  for (const [, line = '', end = ''] of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    if (line === '' && end === '') continue
    lines.push({ text: line, end, ...(dividers.has(lines.length) && { isDivider: true }) })
  }
  return lines
}

function gapOf(lines: readonly SummaryLine[]): SummaryGap {
  const last = lines.findLastIndex(({ text, isDivider }) => !isDivider && text.trim() !== '')
  return { attached: lines.slice(0, last + 1), separator: lines.slice(last + 1) }
}

function usualBullet(parts: readonly ItemParts[]): string {
  const bullets = parts.map(({ bullet }) => bullet.replace(/^\d+/, '1'))
  return mostFrequent(bullets.filter((bullet) => bullet !== '')) ?? '* '
}

function usualUnit(indents: readonly string[], flat: readonly FlatEntry[], bullet: string): string {
  const units = flat.flatMap(({ parent, depth }, index) => {
    const [outer, inner] = [indents[parent], indents[index] as string]
    return depth > 0 && outer !== undefined && inner.startsWith(outer) ? [inner.slice(outer.length)] : []
  })
  return mostFrequent(units.filter(Boolean)) ?? ' '.repeat(/^\d/.test(bullet) ? bulletWidth(bullet) : 2)
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [first, ...others] = counts
  return first && others.reduce((best, one) => (one[1] > best[1] ? one : best), first)[0]
}
