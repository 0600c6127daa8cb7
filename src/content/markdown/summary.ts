import { parseDocument, stringify } from 'yaml'
import { plainText } from '../document/text.ts'
import { escapeLineStarts, escapeMarkdown, printLinkDestination } from './escape.ts'
import { type PhrasingContent, endOffset, parseMdast, startOffset } from './mdast.ts'
import { isEscapedUrl, parseInlines } from './parse-inlines.ts'
import { verbatimReferences } from './references.ts'
import { toSlug } from './slug.ts'
import { isNestedTooDeep } from './yaml-depth.ts'

interface Entry {
  /** Line number in the file, starting at 1. */
  line: number
}

export interface SummaryGroup extends Entry {
  type: 'group'
  title: string
  /** Slug from the anchor; undefined if the heading has none. */
  slug?: string
  children: readonly SummaryItem[]
}

export type SummaryItem = Entry & { children: readonly SummaryItem[] } & (
    | { type: 'page'; title: string; linkTitle?: string; path: string }
    /** A link to an external URL, or to a heading of a page. */
    | { type: 'link'; title: string; linkTitle?: string; destination: string }
    /** A page without a file. */
    | { type: 'empty'; title: string }
    | { type: 'computed'; source: SummaryComputedSource }
  )

/** Source of a computed page, from its YAML. */
export interface SummaryComputedSource {
  type: string
  props?: Readonly<Record<string, unknown>>
  dependencies?: Readonly<Record<string, unknown>>
}

export type SummaryEntry = SummaryGroup | SummaryItem

export interface SummaryProblem {
  line: number
  message: string
}

/** Maximum nesting depth; deeper items become siblings. */
const maxDepth = 50

/**
 * Maximum length of the YAML of a computed page: the parser compares all keys with each other, and there may be many such pages.
 */
const maxComputedLength = 5_000

/** Parses a table of contents line by line. Lines that are not part of it are omitted. */
export function parseSummary(source: string): { entries: SummaryEntry[]; problems: SummaryProblem[] } {
  const { entries, problems } = parseLocatedSummary(source)
  return { entries, problems }
}

/** The lines of an entry without its children: the index of the first line, and the index after the last one. */
export interface EntryLines {
  entry: SummaryEntry
  from: number
  to: number
}

export interface LocatedSummary {
  entries: SummaryEntry[]
  problems: SummaryProblem[]
  /** All entries in the order of the text. */
  entryLines: EntryLines[]
  /** Indexes of the lines that end a group. */
  dividers: ReadonlySet<number>
  /** Index of the line at which a comment or fence starts that is never closed and includes everything after it. */
  unclosedFrom: number | undefined
}

/** Cache of parsed item texts and titles, for repeated parsing of the same texts. */
export class SummaryTextCache {
  readonly #items = new Map<string, ItemContent>()
  readonly #titles = new Map<string, string>()

  parseItem(text: string): ItemContent {
    return getOrParse(this.#items, text, readItemText)
  }

  parseTitle(text: string): string {
    return getOrParse(this.#titles, text, parseTitleText)
  }
}

function getOrParse<Value>(known: Map<string, Value>, text: string, read: (text: string) => Value): Value {
  const value = known.get(text) ?? read(text)
  known.set(text, value)
  return value
}

/** Parses a table of contents with the positions of its parts. */
export function parseLocatedSummary(source: string, texts = new SummaryTextCache()): LocatedSummary {
  const reader = new SummaryParser(source.replace(/^\ufeff/, '').split(/\r\n|\n|\r/), texts)
  reader.read()
  return reader
}

type WithMutableChildren<Item extends { children: readonly SummaryItem[] }> = Omit<Item, 'children'> & {
  children: SummaryItem[]
}

export const itemLine = /^([ \t]*)([*+-]|\d{1,9}[.)])(?:([ \t]+)([^]*))?$/
export const dividerLine = /^ ?(?:\*[ \t]*){3,}$|^ ?(?:-[ \t]*){3,}$|^ ?(?:_[ \t]*){3,}$/
export const groupLine = /^ {0,3}##(?=[ \t]|$)([^]*)$/
const fenceLine = /^[ \t]*(`{3,}|~{3,})[ \t]*(\w*)/

class SummaryParser implements LocatedSummary {
  readonly entries: SummaryEntry[] = []
  readonly problems: SummaryProblem[] = []
  readonly entryLines: EntryLines[] = []
  readonly dividers = new Set<number>()
  unclosedFrom: number | undefined
  readonly #lines: readonly string[]
  readonly #texts: SummaryTextCache
  #group: WithMutableChildren<SummaryGroup> | undefined
  /** Open items with the columns at which they start. */
  #open: { column: number; children: SummaryItem[] }[] = []
  #at = 0

  constructor(lines: readonly string[], texts: SummaryTextCache) {
    this.#lines = lines
    this.#texts = texts
  }

  read(): void {
    this.#skipFrontMatter()
    for (; this.#at < this.#lines.length; this.#at++) this.#readLine(this.#lines[this.#at] as string)
  }

  #readLine(line: string): void {
    if (line.trim() === '') return
    if (dividerLine.test(line)) {
      this.#group = undefined
      this.#open = []
      this.dividers.add(this.#at)
      return
    }
    const group = groupLine.exec(line)
    if (group) return this.#addGroup((group[1] as string).trim().replace(/(?<=^|[ \t])#+$/, ''))
    const item = itemLine.exec(line)
    if (item) return this.#readItem(item)
    if (/^\s*<!--/.test(line)) return this.#skipTo((one) => one.includes('-->'))
    const fence = fenceLine.exec(line)
    if (fence) {
      this.#fenced(fence[1] as string, 0)
      return
    }
    // Other headings, such as the title, are ignored.
    if (!/^ {0,3}#/.test(line))
      this.#problem('The line is neither a group heading nor an item of the table of contents')
  }

  #addGroup(text: string): void {
    const anchorAt = text.lastIndexOf('<a ')
    const anchor = anchorAt === -1 ? undefined : /^<a\s([^>]*)>\s*<\/a>\s*$/.exec(text.slice(anchorAt))?.[1]
    const slug = anchor === undefined ? undefined : /(?:^|\s)id="([^"]*)"/.exec(anchor)?.[1]
    const group: WithMutableChildren<SummaryGroup> = {
      type: 'group',
      line: this.#line,
      title: this.#texts.parseTitle(slug === undefined ? text : text.slice(0, anchorAt)),
      ...(slug && { slug }),
      children: [],
    }
    this.entries.push(group)
    this.entryLines.push({ entry: group, from: this.#at, to: this.#at + 1 })
    this.#group = group
    this.#open = []
  }

  #readItem([, indent, marker, gap, rest]: RegExpExecArray): void {
    const column = indentWidth(indent as string)
    const from = this.#at
    const text = (rest ?? '').trim()
    const fence = fenceLine.exec(text)
    if (fence) {
      const yaml = this.#fenced(fence[1] as string, column + (marker as string).length + indentWidth(gap ?? ''))
      const computed = readComputed(yaml)
      if (typeof computed === 'string') this.#problem(computed)
      else this.#addItem(column, from, { type: 'computed', source: computed })
    } else if (text === '') this.#problem('The item is empty')
    else this.#addItem(column, from, this.#texts.parseItem(text))
  }

  #addItem(column: number, from: number, item: ItemContent): void {
    // One additional column is treated as a mistake, two start a new level.
    while (this.#open.length > 0 && column < (this.#open.at(-1) as { column: number }).column + 2) this.#open.pop()
    if (this.#open.length >= maxDepth) {
      this.#problem(`The item is nested deeper than ${maxDepth} levels`)
      this.#open.length = maxDepth - 1
    }
    const children: SummaryItem[] = []
    const siblings: SummaryEntry[] = this.#open.at(-1)?.children ?? this.#group?.children ?? this.entries
    const entry = { ...item, line: from + 1, children }
    siblings.push(entry)
    this.entryLines.push({ entry, from, to: Math.min(this.#at + 1, this.#lines.length) })
    this.#open.push({ column, children })
  }

  /** Reads the text of a fence that opens on this line, without the indentation of its item; stops at the closing line. */
  #fenced(fence: string, indent: number): string {
    const text: string[] = []
    const start = this.#at
    this.#skipTo((line, at) => {
      if (at === start) return false
      const trimmed = line.trim()
      if (trimmed.length >= fence.length && trimmed === fence.charAt(0).repeat(trimmed.length)) return true
      text.push(withoutIndent(line, indent))
      return false
    })
    return text.join('\n')
  }

  #skipFrontMatter(): void {
    if (this.#lines[0]?.trimEnd() !== '---') return
    const end = this.#lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
    if (end !== -1) this.#at = end + 1
  }

  /** Advances to the line that matches; to the end of the text if none does. */
  #skipTo(isEnd: (line: string, at: number) => boolean): void {
    const start = this.#at
    while (this.#at < this.#lines.length && !isEnd(this.#lines[this.#at] as string, this.#at)) this.#at++
    if (this.#at === this.#lines.length) this.unclosedFrom = start
  }

  get #line(): number {
    return this.#at + 1
  }

  #problem(message: string): void {
    this.problems.push({ line: this.#line, message })
  }
}

type WithoutLocation<Item> = Item extends unknown ? Omit<Item, 'line' | 'children'> : never
export type ItemContent = WithoutLocation<SummaryItem>

export function indentWidth(indent: string): number {
  let columns = 0
  for (const character of indent) columns += character === '\t' ? 4 - (columns % 4) : 1
  return columns
}

export function withoutIndent(line: string, columns: number): string {
  let at = 0
  for (let column = 0; column < columns && /[ \t]/.test(line[at] ?? ''); at++) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1
  }
  return line.slice(at)
}

// Most titles and paths contain nothing to escape and need no parser.
const simpleText = /^(?:(?!www\.)[^\\`*_[\]<>&~:!$@{}|])*$/i
const simpleLink = /^\[((?:(?!www\.)[^\\`*_[\]<>&~:!$@{}|])+)\]\(([^\s\\()<>&"']+)\)$/i

function readItemText(text: string): ItemContent {
  const simple = simpleLink.exec(text)
  if (simple) return linkOrPage((simple[1] as string).trim(), simple[2] as string, undefined)
  if (simpleText.test(text)) return { type: 'empty', title: text }
  const { source, nodes } = parseLineInlines(text)
  const link = nodes && firstLink(nodes, source)
  if (!link) return { type: 'empty', title: toPlainText(nodes, source) }
  return linkOrPage(toPlainText(link.children, source) || link.url, link.url, link.title ?? undefined)
}

export const absoluteUrlPattern = /^[a-z][a-z0-9+.-]*:|^\/\//i

function linkOrPage(title: string, destination: string, linkTitle: string | undefined): ItemContent {
  const written = { title, ...(linkTitle && { linkTitle }) }
  return destination.includes('#') || absoluteUrlPattern.test(destination)
    ? { type: 'link', ...written, destination }
    : { type: 'page', ...written, path: destination.replace(/^(?:\.\/)+(?=.)/, '') }
}

/** Parses a line into inlines, even if it starts like another kind of block, such as a list. */
function parseLineInlines(text: string): { source: string; nodes?: readonly PhrasingContent[] } {
  for (const source of [text, escapeLineStarts(text)]) {
    const [node] = parseMdast(source).children
    if (node?.type === 'paragraph') return { source, nodes: node.children }
  }
  return { source: text }
}

type MdLink = Extract<PhrasingContent, { type: 'link' }>

function firstLink(nodes: readonly PhrasingContent[], source: string, depth = 0): MdLink | undefined {
  for (const node of nodes) {
    if (node.type === 'link') {
      if (isEscapedUrl(source.slice(startOffset(node), endOffset(node)))) continue
      return node
    }
    const inner = 'children' in node && depth < maxDepth ? firstLink(node.children, source, depth + 1) : undefined
    if (inner) return inner
  }
  return undefined
}

/** Returns the plain text of a line. */
function parseTitleText(text: string): string {
  if (simpleText.test(text)) return text.trim()
  const { source, nodes } = parseLineInlines(text)
  return toPlainText(nodes, source)
}

function toPlainText(inlines: readonly PhrasingContent[] | undefined, source: string): string {
  if (!inlines) return source.trim()
  const context = {
    source,
    references: verbatimReferences,
    findFootnote: () => undefined,
    findDefinition: () => undefined,
  }
  return plainText(parseInlines(inlines, context)).replace(/\s+/g, ' ').trim()
}

/** Parses the YAML of a computed page; returns an error message if it is invalid. */
function readComputed(yaml: string): SummaryComputedSource | string {
  if (yaml.length > maxComputedLength) return 'The YAML of the computed page is too long'
  if (isNestedTooDeep(yaml)) return 'The YAML of the computed page is nested too deeply'
  const document = parseDocument(yaml, { prettyErrors: false })
  if (document.errors.length > 0) return `The YAML of the computed page is invalid: ${document.errors[0]?.message}`
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 0 })
  } catch {
    return 'The YAML of the computed page contains aliases, which are not supported'
  }
  if (!isObject(value) || typeof value['type'] !== 'string') return 'The YAML of the computed page has no `type`'
  const { props, dependencies } = value
  if ((props !== undefined && !isObject(props)) || (dependencies !== undefined && !isObject(dependencies)))
    return '`props` and `dependencies` of a computed page must be mappings of keys to values'
  return value as unknown as SummaryComputedSource
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Prints a table of contents in normal form. */
export function printSummary(entries: readonly SummaryEntry[]): string {
  const parts = ['# Table of contents']
  let inGroup = false
  let items: SummaryItem[] = []
  const flush = () => {
    if (items.length > 0) parts.push(items.map((item) => printItem(item, '')).join('\n'))
    items = []
  }
  for (const entry of entries) {
    if (entry.type === 'group') {
      flush()
      parts.push(printSummaryGroup(entry))
      for (const child of entry.children) items.push(child)
      flush()
      inGroup = true
      continue
    }
    // Without the divider, the item would belong to the group above.
    if (inGroup) parts.push('***')
    inGroup = false
    items.push(entry)
  }
  flush()
  return `${parts.join('\n\n')}\n`
}

export function printSummaryGroup({ title, slug }: SummaryGroup): string {
  const anchor = slug === undefined || slug === toSlug(title) ? '' : ` <a href="#${slug}" id="${slug}"></a>`
  // Hashes at the end would be parsed as the closing sequence of the heading.
  const text = printSummaryTitle(title).replace(/(?<=^| )#+$/, '\\$&')
  return `## ${text}${anchor}`.trimEnd()
}

function printItem(item: SummaryItem, indent: string): string {
  const children = item.children.map((child) => `\n${printItem(child, `${indent}  `)}`).join('')
  return `${indent}* ${printItemContent(item, indent)}${children}`
}

export function printItemContent(item: SummaryItem, indent: string): string {
  switch (item.type) {
    case 'page':
      return printLink(item.title, pageDestination(item.path), item.linkTitle)
    case 'link':
      return printLink(item.title, item.destination, item.linkTitle)
    case 'empty':
      return printSummaryTitle(item.title)
    case 'computed': {
      const lines = ['```yaml', ...stringify(item.source, { lineWidth: 0 }).trimEnd().split('\n'), '```']
      return lines.join(`\n${indent}  `)
    }
  }
}

/** Escapes a path so that it is not parsed as a URL or an anchor. */
export function pageDestination(path: string): string {
  const written = path.replaceAll('#', '%23')
  return absoluteUrlPattern.test(written) ? `./${written}` : written
}

export function printSummaryLinkTitle(linkTitle: string | undefined): string {
  const text = linkTitle?.replace(/\s+/g, ' ').trim()
  return text ? ` "${text.replace(/[\\"]|&(?=#?\w+;)/g, '\\$&')}"` : ''
}

function printLink(title: string, destination: string, linkTitle: string | undefined): string {
  return `[${printSummaryTitle(title)}](${printLinkDestination(destination)}${printSummaryLinkTitle(linkTitle)})`
}

/** Prints a title on one line. */
export const printSummaryTitle = (title: string) => escapeMarkdown(title.replace(/\s+/g, ' ').trim())
