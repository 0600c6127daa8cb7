import { leaf, paragraph } from '../document/build.ts'
import type { Block, ListItem } from '../document/nodes.ts'
import { codeBlock, headingType, image, images, literal, readHeadingId, withData } from './make-blocks.ts'
import { decodeEntities, readHtmlTag } from './html.ts'
import {
  type List,
  type MdBlockquote,
  type MdListItem,
  type PhrasingContent,
  type RootContent,
  endOf,
  startOf,
} from './mdast.ts'
import { cellParser } from './parse-cell.ts'
import { drawingOrImages, isCustomBlock, readCustomTag, readDetails, readHtml } from './parse-html.ts'
import { type HtmlContext, parseInlines } from './parse-inlines.ts'
import { parsePipeTable } from './parse-table.ts'
import { type ApiPart, isApiPart, isHandWrittenApi, readHandWrittenApi } from './parse-legacy-api.ts'
import { pairedTags, readTag } from './parse-tags.ts'
import { readFileRef } from './references.ts'
import type { Tag } from './tags.ts'

export interface BlockContext extends HtmlContext {
  /** The tag that was masked at an offset. */
  tagsAt(start: number, end: number): readonly Tag[]
}

/** What stands beside each other in a file: Markdown, a block tag, or the tags of an expandable or another element. */
type Token =
  | { kind: 'node'; node: RootContent; start: number; end: number }
  | { kind: 'tag'; tag: Tag; start: number; end: number }
  | { kind: 'details'; open: boolean; summary: string | undefined; start: number; end: number }
  | { kind: 'element'; tag: Tag; start: number; end: number }
  | { kind: 'element-end'; name: 'details' | 'div'; start: number; end: number }

/** A block and where in the source it stands. Where several are made from one thing, the others stand at its end. */
export interface Placed extends ReadBlock {
  start: number
  end: number
}

interface ReadBlock {
  block: Block
  /** Where the blocks directly inside it are, when it is a container in Markdown or a tag. */
  children?: readonly Placed[]
}

/** Deeper than anyone writes; what is nested deeper stays as text. */
const maxDepth = 50

/** The blocks of siblings. */
export function parseBlocks(nodes: readonly RootContent[], context: BlockContext, depth = 0): Placed[] {
  const tokens = tokenize(nodes, context)
  return readTokens(tokens, matchTags(tokens, context), { from: 0, to: tokens.length, depth }, context)
}

const blocksOf = (placed: readonly Placed[]) => placed.map(({ block }) => block)

/** What is read where it is referred to. */
const invisible = new Set(['footnoteDefinition', 'definition', 'yaml'])

function tokenize(nodes: readonly RootContent[], context: BlockContext): Token[] {
  const tokens: Token[] = []
  for (const node of nodes) {
    const [start, end] = [startOf(node), endOf(node)]
    if (node.type !== 'html') {
      if (!invisible.has(node.type)) tokens.push({ kind: 'node', node, start, end })
      continue
    }
    const tags = context.tagsAt(start, end)
    if (tags.length > 0) {
      for (const tag of tags) tokens.push({ kind: 'tag', tag, start: tag.start, end: tag.end })
      continue
    }
    tokens.push(elementToken(node.value.trim(), start, end) ?? { kind: 'node', node, start, end })
  }
  return joinSummaries(tokens)
}

/** The edge of an element that is spread over several HTML blocks, with Markdown between them. */
function elementToken(text: string, start: number, end: number): Token | undefined {
  const opened = /^<details(\s[^>]*)?>\s*(?:<summary>([^]*?)<\/summary>\s*)?$/i.exec(text)
  if (opened) return { kind: 'details', open: /\bopen\b/i.test(opened[1] ?? ''), summary: opened[2], start, end }
  const tag = readHtmlTag(text)
  if (tag?.kind === 'open' && isCustomBlock(tag)) {
    return { kind: 'element', tag: readCustomTag(text, start, end), start, end }
  }
  if (tag?.kind === 'close' && (tag.name === 'details' || tag.name === 'div')) {
    return { kind: 'element-end', name: tag.name, start, end }
  }
  const summary = /^<summary>([^]*?)<\/summary>$/i.exec(text)
  return summary ? { kind: 'details', open: false, summary: summary[1], start, end } : undefined
}

/** `<details>` and `<summary>` may stand in blocks of their own; they are one opening. */
function joinSummaries(tokens: Token[]): Token[] {
  const joined: Token[] = []
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

/** For each opening, where it is closed. What is missing here is not closed, or closes nothing. */
function matchTags(tokens: readonly Token[], context: BlockContext): Map<number, number> {
  const pairs = new Map<number, number>()
  const stack: { name: string; index: number }[] = []
  const open = new Map<string, number>()
  const count = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by)
  tokens.forEach((token, index) => {
    const opening = openingName(token, context)
    if (opening !== undefined) {
      stack.push({ name: opening, index })
      count(opening, 1)
      return
    }
    const closing = closingName(token)
    // Looking through all that is open for every tag that closes nothing would take forever.
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

function openingName(token: Token, context: BlockContext): string | undefined {
  if (token.kind === 'details') return 'details'
  if ((token.kind !== 'tag' && token.kind !== 'element') || !pairedTags.has(token.tag.name)) return undefined
  if (token.tag.name === 'if' && !context.isExpression(token.tag.rest)) return undefined
  return token.kind === 'element' ? 'div' : token.tag.name
}

function closingName(token: Token): string | undefined {
  if (token.kind === 'element-end') return token.name
  if (token.kind !== 'tag' || !token.tag.name.startsWith('end')) return undefined
  return token.tag.name.slice('end'.length)
}

interface Range {
  from: number
  to: number
  /** How deep in the document it stands. */
  depth: number
}

function readTokens(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  { from, to, depth }: Range,
  context: BlockContext,
): Placed[] {
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (depth > maxDepth && first && last && from < to) return [placedText(first.start, last.end, context)]
  const placed: Placed[] = []
  for (let index = from; index < to; index++) {
    const token = tokens[index] as Token
    const close = pairs.get(index)
    if (close === undefined) {
      const read = readAlone(token, context, depth)
      placed.push(read ? { ...read, start: token.start, end: token.end } : placedText(token.start, token.end, context))
      continue
    }
    const end = tokens[close] as Token
    if (token.kind === 'tag' && isHandWrittenApi(token.tag)) {
      const parts = readApiParts(tokens, pairs, { from: index + 1, to: close, depth: depth + 1 }, context)
      // All of them stand in one place: that of the first.
      readHandWrittenApi(token.tag, parts).forEach((block, nth) =>
        placed.push({ block, start: nth === 0 ? token.start : end.end, end: end.end }),
      )
      index = close
      continue
    }
    const inner = readTokens(tokens, pairs, { from: index + 1, to: close, depth: depth + 1 }, context)
    const block = readPair(token, blocksOf(inner), context)
    if (block) placed.push({ block, children: inner, start: token.start, end: end.end })
    else {
      placed.push(placedText(token.start, token.end, context))
      for (const one of inner) placed.push(one)
      placed.push(placedText(end.start, end.end, context))
    }
    index = close
  }
  return placed
}

function readApiParts(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  { from, to, depth }: Range,
  context: BlockContext,
): ApiPart[] {
  const parts: ApiPart[] = []
  for (let index = from; index < to; index++) {
    const token = tokens[index] as Token
    const close = pairs.get(index)
    if (token.kind === 'tag' && close !== undefined && isApiPart(token.tag) && depth <= maxDepth) {
      const range = { from: index + 1, to: close, depth: depth + 1 }
      parts.push({ tag: token.tag, parts: readApiParts(tokens, pairs, range, context) })
    } else {
      const range = { from: index, to: (close ?? index) + 1, depth }
      parts.push({ tag: undefined, blocks: blocksOf(readTokens(tokens, pairs, range, context)) })
    }
    index = close ?? index
  }
  return parts
}

function placedText(start: number, end: number, { source }: BlockContext): Placed {
  return { block: literal(source.slice(start, end)), start, end }
}

function readAlone(token: Token, context: BlockContext, depth: number): ReadBlock | undefined {
  if (token.kind === 'node') {
    if (token.node.type === 'blockquote') return readBlockquote(token.node, context, depth)
    if (token.node.type === 'list') return readList(token.node, context, depth)
  }
  const block =
    token.kind === 'node'
      ? readNode(token.node, context)
      : token.kind === 'tag'
        ? readTag(token.tag, undefined, context.references)
        : undefined
  return block && { block }
}

function readPair(token: Token, inner: readonly Block[], context: BlockContext): Block | undefined {
  if (token.kind === 'tag' || token.kind === 'element') return readTag(token.tag, inner, context.references)
  return token.kind === 'details' ? readDetails(token.open, token.summary, inner, context) : undefined
}

// Markdown

function readNode(node: RootContent, context: BlockContext): Block | undefined {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node.children, context)
    case 'heading':
      return readHeading(node.depth, node.children, context)
    case 'thematicBreak':
      return { object: 'block', type: 'divider', isVoid: true, data: {} }
    case 'code':
      return codeBlock(node.value, { ...(node.lang && { syntax: [node.lang, node.meta].filter(Boolean).join(' ') }) })
    case 'table':
      return parsePipeTable(node, context.source, cellParser(context))
    case 'html':
      return readHtml(node.value, context)
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
    return images([
      image(
        { ref: readFileRef(context.references, url), ...(alt && { alt }) },
        title ? [paragraph([{ object: 'text', leaves: [leaf(title)] }])] : [],
      ),
    ])
  }
  const nodes = parseInlines(children, context)
  const [single] = nodes
  if (nodes.length === 1 && single?.object === 'inline' && single.type === 'inline-math') {
    return { object: 'block', type: 'math', isVoid: true, data: single.data }
  }
  if (nodes.length === 1 && single?.object === 'inline' && single.type === 'inline-image' && only?.type === 'html') {
    return drawingOrImages(only.value, context) ?? paragraph(nodes)
  }
  return paragraph(nodes)
}

function readHeading(depth: number, children: readonly PhrasingContent[], context: BlockContext): Block {
  const { id, rest } = takeAnchor(children)
  return {
    object: 'block',
    type: headingType(depth),
    ...withData(readHeadingId(id === undefined ? undefined : decodeEntities(id))),
    nodes: parseInlines(rest, context),
  }
}

/** An explicit id is written as an empty link at the end: `## Title <a href="#x" id="x"></a>`. */
function takeAnchor(children: readonly PhrasingContent[]): {
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
  const value = last.value.trimEnd()
  return { id, rest: value === '' ? rest.slice(0, -1) : [...rest.slice(0, -1), { ...last, value }] }
}

function anchorId(tag: string): string | undefined {
  const match = /^<a\s(?:[^>]*\s)?id="([^"]*)"/.exec(tag)
  // Checked apart: within the expression the rest would be read again for every id.
  return match && tag.indexOf('>', match[0].length) === tag.length - 1 ? match[1] : undefined
}

function readBlockquote(quote: MdBlockquote, context: BlockContext, depth: number): ReadBlock {
  const children = parseBlocks(quote.children, context, depth + 1)
  return { block: { object: 'block', type: 'blockquote', nodes: blocksOf(children) }, children }
}

function readList(list: List, context: BlockContext, depth: number): ReadBlock {
  const isTaskList = list.children.some((item) => typeof item.checked === 'boolean')
  const items = list.children.map((item) => readItem(item, isTaskList, context, depth + 1))
  const nodes = items.map(({ block }) => block)
  const children = items.map(({ block, children: inner }, index): Placed => {
    const item = list.children[index] as MdListItem
    return { block, ...(inner && { children: inner }), start: startOf(item), end: endOf(item) }
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
): ReadBlock & { block: ListItem } {
  const children = parseBlocks(item.children, context, depth + 1)
  const block: ListItem = {
    object: 'block',
    type: 'list-item',
    ...(isTask && { data: { checked: item.checked === true } }),
    nodes: children.length === 0 ? [paragraph([])] : blocksOf(children),
  }
  return children.length === 0 ? { block } : { block, children }
}
