import { leaf, paragraph } from '../document/build.ts'
import type { Block, ListItem } from '../document/nodes.ts'
import {
  createCodeBlock,
  headingType,
  createImage,
  createImages,
  literalParagraph,
  readHeadingId,
  toOptionalData,
} from './make-blocks.ts'
import { type HtmlNode, type HtmlTag, decodeEntities, isHtmlTag, parseHtml } from './html.ts'
import {
  type List,
  type MdBlockquote,
  type MdListItem,
  type PhrasingContent,
  type RootContent,
  endOffset,
  startOffset,
} from './mdast.ts'
import { createCellParser } from './parse-cell.ts'
import {
  type WrapperLayout,
  applyLayout,
  readDrawingOrImages,
  isCustomBlock,
  isStructuralElement,
  isWrapperElement,
  readWrapperLayout,
  readCustomTag,
  readDetails,
  readTopLevelHtml,
} from './parse-html.ts'
import type { HtmlContext } from './inline-context.ts'
import { parseInlines } from './parse-inlines.ts'
import { parsePipeTable } from './parse-table.ts'
import { type LegacyApiPart, isLegacyApiPart, isLegacyApi, parseLegacyApi } from './parse-legacy-api.ts'
import { pairedTags, tagToBlock } from './parse-tags.ts'
import { resolveFileRef } from './references.ts'
import type { BlockTag } from './tags.ts'

export interface BlockContext extends HtmlContext {
  /** Returns the block tags that were masked between two offsets. */
  takeTags(start: number, end: number): readonly BlockTag[]
}

/** One of the siblings in a file: a Markdown node, a block tag, or a tag of an expandable or another element. */
type BlockToken =
  | { kind: 'node'; node: RootContent; start: number; end: number }
  | { kind: 'tag'; tag: BlockTag; start: number; end: number }
  | { kind: 'details'; open: boolean; summary: string | undefined; start: number; end: number }
  | { kind: 'element'; tag: BlockTag; start: number; end: number }
  | { kind: 'wrapper'; name: string; layout: WrapperLayout; isAmbiguous: boolean; start: number; end: number }
  | { kind: 'element-end'; name: string; start: number; end: number }
  | { kind: 'html'; nodes: readonly HtmlNode[]; source: string; start: number; end: number }

/** A block with its offsets in the source. If one token yields several blocks, all but the first are at its end. */
export interface LocatedBlock extends ParsedBlock {
  start: number
  end: number
}

interface ParsedBlock {
  block: Block
  /** The blocks directly inside it with their offsets, if it is a container in Markdown or a tag. */
  children?: readonly LocatedBlock[]
}

/** Maximum nesting depth; anything deeper remains text. */
const maxDepth = 50

/** Parses siblings into blocks. */
export function parseBlocks(nodes: readonly RootContent[], context: BlockContext, depth = 0): LocatedBlock[] {
  const tokens = tokenize(nodes, context)
  const pairs = tokens.every(({ kind }) => kind === 'node') ? noPairs : pairTokens(tokens, context)
  return readTokens(tokens, pairs, { from: 0, to: tokens.length, depth }, context)
}

const noPairs: ReadonlyMap<number, number> = new Map()

const blocksOf = (located: readonly LocatedBlock[]) => located.map(({ block }) => block)

/** Nodes that are not blocks; definitions are parsed where they are referenced. */
const nonBlockTypes = new Set(['footnoteDefinition', 'definition', 'yaml'])

function tokenize(nodes: readonly RootContent[], context: BlockContext): BlockToken[] {
  const tokens: BlockToken[] = []
  let comments: SplitComments | undefined
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as RootContent
    const [start, end] = [startOffset(node), endOffset(node)]
    if (node.type !== 'html') {
      if (!nonBlockTypes.has(node.type)) tokens.push({ kind: 'node', node, start, end })
      continue
    }
    const tags = context.takeTags(start, end)
    if (tags.length > 0) {
      for (const tag of tags) tokens.push({ kind: 'tag', tag, start: tag.start, end: tag.end })
      continue
    }
    comments ??= new SplitComments(nodes, context.source)
    const comment = comments.findStartingIn(node.value, index)
    const html = comment ? context.source.slice(start, comment.start) : node.value
    for (const token of tokenizeHtmlBlock(html, start, comment?.start ?? end, context)) tokens.push(token)
    if (!comment) continue
    const source = context.source.slice(comment.start, comment.end)
    const raw: HtmlNode = { type: 'raw', start: 0, end: source.length }
    tokens.push({ kind: 'html', nodes: [raw], source, start: comment.start, end: comment.end })
    index = comment.last
  }
  return joinSummaries(tokens)
}

/** Finds comments that start inside an HTML block, which ends at its first empty line, and continue in its siblings. */
class SplitComments {
  readonly #nodes: readonly RootContent[]
  readonly #source: string
  /** End of the comment that was searched for last, undefined if there is none, and whether the comment can be read. */
  #end: number | undefined = 0
  #isReadable = false

  constructor(nodes: readonly RootContent[], source: string) {
    this.#nodes = nodes
    this.#source = source
  }

  /** Returns a comment that starts in the HTML of a sibling and ends with a later sibling, whose index is `last`. */
  findStartingIn(html: string, index: number): { start: number; end: number; last: number } | undefined {
    const start = startOffset(this.#nodes[index] as RootContent)
    const opening = html.lastIndexOf('<!--')
    if (opening === -1 || html.includes('-->', opening) || !this.#source.startsWith(html, start)) return undefined
    const end = this.#findEnd(start + html.length)
    if (end === undefined) return undefined
    let last = index
    while (last + 1 < this.#nodes.length && endOffset(this.#nodes[last + 1] as RootContent) <= end) last++
    const isWhole = last > index && this.#source.slice(endOffset(this.#nodes[last] as RootContent), end).trim() === ''
    if (isWhole) return { start: start + opening, end, last }
    this.#isReadable = false
    return undefined
  }

  /** Returns the end of the comment that contains an offset; each end is searched for and tried once. */
  #findEnd(offset: number): number | undefined {
    if (this.#end === undefined) return undefined
    if (this.#end > offset) return this.#isReadable ? this.#end : undefined
    // The search ends at the last sibling, because a source may contain very many lists of siblings.
    const rest = this.#source.slice(offset, endOffset(this.#nodes.at(-1) as RootContent))
    const found = rest.indexOf('-->')
    this.#end = found === -1 ? undefined : offset + found + '-->'.length
    this.#isReadable = true
    return this.#end
  }
}

/** Splits an HTML block into elements and the tags of elements that span several blocks with Markdown between them. */
function tokenizeHtmlBlock(html: string, start: number, end: number, { source }: BlockContext): BlockToken[] {
  const isExact = source.startsWith(html, start)
  const tokens: BlockToken[] = []
  let run: HtmlNode[] = []
  // If the HTML differs from the source, all of its blocks share one position.
  const rangeOf = (from: number, to: number) =>
    isExact ? { start: start + from, end: start + to } : { start: tokens.length === 0 ? start : end, end }
  const endRun = () => {
    const written = run.filter((node) => node.type !== 'text' || node.value.trim() !== '')
    const [first, last] = [written[0], written.at(-1)]
    if (first && last) tokens.push({ kind: 'html', nodes: run, source: html, ...rangeOf(first.start, last.end) })
    run = []
  }
  // On its own line, the tag of a wrapper may be closed by a tag in another HTML block.
  const isAlone = ({ name, kind }: HtmlTag, from: number, to: number) =>
    kind === 'open' && isWrapperElement(name) && isLineStart(html, from) && isLineEnd(html, to)
  for (const node of parseHtml(html, isAlone)) {
    const token = toSpanningToken(node, html)
    if (!token) {
      run.push(node)
      continue
    }
    endRun()
    tokens.push({ ...token, ...rangeOf(node.start, node.end) })
  }
  endRun()
  return tokens
}

function isLineStart(text: string, at: number): boolean {
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at === 0 || text[at - 1] === '\n'
}

function isLineEnd(text: string, at: number): boolean {
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++
  return at >= text.length || text[at] === '\n'
}

type WithoutRange<Some> = Some extends BlockToken ? Omit<Some, 'start' | 'end'> : never

/** Returns the opening or closing token of an element that spans several HTML blocks with Markdown between them. */
function toSpanningToken(node: HtmlNode, html: string): WithoutRange<BlockToken> | undefined {
  if (node.type === 'element' && node.name === 'summary') {
    return { kind: 'details', open: false, summary: html.slice(node.innerStart, node.innerEnd) }
  }
  if (node.type !== 'raw' || !node.tag) return undefined
  const { name, kind, attributes } = node.tag
  if (!isWrapperElement(name)) return undefined
  if (kind === 'close') return { kind: 'element-end', name }
  if (name === 'details') return { kind: 'details', open: attributes['open'] !== undefined, summary: undefined }
  if (isCustomBlock(node.tag)) {
    const { start, end } = node
    return { kind: 'element', tag: readCustomTag(html.slice(start, end), start, end) }
  }
  return {
    kind: 'wrapper',
    name,
    layout: readWrapperLayout(node.tag),
    isAmbiguous: !isHtmlTag(node.tag, false) && !isStructuralElement(name),
  }
}

/** Joins `<details>` and `<summary>` that are in separate blocks into one opening token. */
function joinSummaries(tokens: BlockToken[]): BlockToken[] {
  const joined: BlockToken[] = []
  for (const token of tokens) {
    const last = joined.at(-1)
    if (
      token.kind === 'details' &&
      last?.kind === 'details' &&
      last.summary === undefined &&
      token.summary !== undefined
    ) {
      joined[joined.length - 1] = { ...last, summary: token.summary, end: token.end }
    } else joined.push(token)
  }
  return joined
}

/** Returns the index of the closing token for each opening token. Unpaired tokens are omitted. */
function pairTokens(tokens: readonly BlockToken[], context: BlockContext): Map<number, number> {
  const pairs = new Map<number, number>()
  const stack: { name: string; index: number; wrappers: OpenWrappers }[] = []
  const outside = new OpenWrappers()
  const open = new Map<string, number>()
  const count = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by)
  tokens.forEach((token, index) => {
    const wrappers = stack.at(-1)?.wrappers ?? outside
    if (token.kind === 'wrapper') return wrappers.open(token.name, index)
    const opening = openingName(token, context)
    if (opening !== undefined) {
      stack.push({ name: opening, index, wrappers: new OpenWrappers() })
      count(opening, 1)
      return
    }
    const closing = closingName(token)
    const wrapper = token.kind === 'element-end' ? wrappers.close(token.name) : undefined
    if (wrapper !== undefined) {
      pairs.set(wrapper, index)
      return
    }
    // Searching all open tags for each closing tag without an opening one would take quadratic time.
    if (closing === undefined || !open.get(closing)) return
    for (let last = stack.pop(); last; last = stack.pop()) {
      count(last.name, -1)
      if (last.name !== closing) continue
      pairs.set(last.index, index)
      return
    }
  })
  return pairs
}

/** The open wrappers inside one block; a closing tag in the block closes none outside of it. */
class OpenWrappers {
  readonly #stack: { name: string; index: number }[] = []
  readonly #counts = new Map<string, number>()

  open(name: string, index: number): void {
    this.#stack.push({ name, index })
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** Returns the index of the closed wrapper; wrappers that were opened inside it remain unclosed. */
  close(name: string): number | undefined {
    if (!this.#counts.get(name)) return undefined
    for (let last = this.#stack.pop(); last; last = this.#stack.pop()) {
      this.#counts.set(last.name, (this.#counts.get(last.name) ?? 0) - 1)
      if (last.name === name) return last.index
    }
    return undefined
  }
}

function openingName(token: BlockToken, context: BlockContext): string | undefined {
  if (token.kind === 'details') return 'details'
  if (token.kind === 'element') return 'div'
  if (token.kind !== 'tag' || !pairedTags.has(token.tag.name)) return undefined
  return token.tag.name === 'if' && !context.isExpression(token.tag.rest) ? undefined : token.tag.name
}

function closingName(token: BlockToken): string | undefined {
  if (token.kind === 'element-end') return token.name
  if (token.kind !== 'tag' || !token.tag.name.startsWith('end')) return undefined
  return token.tag.name.slice('end'.length)
}

interface TokenRange {
  from: number
  to: number
  /** Nesting depth in the document. */
  depth: number
}

function readTokens(
  tokens: readonly BlockToken[],
  pairs: ReadonlyMap<number, number>,
  { from, to, depth }: TokenRange,
  context: BlockContext,
): LocatedBlock[] {
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (depth > maxDepth && first && last && from < to) return [locateLiteral(first.start, last.end, context)]
  const located: LocatedBlock[] = []
  for (let index = from; index < to; index++) {
    const token = tokens[index] as BlockToken
    const close = pairs.get(index)
    if (close === undefined) {
      for (const one of readUnpaired(token, context, depth)) located.push(one)
      continue
    }
    const end = tokens[close] as BlockToken
    if (token.kind === 'tag' && isLegacyApi(token.tag)) {
      const parts = readLegacyApiParts(tokens, pairs, { from: index + 1, to: close, depth: depth + 1 }, context)
      // All of these blocks share the position of the first one.
      parseLegacyApi(token.tag, parts).forEach((block, nth) =>
        located.push({ block, start: nth === 0 ? token.start : end.end, end: end.end }),
      )
      index = close
      continue
    }
    const inner = readTokens(tokens, pairs, { from: index + 1, to: close, depth: depth + 1 }, context)
    index = close
    if (token.kind === 'wrapper') {
      for (const one of inner) located.push({ ...one, block: applyLayout(one.block, token.layout) })
      continue
    }
    const block = readPair(token, blocksOf(inner), context)
    if (block) {
      located.push({ block, children: inner, start: token.start, end: end.end })
      continue
    }
    // HTML tags are not shown; block tags are shown as text.
    const isShown = token.kind === 'tag'
    if (isShown) located.push(locateLiteral(token.start, token.end, context))
    for (const one of inner) located.push(one)
    if (isShown) located.push(locateLiteral(end.start, end.end, context))
  }
  return located
}

function readLegacyApiParts(
  tokens: readonly BlockToken[],
  pairs: ReadonlyMap<number, number>,
  { from, to, depth }: TokenRange,
  context: BlockContext,
): LegacyApiPart[] {
  const parts: LegacyApiPart[] = []
  for (let index = from; index < to; index++) {
    const token = tokens[index] as BlockToken
    const close = pairs.get(index)
    if (token.kind === 'tag' && close !== undefined && isLegacyApiPart(token.tag) && depth <= maxDepth) {
      const range = { from: index + 1, to: close, depth: depth + 1 }
      parts.push({ tag: token.tag, parts: readLegacyApiParts(tokens, pairs, range, context) })
    } else {
      const range = { from: index, to: (close ?? index) + 1, depth }
      parts.push({ tag: undefined, blocks: blocksOf(readTokens(tokens, pairs, range, context)) })
    }
    index = close ?? index
  }
  return parts
}

function locateLiteral(start: number, end: number, { source }: BlockContext): LocatedBlock {
  return { block: literalParagraph(source.slice(start, end)), start, end }
}

/** Returns blocks that share a position: the first one has it, the others are at its end. */
const locateInSharedRange = (blocks: readonly Block[], start: number, end: number): LocatedBlock[] =>
  blocks.map((block, nth) => ({ block, start: nth === 0 ? start : end, end }))

/** Parses a token that is not paired with another one. */
function readUnpaired(token: BlockToken, context: BlockContext, depth: number): LocatedBlock[] {
  const { start, end } = token
  switch (token.kind) {
    case 'node': {
      const read = readContainer(token.node, context, depth) ?? readLeaf(token.node, context)
      return [read ? { ...read, start, end } : locateLiteral(start, end, context)]
    }
    case 'tag': {
      const block = tagToBlock(token.tag, undefined, context.references)
      return [block ? { block, start, end } : locateLiteral(start, end, context)]
    }
    case 'html':
      return locateInSharedRange(readTopLevelHtml(token.nodes, token.source, context), start, end)
    case 'details': {
      const summary = (token.summary ?? '').trim()
      return locateInSharedRange(readTopLevelHtml(parseHtml(summary), summary, context), start, end)
    }
    case 'element': {
      const block = tagToBlock(token.tag, undefined, context.references)
      return block ? [{ block, start, end }] : []
    }
    case 'wrapper':
      return token.isAmbiguous ? [locateLiteral(start, end, context)] : []
    case 'element-end':
      return []
  }
}

function readContainer(node: RootContent, context: BlockContext, depth: number): ParsedBlock | undefined {
  if (node.type === 'blockquote') return readBlockquote(node, context, depth)
  return node.type === 'list' ? readList(node, context, depth) : undefined
}

function readLeaf(node: RootContent, context: BlockContext): ParsedBlock | undefined {
  const block = readNode(node, context)
  return block && { block }
}

function readPair(token: BlockToken, inner: readonly Block[], context: BlockContext): Block | undefined {
  if (token.kind === 'element' && token.tag.name === 'if' && !context.isExpression(token.tag.rest)) return undefined
  if (token.kind === 'tag' || token.kind === 'element') return tagToBlock(token.tag, inner, context.references)
  return token.kind === 'details' ? readDetails(token.open, token.summary, inner, context) : undefined
}

function readNode(node: RootContent, context: BlockContext): Block | undefined {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node.children, context)
    case 'heading':
      return readHeading(node.depth, node.children, context)
    case 'thematicBreak':
      return { object: 'block', type: 'divider', isVoid: true, data: {} }
    case 'code':
      return createCodeBlock(node.value, {
        ...(node.lang && { syntax: [node.lang, node.meta].filter(Boolean).join(' ') }),
      })
    case 'table':
      return parsePipeTable(node, context.source, createCellParser(context))
    default:
      if ((node.type as string) === 'math') {
        return { object: 'block', type: 'math', isVoid: true, data: { formula: (node as { value: string }).value } }
      }
      return undefined
  }
}

function readParagraph(children: readonly PhrasingContent[], context: BlockContext): Block {
  const [only] = children
  if (children.length === 1 && only?.type === 'image') {
    const { url, alt, title } = only
    return createImages([
      createImage(
        { ref: resolveFileRef(context.references, url), ...(alt && { alt }) },
        title ? [paragraph([{ leaves: [leaf(title)], object: 'text' }])] : [],
      ),
    ])
  }
  const nodes = parseInlines(children, context)
  const [single] = nodes
  if (nodes.length === 1 && single?.object === 'inline' && single.type === 'inline-math') {
    return { object: 'block', type: 'math', isVoid: true, data: single.data }
  }
  const isPartOfText = children.some((node) => node.type === 'html' && /\sdata-size=/i.test(node.value))
  if (nodes.length === 1 && single?.object === 'inline' && single.type === 'inline-image' && !isPartOfText) {
    const drawing = only?.type === 'html' ? readDrawingOrImages(only.value, context) : undefined
    const { size: _, caption, ...data } = single.data
    const words = caption ? [paragraph([{ leaves: [leaf(caption)], object: 'text' as const }])] : []
    return drawing ?? createImages([createImage(data, words)])
  }
  return paragraph(nodes)
}

function readHeading(depth: number, children: readonly PhrasingContent[], context: BlockContext): Block {
  const { id, rest } = extractAnchor(children)
  return {
    object: 'block',
    type: headingType(depth),
    ...toOptionalData(readHeadingId(id === undefined ? undefined : decodeEntities(id))),
    nodes: parseInlines(rest, context),
  }
}

/** Removes an explicit id, which is written as an empty link at the end: `## Title <a href="#x" id="x"></a>`. */
function extractAnchor(children: readonly PhrasingContent[]): {
  id: string | undefined
  rest: readonly PhrasingContent[]
} {
  const [open, close] = children.slice(-2)
  const id =
    open?.type === 'html' && close?.type === 'html' && close.value === '</a>' ? anchorId(open.value) : undefined
  if (id === undefined) return { id: undefined, rest: children }
  const rest = children.slice(0, -2)
  const last = rest.at(-1)
  if (last?.type !== 'text') return { id, rest }
  // Only spaces, tabs and newlines: a byte order mark, which `\s` matches, is part of the text.
  const value = last.value.replace(/(?<![ \t\n])[ \t\n]+$/, '')
  return { id, rest: value === '' ? rest.slice(0, -1) : [...rest.slice(0, -1), { ...last, value }] }
}

function anchorId(tag: string): string | undefined {
  const match = /^<a\s(?:[^>]*\s)?id="([^"]*)"/.exec(tag)
  // The end of the tag is checked separately: within the pattern the rest would be scanned again for every id.
  return match && tag.indexOf('>', match[0].length) === tag.length - 1 ? match[1] : undefined
}

function readBlockquote(quote: MdBlockquote, context: BlockContext, depth: number): ParsedBlock {
  const children = parseBlocks(quote.children, context, depth + 1)
  return { block: { object: 'block', type: 'blockquote', nodes: blocksOf(children) }, children }
}

function readList(list: List, context: BlockContext, depth: number): ParsedBlock {
  const isTaskList = list.children.some((item) => typeof item.checked === 'boolean')
  const items = list.children.map((item) => readItem(item, isTaskList, context, depth + 1))
  const nodes = items.map(({ block }) => block)
  const children = items.map(({ block, children: inner }, index): LocatedBlock => {
    const item = list.children[index] as MdListItem
    return { block, ...(inner && { children: inner }), start: startOffset(item), end: endOffset(item) }
  })
  if (isTaskList) return { block: { object: 'block', type: 'list-tasks', nodes }, children }
  if (!list.ordered) return { block: { object: 'block', type: 'list-unordered', nodes }, children }
  const start = list.start ?? 1
  return { block: { object: 'block', type: 'list-ordered', ...(start !== 1 && { data: { start } }), nodes }, children }
}

function readItem(
  item: MdListItem,
  isTask: boolean,
  context: BlockContext,
  depth: number,
): ParsedBlock & { block: ListItem } {
  const children = parseBlocks(item.children, context, depth + 1)
  const block: ListItem = {
    object: 'block',
    type: 'list-item',
    ...(isTask && { data: { checked: item.checked === true } }),
    nodes: children.length === 0 ? [paragraph([])] : blocksOf(children),
  }
  return children.length === 0 ? { block } : { block, children }
}
