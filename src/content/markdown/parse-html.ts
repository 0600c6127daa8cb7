import { leaf, paragraph } from '../document/build.ts'
import type { Align, Block, Code, CodeData, Image, Images, InlineNode } from '../document/nodes.ts'
import { type HtmlElement, type HtmlNode, decodeEntities, parseHtml } from './html.ts'
import { headingType, image, images, withData } from './make-blocks.ts'
import { type InlineContext, parseHtmlInlines } from './parse-inlines.ts'
import { parseHtmlTable } from './parse-table.ts'
import { readFileRef } from './references.ts'

/** An expandable whose body is Markdown. */
export function readDetails(
  open: boolean,
  summary: string | undefined,
  body: readonly Block[],
  context: InlineContext,
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

const alignments: Record<string, Align> = { left: 'start', start: 'start', center: 'center', right: 'end', end: 'end' }

/** An HTML block, as far as it is one that exporters write; what is none stays text. */
export function readHtml(html: string, context: InlineContext): Block | undefined {
  const nodes = parseHtml(html.trim())
  const elements = (nodes ?? []).filter((node): node is HtmlElement => node.type === 'element')
  const [element] = elements
  if (!element || (nodes ?? []).some((node) => node.type === 'text' && node.value.trim() !== '')) return undefined
  const source = html.trim()
  if (elements.length > 1) return readFigures(elements, {}, source, context)
  const align = alignments[element.attributes['align'] ?? '']
  switch (element.name) {
    case 'figure':
      return readFigures(elements, {}, source, context)
    case 'img':
    case 'picture':
      return drawingOrImages(source, context)
    case 'div':
      return readDiv(element, source, context)
    case 'table':
      return parseHtmlTable(element, source, context)
    case 'p':
      return { ...paragraph(parseHtmlInlines(element.children, source, context)), ...(align && { data: { align } }) }
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
      return {
        object: 'block',
        type: headingType(Number(element.name[1])),
        ...(align && { data: { align } }),
        nodes: parseHtmlInlines(element.children, source, context),
      }
    case 'pre':
      return readPre(element, source, context)
    case 'details': {
      const [first, ...body] = element.children.filter((node) => node.type === 'element' || node.value.trim() !== '')
      if (first?.type !== 'element' || first.name !== 'summary') return undefined
      return expandable(
        element.attributes['open'] !== undefined,
        [paragraph(parseHtmlInlines(first.children, source, context))],
        body.length === 0 ? [] : [paragraph(parseHtmlInlines(body, source, context))],
      )
    }
    default:
      return undefined
  }
}

function readDiv(div: HtmlElement, source: string, context: InlineContext): Block | undefined {
  const children = div.children.filter((node): node is HtmlElement => node.type === 'element')
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
  context: InlineContext,
): Block | undefined {
  const found = elements.map((element) => readFigure(element, source, context))
  return found.length > 0 && found.every((one) => one !== undefined) ? images(found, data) : undefined
}

function readFigure(element: HtmlElement, source: string, context: InlineContext): Image | undefined {
  const inside = element.name === 'figure' ? elementsIn(element.children) : [element]
  const img = inside.find((one) => one.name === 'img')
  const src = img?.attributes['src']
  if (!img || src === undefined || img.attributes['class'] === 'gitbook-drawing') return undefined
  const dark = inside.find((one) => one.name === 'source')?.attributes['srcset']
  const { alt, width, height } = img.attributes
  const text = inside.find((one) => one.name === 'figcaption')
  const paragraphs = text ? captionParagraphs(text, source, context) : []
  return image(
    {
      ref: readFileRef(context.references, src),
      ...(dark !== undefined && { refDark: readFileRef(context.references, dark) }),
      ...(alt && { alt }),
      ...(/^[\d.]+$/.test(width ?? '') && { width: Number(width) }),
      ...(/^[\d.]+$/.test(height ?? '') && { height: Number(height) }),
    },
    paragraphs,
  )
}

function captionParagraphs(text: HtmlElement, source: string, context: InlineContext): Block[] {
  const inner = text.children.filter((node): node is HtmlElement => node.type === 'element' && node.name === 'p')
  const parts: (readonly HtmlNode[])[] = inner.length > 0 ? inner.map((one) => one.children) : [text.children]
  return parts.map((part) => paragraph(parseHtmlInlines(part, source, context))).filter((one) => one.nodes.length > 0)
}

function elementsIn(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.flatMap((node) => (node.type === 'element' ? [node, ...elementsIn(node.children)] : []))
}

export function drawingOrImages(html: string, context: InlineContext): Block | undefined {
  const [element] = parseHtml(html) ?? []
  if (element?.type !== 'element') return undefined
  const { src, class: name } = element.attributes
  if (name === 'gitbook-drawing' && src !== undefined) {
    return { object: 'block', type: 'drawing', isVoid: true, data: { ref: readFileRef(context.references, src) } }
  }
  return readFigures([element], {}, html, context)
}

/** Code in HTML, which can mark lines and hold annotations and expressions. */
function readPre(pre: HtmlElement, source: string, context: InlineContext): Block | undefined {
  const code = pre.children.find((node): node is HtmlElement => node.type === 'element' && node.name === 'code')
  if (!code || pre.children.some((node) => node !== code && !(node.type === 'text' && node.value.trim() === '')))
    return undefined
  const syntax = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(
    `${code.attributes['class'] ?? ''} ${pre.attributes['class'] ?? ''}`,
  )?.[1]
  const { attributes } = pre
  const data: CodeData = {
    ...(syntax !== undefined && { syntax }),
    ...(attributes['data-title'] !== undefined && { title: attributes['data-title'] }),
    ...((attributes['data-overflow'] === 'wrap' || attributes['data-overflow'] === 'scroll') && {
      overflow: attributes['data-overflow'],
    }),
    ...(attributes['data-line-numbers'] !== undefined && { lineNumbers: true }),
    ...(attributes['data-full-width'] === 'true' && { fullWidth: true }),
    ...(attributes['data-expandable'] === 'true' && { expandable: true }),
  }
  const lines = codeLines(code.children, source, context)
  return lines && { object: 'block', type: 'code', ...withData(data), nodes: lines }
}

function codeLines(nodes: readonly HtmlNode[], source: string, context: InlineContext): Code['nodes'] | undefined {
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
        current().nodes.push(...parseHtmlInlines([node], source, context))
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
