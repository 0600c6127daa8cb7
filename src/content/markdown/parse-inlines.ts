import { InlineBuilder, addMark, mark } from '../document/build.ts'
import type { InlineElement, InlineNode, Mark } from '../document/nodes.ts'
import { opaqueElements, createHtmlInline, classifyHtml } from '../document/raw-html.ts'
import { withoutInlineLists } from './attribute-lists.ts'
import { type ElementContent, joinCrossingTags } from './crossing-tags.ts'
import { findEmojiCode } from './emoji.ts'
import { toSingleLine } from './escape.ts'
import { type HtmlNode, type HtmlTag, decodeEntities, isHtmlTag, readHtmlTag } from './html.ts'
import { type InlineContext, footnoteUrl } from './inline-context.ts'
import { type MdText, type PhrasingContent, endOffset, startOffset } from './mdast.ts'
import { addInlineElement } from './parse-elements.ts'
import { isKnownTag } from './parse-tags.ts'
import { readImageSize } from './make-blocks.ts'
import { resolveFileRef } from './references.ts'
import { splitTemplateTags } from './template-tags.ts'

const isLink = ({ name, attributes }: HtmlTag): boolean =>
  name === 'a' && attributes['href'] !== undefined && attributes['data-footnote-ref'] === undefined

function insideLink(context: InlineContext): InlineContext {
  if (context.isInLink) return context
  return {
    source: context.source,
    references: context.references,
    findFootnote: (label) => context.findFootnote(label),
    findDefinition: (identifier) => context.findDefinition(identifier),
    ...(context.isInCell && { isInCell: true }),
    isInLink: true,
  }
}

/** Parses the inlines of a paragraph, heading or cell. Anything that is not supported remains text. */
export function parseInlines(nodes: readonly PhrasingContent[], context: InlineContext): readonly InlineNode[] {
  const builder = new InlineBuilder()
  const broken = context.isInCell ? undefined : splitLastBreak(nodes, context.source)
  readInlines(broken ?? nodes, [], builder, context)
  if (broken) builder.addText('\n', [])
  return joinTags(builder, context)
}

/**
 * Returns the inlines without the backslash at their end, which GitBook exports for a line break after which nothing follows;
 * undefined if they do not end with such a break. A backslash at the end of a path is part of the path.
 */
function splitLastBreak(nodes: readonly PhrasingContent[], source: string): readonly PhrasingContent[] | undefined {
  const last = nodes.at(-1)
  if (last?.type !== 'text' || !last.value.endsWith('\\')) return undefined
  const end = endOffset(last)
  const written = source.slice(startOffset(last), end)
  const word = /[^\s]*$/.exec(last.value.slice(0, -1))?.[0] ?? ''
  const isEscaped = (/\\+$/.exec(written)?.[0].length ?? 0) % 2 === 0
  if (isEscaped || word.includes('\\') || /^[A-Za-z]:$/.test(word)) return undefined
  const position = { ...last.position, end: { ...last.position?.end, offset: end - 1 } }
  return [...nodes.slice(0, -1), { ...last, value: last.value.slice(0, -1).trimEnd(), position } as MdText]
}

function joinTags(builder: InlineBuilder, context: InlineContext): readonly InlineNode[] {
  return joinCrossingTags(builder.build(), context.isInLink === true, (tag, inner, out) =>
    addInlineElement(tag, inner, [], out, context),
  )
}

/** Maximum nesting depth; anything deeper remains text. */
const maxDepth = 100

function readInlines(
  written: readonly PhrasingContent[],
  marks: readonly Mark[],
  out: InlineBuilder,
  context: InlineContext,
  depth = 0,
): void {
  const shown = withoutInlineLists(splitTemplateTags(written, context.source, isKnownTag), context.source)
  const nodes = joinFootnoteLinks(shown)
  if (depth <= maxDepth && !nodes.some(({ type }) => type === 'html')) {
    for (const node of nodes) readInline(node, marks, out, context, depth)
    return
  }
  readSiblings(pairSiblingTags(nodes), { from: 0, to: nodes.length }, marks, out, context, depth)
}

/**
 * Parses a range of siblings; the nodes between two tags are a range of the same list, so that none is scanned once per level.
 */
function readSiblings(
  siblings: Siblings,
  { from, to }: { from: number; to: number },
  marks: readonly Mark[],
  out: InlineBuilder,
  context: InlineContext,
  depth: number,
): void {
  const { nodes, tags, closingByOpening, pairedClosings } = siblings
  const [first, last] = from < to ? [nodes[from], nodes[to - 1]] : []
  if (depth > maxDepth && first && last)
    return out.addText(context.source.slice(startOffset(first), endOffset(last)), marks)
  for (let index = from; index < to; index++) {
    const node = nodes[index] as PhrasingContent
    if (node.type !== 'html') {
      const isAfterBreak = node.type === 'text' && index > from && tags[index - 1]?.name === 'br'
      readInline(isAfterBreak ? withoutLineEnd(node) : node, marks, out, context, depth)
      continue
    }
    const tag = tags[index]
    const close = tag?.kind === 'void' ? index : closingByOpening.get(index)
    if (!tag || tag.kind === 'close' || close === undefined || close >= to) {
      readRaw(node.value, tag, pairedClosings.has(index), marks, out)
      continue
    }
    if (opaqueElements.has(tag.name)) {
      const end = endOffset(nodes[close] as PhrasingContent)
      readRaw(context.source.slice(startOffset(node), end), undefined, true, marks, out)
      index = close
      continue
    }
    const between = { from: index + 1, to: close }
    const innerEnd = close === index ? endOffset(node) : startOffset(nodes[close] as PhrasingContent)
    const innerSource = context.source.slice(endOffset(node), innerEnd)
    const inner: ElementContent = {
      source: context.isInCell ? innerSource.replaceAll('\\|', '|') : innerSource,
      read: (innerMarks, into) =>
        readSiblings(siblings, between, innerMarks, into, isLink(tag) ? insideLink(context) : context, depth + 1),
    }
    if (addInlineElement(tag, inner, marks, out, context)) index = close
    else readRaw(node.value, tag, close !== index, marks, out)
  }
}

/** Removes the line break after `<br>`, which is not a space. */
function withoutLineEnd(node: MdText): MdText {
  return { ...node, value: node.value.replace(/^[ \t]*\r?\n/, '') }
}

/** Adds HTML that has no meaning here: hidden if the document can store it, otherwise as text. */
function readRaw(
  written: string,
  tag: HtmlTag | undefined,
  isPaired: boolean,
  marks: readonly Mark[],
  out: InlineBuilder,
): void {
  const html = toSingleLine(written)
  const isKept = (tag === undefined || isHtmlTag(tag, isPaired)) && classifyHtml(html) !== undefined
  if (isKept) out.addElement(createHtmlInline(html))
  else out.addText(written, marks)
}

interface Siblings {
  nodes: readonly PhrasingContent[]
  /** The parsed tag of each node; undefined if it is not a tag. */
  tags: readonly (HtmlTag | undefined)[]
  /** Index of the closing tag by the index of the opening tag. */
  closingByOpening: ReadonlyMap<number, number>
  /** Indexes of the closing tags of elements that are opened among the nodes. */
  pairedClosings: ReadonlySet<number>
}

function pairSiblingTags(nodes: readonly PhrasingContent[]): Siblings {
  const tags = nodes.map((node) => (node.type === 'html' ? readHtmlTag(node.value) : undefined))
  const closingByOpening = new Map<number, number>()
  const open = new Map<string, number[]>()
  tags.forEach((tag, index) => {
    if (tag?.kind === 'open') openedAt(open, tag.name).push(index)
    const opened = tag?.kind === 'close' ? open.get(tag.name)?.pop() : undefined
    if (opened !== undefined) closingByOpening.set(opened, index)
  })
  return { nodes, tags, closingByOpening, pairedClosings: new Set(closingByOpening.values()) }
}

function openedAt(open: Map<string, number[]>, name: string): number[] {
  const known = open.get(name)
  if (known) return known
  const fresh: number[] = []
  open.set(name, fresh)
  return fresh
}

function readInline(
  node: PhrasingContent,
  marks: readonly Mark[],
  out: InlineBuilder,
  context: InlineContext,
  depth: number,
): void {
  const { references, source } = context
  switch (node.type) {
    case 'text':
      return readText(joinLines(node.value), () => source.slice(startOffset(node), endOffset(node)), marks, out)
    case 'strong':
      return readInlines(node.children, addMark(marks, mark('bold')), out, context, depth + 1)
    case 'emphasis':
      return readInlines(node.children, addMark(marks, mark('italic')), out, context, depth + 1)
    case 'delete':
      return readInlines(node.children, addMark(marks, mark('strikethrough')), out, context, depth + 1)
    case 'inlineCode':
      // A code span may be wrapped over several lines like any other text.
      return out.addText(joinLines(node.value), addMark(marks, mark('code')))
    case 'break':
      return out.addText('\n', marks)
    case 'link': {
      const written = source.slice(startOffset(node), endOffset(node))
      if (isEscapedUrl(written, source.slice(endOffset(node), endOffset(node) + 2)))
        return readText(written.replace(/\\([!-/:-@[-`{-~])/g, '$1'), () => written, marks, out)
      // A bare URL inside a link does not create a link of its own.
      if (context.isInLink && !/^[[<]/.test(written)) return readInlines(node.children, marks, out, context, depth + 1)
      if (node.title === 'mention')
        return out.addElement({
          data: { ref: references.resolve(node.url) },
          isVoid: true,
          object: 'inline',
          type: 'mention',
        })
      const inner = new InlineBuilder()
      readInlines(node.children, marks, inner, context, depth + 1)
      return out.addElement({
        data: { ref: references.resolve(node.url) },
        nodes: joinTags(inner, insideLink(context)),
        object: 'inline',
        type: 'link',
      })
    }
    case 'linkReference': {
      const destination = context.findDefinition(node.identifier)
      if (destination === undefined) return out.addText(source.slice(startOffset(node), endOffset(node)), marks)
      const inner = new InlineBuilder()
      readInlines(node.children, marks, inner, context, depth + 1)
      return out.addElement({
        data: { ref: references.resolve(destination) },
        nodes: joinTags(inner, insideLink(context)),
        object: 'inline',
        type: 'link',
      })
    }
    case 'imageReference': {
      const destination = context.findDefinition(node.identifier)
      if (destination === undefined) return out.addText(source.slice(startOffset(node), endOffset(node)), marks)
      const data = { ref: resolveFileRef(references, destination), ...(node.alt && { alt: node.alt }) }
      return out.addElement({ data, isVoid: true, object: 'inline', type: 'inline-image' })
    }
    case 'image':
      return out.addElement({
        data: {
          ...(node.alt && { alt: node.alt }),
          ...(node.title && { caption: node.title }),
          ref: resolveFileRef(references, node.url),
          ...readImageSize(node.data),
        },
        isVoid: true,
        object: 'inline',
        type: 'inline-image',
      })
    case 'footnoteReference': {
      const label = node.label ?? node.identifier
      const link = (node as AnnotatingReference).link
      const body = link && context.findFootnote(label)
      if (body) {
        const inner = new InlineBuilder()
        readInlines(link.children, marks, inner, context, depth + 1)
        const nodes = joinTags(inner, context)
        return out.addElement({ fragments: [body], nodes, object: 'inline', type: 'annotation' })
      }
      if (link) readInline(link, marks, out, context, depth)
      return readFootnote(label, marks, out, context, source.slice(startOffset(node), endOffset(node)))
    }
    default:
      if ((node.type as string) === 'inlineMath') {
        return out.addElement({
          data: { formula: toSingleLine((node as { value: string }).value) },
          isVoid: true,
          object: 'inline',
          type: 'inline-math',
        })
      }
      return out.addText(source.slice(startOffset(node), endOffset(node)), marks)
  }
}

const joinLines = (text: string): string => (text.includes('\n') ? text.replace(/\r?\n/g, ' ') : text)

/** Whether a URL that the parser made a link was written with a backslash to prevent that. */
export function isEscapedUrl(written: string, after = ''): boolean {
  return !/^[[<]/.test(written) && (written.includes('\\') || (/^www$/i.test(written) && after === '\\.'))
}

const emojiPattern = /:[a-z0-9_+-]+:/

/** GitBook exports this entity, which is no character, where emphasis starts after a line break. */
const invalidEntity = '&#xNAN;'

const withoutInvalidEntities = (text: string, written: string) =>
  written.includes(`\\${invalidEntity}`) ? text : text.replaceAll(invalidEntity, '')

/** Adds text; `:name:` becomes an emoji if one has that name, unless it was written with a backslash. */
function readText(value: string, written: () => string, marks: readonly Mark[], out: InlineBuilder): void {
  const text = value.includes(invalidEntity) ? withoutInvalidEntities(value, written()) : value
  if (!emojiPattern.test(text)) return out.addText(text, marks)
  const isEscaped = Array.from(written().matchAll(/(\\?):(?=(?:[a-z0-9+-]|\\?_)+\\?:)/g), (match) => match[1] !== '')
  let [at, count] = [0, 0]
  for (const match of text.matchAll(/:(?=([a-z0-9_+-]+):)/g)) {
    const name = match[1] as string
    const code = isEscaped[count++] ? undefined : findEmojiCode(name)
    if (code === undefined || match.index < at) continue
    out.addText(text.slice(at, match.index), marks)
    out.addElement({ data: { code }, isVoid: true, object: 'inline', type: 'emoji' })
    at = match.index + name.length + 2
  }
  out.addText(text.slice(at), marks)
}

/** A reference to a footnote and the text that it annotates, as GitBook exports it: `[two words](#user-content-fn-1)[^1]`. */
type AnnotatingReference = Extract<PhrasingContent, { type: 'footnoteReference' }> & {
  link?: Extract<PhrasingContent, { type: 'link' }>
}

const isJoined = (link: PhrasingContent, next: PhrasingContent | undefined): next is AnnotatingReference =>
  link.type === 'link' &&
  next?.type === 'footnoteReference' &&
  link.url === footnoteUrl(next.label ?? next.identifier) &&
  endOffset(link) === startOffset(next)

/** Adds links to footnotes to the references directly behind them, which then annotate the text of the link. */
function joinFootnoteLinks(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  if (!nodes.some((node, index) => isJoined(node, nodes[index + 1]))) return nodes
  return nodes.flatMap((node, index) => {
    if (isJoined(node, nodes[index + 1])) return []
    const link = nodes[index - 1]
    return link && isJoined(link, node) ? [{ ...node, link } as AnnotatingReference] : [node]
  })
}

/** Adds a footnote, which annotates the word or element before it. */
function readFootnote(
  label: string,
  marks: readonly Mark[],
  out: InlineBuilder,
  context: InlineContext,
  written: string,
): void {
  const element = takeVisibleElement(out)
  const body = hasMaxAnnotations(element) ? undefined : context.findFootnote(label)
  if (!body) {
    if (element) out.addElement(element)
    return out.addText(written, marks)
  }
  const word = element ? undefined : out.takeTrailing(/\S/)
  const nodes: InlineNode[] = element ? [element] : word ? [{ leaves: [word], object: 'text' }] : []
  out.addElement({ fragments: [body], nodes, object: 'inline', type: 'annotation' })
}

/** Removes and returns the preceding element, unless it is invisible. */
function takeVisibleElement(out: InlineBuilder): InlineElement | undefined {
  const element = out.takeLastElement()
  if (element?.type !== 'html' && element?.type !== 'anchor') return element
  out.addElement(element)
  return undefined
}

/** Maximum number of footnotes of one word: each annotation contains the previous ones. */
const maxAnnotations = 10

function hasMaxAnnotations(element: InlineElement | undefined): boolean {
  let [inner, count]: [InlineNode | undefined, number] = [element, 0]
  for (; inner?.object === 'inline' && inner.type === 'annotation'; inner = inner.nodes[0]) count++
  return count >= maxAnnotations
}

/** Parses the inlines of HTML, which contain no Markdown. */
export function parseHtmlInlines(
  nodes: readonly HtmlNode[],
  source: string,
  context: InlineContext,
): readonly InlineNode[] {
  const builder = new InlineBuilder()
  readHtmlInlines(nodes, source, [], builder, context)
  return joinTags(builder, context)
}

function readHtmlInlines(
  nodes: readonly HtmlNode[],
  source: string,
  marks: readonly Mark[],
  out: InlineBuilder,
  context: InlineContext,
): void {
  for (const node of nodes) {
    if (node.type === 'text') {
      readHtmlText(source.slice(node.start, node.end), marks, out)
      continue
    }
    if (node.type === 'raw') {
      readRaw(source.slice(node.start, node.end), node.tag, true, marks, out)
      continue
    }
    const inner: ElementContent = {
      source: source.slice(node.innerStart, node.innerEnd),
      read: (innerMarks, into) => readHtmlInlines(node.children, source, innerMarks, into, context),
    }
    if (addInlineElement(node, inner, marks, out, context)) continue
    const { name, attributes } = node
    // An element without a closing tag that is no part of HTML is a component.
    const opening = { name, kind: 'open', attributes, isComponent: true } as const
    readRaw(source.slice(node.start, node.innerStart), opening, true, marks, out)
    inner.read(marks, out)
    if (node.innerEnd < node.end) {
      const closing = { name, kind: 'close', attributes: {} } as const
      readRaw(source.slice(node.innerEnd, node.end), closing, true, marks, out)
    }
  }
}

/** Adds text of HTML: whitespace collapses to one space, and formulas are written as in Markdown. */
function readHtmlText(written: string, marks: readonly Mark[], out: InlineBuilder): void {
  written.split(/\$\$([^$]+)\$\$/).forEach((part, index) => {
    if (index % 2 === 0) out.addText(decodeEntities(part.replace(/[ \t\r\n]+/g, ' ')), marks)
    else
      out.addElement({ data: { formula: decodeEntities(part) }, isVoid: true, object: 'inline', type: 'inline-math' })
  })
}
