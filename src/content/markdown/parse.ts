import { createDocument } from '../document/build.ts'
import type { Document, Fragment } from '../document/nodes.ts'
import { plainText } from '../document/text.ts'
import { type Root, type RootContent, endOffset, parseMdast, startOffset } from './mdast.ts'
import type { BlockContext } from './block-tokens.ts'
import { type LocatedBlock, parseBlocks } from './parse-blocks.ts'
import { splitHeadingId } from './heading-ids.ts'
import { parseInlines } from './parse-inlines.ts'
import { isKnownTag, pairedTags } from './parse-tags.ts'
import type { References } from './references.ts'
import type { BlockTag } from './block-tag.ts'
import { type Insertion, type MaskedText, insertTexts, toSourceOffset } from './masked-text.ts'
import { findTags, maskTags } from './tags.ts'
import { type ForeignSpan, evaluateDestinations, findForeignSpans, maskSpans, restoreSpans } from './foreign-spans.ts'
import { findEmptyItems } from './empty-items.ts'
import { findRangesBetween, overlapsRange } from './ranges.ts'
import { findIndentChanges } from './tag-indents.ts'
import { findCodePipes } from './code-pipes.ts'
import { findComponentIndents } from './component-indents.ts'

export interface SourceRange {
  start: number
  end: number
}

export interface ParsedPage {
  /** YAML of the front matter, as written. */
  frontMatter: string | undefined
  /** Text of the `# Heading` at the start of the file. */
  title: string | undefined
  document: Document
  /** Top-level blocks with their positions in the source. */
  locatedBlocks: readonly LocatedBlock[]
  /** Positions of the title and of the front matter including its delimiter lines. */
  ranges: { frontMatter: SourceRange | undefined; title: SourceRange | undefined }
  /** Bodies of the footnotes with their positions, which are between blocks and usually after the last one. */
  footnotes: readonly (SourceRange & { label: string; body: Fragment })[]
}

export interface ParseOptions {
  references: References
  isExpression: (source: string) => boolean
  /** Whether a `# Heading` at the start is the title; by default true. Otherwise it is a block of the document. */
  hasTitle?: boolean
}

/** Parses a page. Every text is a valid page: anything that is not supported is kept as written. */
export function parsePage(written: string, options: ParseOptions): ParsedPage {
  const source = replaceUnstorable(written)
  const isPaired = ({ name, rest }: BlockTag) => pairedTags.has(name) && (name !== 'if' || options.isExpression(rest))
  let tags = findTags(source, isPaired, isKnownTag)
  let spans = findForeignSpans(source)
  const items = findEmptyItems(source)
  for (let count = 1; ; count++) {
    const insertions = sortByOffset([...items, ...findComponentIndents(source, tags, isPaired)])
    const attempt = new ParseAttempt(source, { tags, spans, insertions }, options)
    const page = attempt.parse()
    if (attempt.misplaced.size > 0) {
      spans = count < maxAttempts ? spans.filter((span) => !attempt.misplaced.has(span)) : []
      continue
    }
    // An indented closing tag behind a list is code to the parser, so tags that became text are also indented, but only once.
    if (count === 1 || attempt.unused.size === 0) {
      const left = [...attempt.unpaired, ...attempt.unused]
      for (const indents of findIndentChanges(source, tags, left, isPaired)) {
        const indented = new ParseAttempt(
          source,
          { tags, spans, insertions: sortByOffset([...insertions, ...indents]) },
          options,
        )
        const other = indented.parse()
        const isBetter = indented.unused.size === 0 && indented.unpaired.length < left.length
        if (isBetter && indented.misplaced.size === 0) return other
      }
    }
    if (attempt.unused.size === 0) return page
    // A tag that the parser found inside something else, such as code, is text: the page is parsed again without it.
    const texts = new Set(Array.from(attempt.unused, ({ start }) => start))
    const isText = ({ start, edge }: BlockTag) => texts.has(start) || (edge !== undefined && texts.has(edge.partner))
    tags = count < maxAttempts ? tags.filter((tag) => !isText(tag)) : []
  }
}

const sortByOffset = (insertions: Insertion[]) => insertions.sort((one, other) => one.offset - other.offset)

/** Maximum number of times a page is parsed before all of its tags remain text: one tag that becomes text may hide the next. */
const maxAttempts = 8

/** Replaces characters that no document can store: NUL and unpaired surrogates. Offsets do not change. */
function replaceUnstorable(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
}

/** Maximum nesting depth of footnotes in footnotes; deeper references remain text. */
const maxFootnoteNesting = 5

/**
 * Maximum number of characters that a page includes from footnotes; a few footnotes that reference each other often could exhaust
 * the memory.
 */
const maxFootnoteLength = 1_000_000

class ParseAttempt implements BlockContext {
  readonly source: string
  readonly references: References
  readonly isExpression: (source: string) => boolean
  readonly unused: Set<BlockTag>
  readonly unpaired: BlockTag[] = []
  readonly hasItems: boolean
  /** Notations of other tools that have no meaning where they are. */
  misplaced: ReadonlySet<ForeignSpan> = new Set()
  readonly #written: string
  readonly #spans: readonly ForeignSpan[]
  readonly #hasTitle: boolean
  readonly #tags: readonly BlockTag[]
  readonly #insertions: readonly Insertion[]
  readonly #footnoteNodes = new Map<string, readonly RootContent[]>()
  readonly #definitions = new Map<string, string>()
  readonly #footnotesInProgress = new Set<string>()
  readonly #parsedFootnotes = new Map<string, ParsedFootnote>()
  /** Number of footnote characters included so far in the page or in the footnote that is being parsed. */
  #footnoteLength = 0

  constructor(
    written: string,
    {
      tags,
      spans,
      insertions,
    }: { tags: readonly BlockTag[]; spans: readonly ForeignSpan[]; insertions: readonly Insertion[] },
    { references, isExpression, hasTitle }: ParseOptions,
  ) {
    this.#written = written
    this.#spans = spans.length === 0 ? spans : spans.filter(({ start, end }) => !overlapsRange(tags, start, end))
    this.source = maskSpans(written, this.#spans)
    this.references = evaluateDestinations(references)
    this.isExpression = isExpression
    this.#hasTitle = hasTitle ?? true
    this.#tags = tags
    this.#insertions = insertions
    this.hasItems = tags.some(({ isItem }) => isItem)
    this.unused = new Set(tags)
  }

  parse(): ParsedPage {
    const withTags = maskTags(this.source, this.#tags)
    const masked = this.#insertions.length > 0 ? insertTexts(withTags, this.#insertions) : withTags
    const root = this.#parseMdast(masked)
    this.misplaced = restoreSpans(root, this.#written, this.#spans)
    const nodes = [...root.children]
    const first = nodes[0]
    const frontMatter = first?.type === 'yaml' ? first.value : undefined
    if (frontMatter !== undefined) nodes.shift()
    for (const node of nodes) {
      if (node.type === 'footnoteDefinition') this.#footnoteNodes.set(node.label ?? node.identifier, node.children)
      // If a label has several definitions, the first one wins.
      if (node.type === 'definition' && !this.#definitions.has(node.identifier))
        this.#definitions.set(node.identifier, node.url)
    }
    const head = nodes[0]
    let title: string | undefined
    if (this.#hasTitle && head?.type === 'heading' && head.depth === 1) {
      title = plainText(parseInlines(splitHeadingId(head.children, this.source).rest, this)).trim()
      nodes.shift()
    }
    const locatedBlocks = parseBlocks(nodes, this)
    return {
      frontMatter,
      title,
      document: createDocument(locatedBlocks.map(({ block }) => block)),
      locatedBlocks,
      ranges: {
        frontMatter: first !== undefined && frontMatter !== undefined ? rangeOf(first) : undefined,
        title: head !== undefined && title !== undefined ? rangeOf(head) : undefined,
      },
      footnotes: nodes.flatMap((node) => {
        if (node.type !== 'footnoteDefinition') return []
        const label = node.label ?? node.identifier
        const note = this.#parseFootnote(label)
        return note ? [{ label, body: note.body, ...rangeOf(node) }] : []
      }),
    }
  }

  #parseMdast(masked: MaskedText): Root {
    const root = parseMdast(
      masked.text,
      masked.shifts.length > 0 ? (offset) => toSourceOffset(masked, offset) : undefined,
    )
    const pipes = findCodePipes(root, this.source)
    if (pipes.length === 0) return root
    const escaped = insertTexts(
      masked,
      pipes.map((offset) => ({ offset, text: '\\' })),
    )
    return parseMdast(escaped.text, (offset) => toSourceOffset(escaped, offset))
  }

  takeTags(start: number, end: number): readonly BlockTag[] {
    const found = findRangesBetween(this.#tags, start, end)
    let at = start
    for (const tag of found) {
      if (this.source.slice(at, tag.start).trim() !== '') return []
      at = tag.end
    }
    if (this.source.slice(at, end).trim() !== '') return []
    for (const tag of found) this.unused.delete(tag)
    return found
  }

  findDefinition(identifier: string): string | undefined {
    return this.#definitions.get(identifier)
  }

  /** Returns the body of a footnote for a reference to it. */
  findFootnote(label: string): Fragment | undefined {
    const note = this.#parseFootnote(label)
    if (!note || this.#footnoteLength + note.length > maxFootnoteLength) return undefined
    this.#footnoteLength += note.length
    return note.body
  }

  /**
   * Parses a footnote once, regardless of the number of references: footnotes that reference each other twice would take
   * exponential time.
   */
  #parseFootnote(label: string): ParsedFootnote | undefined {
    const known = this.#parsedFootnotes.get(label)
    if (known) return known
    const nodes = this.#footnoteNodes.get(label)
    // A footnote that references itself would recurse infinitely.
    if (!nodes || this.#footnotesInProgress.has(label) || this.#footnotesInProgress.size >= maxFootnoteNesting)
      return undefined
    const around = this.#footnoteLength
    this.#footnoteLength = 0
    this.#footnotesInProgress.add(label)
    const blocks = parseBlocks(nodes, this).map(({ block }) => block)
    this.#footnotesInProgress.delete(label)
    const own = nodes.reduce((sum, node) => sum + endOffset(node) - startOffset(node), 1)
    const note: ParsedFootnote = {
      body: { object: 'fragment', type: 'annotation-body', nodes: blocks },
      length: own + this.#footnoteLength,
    }
    this.#footnoteLength = around
    this.#parsedFootnotes.set(label, note)
    return note
  }
}

interface ParsedFootnote {
  body: Fragment
  /** Number of characters, including those of the footnotes in it. */
  length: number
}

const rangeOf = (node: RootContent): SourceRange => ({ start: startOffset(node), end: endOffset(node) })
