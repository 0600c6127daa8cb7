import { InlineBuilder, paragraph } from '../document/build.ts'
import type { Block, Image, Images, InlineNode, ListItem } from '../document/nodes.ts'
import { createAnchorInline, createHtmlInline, classifyHtml } from '../document/raw-html.ts'
import { type HtmlElement, type HtmlNode, isBlockElement, isNonBlankText, parseHtml, trimHtml } from './html.ts'
import {
  alignments,
  applyLayout,
  isCustomBlock,
  isWrapperElement,
  readCustomTag,
  readWrapperLayout,
} from './html-wrappers.ts'
import type { HtmlContext } from './inline-context.ts'
import {
  headingType,
  createExpandable,
  createHtmlList,
  createImage,
  createImages,
  readHeadingId,
  readLength,
  toOptionalData,
} from './make-blocks.ts'
import { readPre } from './parse-html-code.ts'
import { parseHtmlInlines } from './parse-inlines.ts'
import { parseHtmlTable } from './parse-table.ts'
import { tagToBlock } from './parse-tags.ts'
import { resolveFileRef } from './references.ts'

/** Returns an expandable block whose body is Markdown. */
export function readDetails(
  open: boolean,
  summary: string | undefined,
  body: readonly Block[],
  context: HtmlContext,
): Block {
  const html = trimHtml(summary ?? '')
  return createExpandable(open, [paragraph(parseHtmlInlines(parseHtml(html), html, context))], body)
}

/** Parses HTML between Markdown into blocks. */
export function readTopLevelHtml(nodes: readonly HtmlNode[], source: string, context: HtmlContext): Block[] {
  return readFlow(nodes, source, context, true)
}

/** Parses the content of an element into blocks; inlines between blocks become paragraphs. */
export function readHtmlBlocks(nodes: readonly HtmlNode[], source: string, context: HtmlContext): Block[] {
  const blocks = readFlow(nodes, source, context, false)
  const [only] = blocks
  // A line break alone is no content, as in Markdown.
  const isBlank =
    blocks.length === 1 && only?.type === 'paragraph' && !only.data?.align && only.nodes.every(isBlankText)
  return isBlank ? [] : blocks
}

/** Parses the content of a block that Markdown can express, too; it has no empty paragraphs there. */
const readInnerBlocks = (nodes: readonly HtmlNode[], source: string, context: HtmlContext): Block[] =>
  readHtmlBlocks(nodes, source, context).filter((block) => !isEmptyParagraph(block))

/** Parses siblings into blocks. A single picture is a block only between Markdown; elsewhere it is part of the text. */
function readFlow(nodes: readonly HtmlNode[], source: string, context: HtmlContext, isTop: boolean): Block[] {
  const blocks: Block[] = []
  let run: HtmlNode[] = []
  const endRun = () => {
    for (const block of readInlineRun(run, source, context, isTop)) blocks.push(block)
    run = []
  }
  for (const node of nodes) {
    const found = node.type === 'element' ? readBlockElement(node, source, context, isTop) : undefined
    if (!found) {
      run.push(node)
      continue
    }
    endRun()
    for (const block of found) blocks.push(block)
  }
  endRun()
  return blocks
}

/** Parses consecutive inlines into paragraphs. */
function readInlineRun(run: readonly HtmlNode[], source: string, context: HtmlContext, isTop: boolean): Block[] {
  const shown = run.filter((node) => node.type !== 'text' || source.slice(node.start, node.end).trim() !== '')
  if (shown.length === 0) return []
  if (shown.every((node) => node.type === 'raw')) {
    return shown.flatMap(({ tag, start, end }) => {
      if (tag && isWrapperElement(tag.name)) return []
      const html = source.slice(start, end).replace(/\r\n?/g, '\n')
      return classifyHtml(html) ? [paragraph([createHtmlInline(html)])] : []
    })
  }
  const pictures = isTop ? findOnlyPictures(run) : undefined
  const gallery = pictures && readFigures(pictures, {}, source, context)
  if (gallery) return [gallery]
  const inlines = parseHtmlInlines(run, source, context)
  if (inlines.every(isBlankText)) return []
  const written = source.slice(run[0]?.start, run.at(-1)?.end)
  if (!isTop) return [paragraph(trimInlines(inlines, findBrokenEdges(written)))]
  const nodes = trimInlines(inlines)
  const [only] = nodes
  const isFormula = nodes.length === 1 && only?.object === 'inline' && only.type === 'inline-math'
  return [isFormula ? { object: 'block', type: 'math', isVoid: true, data: only.data } : paragraph(nodes)]
}

const isBlankText = (node: InlineNode) => node.object === 'text' && node.leaves.every(({ text }) => text.trim() === '')

/** Trims whitespace at the edges of inlines. */
function trimInlines(nodes: readonly InlineNode[], edges = { start: true, end: true }): InlineNode[] {
  const builder = new InlineBuilder()
  nodes.forEach((node, at) => {
    if (node.object !== 'text') return builder.addElement(node)
    node.leaves.forEach(({ text, marks }, index) => {
      const start = edges.start && at === 0 && index === 0
      const end = edges.end && at === nodes.length - 1 && index === node.leaves.length - 1
      builder.addText(trimHtml(text, { start, end }), marks)
    })
  })
  return builder.build()
}

/** Whether a node ends the paragraph in which it starts. */
const endsParagraph = (node: HtmlNode) => isBlockElement(node) || (node.type === 'element' && node.name === 'div')

/** Parses an element into blocks; undefined if it is part of the text. */
function readBlockElement(
  element: HtmlElement,
  source: string,
  context: HtmlContext,
  isTop: boolean,
): readonly Block[] | undefined {
  if (isTop && element.name === 'p') {
    const pictures = readPictures(element, source, context)
    if (pictures) return [pictures]
  }
  const hasBlockChildren = element.name === 'p' && element.children.some(endsParagraph)
  const block = hasBlockChildren ? undefined : readHtmlBlock(element, source, context)
  if (block?.type === 'table') return [...readTableCaption(element, source, context), block]
  if (block) return isTop && block.type === 'paragraph' && block.nodes.length === 0 ? [] : [block]
  if (!isWrapperElement(element.name) || inlineWrappers.has(element.name)) return undefined
  const layout = readWrapperLayout(element)
  const id = readHeadingId(element.attributes['id']).id
  const inner = readFlow(element.children, source, context, isTop).map((one) => applyLayout(one, layout))
  return id === undefined ? inner : [paragraph([createAnchorInline(id)]), ...inner]
}

/** Returns the caption of a table, which becomes text above it. */
const readTableCaption = ({ children }: HtmlElement, source: string, context: HtmlContext): readonly Block[] =>
  children.flatMap((node) =>
    node.type === 'element' && node.name === 'caption' ? readInnerBlocks(node.children, source, context) : [],
  )

/** Elements that are part of the text if they are closed. */
const inlineWrappers: ReadonlySet<string> = new Set(['button', 'label', 'picture', 'object', 'noscript'])

/** Parses the pictures of a paragraph that contains nothing else. */
function readPictures(element: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const children = findOnlyPictures(element.children)
  const { align } = readWrapperLayout(element)
  return children && readFigures(children, { ...(align && { align }) }, source, context)
}

const pictureElements: ReadonlySet<string> = new Set(['img', 'picture', 'figure'])

/** Returns the pictures among nodes; undefined if there is anything else. */
function findOnlyPictures(nodes: readonly HtmlNode[]): HtmlElement[] | undefined {
  const written = nodes.filter((node) => node.type !== 'text' || isNonBlankText(node))
  const found = written.filter((node) => node.type === 'element' && pictureElements.has(node.name))
  return found.length === written.length ? (found as HtmlElement[]) : undefined
}

/** Parses an element into a block; undefined if it is not a supported block. */
function readHtmlBlock(element: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const { attributes, children } = element
  const align = alignments.get(attributes['align'])
  switch (element.name) {
    case 'p':
      return {
        ...paragraph(readElementInlines(element, source, context)),
        ...toOptionalData({ ...(align && { align }) }),
      }
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return {
        object: 'block',
        type: headingType(Number(element.name[1])),
        ...toOptionalData({ ...readHeadingId(attributes['id']), ...(align && { align }) }),
        nodes: readElementInlines(element, source, context),
      }
    case 'ul':
    case 'ol':
      return readHtmlList(element, (nodes) => readInnerBlocks(nodes, source, context))
    case 'hr':
      return { object: 'block', type: 'divider', isVoid: true, data: {} }
    case 'blockquote':
      return { object: 'block', type: 'blockquote', nodes: readInnerBlocks(children, source, context) }
    case 'pre':
      return readPre(element, source, context)
    case 'figure':
      return readFigures([element], {}, source, context)
    case 'img':
      return readDrawing(element, context)
    case 'div':
      return isCustomBlock(element) ? readCustomBlock(element, source, context) : readDiv(element, source, context)
    case 'table':
      return parseHtmlTable(element, context.references, (nodes) => readHtmlBlocks(nodes, source, context))
    case 'details': {
      const [first, ...body] = children.filter((node) => node.type !== 'text' || isNonBlankText(node))
      if (first?.type !== 'element' || first.name !== 'summary') return undefined
      const title = paragraph(trimInlines(parseHtmlInlines(first.children, source, context)))
      return createExpandable(attributes['open'] !== undefined, [title], readInnerBlocks(body, source, context))
    }
    case 'iframe':
    case 'video':
    case 'audio':
      return readMediaElement(element, context)
    default:
      return undefined
  }
}

/** Parses the inlines of an element, without line breaks after its opening tag and before its closing tag. */
function readElementInlines(
  { children, innerStart, innerEnd }: HtmlElement,
  source: string,
  context: HtmlContext,
): InlineNode[] {
  const inlines = parseHtmlInlines(children, source, context)
  const inner = source.slice(innerStart, innerEnd)
  if (inner.trim() === '') return inlines.filter((node) => node.object !== 'text')
  return trimInlines(inlines, findBrokenEdges(inner))
}

/** Returns at which edges of a text there are line breaks. */
const findBrokenEdges = (text: string) => ({
  start: text.slice(0, text.length - text.trimStart().length).includes('\n'),
  end: text.slice(text.trimEnd().length).includes('\n'),
})

/** Parses an iframe, video or audio element into an embed for an external URL, or into a file. */
function readMediaElement({ name, attributes, children }: HtmlElement, { references }: HtmlContext): Block | undefined {
  const source = children.find((node): node is HtmlElement => node.type === 'element' && node.name === 'source')
  const src = attributes['src'] ?? source?.attributes['src']
  const url = src?.startsWith('//') ? `https:${src}` : src
  if (url === undefined || url === '') return undefined
  if (/^https?:\/\/\S+$/i.test(url)) return { object: 'block', type: 'embed', isVoid: true, data: { url } }
  if (name === 'iframe') return undefined
  return { object: 'block', type: 'file', isVoid: true, data: { ref: resolveFileRef(references, url) } }
}

/** Parses a list; `readBlocks` parses the content of an item. */
export function readHtmlList(
  list: HtmlElement,
  readBlocks: (nodes: readonly HtmlNode[]) => readonly Block[],
): Block | undefined {
  const children = list.children.filter((node) => node.type === 'element' || isNonBlankText(node))
  if (children.length === 0) return undefined
  const items = children.map((node): { item: ListItem; isTask: boolean; isChecked: boolean } => {
    const inside = node.type === 'element' && node.name === 'li' ? node.children : [node]
    const [first, ...rest] = inside
    const isTask = first?.type === 'element' && first.name === 'input' && first.attributes['type'] === 'checkbox'
    const nodes = readBlocks(isTask ? rest : inside)
    const isChecked = isTask && first.attributes['checked'] !== undefined
    const blocks = nodes.length === 0 ? [paragraph([])] : nodes
    return { item: { object: 'block', type: 'list-item', nodes: blocks }, isTask, isChecked }
  })
  return createHtmlList(list.name, list.attributes['start'], items)
}

function readCustomBlock(div: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const { start, innerStart, end, children } = div
  const tag = readCustomTag(source.slice(start, innerStart), start, end)
  const { name, attributes } = tag
  if (name === 'math') return readFormula(children, source, context)
  if (name === 'if' && !context.isExpression(tag.rest)) return undefined
  // Checked before the content is parsed, which would otherwise be parsed once more for each level around it.
  if (name !== 'code' && !tagToBlock(tag, [], context.references)) return undefined
  const [first, ...others] = children
  const isLink = first?.type === 'element' && first.name === 'a' && (name === 'file' || name === 'embed')
  const isFallbackLink = isLink && first.attributes['href'] === (attributes['url'] ?? attributes['src'])
  const inner = readInnerBlocks(isFallbackLink ? others : children, source, context)
  return tagToBlock(tag, inner, context.references)
}

function readFormula(nodes: readonly HtmlNode[], source: string, context: HtmlContext): Block | undefined {
  const inlines = parseHtmlInlines(nodes, source, context)
  const [only] = inlines
  return inlines.length === 1 && only?.object === 'inline' && only.type === 'inline-math'
    ? { object: 'block', type: 'math', isVoid: true, data: only.data }
    : undefined
}

function readDiv(div: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const children = findOnlyPictures(div.children)
  if (!children) return undefined
  const { align, 'data-full-width': fullWidth, 'data-with-frame': withFrame } = div.attributes
  const data: NonNullable<Images['data']> = {
    ...((align === 'left' || align === 'right' || align === 'center') && { align }),
    ...(fullWidth === 'true' && { fullWidth: true }),
    ...(withFrame === 'true' && { withFrame: true }),
  }
  return readFigures(children, data, source, context)
}

function readFigures(
  elements: readonly HtmlElement[],
  data: NonNullable<Images['data']>,
  source: string,
  context: HtmlContext,
): Block | undefined {
  const found = elements.map((element) => readFigure(element, source, context))
  return found.length > 0 && found.every((one) => one !== undefined) ? createImages(found, data) : undefined
}

function readFigure(element: HtmlElement, source: string, context: HtmlContext): Image | undefined {
  const inside = element.name === 'figure' ? flattenElements(element.children) : flattenElements([element])
  const img = inside.find((one) => one.name === 'img')
  const src = img?.attributes['src']
  if (!img || src === undefined || img.attributes['class'] === drawingClass) return undefined
  // An image with a size is part of the text.
  if (element.name !== 'figure' && img.attributes['data-size'] !== undefined) return undefined
  const dark = inside.find((one) => one.name === 'source')?.attributes['srcset']
  const width = readLength(img.attributes['width'])
  const height = readLength(img.attributes['height'])
  const captions = inside.filter((one) => one.name === 'figcaption')
  return createImage(
    {
      ref: resolveFileRef(context.references, src),
      ...(dark !== undefined && { refDark: resolveFileRef(context.references, dark) }),
      ...(img.attributes['alt'] && { alt: img.attributes['alt'] }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    },
    captions.flatMap(({ children }) => readInnerBlocks(children, source, context)),
  )
}

const isEmptyParagraph = (block: Block) => block.type === 'paragraph' && block.nodes.length === 0

/** Returns the elements of a picture, except those inside its caption. */
function flattenElements(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return []
    return node.name === 'figcaption' ? [node] : [node, ...flattenElements(node.children)]
  })
}

const drawingClass = 'gitbook-drawing'

export function readDrawingOrImages(html: string, context: HtmlContext): Block | undefined {
  const [element] = parseHtml(html)
  if (element?.type !== 'element') return undefined
  return readDrawing(element, context) ?? readFigures([element], {}, html, context)
}

function readDrawing({ attributes: { src, class: name } }: HtmlElement, context: HtmlContext): Block | undefined {
  if (name !== drawingClass || src === undefined) return undefined
  return { object: 'block', type: 'drawing', isVoid: true, data: { ref: resolveFileRef(context.references, src) } }
}
