import { leaf } from '../document/build.ts'
import type {
  Align,
  Block,
  Code,
  Expandable,
  Fragment,
  Heading,
  InlineNode,
  ListItem,
  OrderedList,
  TaskList,
  UnorderedList,
} from '../document/nodes.ts'
import { textOfBlocks } from '../document/text.ts'
import { escapeAttribute } from './html.ts'
import { printDrawing, printFigures } from './print-images.ts'
import { type PrintContext, printFormula, printHtmlInlines } from './print-html-inlines.ts'
import { printHtmlTable } from './print-table.ts'
import { printHtmlTag } from './print-tags.ts'
import { toPrintedTag } from './tag-blocks.ts'

// Blocks inside HTML contain no Markdown. They are printed on one line: an empty line would end the HTML block.

/** Prints the blocks of a cell, an item or a quote. A single paragraph is printed without `<p>`. */
export function printHtmlBlocks(blocks: readonly Block[], context: PrintContext): string {
  const [only] = blocks
  if (blocks.length === 1 && only?.type === 'paragraph' && !only.data?.align) {
    return printHtmlInlines(only.nodes, context)
  }
  return printEachHtmlBlock(blocks, context)
}

const printEachHtmlBlock = (blocks: readonly Block[], context: PrintContext): string =>
  blocks.map((block) => printHtmlBlock(block, context)).join('')

export function printHtmlBlock(block: Block, context: PrintContext): string {
  switch (block.type) {
    case 'paragraph':
      return printHtmlParagraph(block.nodes, block.data?.align, context)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return printHtmlHeading(block, context)
    case 'list-unordered':
    case 'list-ordered':
    case 'list-tasks':
      return printHtmlList(block, context)
    case 'list-item':
      return printEachHtmlBlock(block.nodes, context)
    case 'divider':
      return '<hr>'
    case 'blockquote':
      return `<blockquote>${printHtmlBlocks(block.nodes, context)}</blockquote>`
    case 'code':
      return printPre(block, context).replaceAll('\n', '&#x0A;')
    case 'code-line':
      return printHtmlParagraph(block.nodes, undefined, context)
    case 'images':
      return printFigures(block, context, (inner) => printHtmlBlock(inner, context))
    case 'image':
      return printFigures({ nodes: [block] }, context, (inner) => printHtmlBlock(inner, context))
    case 'drawing':
      return printDrawing(block, context)
    case 'math':
      return block.data.formula === ''
        ? ''
        : printHtmlTag({ name: 'math', attributes: {} }, printFormula(block.data.formula))
    case 'expandable':
      return printHtmlExpandable(block, context)
    case 'table':
      return printHtmlTable(block, context, (blocks) => printHtmlBlocks(blocks, context))
    default: {
      const tag = toPrintedTag(block, context)
      const { blocks = [] } = tag
      // Captions are printed without `<p>`.
      const isCaption = tag.link !== undefined
      return printHtmlTag(tag, isCaption ? printHtmlBlocks(blocks, context) : printEachHtmlBlock(blocks, context))
    }
  }
}

const alignAttribute = (align: Align | undefined) =>
  align === undefined || align === 'start' ? '' : ` align="${align === 'end' ? 'right' : align}"`

export function printHtmlParagraph(
  nodes: readonly InlineNode[],
  align: Align | undefined,
  context: PrintContext,
): string {
  return `<p${alignAttribute(align)}>${markLoneImage(nodes, printHtmlInlines(nodes, context))}</p>`
}

/** Marks an image that is the only content of a paragraph as part of the text; otherwise it would be parsed as a block. */
export function markLoneImage(nodes: readonly InlineNode[], printed: string): string {
  const [only] = nodes
  const isMarked = nodes.length !== 1 || only?.object !== 'inline' || only.type !== 'inline-image' || only.data.size
  return isMarked ? printed : printed.replace(/<img src="[^"]*" alt="[^"]*"/, '$& data-size=""')
}

export function printHtmlHeading({ type, data, nodes }: Heading, context: PrintContext): string {
  const name = `h${Number(type.slice(-1)) + 1}`
  const id = data?.id === undefined ? '' : ` id="${escapeAttribute(data.id)}"`
  return `<${name}${alignAttribute(data?.align)}${id}>${printHtmlInlines(nodes, context)}</${name}>`
}

function printHtmlList(list: OrderedList | UnorderedList | TaskList, context: PrintContext): string {
  const name = list.type === 'list-ordered' ? 'ol' : 'ul'
  const start = list.type === 'list-ordered' ? (list.data?.start ?? 1) : 1
  const box = ({ data }: ListItem) =>
    list.type === 'list-tasks' ? `<input type="checkbox"${data?.checked ? ' checked' : ''}>` : ''
  const items = list.nodes.map((item) => `<li>${box(item)}${printHtmlBlocks(item.nodes, context)}</li>`)
  return `<${name}${start === 1 ? '' : ` start="${start}"`}>${items.join('')}</${name}>`
}

/** Prints code as HTML, which can contain highlighted lines, annotations and expressions. */
export function printPre(block: Code, context: PrintContext): string {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = block.data ?? {}
  const attributes = [
    syntax ? ` class="language-${escapeAttribute(syntax)}"` : '',
    title === undefined ? '' : ` data-title="${escapeAttribute(title)}"`,
    overflow === undefined ? '' : ` data-overflow="${overflow}"`,
    lineNumbers ? ' data-line-numbers' : '',
    fullWidth ? ' data-full-width="true"' : '',
    expandable ? ' data-expandable="true"' : '',
    collapsedLineCount === undefined ? '' : ` data-collapsed-line-count="${collapsedLineCount}"`,
  ].join('')
  const lines = block.nodes.map((line) => {
    const text = `${printHtmlInlines(line.nodes, context)}\n`
    return line.data?.highlighted ? `<strong>${text}</strong>` : text
  })
  return `<pre${attributes}><code${syntax ? ` class="lang-${escapeAttribute(syntax)}"` : ''}>${lines.join('')}</code></pre>`
}

function printHtmlExpandable({ data, fragments }: Expandable, context: PrintContext): string {
  const { title, body } = splitExpandable(fragments)
  const summary = `<summary>${printHtmlInlines(blocksToInlines(title), context)}</summary>`
  return `<details${data.defaultExpanded ? ' open' : ''}>${summary}${printHtmlBlocks(body, context)}</details>`
}

const isTitle = ({ type }: Fragment) => type === 'expandable-title'

export function splitExpandable(fragments: readonly Fragment[]): { title: Block[]; body: Block[] } {
  return {
    title: fragments.filter(isTitle).flatMap(({ nodes }) => nodes),
    body: fragments.filter((fragment) => !isTitle(fragment)).flatMap(({ nodes }) => nodes),
  }
}

const text = (words: string): InlineNode => ({ object: 'text', leaves: [leaf(words)] })
const isHeading = (block: Block): block is Heading => block.type.startsWith('heading-')

/** Converts blocks to inlines, for places that allow inlines only. */
export function blocksToInlines(blocks: readonly Block[]): InlineNode[] {
  return blocks.flatMap((block, index) => {
    const isOfInlines = block.type === 'paragraph' || isHeading(block) || block.type === 'code-line'
    const inlines = isOfInlines ? block.nodes : [text(textOfBlocks([block], ' '))]
    return index === 0 ? inlines : [text(' '), ...inlines]
  })
}
