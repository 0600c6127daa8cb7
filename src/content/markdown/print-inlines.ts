import { leaf as leafOf } from '../document/build.ts'
import type { InlineElement, InlineNode, Leaf, Mark } from '../document/nodes.ts'
import {
  type DelimiterCharacter,
  type EscapeContext,
  printCodeSpan,
  escapeMarkdown,
  isPlainRun,
  encodeEdgeSpaces,
  printLinkDestination,
  printLinkTitle,
  toSingleLine,
} from './escape.ts'
import { firstCharacter, isBlank, isCjkEdge, isPunctuation, lastCharacter } from './cjk-emphasis.ts'
import { findEmojiName } from './emoji.ts'
import { escapeAttribute, escapeHtml } from './html.ts'
import { footnoteUrl } from './inline-context.ts'
import { type Piece, type Run, groupRuns, markedPieces, piecesOf, textOfPieces } from './inline-pieces.ts'
import {
  type PrintContext,
  joinAnnotationBodies,
  mentionText,
  openingTag,
  printHtmlElement,
  tagName,
} from './print-html-inlines.ts'
import { verbatimReferences } from './references.ts'
import { parseToSameInlines } from './same-inlines.ts'

/** Options for printing the inlines of one block. */
interface InlinePrintContext extends PrintContext {
  isLabel: boolean
  canStayUnescaped: EscapeContext['canStayUnescaped']
}

/**
 * Prints the inlines of a block as Markdown on one or more lines, with as few backslashes as possible. If it depends on the whole
 * block whether these are enough, both forms are parsed, and the one with all backslashes is returned if they differ.
 */
export function printInlines(nodes: readonly InlineNode[], context: PrintContext): string {
  const pieces = markedPieces(nodes)
  const plain = context.hasAdjacentText ? noDelimiters : findPlainDelimiters(nodes)
  let isDoubtful = false
  const around = { before: '', after: '' }
  const print = (canStayUnescaped: InlinePrintContext['canStayUnescaped']) =>
    printPieces(pieces, [], around, { ...context, isLabel: false, canStayUnescaped })
  const short = print((mark) => plain.has(mark) || (isDoubtful = !context.hasAdjacentText))
  if (!isDoubtful) return short
  const full = print((mark) => plain.has(mark))
  return reserveComparison(context, short.length + full.length) && parseToSameInlines(short, full) ? short : full
}

const noDelimiters: ReadonlySet<DelimiterCharacter> = new Set()

/** Maximum number of characters of a page that are parsed again to omit backslashes. */
const maxComparedLength = 200_000

const comparedLengths = new WeakMap<PrintContext, number>()

function reserveComparison(context: PrintContext, length: number): boolean {
  const sum = (comparedLengths.get(context) ?? 0) + length
  comparedLengths.set(context, sum)
  return sum <= maxComparedLength
}

const delimiterRuns = /\*+|_+|~+/g
const markOfDelimiter = { '*': 'bold', _: 'italic', '~': 'strikethrough' } as const

/** Returns the marks that have no meaning in a block: a delimiter without a second one, and brackets that cannot start a link. */
function findPlainDelimiters(nodes: readonly InlineNode[]): ReadonlySet<DelimiterCharacter> {
  const counts = { '*': 0, _: 0, '~': 0 }
  const marks = new Set<Mark['type']>()
  let mayLink = false
  const visit = (inlines: readonly InlineNode[]) => {
    let endsWithBracket = false
    for (const node of inlines) {
      if (node.object !== 'text') {
        if (endsWithBracket) mayLink = true
        endsWithBracket = false
        if (node.type === 'link' || node.type === 'annotation') visit(node.nodes)
        continue
      }
      for (const one of node.leaves) {
        for (const { type } of one.marks) marks.add(type)
        if (one.marks.some(({ type }) => type === 'code')) continue
        for (const match of one.text.matchAll(delimiterRuns)) {
          if (!isPlainRun(one.text, match.index, match[0])) counts[match[0][0] as keyof typeof counts]++
        }
        mayLink ||= /\][([:]/.test(one.text)
        endsWithBracket = one.text.endsWith(']')
      }
    }
  }
  visit(nodes)
  const plain = new Set<DelimiterCharacter>(mayLink ? [] : ['['])
  for (const mark of ['*', '_', '~'] as const) {
    if (counts[mark] <= 1 && !marks.has(markOfDelimiter[mark])) plain.add(mark)
  }
  return plain
}

/** Prints a text without marks as Markdown. */
export function printPlainText(text: string): string {
  const node: InlineNode = { object: 'text', leaves: [leafOf(text)] }
  return printInlines([node], { references: verbatimReferences, addFootnote: () => '' })
}

/** Characters before and after a printed part; empty at the edge of the block. */
interface AdjacentCharacters {
  before: string
  after: string
}

/** Prints pieces that are already inside the `open` marks. */
function printPieces(
  pieces: readonly Piece[],
  open: readonly Mark['type'][],
  around: AdjacentCharacters,
  context: InlinePrintContext,
): string {
  const runs = groupRuns(pieces, open)
  const parts: string[] = []
  // Last character of the last part only: reading it from a growing string would copy the string each time.
  let { before } = around
  const add = (part: string) => {
    parts.push(part)
    before = lastCharacter(part) || before
  }
  runs.forEach((run, index) => {
    const [last, next] = [runs[index - 1], runs[index + 1]]
    const after = next ? firstPrintedCharacter(next) : around.after
    if (run.mark) {
      add(printMark(run.mark, run.pieces, open, { before, after }, context))
      return
    }
    const { leaf: text, element } = run.piece
    const printed = text
      ? printText(text, { before, after }, context)
      : printElement(element as InlineElement, { before, after }, context)
    // Two adjacent formulas need a space between them, or their delimiters would be parsed differently.
    add(isFormula(run) && last && isFormula(last) ? ` ${printed}` : printed)
  })
  return parts.join('')
}

type ImageData = Extract<InlineElement, { type: 'inline-image' }>['data']

/** Whether an image is printed as Markdown: it has a caption, and nothing that Markdown cannot contain. */
const isMarkdownImage = ({ caption, refDark, size, width, height }: ImageData): boolean =>
  caption !== undefined && [refDark, size, width, height].every((value) => value === undefined)

const isFormula = (run: Run) => !run.mark && run.piece.element?.type === 'inline-math'

/** Returns the first character of the next run, as far as it matters for escaping the text before it. */
function firstPrintedCharacter(run: Run): string {
  if (run.mark) return run.mark.type === 'code' ? '`' : '<'
  const { leaf: text, element } = run.piece
  if (text) return firstCharacter(text.text)
  switch (element?.type) {
    case 'link':
    case 'mention':
      return '['
    case 'inline-image':
      return isMarkdownImage(element.data) ? '!' : '<'
    case 'inline-math':
      return '$'
    case 'annotation': {
      const [first, second] = groupRuns(piecesOf(element.nodes), [])
      if (first && !first.mark && first.piece.element && !second) return firstPrintedCharacter(first)
      return isLinkable(element.nodes) ? '[' : '<'
    }
    default:
      return '<'
  }
}

const delimiters: Partial<Record<Mark['type'], { delimiter: string; element: string }>> = {
  bold: { delimiter: '**', element: 'strong' },
  italic: { delimiter: '_', element: 'em' },
  strikethrough: { delimiter: '~~', element: 's' },
}

function printMark(
  mark: Mark,
  pieces: readonly Piece[],
  open: readonly Mark['type'][],
  { before, after }: AdjacentCharacters,
  context: InlinePrintContext,
): string {
  const inside = [...open, mark.type]
  if (mark.type === 'code') return printCode(textOfPieces(pieces))
  const form = delimiters[mark.type]
  if (form) {
    const edges = { before: form.delimiter.slice(-1), after: form.delimiter.slice(0, 1) }
    const inner = printPieces(pieces, inside, edges, context)
    const kept = encodeOuterSpaces(inner)
    if (canUseDelimiter(form.delimiter, kept, before, after)) return form.delimiter + kept + form.delimiter
    return `<${form.element}>${inner}</${form.element}>`
  }
  const inner = printPieces(pieces, inside, { before: '>', after: '<' }, context)
  return `${openingTag(mark)}${inner}</${tagName(mark)}>`
}

/** Prints spaces at the edges as entities, because delimiters next to a space are text. */
function encodeOuterSpaces(inner: string): string {
  return encodeEdgeSpaces(inner.slice(0, 1)) + inner.slice(1, -1) + encodeEdgeSpaces(inner.slice(1).slice(-1))
}

/** Prints code as an element if it contains a newline, which a code span would turn into a space. */
function printCode(text: string): string {
  if (!text.includes('\n') && text.trim() !== '') return printCodeSpan(text)
  // A formula, a code span or an escaped `<` could contain the closing tag.
  const encoded = escapeHtml(text).replace(
    /[$`]|\\$/g,
    (found) => `&#x${found.charCodeAt(0).toString(16).toUpperCase()};`,
  )
  return `<code>${encoded}</code>`
}

/** Whether delimiters around `inner` are parsed as such, according to the flanking rules. */
function canUseDelimiter(delimiter: string, inner: string, before: string, after: string): boolean {
  const [first, last] = [firstCharacter(inner), lastCharacter(inner)]
  // A line of delimiters only would be a divider.
  if (isBlank(first) || isBlank(last) || /^[*_ \t]+$/.test(inner)) return false
  const [edge] = delimiter
  const isAccepted = (inside: string, outside: string) =>
    !isPunctuation(inside) || isBlank(outside) || isPunctuation(outside) || (edge !== '_' && isCjkEdge(inside, outside))
  if (!isAccepted(first, before) || !isAccepted(last, after)) return false
  if (before === edge || after === edge || first === edge || last === edge) return false
  // Underscores are not delimiters inside words.
  return edge !== '_' || ((isBlank(before) || isPunctuation(before)) && (isBlank(after) || isPunctuation(after)))
}

function printText(
  { text }: Leaf,
  around: AdjacentCharacters,
  { isLabel, canStayUnescaped }: InlinePrintContext,
): string {
  return escapeMarkdown(text, { ...around, kind: isLabel ? 'label' : 'text', canStayUnescaped }).replace(/\n/g, '\\\n')
}

function printElement(node: InlineElement, around: AdjacentCharacters, context: InlinePrintContext): string {
  const { references } = context
  switch (node.type) {
    case 'link': {
      const destination = references.print(node.data.ref)
      // Links in Markdown cannot be nested.
      if (hasLink(node.nodes)) {
        const inner = printPieces(markedPieces(node.nodes), [], { before: '>', after: '<' }, context)
        return `<a href="${escapeAttribute(destination)}">${inner}</a>`
      }
      return printLink(node.nodes, destination, context)
    }
    case 'mention': {
      const destination = references.print(node.data.ref)
      return `[${escapeMarkdown(mentionText(destination))}](${printLinkDestination(destination)} "mention")`
    }
    case 'annotation': {
      const body = joinAnnotationBodies(node)
      if (!body) return printPieces(markedPieces(node.nodes), [], around, context)
      return printAnnotation(node.nodes, context.addFootnote(body), around, context)
    }
    case 'inline-math':
      return `$$${toSingleLine(node.data.formula)}$$`
    case 'emoji': {
      // After a word or a URL, the name could be parsed as a part of it.
      const name = isBlank(around.before) ? findEmojiName(node.data.code) : undefined
      return name === undefined ? printHtmlElement(node, context) : `:${name}:`
    }
    case 'inline-image': {
      const { ref, alt, caption } = node.data
      if (caption === undefined || !isMarkdownImage(node.data)) return printHtmlElement(node, context)
      const destination = printLinkDestination(references.print(ref))
      return `![${escapeMarkdown(alt ?? '')}](${destination} ${printLinkTitle(caption)})`
    }
    default:
      return printHtmlElement(node, context)
  }
}

function printLink(nodes: readonly InlineNode[], destination: string, context: InlinePrintContext): string {
  const inner = printPieces(markedPieces(nodes), [], { before: '[', after: ']' }, { ...context, isLabel: true })
  // A backslash before the closing bracket is not a line break, and a circumflex after the opening bracket starts a footnote.
  return `[${inner.replace(/\\\n$/, '<br>').replace(/^\^/, '\\^')}](${printLinkDestination(destination)})`
}

function hasLink(nodes: readonly InlineNode[]): boolean {
  return nodes.some((node) => {
    if (node.object === 'text') return false
    return node.type === 'link' || node.type === 'mention' || (node.type === 'annotation' && hasLink(node.nodes))
  })
}

/** Whether annotated text can be printed as the text of a link. */
const isLinkable = (nodes: readonly InlineNode[]): boolean =>
  nodes.length > 0 &&
  nodes.every((node) => node.object === 'text' || !['link', 'mention', 'annotation'].includes(node.type))

/**
 * Prints an annotation: a footnote for a single word or element, otherwise with a link as GitBook does it. Links and other
 * annotations cannot be in a link, so text with these is printed in an element.
 */
function printAnnotation(
  nodes: readonly InlineNode[],
  label: string,
  { before }: AdjacentCharacters,
  context: InlinePrintContext,
): string {
  const pieces = piecesOf(nodes)
  const [only] = pieces
  const isAlone = pieces.length === 1 && !context.isLabel
  const isWord = only?.leaf?.marks.length === 0 && /^\S+$/.test(only.leaf.text) && isBlank(before)
  if (isAlone && (isWord || (only?.element && only.element.type !== 'annotation'))) {
    return `${printPieces(pieces, [], { before, after: '[' }, context)}[^${label}]`
  }
  const url = footnoteUrl(label)
  if (!context.isLabel && isLinkable(nodes)) return `${printLink(nodes, url, context)}[^${label}]`
  const inner = printPieces(pieces, [], { before: '>', after: '<' }, context)
  return `<a data-footnote-ref href="${escapeAttribute(url)}">${inner}</a>`
}
