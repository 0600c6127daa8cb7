import { InlineBuilder, addMark, leaf, paragraph } from '../document/build.ts'
import type { Block, InlineNode, ListItem, Mark, TabsItem } from '../document/nodes.ts'
import { isInvisibleParagraph } from '../document/raw-html.ts'
import { plainText } from '../document/text.ts'
import {
  createCodeBlock,
  createExpandable,
  headingType,
  createImage,
  createImages,
  literalParagraph,
  readHeadingId,
  readImageSize,
  toOptionalData,
} from './make-blocks.ts'
import { type BlockContext, type BlockToken, type WrapperToken, pairTokens, tokenize } from './block-tokens.ts'
import { withoutInlineLists } from './attribute-lists.ts'
import type { BlockTag } from './block-tag.ts'
import { readCallout } from './callouts.ts'
import { componentTag, emptyComponentTag } from './components.ts'
import { plainDirective } from './directives.ts'
import { isRemark } from './foreign-tags.ts'
import { splitHeadingId } from './heading-ids.ts'
import { parseHtml, readHtmlTag, trimHtml } from './html.ts'
import {
  type List,
  type MdBlockquote,
  type MdListItem,
  type PhrasingContent,
  type RootContent,
  endOffset,
  parseMdast,
  startOffset,
} from './mdast.ts'
import { createCellParser } from './parse-cell.ts'
import { applyLayout } from './html-wrappers.ts'
import { readDetails, readDrawingOrImages, readTopLevelHtml } from './parse-html.ts'
import { parseInlines } from './parse-inlines.ts'
import { readSplitElement } from './split-elements.ts'
import { parsePipeTable } from './parse-table.ts'
import { type LegacyApiPart, isLegacyApiPart, isLegacyApi, parseLegacyApi } from './parse-legacy-api.ts'
import { readComponentTitle, readPluginBlock, tagToBlock } from './parse-tags.ts'
import { type FieldParser, toTitle } from './parse-title.ts'
import { type References, resolveFileRef } from './references.ts'

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

/** Whether a block is a paragraph with nothing but comments and other hidden HTML, which is no target of links. */
const isRawHtml = (block: Block): boolean =>
  isInvisibleParagraph(block) &&
  block.type === 'paragraph' &&
  block.nodes.every((node) => node.object === 'text' || node.type === 'html')

/** Tags that contain only other tags. */
const groupTags: ReadonlySet<string> = new Set(['tabs', 'code-tabs', 'stepper', 'columns', 'updates'])

const blocksOf = (located: readonly LocatedBlock[]) => located.map(({ block }) => block)

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
    const range = { from: index + 1, to: close, depth: depth + 1 }
    index = close
    if (token.kind === 'tag' && isRemark(token.tag)) continue
    const plugin =
      token.kind === 'tag' && readPluginBlock(token.tag, context.source.slice(token.end, end.start), context.references)
    if (plugin) {
      located.push({ block: plugin, start: token.start, end: end.end })
      continue
    }
    const split = token.kind === 'wrapper' ? readSplit(token, tokens, pairs, range, context) : undefined
    if (split) {
      located.push({ block: split, start: token.start, end: end.end })
      continue
    }
    const inner = readTokens(tokens, pairs, range, context)
    if (token.kind === 'wrapper' && token.name === 'blockquote' && inner.length > 0) {
      const block: Block = { object: 'block', type: 'blockquote', nodes: blocksOf(inner) }
      located.push({ block, children: inner, start: token.start, end: end.end })
      continue
    }
    if (token.kind === 'wrapper') {
      for (const one of inner) located.push({ ...one, block: applyLayout(one.block, token.layout) })
      continue
    }
    // Comments between tabs, steps or updates are not blocks; an edit keeps them as text between these.
    const isGroup = token.kind === 'tag' && groupTags.has(token.tag.name)
    const shown = isGroup ? inner.filter((one) => !isRawHtml(one.block)) : inner
    const block = readPair(token, blocksOf(shown), context, depth)
    if (block) {
      const children = token.kind === 'tag' ? withTitle(token.tag, block, shown) : inner
      located.push({ block, children, start: token.start, end: end.end })
      continue
    }
    // HTML tags and components are not shown; other block tags are shown as text.
    const isComponent =
      token.kind === 'tag' && (token.tag.name === componentTag || token.tag.attributes['type'] === plainDirective)
    const isShown =
      token.kind === 'tag' && !isComponent && /^(?:\{%|::)/.test(context.source.slice(token.start, token.start + 2))
    const heading = token.kind === 'tag' ? readComponentTitle(token.tag, context.references) : undefined
    if (heading) located.push({ block: heading, start: token.start, end: token.end })
    if (isShown) located.push(locateLiteral(token.start, token.end, context))
    for (const one of inner) located.push(one)
    if (isShown) located.push(locateLiteral(end.start, end.end, context))
  }
  return located
}

/** Parses the Markdown of a title, which is part of a line. */
function parseTitle(title: string, marks: readonly Mark[], references: References): InlineNode[] {
  if (!/[`*_~[<&\\:$={]/.test(title)) return toTitle(title, marks)
  const [block, ...others] = parseMdast(title).children
  if (block?.type !== 'paragraph' || others.length > 0) return toTitle(title, marks)
  const context = { source: title, references, findFootnote: () => undefined, findDefinition: () => undefined }
  return withMarks(parseInlines(block.children, context), marks)
}

const fieldParser = (around: BlockContext, depth: number): FieldParser => ({
  parseTitle: (title, marks = []) => parseTitle(title, marks, around.references),
  parseBody(markdown) {
    const context: BlockContext = {
      source: markdown,
      references: around.references,
      isExpression: (source) => around.isExpression(source),
      findFootnote: () => undefined,
      findDefinition: () => undefined,
      takeTags: () => [],
      hasItems: false,
      unpaired: [],
    }
    return blocksOf(parseBlocks(parseMdast(markdown).children, context, depth))
  },
})

function withMarks(nodes: readonly InlineNode[], marks: readonly Mark[]): InlineNode[] {
  const builder = new InlineBuilder()
  for (const node of nodes) {
    if (node.object === 'text')
      for (const { text, marks: own } of node.leaves) builder.addText(text, marks.reduce(addMark, own))
    else builder.addElement(node.type === 'link' ? { ...node, nodes: withMarks(node.nodes, marks) } : node)
  }
  return builder.build()
}

/** Adds the paragraph with the title of a hint to its inner blocks. */
function withTitle({ title }: BlockTag, block: Block, inner: readonly LocatedBlock[]): readonly LocatedBlock[] {
  const first = title && block.type === 'hint' && block.nodes.length > inner.length ? block.nodes[0] : undefined
  return title && first ? [{ block: first, ...title }, ...inner] : inner
}

/** Parses an HTML table or list that is split by empty lines. */
function readSplit(
  token: WrapperToken,
  tokens: readonly BlockToken[],
  pairs: ReadonlyMap<number, number>,
  range: TokenRange,
  context: BlockContext,
): Block | undefined {
  const { depth } = range
  const readRange = (inner: Pick<TokenRange, 'from' | 'to'>) =>
    blocksOf(readTokens(tokens, pairs, { ...inner, depth: depth + 1 }, context))
  return readSplitElement(token, { tokens, pairs, range, context, readRange })
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

/** Adds offsets to a block. A spread would take several times as long, and this is called for most blocks. */
const locate = ({ block, children }: ParsedBlock, start: number, end: number): LocatedBlock =>
  children ? { block, children, start, end } : { block, start, end }

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
      // A paragraph of elements without content shows nothing, and Markdown could not express it without them.
      if (read?.block.type === 'paragraph' && read.block.nodes.length === 0) return []
      return [read ? locate(read, start, end) : locateLiteral(start, end, context)]
    }
    case 'admonition': {
      const inner = parseBlocks(token.nodes, context, depth + 1)
      const block = tagToBlock(token.tag, blocksOf(inner), context.references, fieldParser(context, depth + 1))
      if (!block) return [locateLiteral(start, end, context)]
      return [{ block, children: withTitle(token.tag, block, inner), start, end }]
    }
    case 'tabs': {
      const children = token.items.map((item): LocatedBlock => {
        const inner = parseBlocks(item.nodes, context, depth + 2)
        const title = plainText(parseTitle(item.tag.attributes['title'] ?? '', [], context.references))
        const tag = { ...item.tag, attributes: { title } }
        const block = tagToBlock(tag, blocksOf(inner), context.references) as Block
        return { block, children: inner, start: item.start, end: item.end }
      })
      return [
        { block: { object: 'block', type: 'tabs', nodes: blocksOf(children) as TabsItem[] }, children, start, end },
      ]
    }
    case 'tag': {
      if (token.tag.name === emptyComponentTag) {
        const block = readComponentTitle(token.tag, context.references)
        return block ? [{ block, start, end }] : []
      }
      const block = tagToBlock(token.tag, undefined, context.references, fieldParser(context, depth + 1))
      if (!block) context.unpaired.push(token.tag)
      return [block ? { block, start, end } : locateLiteral(start, end, context)]
    }
    case 'html':
      return locateInSharedRange(readTopLevelHtml(token.nodes, token.source, context), start, end)
    case 'details': {
      const summary = trimHtml(token.summary ?? '')
      return locateInSharedRange(readTopLevelHtml(parseHtml(summary), summary, context), start, end)
    }
    case 'element': {
      const block = tagToBlock(token.tag, undefined, context.references, fieldParser(context, depth + 1))
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

function readPair(token: BlockToken, inner: readonly Block[], context: BlockContext, depth: number): Block | undefined {
  if (token.kind === 'element' && token.tag.name === 'if' && !context.isExpression(token.tag.rest)) return undefined
  if (token.kind === 'tag' || token.kind === 'element')
    return tagToBlock(token.tag, inner, context.references, fieldParser(context, depth + 1))
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

function readParagraph(written: readonly PhrasingContent[], context: BlockContext): Block {
  const children = withoutInlineLists(written, context.source)
  const [only] = children
  if (children.length === 1 && only?.type === 'image') {
    const { url, alt, title } = only
    return createImages([
      createImage(
        { ref: resolveFileRef(context.references, url), ...(alt && { alt }), ...readImageSize(only.data) },
        title ? [paragraph([{ leaves: [leaf(title)], object: 'text' }])] : [],
      ),
    ])
  }
  const nodes = parseInlines(children, context)
  // Alone in a paragraph, the tags of components are blocks without content.
  if (nodes.length > 0 && nodes.every(isComponentHtml)) return paragraph([])
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

function isComponentHtml(node: InlineNode): boolean {
  if (node.object === 'text') return node.leaves.every(({ text }) => text.trim() === '')
  return node.type === 'html' && readHtmlTag(node.data.html)?.isComponent === true
}

function readHeading(depth: number, children: readonly PhrasingContent[], context: BlockContext): Block {
  const { id, rest } = splitHeadingId(children, context.source)
  return {
    object: 'block',
    type: headingType(depth),
    ...toOptionalData(readHeadingId(id)),
    nodes: parseInlines(rest, context),
  }
}

function readBlockquote(quote: MdBlockquote, context: BlockContext, depth: number): ParsedBlock {
  const callout = readCallout(quote, context.source)
  if (callout) {
    const { style, fold, title, usualTitle } = callout
    const inner = parseBlocks(callout.children, context, depth + 1)
    if (fold) {
      const words = title.length > 0 ? parseInlines(title, context) : toTitle(usualTitle)
      const block = createExpandable(fold === 'open', [paragraph(words)], blocksOf(inner))
      return { block, children: inner }
    }
    const [first, last] = [title[0], title.at(-1)]
    const strong = { type: 'strong', children: [...title] } as PhrasingContent
    const heading = first &&
      last && { block: paragraph(parseInlines([strong], context)), start: startOffset(first), end: endOffset(last) }
    const children = heading ? [heading, ...inner] : inner
    return { block: { object: 'block', type: 'hint', data: { style }, nodes: blocksOf(children) }, children }
  }
  const children = parseBlocks(quote.children, context, depth + 1)
  return { block: { object: 'block', type: 'blockquote', nodes: blocksOf(children) }, children }
}

function readList(list: List, context: BlockContext, depth: number): ParsedBlock {
  const isTaskList = list.children.some((item) => typeof item.checked === 'boolean')
  const items = list.children.map((item) => readItem(item, isTaskList, context, depth + 1))
  const nodes = items.map(({ block }) => block)
  const children = items.map((item, index): LocatedBlock => {
    const node = list.children[index] as MdListItem
    return locate(item, startOffset(node), endOffset(node))
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
