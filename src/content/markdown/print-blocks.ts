import { isList } from '../document/lists.ts'
import type { Align, Block, Code, Expandable, Heading, InlineNode, ListItem } from '../document/nodes.ts'
import { escapeLineStarts, encodeEdgeSpaces, findTrailingRunStart, trimTrailingSpaces } from './escape.ts'
import { escapeCallout } from './callouts.ts'
import { classifyParagraph } from './foreign-paragraphs.ts'
import { beginsElementBlock, beginsHtmlBlock, escapeAttribute } from './html.ts'
import {
  splitExpandable,
  blocksToInlines,
  markLoneImage,
  printHtmlBlock,
  printHtmlBlocks,
  printHtmlHeading,
  printHtmlParagraph,
  printPre,
} from './print-html.ts'
import { printDrawing, printFigures } from './print-images.ts'
import { type PrintContext, printHtmlInlines } from './print-html-inlines.ts'
import { printInlines, printPlainText } from './print-inlines.ts'
import { printTable } from './print-table.ts'
import { printMarkdownTag, printTagOpening } from './print-tags.ts'
import { isEnclosingTag, toPrintedTag } from './tag-blocks.ts'

/** Prints siblings as Markdown without a trailing newline. */
export const printBlocks = (blocks: readonly Block[], context: PrintContext): string =>
  [...printEachBlock(blocks, context)].join('\n\n')

/** Prints siblings one by one; blocks without output are omitted. */
export function* printEachBlock(blocks: readonly Block[], context: PrintContext): Generator<string> {
  let last: { block: Block; isSecondList: boolean } | undefined
  for (const block of blocks) {
    // Two adjacent lists would be parsed as one; a different marker starts a new list.
    const isSecondList = last !== undefined && wouldJoin(last.block, block) && !last.isSecondList
    const printed = printBlock(block, context, isSecondList)
    if (printed === '') continue
    yield printed
    last = { block, isSecondList }
  }
}

const wouldJoin = (one: Block, other: Block) =>
  isList(one) && isList(other) && (one.type === 'list-ordered') === (other.type === 'list-ordered')

/** Prints one block. The second of two adjacent lists has a different marker. */
export function printBlock(block: Block, context: PrintContext, isSecondList: boolean): string {
  switch (block.type) {
    case 'paragraph':
      return printParagraph(block.nodes, block.data?.align, context)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return printHeading(block, context)
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return printList(block, context, isSecondList)
    case 'list-item':
    case 'image':
    case 'code-line':
      return printStray(block, context)
    case 'divider':
      return '***'
    case 'blockquote':
      return prefixLines(escapeCallout(printBlocks(block.nodes, context)), '> ', '>')
    case 'code':
      return printCode(block, context)
    case 'images':
      return printFigures(block, context, (inner) => printHtmlBlock(inner, context))
    case 'drawing':
      return printDrawing(block, context)
    case 'math':
      return `$$\n${block.data.formula}\n$$`
    case 'expandable':
      return printExpandable(block, context)
    case 'table':
      return printTable(block, context, (blocks) => printHtmlBlocks(blocks, context))
    default: {
      const tag = toPrintedTag(block, context)
      return printMarkdownTag(tag, printBlocks(tag.blocks ?? [], context))
    }
  }
}

/** Prints a block that is outside of its container. */
function printStray(
  block: Extract<Block, { type: 'list-item' | 'image' | 'code-line' }>,
  context: PrintContext,
): string {
  if (block.type === 'list-item') return printBlocks(block.nodes, context)
  if (block.type === 'image')
    return printFigures({ nodes: [block] }, context, (inner) => printHtmlBlock(inner, context))
  return printParagraph(block.nodes, undefined, context)
}

function printParagraph(
  nodes: readonly InlineNode[],
  align: Align | undefined,
  context: PrintContext,
  { isTask = false } = {},
): string {
  if (nodes.length === 0) return ''
  if (align !== undefined && align !== 'start') return printHtmlParagraph(nodes, align, context)
  const [only] = nodes
  if (nodes.length === 1 && only?.object === 'inline' && only.type === 'html') return only.data.html
  const printed = markLoneImage(nodes, escapeParagraph(printInlines(nodes, context)))
  const lines = printed.split('\n')
  // The first line of a task follows its checkbox, so it cannot start an HTML block.
  if (isTask) return lines.slice(1).some(beginsHtmlBlock) ? printed.replaceAll('\\\n', '<br>') : printed
  // After a comment, for example, the rest of the line would not be parsed as Markdown.
  return lines.some(beginsHtmlBlock) ? printHtmlParagraph(nodes, undefined, context) : printed
}

/** Escapes a paragraph so that no line starts another block and spaces are kept; a trailing line break is printed as a tag. */
function escapeParagraph(markdown: string): string {
  // A byte order mark at the start of a file would be dropped.
  const escaped = encodeEdgeSpaces(escapeLineStarts(markdown)).replace(/^\ufeff/, '&#xFEFF;')
  // A letter cannot be escaped with a backslash.
  const kept = classifyParagraph(escaped) ? `&#x${escaped.charCodeAt(0).toString(16)};${escaped.slice(1)}` : escaped
  return kept.endsWith('\\\n') ? `${kept.slice(0, -2)}<br>` : kept
}

const hashes = { 'heading-1': '##', 'heading-2': '###', 'heading-3': '####' } as const

function printHeading(block: Heading, context: PrintContext): string {
  const { id, align } = block.data ?? {}
  if (align !== undefined && align !== 'start') return printHtmlHeading(block, context)
  const printed = printInlines(block.nodes, context)
  // An anchor at the end would be parsed as the id of the heading.
  const last = block.nodes.at(-1)
  const isAnchorLast = id === undefined && last?.object === 'inline' && last.type === 'anchor'
  const text = headingText(isAnchorLast ? printed.replace(/<a id=("[^"]*"><\/a>)$/, '<a name=$1') : printed)
  const anchor = id === undefined ? '' : ` <a href="#${escapeAttribute(id)}" id="${escapeAttribute(id)}"></a>`
  return trimTrailingSpaces(`${hashes[block.type]} ${text}${anchor}`)
}

/** Prints the title of a page as the heading at the start of a file. */
export const printPageTitle = (title: string): string => trimTrailingSpaces(`# ${headingText(printPlainText(title))}`)

/** Returns the text of a heading on one line; trailing hashes are escaped, because they would be parsed as a closing sequence. */
function headingText(markdown: string): string {
  const line = encodeEdgeSpaces(markdown.replace(/\\\n/g, '<br>'))
  const hashesAt = findTrailingRunStart(line, '#')
  const isClosing = hashesAt < line.length && (hashesAt === 0 || /[ \t]/.test(line.charAt(hashesAt - 1)))
  return isClosing ? `${line.slice(0, hashesAt)}\\${line.slice(hashesAt)}` : line
}

function printList(
  list: Extract<Block, { type: 'list-ordered' | 'list-unordered' | 'list-tasks' }>,
  context: PrintContext,
  isSecond: boolean,
): string {
  const start = list.type === 'list-ordered' ? (list.data?.start ?? 1) : 0
  const markerOf = (index: number) =>
    list.type === 'list-ordered' ? `${start + index}${isSecond ? ')' : '.'}` : isSecond ? '-' : '*'
  const parts = list.nodes.map((item, index) => printItem(item, markerOf(index), list.type === 'list-tasks', context))
  const isLoose = list.nodes.some((item) => !isTightItem(item))
  return parts.join(isLoose ? '\n\n' : '\n')
}

/** Whether an item is one paragraph, optionally followed by lists that need no empty line before them. */
export function isTightItem({ nodes }: ListItem): boolean {
  return nodes.every((node, index) =>
    index === 0 ? node.type === 'paragraph' : isList(node) && (index > 1 || canFollowText(node)),
  )
}

/** Whether a list can directly follow a line of text; one that starts with an empty item or a number other than one cannot. */
function canFollowText(block: Block): boolean {
  if (block.type !== 'list-ordered' && block.type !== 'list-unordered' && block.type !== 'list-tasks') return false
  const [first] = block.nodes[0]?.nodes ?? []
  const isEmpty = first === undefined || (first.type === 'paragraph' && first.nodes.length === 0)
  return (!isEmpty || block.type === 'list-tasks') && (block.type !== 'list-ordered' || (block.data?.start ?? 1) === 1)
}

function printItem(item: ListItem, marker: string, isTask: boolean, context: PrintContext): string {
  const width = isTightItem(item) ? marker.length + 1 : Math.max(4, marker.length + 1)
  const printed = printItemBody(item, isTask, context)
  // `* ***` would be parsed as a divider, not as an item that contains one.
  const isDividerFirst = marker === '*' && item.nodes[0]?.type === 'divider'
  const body = prefixLines(isDividerFirst ? printed.replace('***', '---') : printed, ' '.repeat(width), '')
  return trimTrailingSpaces(`${marker.padEnd(width)}${body.slice(width)}`)
}

/** Prints the content of an item after its marker, without indentation. */
export function printItemBody(item: ListItem, isTask: boolean, context: PrintContext): string {
  const check = isTask ? (item.data?.checked ? '[x] ' : '[ ] ') : ''
  const [first, ...rest] = item.nodes
  if (first?.type !== 'paragraph') return check + printBlocks(item.nodes, context)
  const text = printParagraph(first.nodes, first.data?.align, context, { isTask })
  const others = printBlocks(rest, context)
  if (!isTightItem(item)) return check + [text, others].filter((part) => part !== '').join('\n\n')
  if (rest.length === 0) return check + text
  // The items of the next list would be part of an HTML block.
  return `${check}${text}${beginsElementBlock(text) ? '\n\n' : '\n'}${others}`
}

/** Adds a prefix to each line, and a shorter one to empty lines. */
function prefixLines(text: string, prefix: string, emptyPrefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? emptyPrefix : prefix + line))
    .join('\n')
}

/** Returns the lines of code that is plain text; undefined if Markdown cannot express it. */
export function toPlainLines({ nodes }: Code): string[] | undefined {
  const isPlain = nodes.every(
    (line) =>
      !line.data?.highlighted &&
      line.nodes.every((node) => node.object === 'text' && node.leaves.every((leaf) => leaf.marks.length === 0)),
  )
  if (!isPlain) return undefined
  return nodes.map((line) =>
    line.nodes.map((node) => (node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : '')).join(''),
  )
}

function printCode(block: Code, context: PrintContext): string {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = block.data ?? {}
  const lines = toPlainLines(block)
  if (!lines) return printPre(block, context)
  const text = lines.join('\n')
  // A backtick in the info string of a backtick fence would make it a code span.
  const mark = syntax?.includes('`') ? '~' : '`'
  let longest = 2
  for (const [run] of text.matchAll(mark === '~' ? /~{3,}/g : /`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = mark.repeat(longest + 1)
  const fenced = `${fence}${infoString(syntax ?? '')}\n${text}${text === '' && block.nodes.length <= 1 ? '' : '\n'}${fence}`
  const options = { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount }
  return Object.values(options).every((value) => value === undefined)
    ? fenced
    : printMarkdownTag({ name: 'code', attributes: options, blocks: [] }, fenced)
}

/** Prints the info string of a fence, in which entities and backslashes are parsed as in text. */
const infoString = (syntax: string) => encodeEdgeSpaces(syntax.replace(/\\(?=[!-/:-@[-`{-~])|&(?=#?\w+;)/g, '\\$&'))

function printExpandable(block: Expandable, context: PrintContext): string {
  const inner = printBlocks(splitExpandable(block.fragments).body, context)
  return [printExpandableOpening(block, context), ...(inner === '' ? [] : [inner]), '</details>'].join('\n\n')
}

function printExpandableOpening({ data, fragments }: Expandable, context: PrintContext): string {
  const title = encodeEdgeSpaces(printHtmlInlines(blocksToInlines(splitExpandable(fragments).title), context))
  return `<details${data.defaultExpanded ? ' open' : ''}>\n\n<summary>${title}</summary>`
}

/** Returns the opening line of a container, before the blocks inside it; undefined if it has none. */
export function printContainerOpening(block: Block, context: PrintContext): string | undefined {
  if (block.type === 'expandable') return printExpandableOpening(block, context)
  return isEnclosingTag(block) ? printTagOpening(toPrintedTag(block, context)) : undefined
}
