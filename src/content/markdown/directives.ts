import type { HintStyle } from '../document/nodes.ts'
import type { BlockTag } from './block-tag.ts'

// Directives of other documentation tools enclose blocks in lines of colons: `:::note[Title]` and `:::`.

/** Styles of the hints that directives become, by the kind of directive. */
const hintStyles: ReadonlyMap<string | undefined, HintStyle> = new Map<string, HintStyle>([
  ['note', 'info'],
  ['info', 'info'],
  ['tip', 'success'],
  ['success', 'success'],
  ['caution', 'warning'],
  ['important', 'warning'],
  ['warning', 'warning'],
  ['danger', 'danger'],
  ['error', 'danger'],
])

/** Further styles of other tools, whose names are common words. */
const otherHintStyles: ReadonlyMap<string | undefined, HintStyle> = new Map<string, HintStyle>([
  ['hint', 'success'],
  ['check', 'success'],
  ['done', 'success'],
  ['attention', 'warning'],
  ['question', 'warning'],
  ['failure', 'danger'],
  ['bug', 'danger'],
])

/** The type of a directive that has no block. */
export const plainDirective = 'plain'

/** Kinds of directives that have a block without a title. */
const directiveKinds: ReadonlySet<string | undefined> = new Set([...hintStyles.keys(), 'details', 'code-group'])

/** The tag into which the lines of directives are parsed. */
export const directiveTag = 'admonition'

// The pattern matches a line in one way only: ambiguous whitespace would cause exponential backtracking.
const directiveLine = /^((?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*)(:{3,})([^:].*)?$/
const opening = /^([\w-]+)(?:\[(.*)\](\{[^{}]*\})?|(\{[^{}]*\})|[ \t](.*))?$/
/** `{note} Title` and `{.callout-note title="Title"}`. */
const bracedOpening = /^\{[ \t]*(?:#[\w-]+[ \t]+)?\.?(?:callout-)?([\w-]+)(?![\w-])([^{}]*)\}(?:[ \t](.*))?$/

/** Maximum number of open directives among which a closing line is paired. */
const maxNesting = 50

/** Collects the lines of directives of a text in order. Only those that open or close a directive become tags. */
export class DirectivePairs {
  readonly #tags: BlockTag[] = []
  readonly #open: { tag: BlockTag; colons: number }[] = []

  /** Reads a line that starts at an offset of the source. */
  add(line: string, lineStart: number): void {
    const [, prefix = '', colons = '', rest = ''] = directiveLine.exec(line.trimEnd()) ?? []
    if (colons === '') return
    const [start, end] = [lineStart + prefix.length, lineStart + line.trimEnd().length]
    if (rest === '') return this.#close(colons.length, { name: `end${directiveTag}`, attributes: {}, rest, start, end })
    const [, kind = '', label, labelBraces, ownBraces, words] = opening.exec(rest.trim()) ?? []
    const [, bracedKind = '', inBraces, behind] = kind === '' ? (bracedOpening.exec(rest.trim()) ?? []) : []
    const written = (kind || bracedKind).toLowerCase()
    if (written === '') return
    const braces = labelBraces ?? ownBraces ?? (inBraces === undefined ? '' : `{${inBraces}}`)
    const { title, isOpen } = readTitle(`${label ?? words ?? behind ?? ''}${braces}`)
    // Other kinds are boxes of a site's own; without a title, only their content is shown.
    const type = directiveKinds.has(written) || title !== '' ? written : plainDirective
    const attributes = { type, ...(title !== '' && { title }), ...(isOpen && { open: 'true' }) }
    const titleStart = lineStart + line.lastIndexOf(title)
    const place = title === '' ? {} : { title: { start: titleStart, end: titleStart + title.length } }
    const tag = { name: directiveTag, attributes, rest: rest.trim(), start, end, ...place }
    this.#open.push({ tag, colons: colons.length })
  }

  /** Closes the innermost directive that has at most as many colons; those inside it remain text. */
  #close(colons: number, closing: BlockTag): void {
    // Searching all open directives for each closing line would take quadratic time.
    const near = this.#open.slice(-maxNesting)
    const index = near.findLastIndex((one) => one.colons <= colons)
    const opened = near[index]
    if (!opened) return
    this.#open.length -= near.length - index
    this.#tags.push(opened.tag, closing)
  }

  list(): readonly BlockTag[] {
    return this.#tags
  }
}

/** Splits the attributes in braces from a title, which may be one of them. */
function readTitle(text: string): { title: string; isOpen: boolean } {
  const at = text.endsWith('}') ? text.lastIndexOf('{') : -1
  const title = (at === -1 ? text : text.slice(0, at)).trim()
  const attributes = at === -1 ? '' : text.slice(at + 1, -1).trim()
  const [, double, single] = /(?:^|\s)title=(?:"([^"]*)"|'([^']*)')/.exec(attributes) ?? []
  return { title: title === '' ? (double ?? single ?? '').trim() : title, isOpen: attributes === 'open' }
}

/** Returns the style of the hint for a kind of directive. */
export const readDirectiveStyle = (kind: string | undefined): HintStyle =>
  hintStyles.get(kind) ?? otherHintStyles.get(kind) ?? 'info'

/** Whether a name is that of a kind of hint. */
export const hasHintStyle = (kind: string): boolean => hintStyles.has(kind) || otherHintStyles.has(kind)
