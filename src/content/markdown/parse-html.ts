import { leaf, paragraph } from '../document/build.ts'
import type { Align, Block, Code, CodeData, Image, Images, InlineNode, ListItem } from '../document/nodes.ts'
import { type HtmlElement, type HtmlNode, decodeEntities, parseHtml, writtenAttributes } from './html.ts'
import {
  headingType,
  htmlList,
  image,
  images,
  readHeadingId,
  readInteger,
  readLength,
  withData,
} from './make-blocks.ts'
import { type HtmlContext, parseHtmlInlines } from './parse-inlines.ts'
import { parseHtmlTable } from './parse-table.ts'
import { readTag } from './parse-tags.ts'
import { readFileRef } from './references.ts'
import type { Tag } from './tags.ts'

/** An expandable whose body is Markdown. */
export function readDetails(
  open: boolean,
  summary: string | undefined,
  body: readonly Block[],
  context: HtmlContext,
): Block {
  const html = (summary ?? '').trim()
  const title = parseHtml(html)
  const titleNodes = title
    ? parseHtmlInlines(title, html, context)
    : [{ object: 'text' as const, leaves: [leaf(decodeEntities(html))] }]
  return expandable(open, [paragraph(titleNodes)], body)
}

function expandable(open: boolean, title: readonly Block[], body: readonly Block[]): Block {
  return {
    object: 'block',
    type: 'expandable',
    isVoid: true,
    data: open ? { defaultExpanded: true } : {},
    fragments: [
      { object: 'fragment', type: 'expandable-title', nodes: title },
      { object: 'fragment', type: 'expandable-body', nodes: body },
    ],
  }
}

export const alignments = new Map<string | undefined, Align>([
  ['left', 'start'],
  ['start', 'start'],
  ['center', 'center'],
  ['right', 'end'],
  ['end', 'end'],
])

/** An HTML block, as far as it is one that exporters write; what is none stays text. */
export function readHtml(html: string, context: HtmlContext): Block | undefined {
  const source = html.trim()
  const nodes = parseHtml(source) ?? []
  const elements = nodes.filter((node) => node.type === 'element')
  const [element] = elements
  if (!element || nodes.some(isWords)) return undefined
  if (elements.length > 1) return readFigures(elements, {}, source, context)
  if (element.name === 'img' || element.name === 'picture') return drawingOrImages(source, context)
  return readHtmlBlock(element, source, context)
}

const isWords = (node: HtmlNode) => node.type === 'text' && node.value.trim() !== ''

/** The blocks inside an element, and the inlines between them as paragraphs. */
export function readHtmlBlocks(nodes: readonly HtmlNode[], source: string, context: HtmlContext): Block[] {
  const blocks: Block[] = []
  let run: HtmlNode[] = []
  const endRun = () => {
    if (run.some((node) => node.type === 'element' || source.slice(node.start, node.end).trim() !== '')) {
      blocks.push(paragraph(parseHtmlInlines(run, source, context)))
    }
    run = []
  }
  for (const node of nodes) {
    const block = node.type === 'element' ? readHtmlBlock(node, source, context) : undefined
    if (!block) {
      run.push(node)
      continue
    }
    endRun()
    blocks.push(block)
  }
  endRun()
  return blocks
}

/** The block of an element; undefined when it is none, or none that is known. */
function readHtmlBlock(element: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const { attributes, children } = element
  const align = alignments.get(attributes['align'])
  switch (element.name) {
    case 'p':
      return { ...paragraph(parseHtmlInlines(children, source, context)), ...withData({ ...(align && { align }) }) }
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return {
        object: 'block',
        type: headingType(Number(element.name[1])),
        ...withData({ ...readHeadingId(attributes['id']), ...(align && { align }) }),
        nodes: parseHtmlInlines(children, source, context),
      }
    case 'ul':
    case 'ol':
      return readHtmlList(element, source, context)
    case 'hr':
      return { object: 'block', type: 'divider', isVoid: true, data: {} }
    case 'blockquote':
      return { object: 'block', type: 'blockquote', nodes: readHtmlBlocks(children, source, context) }
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
      const [first, ...body] = children.filter((node) => node.type === 'element' || isWords(node))
      if (first?.type !== 'element' || first.name !== 'summary') return undefined
      const title = paragraph(parseHtmlInlines(first.children, source, context))
      return expandable(attributes['open'] !== undefined, [title], readHtmlBlocks(body, source, context))
    }
    default:
      return undefined
  }
}

function readHtmlList(list: HtmlElement, source: string, context: HtmlContext): Block {
  const children = list.children.filter((node) => node.type === 'element' || isWords(node))
  const items = children.map((node): { item: ListItem; isTask: boolean; isChecked: boolean } => {
    const inside = node.type === 'element' && node.name === 'li' ? node.children : [node]
    const [first, ...rest] = inside
    const isTask = first?.type === 'element' && first.name === 'input' && first.attributes['type'] === 'checkbox'
    const nodes = readHtmlBlocks(isTask ? rest : inside, source, context)
    const isChecked = isTask && first.attributes['checked'] !== undefined
    return { item: { object: 'block', type: 'list-item', nodes }, isTask, isChecked }
  })
  return htmlList(list.name, list.attributes['start'], items)
}

/** The tag that stands for a block in HTML: `<div data-gb-custom-block data-tag="hint" data-style="info">`. */
export function readCustomTag(opening: string, start: number, end: number): Tag {
  const written = Array.from(writtenAttributes(opening))
  const { tag: name = '', ...attributes } = Object.fromEntries(
    written.flatMap(([key, value]) => (key.startsWith('data-') ? [[key.slice('data-'.length), value] as const] : [])),
  )
  const rest = name === 'include' ? `"${attributes['path'] ?? ''}"` : (attributes['expression'] ?? '')
  return { name, attributes, rest, start, end }
}

export const isCustomBlock = ({ name, attributes }: Pick<HtmlElement, 'name' | 'attributes'>) =>
  name === 'div' && attributes['data-gb-custom-block'] !== undefined

function readCustomBlock(div: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const { start, innerStart, end, children } = div
  const tag = readCustomTag(source.slice(start, innerStart), start, end)
  const { name, attributes } = tag
  if (name === 'math') return readFormula(children, source, context)
  if (name === 'if' && !context.isExpression(tag.rest)) return undefined
  // Known before what is inside is read, which would otherwise be read once more for every level around it.
  if (name !== 'code' && !readTag(tag, [], context.references)) return undefined
  const [first, ...others] = children
  const isLink = first?.type === 'element' && first.name === 'a' && (name === 'file' || name === 'embed')
  const isItsOwn = isLink && first.attributes['href'] === (attributes['url'] ?? attributes['src'])
  const inner = readHtmlBlocks(isItsOwn ? others : children, source, context)
  return readTag(tag, inner, context.references)
}

function readFormula(nodes: readonly HtmlNode[], source: string, context: HtmlContext): Block | undefined {
  const inlines = parseHtmlInlines(nodes, source, context)
  const [only] = inlines
  return inlines.length === 1 && only?.object === 'inline' && only.type === 'inline-math'
    ? { object: 'block', type: 'math', isVoid: true, data: only.data }
    : undefined
}

function readDiv(div: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  if (div.children.some(isWords)) return undefined
  const children = div.children.filter((node) => node.type === 'element')
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
  return found.length > 0 && found.every((one) => one !== undefined) ? images(found, data) : undefined
}

function readFigure(element: HtmlElement, source: string, context: HtmlContext): Image | undefined {
  const inside = element.name === 'figure' ? elementsIn(element.children) : elementsIn([element])
  const img = inside.find((one) => one.name === 'img')
  const src = img?.attributes['src']
  if (!img || src === undefined || img.attributes['class'] === drawingClass) return undefined
  const dark = inside.find((one) => one.name === 'source')?.attributes['srcset']
  const width = readLength(img.attributes['width'])
  const height = readLength(img.attributes['height'])
  const captions = inside.filter((one) => one.name === 'figcaption')
  return image(
    {
      ref: readFileRef(context.references, src),
      ...(dark !== undefined && { refDark: readFileRef(context.references, dark) }),
      ...(img.attributes['alt'] && { alt: img.attributes['alt'] }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    },
    captions.flatMap(({ children }) => readHtmlBlocks(children, source, context)).filter((block) => !isEmpty(block)),
  )
}

const isEmpty = (block: Block) => block.type === 'paragraph' && block.nodes.length === 0

/** The elements of a picture; what a caption holds is its own. */
function elementsIn(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return []
    return node.name === 'figcaption' ? [node] : [node, ...elementsIn(node.children)]
  })
}

const drawingClass = 'gitbook-drawing'

export function drawingOrImages(html: string, context: HtmlContext): Block | undefined {
  const [element] = parseHtml(html) ?? []
  if (element?.type !== 'element') return undefined
  return readDrawing(element, context) ?? readFigures([element], {}, html, context)
}

function readDrawing({ attributes: { src, class: name } }: HtmlElement, context: HtmlContext): Block | undefined {
  if (name !== drawingClass || src === undefined) return undefined
  return { object: 'block', type: 'drawing', isVoid: true, data: { ref: readFileRef(context.references, src) } }
}

/** Code in HTML, which can mark lines and hold annotations and expressions. */
function readPre(pre: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const code = pre.children.find((node): node is HtmlElement => node.type === 'element' && node.name === 'code')
  if (!code || pre.children.some((node) => node !== code && !(node.type === 'text' && node.value.trim() === '')))
    return undefined
  const syntax = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(
    `${code.attributes['class'] ?? ''} ${pre.attributes['class'] ?? ''}`,
  )?.[1]
  const { attributes } = pre
  const collapsedLineCount = readInteger(attributes['data-collapsed-line-count'], 0, 999_999)
  const data: CodeData = {
    ...(syntax !== undefined && { syntax }),
    ...(attributes['data-title'] !== undefined && { title: attributes['data-title'] }),
    ...((attributes['data-overflow'] === 'wrap' || attributes['data-overflow'] === 'scroll') && {
      overflow: attributes['data-overflow'],
    }),
    ...(attributes['data-line-numbers'] !== undefined && { lineNumbers: true }),
    ...(attributes['data-full-width'] === 'true' && { fullWidth: true }),
    ...(attributes['data-expandable'] === 'true' && { expandable: true }),
    ...(collapsedLineCount !== undefined && { collapsedLineCount }),
  }
  const lines = codeLines(code.children, source, context)
  return lines && { object: 'block', type: 'code', ...withData(data), nodes: lines }
}

function codeLines(nodes: readonly HtmlNode[], source: string, context: HtmlContext): Code['nodes'] | undefined {
  const lines: { nodes: InlineNode[]; highlighted: boolean }[] = [{ nodes: [], highlighted: false }]
  const current = () => lines[lines.length - 1] as (typeof lines)[number]
  const addText = (text: string, highlighted: boolean) => {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push({ nodes: [], highlighted: false })
      if (part !== '') current().nodes.push({ object: 'text', leaves: [leaf(part)] })
      if (highlighted && part !== '') current().highlighted = true
    })
  }
  const add = (children: readonly HtmlNode[], highlighted: boolean): void => {
    for (const node of children) {
      if (node.type === 'text') addText(node.value, highlighted)
      else if (node.name === 'strong') add(node.children, true)
      else {
        for (const inline of parseHtmlInlines([node], source, context)) current().nodes.push(inline)
        if (highlighted) current().highlighted = true
      }
    }
  }
  add(nodes, false)
  if (lines.length > 1 && current().nodes.length === 0) lines.pop()
  return lines.map(({ nodes: inlines, highlighted }) => ({
    object: 'block',
    type: 'code-line',
    ...(highlighted && { data: { highlighted } }),
    nodes: inlines,
  }))
}
