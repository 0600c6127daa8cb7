import { editGroupLine, editItemLines, printItemLines, reindentLines } from './summary-line.ts'
import { type FlatEntry, flattenEntries, isSameSummary, matchEntries } from './summary-match.ts'
import { type GapKind, type SummaryLine, SummarySource, classifyGaps } from './summary-source.ts'
import {
  SummaryTextCache,
  type SummaryEntry,
  type SummaryGroup,
  type SummaryItem,
  indentWidth,
  parseSummary,
  parseLocatedSummary,
  printSummaryGroup,
  printSummary,
} from './summary.ts'

/**
 * Prints a table of contents over the text that it was parsed from, so that only the lines of edited entries change. The result
 * parses as the entries; entries with the same target are considered equal.
 */
export function spliceSummary(source: string, entries: readonly SummaryEntry[]): string {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const text = source.slice(mark.length)
  const texts = new SummaryTextCache()
  const isEmpty = text.trim() === '' && entries.length > 0
  const splice = (wanted: readonly SummaryEntry[]) => spliceEntries(text, flattenEntries(wanted), texts)
  const printed = isEmpty ? printSummary(entries) : splice(entries)
  if (printed !== undefined) return mark + printed
  // Entries that a table of contents cannot express are replaced by what their normal form is parsed as.
  const normal = printSummary(entries)
  return mark + (splice(parseSummary(normal).entries) ?? normal)
}

function spliceEntries(source: string, wanted: readonly FlatEntry[], texts: SummaryTextCache): string | undefined {
  const located = parseLocatedSummary(source, texts)
  const before = flattenEntries(located.entries)
  if (isSameSummary(before, wanted)) return source
  const layout = new SummarySource(source, located, before)
  for (const keepsLines of [true, false]) {
    const printed = new SummarySplicer(layout, before, wanted, texts, keepsLines).print()
    if (isSameSummary(flattenEntries(parseLocatedSummary(printed, texts).entries), wanted)) return printed
  }
  return undefined
}

interface Indent {
  text: string
  column: number
}

class SummarySplicer {
  readonly #source: SummarySource
  readonly #before: readonly FlatEntry[]
  readonly #wanted: readonly FlatEntry[]
  readonly #texts: SummaryTextCache
  readonly #keepsLines: boolean
  readonly #from: readonly (number | undefined)[]
  readonly #isInOrder: readonly boolean[]
  readonly #kinds: readonly GapKind[]
  /** Comments and the like after each entry of the source, joined with those of the removed entries that follow it. */
  readonly #attached: readonly (readonly SummaryLine[])[]
  /** Open items by depth. */
  readonly #open: Indent[] = []
  /** Indentation of the children of each entry in the source, relative to the entry. */
  readonly #childIndents = new Map<number, string>()
  readonly #lines: SummaryLine[] = []

  constructor(
    source: SummarySource,
    before: readonly FlatEntry[],
    wanted: readonly FlatEntry[],
    texts: SummaryTextCache,
    keepsLines: boolean,
  ) {
    this.#source = source
    this.#before = before
    this.#wanted = wanted
    this.#texts = texts
    this.#keepsLines = keepsLines
    const { from, isInOrder } = matchEntries(before, wanted)
    this.#from = from
    this.#isInOrder = isInOrder
    this.#kinds = classifyGaps(wanted)
    this.#attached = this.#collectAttached()
    wanted.forEach(({ parent }, index) => {
      const indent = this.#hasSameParent(index) ? this.#indentInSource(index) : undefined
      if (indent !== undefined && !this.#childIndents.has(parent)) this.#childIndents.set(parent, indent)
    })
  }

  print(): string {
    this.#wanted.forEach(({ entry }, index) => {
      this.#printGap(index)
      this.#add(entry.type === 'group' ? [this.#groupLine(index, entry)] : this.#itemLines(index, entry))
    })
    this.#printTail()
    const { newline, hasFinalNewline } = this.#source
    const last = this.#lines.length - 1
    return this.#lines
      .map(({ text, end }, index) => text + (index < last || hasFinalNewline ? end || newline : ''))
      .join('')
  }

  /** Returns the attached lines, first of the head and then of each entry that still exists. */
  #collectAttached(): SummaryLine[][] {
    const kept = new Set(this.#from)
    const attached: SummaryLine[][] = []
    let last: SummaryLine[] = []
    let between: readonly SummaryLine[] = []
    this.#source.gaps.forEach((gap, index) => {
      if (index === 0 || kept.has(index - 1)) {
        last = [...gap.attached]
        between = gap.separator
      } else if (gap.attached.length > 0) {
        for (const line of between) last.push(line)
        for (const line of gap.attached) last.push(line)
        between = gap.separator
      } else between = longest([between, gap.separator])
      attached.push(last)
    })
    return attached
  }

  #printGap(index: number): void {
    const { parent } = this.#wanted[index] as FlatEntry
    const kind = this.#kinds[index] as GapKind
    const attached = this.#attachedBefore(index)
    const separator = this.#separator(index, kind)
    const lines = parent === -1 ? [...attached, ...separator] : withoutDividers([...attached, ...separator])
    const isDivided = lines.some(({ isDivider }) => isDivider)
    this.#add(lines)
    if (kind === 'break' && !isDivided) {
      const usual = this.#source.usualSeparator('break')
      const isBlankBefore = separator.length > 0 && usual[0]?.text.trim() === ''
      this.#add(isBlankBefore ? usual.slice(1) : usual)
    }
    if (isDivided || kind === 'break') this.#open.length = 0
  }

  /** Returns the lines attached to the entry that was printed last, or to the head. */
  #attachedBefore(index: number): readonly SummaryLine[] {
    if (index === 0) return this.#attached[0] ?? []
    const from = this.#from[index - 1]
    return from === undefined ? [] : (this.#attached[from + 1] ?? [])
  }

  /** Returns the blank lines and dividers at this position in the source, or the usual ones. */
  #separator(index: number, kind: GapKind): readonly SummaryLine[] {
    const { kinds, gaps } = this.#source
    const usual = this.#source.usualSeparator(kind)
    const before = index === 0 ? -1 : this.#from[index - 1]
    const at = this.#from[index]
    const isBeforeInOrder = index === 0 || (this.#isInOrder[index - 1] ?? false)
    const written = (gap: number) => (kinds[gap] === kind ? gaps[gap]?.separator : undefined)
    if (before !== undefined && at === before + 1) return written(at) ?? usual
    if (before !== undefined && at !== undefined && isBeforeInOrder && this.#isInOrder[index]) {
      const between = Array.from({ length: at - before }, (_, nth) => written(before + 1 + nth))
      const found = between.filter((lines) => lines !== undefined)
      return found.length > 0 ? longest(found) : usual
    }
    if (at !== undefined && this.#isInOrder[index]) return written(at) ?? usual
    if (before !== undefined && isBeforeInOrder && kind !== 'item') return written(before + 1) ?? usual
    return usual
  }

  #printTail(): void {
    const { gaps, unclosed, entryLines } = this.#source
    this.#add(this.#wanted.length === 0 ? (this.#attached[0] ?? []) : this.#attachedBefore(this.#wanted.length))
    const tail = entryLines.length === 0 && this.#wanted.length > 0 ? [] : (gaps.at(-1)?.separator ?? [])
    this.#add(tail)
    this.#add(unclosed)
  }

  #add(lines: readonly SummaryLine[]): void {
    for (const line of lines) this.#lines.push(line)
  }

  #groupLine(index: number, entry: SummaryGroup): SummaryLine {
    const { newline, entryLines } = this.#source
    this.#open.length = 0
    const from = this.#from[index]
    const { content } = this.#wanted[index] as FlatEntry
    const before = this.#before[from ?? -1]
    const line = entryLines[from ?? -1]?.[0]
    if (before?.entry.type !== 'group' || !line || !this.#keepsLines)
      return { text: printSummaryGroup(entry), end: newline }
    return before.content === content ? line : editGroupLine(line, before.entry, entry, newline)
  }

  #itemLines(index: number, item: SummaryItem): readonly SummaryLine[] {
    const { newline, entryLines, bullet, isLastUnclosed } = this.#source
    const indent = this.#indent(index)
    const { depth, content } = this.#wanted[index] as FlatEntry
    this.#open.length = depth
    this.#open.push({ text: indent, column: indentWidth(indent) })
    const from = this.#from[index]
    const before = this.#before[from ?? -1]
    const lines = entryLines[from ?? -1]
    const mustClose = isLastUnclosed && from === entryLines.length - 1 && index < this.#wanted.length - 1
    if (!before || !lines || !this.#keepsLines || mustClose) return printItemLines(item, indent, bullet, newline)
    if (before.content === content) return reindentLines(lines, indent)
    return editItemLines({ entry: before.entry, lines }, item, indent, this.#texts, newline)
  }

  /** Whether an item has the same parent as in the source. */
  #hasSameParent(index: number): boolean {
    const { parent, depth } = this.#wanted[index] as FlatEntry
    const before = this.#before[this.#from[index] ?? -1]
    return before !== undefined && before.depth === depth && (depth === 0 || this.#from[parent] === before.parent)
  }

  /** Returns the indentation of an item in the source, relative to its parent. */
  #indentInSource(index: number): string | undefined {
    const { indents } = this.#source
    const from = this.#from[index] ?? -1
    const inner = indents[from]
    const outer = indents[this.#before[from]?.parent ?? -1]
    return inner?.startsWith(outer ?? '') ? inner.slice(outer?.length) : undefined
  }

  /** Returns the indentation of an item: that of the source if it is still valid, or that of its siblings. */
  #indent(index: number): string {
    const { parent, depth } = this.#wanted[index] as FlatEntry
    const outer = depth > 0 ? this.#open[depth - 1] : undefined
    const sibling = this.#open[depth]
    const start = outer?.text ?? ''
    const more = this.#hasSameParent(index) ? this.#indentInSource(index) : undefined
    const ofSiblings = this.#childIndents.get(parent) ?? (depth > 0 ? this.#source.indentUnit : '')
    const choices = [
      ...(more === undefined ? [] : [start + more]),
      ...(sibling ? [sibling.text] : []),
      start + ofSiblings,
      start + this.#source.indentUnit,
    ]
    const fits = (indent: string) => {
      const column = indentWidth(indent)
      return (!outer || column >= outer.column + 2) && (!sibling || column < sibling.column + 2)
    }
    return choices.find(fits) ?? ' '.repeat(outer ? outer.column + 2 : 0)
  }
}

function longest(all: readonly (readonly SummaryLine[])[]): readonly SummaryLine[] {
  return all.reduce((best, lines) => (lines.length > best.length ? lines : best), [])
}

const isBlank = (line: SummaryLine | undefined) => line?.text.trim() === ''

/** Removes dividers, and the blank lines that would be duplicated. */
function withoutDividers(lines: readonly SummaryLine[]): readonly SummaryLine[] {
  if (!lines.some(({ isDivider }) => isDivider)) return lines
  return lines.filter((line, index) => {
    const isBehindDivider = lines[index - 1]?.isDivider && isBlank(line)
    return !line.isDivider && !(isBehindDivider && (index < 2 || isBlank(lines[index - 2])))
  })
}
