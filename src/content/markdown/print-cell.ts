import type { Block, InlineNode, Paragraph } from '../document/nodes.ts'
import { escapeMarkdown, trimTrailingSpaces } from './escape.ts'
import { decodeEntities } from './html.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { printInlines } from './print-inlines.ts'

// Cells of pipe tables: Markdown on one line, or HTML with Markdown between its tags if a cell contains more than one paragraph.

/** Prints the blocks of a cell as HTML. */
export type PrintBlocks = (blocks: readonly Block[]) => string

/** Whether a cell of a pipe table can contain a block. */
export function isCellBlock(block: Block): boolean {
  switch (block.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return block.nodes.every(isCellInline)
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return block.nodes.every((item) => item.nodes.every(isCellBlock))
    case 'blockquote':
      return block.nodes.every(isCellBlock)
    case 'images':
      return block.nodes.every(({ fragments = [] }) => fragments.every(({ nodes }) => nodes.every(isCellBlock)))
    case 'hint':
      // The first `</div>` ends the element whose content is parsed as HTML.
      return block.nodes.every((node) => node.type !== 'hint' && isCellBlock(node))
    case 'divider':
      return true
    default:
      return false
  }
}

/**
 * Whether a cell of a pipe table can contain an inline. In formulas and raw HTML a pipe after a backslash cannot be escaped, nor
 * can newlines in formulas.
 */
function isCellInline(node: InlineNode): boolean {
  if (node.object === 'text') return true
  if (node.type === 'html') return !node.data.html.includes('\\|')
  if (node.type === 'inline-math') return !/[\r\n]|\\\|/.test(node.data.formula)
  return !('nodes' in node) || node.nodes.every(isCellInline)
}

/** Prints the content of a cell of a pipe table. */
export function printCell(blocks: readonly Block[], context: PrintContext, printHtml: PrintBlocks): string {
  const [only] = blocks
  if (blocks.length === 0) return ''
  const isMarkdown = blocks.length === 1 && only?.type === 'paragraph' && !only.data?.align && isMarkdownText(only)
  if (isMarkdown) return escapeCell(printText(only, context))
  const hasTags = blocks.some((block) => hasRawHtml(block))
  const inCell = { ...context, hasAdjacentText: true }
  return escapeCell(
    hasTags ? printMarkdownBlocks(blocks, inCell, printHtml) : convertTextsToMarkdown(printHtml(blocks)),
  )
}

const hasRawHtml = (node: Block | InlineNode): boolean =>
  (node.object === 'inline' && node.type === 'html') || ('nodes' in node && node.nodes.some(hasRawHtml))

/** Prints blocks as HTML with Markdown texts, because a tag in the text could be parsed as the tag of a mark. */
function printMarkdownBlocks(blocks: readonly Block[], context: PrintContext, printHtml: PrintBlocks): string {
  const printInner = (inner: readonly Block[]): string => {
    const [only] = inner
    const isText = inner.length === 1 && only?.type === 'paragraph' && !only.data?.align
    return isText ? printText(only, context) : printMarkdownBlocks(inner, context, printHtml)
  }
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'paragraph':
        case 'heading-1':
        case 'heading-2':
        case 'heading-3': {
          const element = printHtml([{ ...block, nodes: [] }]) || '<p></p>'
          return insertIntoElement(element, printText(block, context))
        }
        case 'list-ordered':
        case 'list-unordered':
        case 'list-tasks': {
          const items = block.nodes.map(({ data, nodes }) => {
            const box = block.type === 'list-tasks' ? `<input type="checkbox"${data?.checked ? ' checked' : ''}>` : ''
            return `<li>${box}${printInner(nodes)}</li>`
          })
          return insertIntoElement(printHtml([{ ...block, nodes: [] }]), items.join(''))
        }
        case 'blockquote':
          return `<blockquote>${printInner(block.nodes)}</blockquote>`
        default:
          return convertTextsToMarkdown(printHtml([block]))
      }
    })
    .join('')
}

/** Inserts content into an empty element. */
const insertIntoElement = (element: string, inner: string): string => element.replace('></', () => `>${inner}</`)

function printText({ nodes }: Pick<Paragraph, 'nodes'>, context: PrintContext): string {
  return printInlines(nodes, context)
    .replace(/\\\n/g, '<br>')
    .replace(/[\r\n]+/g, ' ')
    .replace(/^[ \t]|[ \t]$/g, '&#x20;')
}

/** Whether inlines can be printed as Markdown: a pipe after a backslash in code or attributes cannot, nor can a nested link. */
const isMarkdownText = ({ nodes }: Pick<Paragraph, 'nodes'>): boolean => nodes.every(isMarkdownInline)

function isMarkdownInline(node: InlineNode): boolean {
  if (node.object === 'text')
    return node.leaves.every(({ text, marks }) => !text.includes('\\|') || !marks.some(({ type }) => type === 'code'))
  if ('nodes' in node) return node.nodes.every(isMarkdownInline) && (node.type !== 'link' || isLabel(node.nodes))
  return !JSON.stringify(node.data).includes('\\\\|')
}

/** Whether inlines can be the text of a Markdown link, which contains neither newlines nor links. */
const isLabel = (nodes: readonly InlineNode[]): boolean =>
  nodes.every((node) => {
    if (node.object === 'text') return node.leaves.every(({ text }) => !text.includes('\n'))
    return node.type !== 'link' && (!('nodes' in node) || isLabel(node.nodes))
  })

/** Escapes the pipes of a text for a cell of a pipe table and trims spaces. */
export function escapeCell(markdown: string): string {
  const cell = markdown.replace(/(\\+)\|?|\|/g, (whole, slashes = '') => {
    if (!whole.endsWith('|')) return whole
    return `${slashes.length % 2 === 0 ? `${slashes}\\` : slashes}|`
  })
  // Other whitespace is part of the text.
  return trimTrailingSpaces(cell.replace(/^ +/, ''))
}

const htmlTag = /<!--[^]*?-->|<(\/)?([A-Za-z][\w-]*)(?:[^"'>]|"[^"]*"|'[^']*')*>/g
/** Elements whose content is parsed as HTML. */
const htmlContent = new Set(['code', 'button', 'figure', 'div'])
const isButton = (tag: string) => /^<a [^>]*class="button /.test(tag)
const blockTag = /^<\/?(?:p|h[1-6]|ul|ol|li|blockquote|hr|figure|div)[\s>]/

/** Converts HTML to the form used in cells, where the texts between tags are Markdown. */
function convertTextsToMarkdown(html: string): string {
  const parts: string[] = []
  let at = 0
  let before = ''
  /** Name of the enclosing element whose content is parsed as HTML. */
  let inside: string | undefined
  const addText = (end: number, after: string) => {
    const written = html.slice(at, end)
    if (written !== '')
      parts.push(inside === undefined ? toMarkdownText(written, before, after) : escapeMarkdownSyntax(written))
  }
  for (const match of html.matchAll(htmlTag)) {
    const [tag, closing, name = ''] = match
    addText(match.index, tag)
    // All other pipes of a tag are escaped with a backslash, as everywhere in a cell.
    parts.push(tag.replaceAll('\\|', '\\&#x7C;'))
    if (inside === undefined && !closing && (htmlContent.has(name) || isButton(tag))) inside = name
    else if (closing && name === inside) inside = undefined
    at = match.index + tag.length
    before = tag
  }
  addText(html.length, '')
  return parts.join('')
}

const isEdge = (tag: string) => tag === '' || blockTag.test(tag)

/** Converts a text of HTML to Markdown; spaces next to the tags of blocks are printed as entities, because they would be lost. */
function toMarkdownText(written: string, before: string, after: string): string {
  const text = written
    .split(/\$\$([^$]+)\$\$/)
    .map((part, index) => {
      const decoded = decodeEntities(part)
      return index % 2 === 0 ? escapeMarkdown(decoded).replaceAll('\r', '&#x0D;') : `$$${decoded}$$`
    })
    .join('')
  const started = isEdge(before) ? text.replace(/^[ \t]/, '&#x20;') : text
  return isEdge(after) ? started.replace(/[ \t]$/, '&#x20;') : started
}

/** Escapes a text of HTML so that Markdown does not parse any of it together with the tags around it. */
function escapeMarkdownSyntax(written: string): string {
  return written.replace(
    /[`~|]|\\(?=$|[<|&])|\*|(?<![a-z\d])_|_(?![a-z\d])|\$(?=\$|$)|(?<=\$)\$|\[(?![\w .,'"-]*\](?![([:]))/gi,
    (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
  )
}
