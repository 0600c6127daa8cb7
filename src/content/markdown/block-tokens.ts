import { type HtmlNode, type HtmlTag, isHtmlTag, parseHtml } from './html.ts'
import type { HtmlContext } from './inline-context.ts'
import { type RootContent, endOffset, startOffset } from './mdast.ts'
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

export interface BlockContext extends HtmlContext {
  /** Returns the block tags that were masked between two offsets. */
  takeTags(start: number, end: number): readonly BlockTag[]
}

/** One of the siblings in a file: a Markdown node, a block tag, or a tag of an expandable or another element. */
export type BlockToken =
  | { kind: 'node'; node: RootContent; start: number; end: number }
  | { kind: 'tag'; tag: BlockTag; start: number; end: number }
  | { kind: 'details'; open: boolean; summary: string | undefined; start: number; end: number }
  | { kind: 'element'; tag: BlockTag; start: number; end: number }
  | { kind: 'wrapper'; name: string; layout: WrapperLayout; isAmbiguous: boolean; start: number; end: number }
  | { kind: 'element-end'; name: string; start: number; end: number }
  | { kind: 'html'; nodes: readonly HtmlNode[]; source: string; start: number; end: number }

/** Nodes that are not blocks; definitions are parsed where they are referenced. */
const nonBlockTypes = new Set(['footnoteDefinition', 'definition', 'yaml'])

/** Splits siblings into tokens. */
export function tokenize(nodes: readonly RootContent[], context: BlockContext): BlockToken[] {
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
