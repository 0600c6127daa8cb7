import { isForeignComment } from '../document/raw-html.ts'
import {
  type HtmlNode,
  type HtmlTag,
  beginsHtmlBlock,
  isBlockElement,
  isElementName,
  isHtmlTag,
  parseHtml,
  readHtmlTag,
} from './html.ts'
import type { HtmlContext } from './inline-context.ts'
import { type List, type MdListItem, type PhrasingContent, type RootContent, endOffset, startOffset } from './mdast.ts'
import { anchorParagraph, splitTableLists, withoutAttributeLists } from './attribute-lists.ts'
import { classifyParagraph } from './foreign-paragraphs.ts'
import {
  type WrapperLayout,
  isCustomBlock,
  isStructuralElement,
  isWrapperElement,
  readCustomTag,
  readWrapperLayout,
} from './html-wrappers.ts'
import { pairedTags } from './parse-tags.ts'
import type { BlockTag } from './block-tag.ts'
import { itemFiller } from './empty-items.ts'

export interface BlockContext extends HtmlContext {
  /** Returns the block tags that were masked between two offsets. */
  takeTags(start: number, end: number): readonly BlockTag[]
  /** Whether the page has admonitions with indented bodies. */
  readonly hasItems: boolean
  /** Tags that are shown as text because they enclose no blocks. */
  readonly unpaired: BlockTag[]
}

/** One of the siblings in a file: a Markdown node, a block tag, or a tag of an expandable or another element. */
export type BlockToken =
  | { kind: 'node'; node: RootContent; start: number; end: number }
  | { kind: 'tag'; tag: BlockTag; start: number; end: number }
  | ItemToken
  | { kind: 'tabs'; items: readonly ItemToken[]; start: number; end: number }
  | { kind: 'details'; open: boolean; summary: string | undefined; start: number; end: number }
  | { kind: 'element'; tag: BlockTag; start: number; end: number }
  | WrapperToken
  | { kind: 'element-end'; name: string; start: number; end: number }
  | { kind: 'html'; nodes: readonly HtmlNode[]; source: string; start: number; end: number }

/** An admonition or a tab with an indented body. */
export interface ItemToken {
  kind: 'admonition'
  tag: BlockTag
  nodes: readonly RootContent[]
  start: number
  end: number
}

export interface WrapperToken {
  kind: 'wrapper'
  name: string
  attributes: Readonly<Record<string, string>>
  layout: WrapperLayout
  isAmbiguous: boolean
  start: number
  end: number
}

/** Nodes that are not blocks; definitions are parsed where they are referenced. */
const nonBlockTypes = new Set(['footnoteDefinition', 'definition', 'yaml'])

/** Splits siblings into tokens. */
export function tokenize(nodes: readonly RootContent[], context: BlockContext): BlockToken[] {
  const tokens: BlockToken[] = []
  const open = new OpenWrappers()
  const add = (token: BlockToken) => {
    tokens.push(token)
    const name = token.kind === 'wrapper' ? token.name : openingName(token, context)
    if (token.kind === 'element-end') open.close(token.name)
    else if (token.kind !== 'tag' && name !== undefined) open.open(name, token.start)
  }
  let comments: SplitComments | undefined
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as RootContent
    const [start, end] = [startOffset(node), endOffset(node)]
    if (node.type !== 'html') {
      if (nonBlockTypes.has(node.type)) continue
      for (const token of open.isEmpty ? tokenizeNode(node, context) : tokenizeInElement(node, open, context))
        add(token)
      continue
    }
    if (node.value === itemFiller) continue
    const tags = context.takeTags(start, end)
    if (tags.length > 0) {
      for (const tag of tags) add({ kind: 'tag', tag, start: tag.start, end: tag.end })
      continue
    }
    comments ??= new SplitComments(nodes, context.source)
    const comment = comments.findStartingIn(node.value, index)
    const html = comment ? context.source.slice(start, comment.start) : node.value
    for (const token of tokenizeHtmlBlock(html, start, comment?.start ?? end, context)) add(token)
    if (!comment) continue
    const source = context.source.slice(comment.start, comment.end)
    const raw: HtmlNode = { type: 'raw', start: 0, end: source.length }
    tokens.push({ kind: 'html', nodes: [raw], source, start: comment.start, end: comment.end })
    index = comment.last
  }
  return joinSummaries(tokens)
}

const toNodeToken = (node: RootContent): BlockToken => ({
  kind: 'node',
  node,
  start: startOffset(node),
  end: endOffset(node),
})

/** Splits a node that contains notations of other tools. */
function tokenizeNode(node: RootContent, context: BlockContext): BlockToken[] {
  if (node.type === 'list') return isTocList(node, context) ? [] : tokenizeList(node, context)
  const [start, end] = [startOffset(node), endOffset(node)]
  if (node.type === 'table') {
    const { table, end: tableEnd, ids } = splitTableLists(node, context.source)
    const token: BlockToken = { kind: 'node', node: table, start, end: tableEnd }
    return ids.length === 0 ? [token] : [token, { kind: 'node', node: anchorParagraph(ids, end), start: tableEnd, end }]
  }
  if (node.type !== 'paragraph') return [toNodeToken(node)]
  const written = context.source.slice(start, end)
  const kind = classifyParagraph(written)
  if (kind === 'hidden') return []
  if (kind === 'code') return [{ kind: 'node', node: { type: 'code', lang: 'js', value: written }, start, end }]
  const text = withoutAttributeLists(node, context.source)
  return isHiddenText(text.children) ? [] : [{ kind: 'node', node: text, start, end }]
}

/** Whether a text consists of nothing but comments of other tools. */
const isHiddenText = (nodes: readonly PhrasingContent[]): boolean =>
  nodes.every(
    (node) =>
      (node.type === 'html' && isForeignComment(node.value)) || (node.type === 'text' && node.value.trim() === ''),
  )

/** Whether a list is the place of a table of contents, as kramdown marks it: `* TOC` with `{:toc}` below. */
function isTocList({ children: [item, ...others] }: List, { source }: BlockContext): boolean {
  if (!item || others.length > 0) return false
  const [start, end] = [startOffset(item), endOffset(item)]
  return source.startsWith('}', end - 1) && /\n[ \t]*\{:[ \t]*toc[^{}\n]*\}$/.test(source.slice(start, end))
}

/** Splits a list into admonitions, tabs, and the lists between them. */
function tokenizeList(list: List, context: BlockContext): BlockToken[] {
  const isAdmonition = ({ children: [first] }: MdListItem) =>
    first?.type === 'html' && context.takeTags(startOffset(first), endOffset(first))[0]?.isItem === true
  if (!context.hasItems || !list.children.some(isAdmonition)) return [toNodeToken(list)]
  const tokens: BlockToken[] = []
  let itemsOfTabs: ItemToken[] = []
  let run: MdListItem[] = []
  const endRun = () => {
    const [first, last] = [run[0], run.at(-1)]
    if (!first || !last) return
    const [start, end] = [startOffset(first), endOffset(last)]
    const number = /^\d{1,9}/.exec(context.source.slice(start, start + 10))?.[0]
    const node: List = { ...list, children: run, ...(number !== undefined && { start: Number(number) }) }
    tokens.push({ kind: 'node', node, start, end })
    run = []
  }
  for (const item of list.children) {
    const [first, ...nodes] = item.children
    const [tag] = first && isAdmonition(item) ? context.takeTags(startOffset(first), endOffset(first)) : []
    if (!tag) {
      run.push(item)
      continue
    }
    endRun()
    const { start } = tag
    const end = Math.max(tag.end, endOffset(item))
    const token: ItemToken = { kind: 'admonition', tag, nodes, start, end }
    const last = tokens.at(-1)
    if (tag.name !== 'tab') tokens.push(token)
    else if (last?.kind === 'tabs' && tag.rest !== '!') {
      itemsOfTabs.push(token)
      tokens[tokens.length - 1] = { ...last, items: itemsOfTabs, end }
    } else {
      itemsOfTabs = [token]
      tokens.push({ kind: 'tabs', items: itemsOfTabs, start, end })
    }
  }
  endRun()
  return tokens
}

/**
 * Splits a node between the tags of an element whose HTML blocks end at empty lines: the indentation of the HTML is not code, and
 * closing tags at the end of a text are not part of it.
 */
function tokenizeInElement(node: RootContent, open: OpenWrappers, context: BlockContext): BlockToken[] {
  const [start, end] = [startOffset(node), endOffset(node)]
  const { source } = context
  if (node.type === 'code' && !/[`~]/.test(source.charAt(start))) {
    const html = source.slice(start, end)
    if (isIndentedAt(source, open.lastIndex ?? 0) || beginsHtmlBlock(html.trimStart()))
      return tokenizeHtmlBlock(html, start, end, context)
  }
  if (node.type !== 'paragraph') return tokenizeNode(node, context)
  const children = [...node.children]
  const closings: BlockToken[] = []
  for (let last = children.at(-1); last; last = children.at(-1)) {
    const tag = last.type === 'html' ? readHtmlTag(last.value) : undefined
    const isClosing = tag?.kind === 'close' && isWrapperElement(tag.name) && open.has(tag.name)
    const isBlank = last.type === 'text' && last.value.trim() === '' && closings.length > 0
    if (!isClosing && !isBlank) break
    children.pop()
    if (isClosing)
      closings.push({ kind: 'element-end', name: tag.name, start: startOffset(last), end: endOffset(last) })
  }
  closings.reverse()
  const last = children.at(-1)
  if (closings.length === 0) return tokenizeNode(node, context)
  if (!last) return closings
  const trimmed: PhrasingContent = last.type === 'text' ? { ...last, value: last.value.trimEnd() } : last
  const text = { ...node, children: [...children.slice(0, -1), trimmed] }
  if (isHiddenText(text.children)) return closings
  return [{ kind: 'node', node: text, start, end: endOffset(last) }, ...closings]
}

/** Whether the text at an offset is indented like code. */
const isIndentedAt = (source: string, offset: number): boolean =>
  source[offset - 1] === '\t' || source.slice(Math.max(0, offset - 4), offset) === '    '

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
  // On a line of tags, the tag of a wrapper may be closed by a tag in another HTML block.
  const isAlone = ({ name, kind }: HtmlTag, from: number, to: number) =>
    kind === 'open' && isWrapperElement(name) && isLineStart(html, from) && isBeforeTags(html, to)
  for (const node of parseHtml(html, isAlone)) {
    const token = toSpanningToken(node, html)
    if (!token) {
      // A block on its own lines has its own position, so that an edit of it does not change those next to it.
      const isOwnBlock = isExact && isBlockElement(node) && isLineStart(html, node.start) && isLineEnd(html, node.end)
      if (isOwnBlock) endRun()
      run.push(node)
      if (isOwnBlock) endRun()
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

/** Whether nothing but tags of HTML follows in the line. */
function isBeforeTags(text: string, at: number): boolean {
  const tag = /[ \t]*<\/?([a-z]\w*)(?:[ \t][^<>\n]*)?>/iy
  tag.lastIndex = at
  let end = at
  for (let match = tag.exec(text); match && isElementName(match[1] as string); match = tag.exec(text))
    end = tag.lastIndex
  return isLineEnd(text, end)
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
    attributes,
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
export function pairTokens(tokens: readonly BlockToken[], context: BlockContext): Map<number, number> {
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

/** The open wrappers inside one block, with an index for each; a closing tag in the block closes none outside of it. */
class OpenWrappers {
  readonly #stack: { name: string; index: number }[] = []
  readonly #counts = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#stack.length === 0
  }

  /** The index of the innermost open wrapper. */
  get lastIndex(): number | undefined {
    return this.#stack.at(-1)?.index
  }

  has(name: string): boolean {
    return Boolean(this.#counts.get(name))
  }

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
