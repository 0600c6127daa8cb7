import { sameMarks } from '../document/build.ts'
import { emojiCharacters } from '../document/text.ts'
import type { AnnotationInline, Fragment, InlineElement, InlineNode, Leaf, Length, Mark } from '../document/nodes.ts'
import { codeSpan, escapeText, linkDestination } from './escape.ts'
import { emojiName } from './emoji.ts'
import { escapeAttribute, escapeHtml, isUnambiguous, readHtmlTag } from './html.ts'
import type { References } from './references.ts'

export interface PrintContext {
  references: References
  /** Whether what is printed stands inside a link, in which Markdown can have no other. */
  isInLink?: boolean
  /** Takes the body of an annotation, to be printed at the end of the file; returns its label. */
  footnote(body: Fragment): string
}

interface Piece {
  leaf?: Leaf
  element?: InlineElement
  marks: readonly Mark[]
}

/** The inlines of a block, as Markdown on one or more lines. */
export function printInlines(nodes: readonly InlineNode[], context: PrintContext): string {
  const pieces = piecesOf(nodes)
  return printPieces(pieces.some(isNeutral) ? withMarksAround(pieces) : pieces, [], '', '', context)
}

function piecesOf(nodes: readonly InlineNode[]): Piece[] {
  return nodes.flatMap((node): Piece[] =>
    node.object === 'text' ? node.leaves.map((leaf) => ({ leaf, marks: leaf.marks })) : [{ element: node, marks: [] }],
  )
}

/** Whether something is read as the same inside and outside of marks. */
function isNeutral({ element }: Piece): boolean {
  if (element?.type !== 'html') return element?.type === 'anchor'
  const tag = readHtmlTag(element.data.html)
  return tag === undefined || (isUnambiguous(tag) && !markElements.has(tag.name))
}

/** Elements that marks are printed with: a tag of these among them could be taken for one of a mark. */
const markElements: ReadonlySet<string> = new Set(
  'b strong em i s del strike kbd sup sub code mark span font'.split(' '),
)

/** Marks go on over what is not seen, when they are on both sides of it. */
function withMarksAround(pieces: readonly Piece[]): Piece[] {
  let before: readonly Mark[] = []
  const marksBefore = pieces.map((piece) => (before = isNeutral(piece) ? before : piece.marks))
  let after: readonly Mark[] = []
  const marked = pieces.toReversed().map((piece, index) => {
    if (!isNeutral(piece)) {
      after = piece.marks
      return piece
    }
    const isAround = (mark: Mark) => mark.type !== 'code' && after.some((one) => sameMarks([one], [mark]))
    return { ...piece, marks: (marksBefore[pieces.length - 1 - index] ?? []).filter(isAround) }
  })
  return marked.toReversed()
}

/** From the outside in. */
const nesting: readonly Mark['type'][] = [
  'strikethrough',
  'italic',
  'bold',
  'color',
  'keyboard',
  'superscript',
  'subscript',
  'code',
]

/** Pieces in a row that one more mark is to be written around, or a single piece whose marks are all written. */
type Run = { mark: Mark; pieces: readonly Piece[] } | { mark: undefined; piece: Piece }

/** The runs of pieces around which `open` marks are written already. */
function runsOf(pieces: readonly Piece[], open: readonly Mark['type'][]): Run[] {
  const runs: Run[] = []
  for (let index = 0; index < pieces.length;) {
    const piece = pieces[index] as Piece
    const outer = nesting.find((type) => !open.includes(type) && piece.marks.some((mark) => mark.type === type))
    const mark = piece.marks.find(({ type }) => type === outer)
    let end = index + 1
    if (mark) while (end < pieces.length && goesOn(mark, piece, pieces[end] as Piece)) end++
    runs.push(mark ? { mark, pieces: pieces.slice(index, end) } : { mark: undefined, piece })
    index = end
  }
  return runs
}

/** Prints pieces, of which `open` marks are written already; `before` and `after` are the characters around them. */
function printPieces(
  pieces: readonly Piece[],
  open: readonly Mark['type'][],
  before: string,
  after: string,
  context: PrintContext,
): string {
  const runs = runsOf(pieces, open)
  const parts: string[] = []
  // Of the last part only: looking into a text that grows would copy it every time.
  let prev = before
  const add = (part: string) => {
    parts.push(part)
    prev = lastOf(part) || prev
  }
  runs.forEach((run, index) => {
    const [last, next] = [runs[index - 1], runs[index + 1]]
    if (run.mark) {
      add(printMark(run.mark, run.pieces, open, prev, next ? firstCharacter(next) : after, context))
      return
    }
    const { leaf, element } = run.piece
    const printed = leaf ? printText(leaf) : printElement(element as InlineElement, prev, context)
    // Two formulas cannot touch: their delimiters would be read as others.
    add(isFormula(run) && last && isFormula(last) ? ` ${printed}` : printed)
  })
  return parts.join('')
}

const isFormula = (run: Run) => !run.mark && run.piece.element?.type === 'inline-math'

/** Whether a mark that begins with one piece holds on the next. Nothing can be marked inside code. */
function goesOn(mark: Mark, from: Piece, next: Piece): boolean {
  if (mark.type === 'code') return sameMarks(from.marks, next.marks)
  return next.marks.some((one) => sameMarks([one], [mark]))
}

/** What the next run begins with, as far as it matters to delimiters before it. */
function firstCharacter(run: Run): string {
  return run.mark || !run.piece.leaf ? '<' : firstOf(run.piece.leaf.text)
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
  before: string,
  after: string,
  context: PrintContext,
): string {
  const inside = [...open, mark.type]
  if (mark.type === 'code') return printCode(textOfPieces(pieces))
  const form = delimiters[mark.type]
  if (form) {
    const inner = printPieces(pieces, inside, form.delimiter.slice(-1), form.delimiter.slice(0, 1), context)
    if (canDelimit(form.delimiter, inner, before, after)) return form.delimiter + inner + form.delimiter
    return `<${form.element}>${inner}</${form.element}>`
  }
  const inner = printPieces(pieces, inside, '>', '<', context)
  return `${openingTag(mark)}${inner}</${tagName(mark)}>`
}

const textOfPieces = (pieces: readonly Piece[]) => pieces.map(({ leaf }) => leaf?.text ?? '').join('')

/** A code span cannot hold a line end: it would be read as a space. */
function printCode(text: string): string {
  return text.includes('\n') || text.trim() === '' ? `<code>${escapeHtml(text)}</code>` : codeSpan(text)
}

const firstOf = (text: string) => /^./su.exec(text)?.[0] ?? ''
const lastOf = (text: string) => /.$/su.exec(text.slice(-2))?.[0] ?? ''
const isBlank = (character: string) => character === '' || /\s/.test(character)
const isPunctuation = (character: string) => /[\p{P}\p{S}]/u.test(character)

/** Whether delimiters around `inner` are read as such, by the flanking rules of CommonMark. */
function canDelimit(delimiter: string, inner: string, before: string, after: string): boolean {
  const [first, last] = [firstOf(inner), lastOf(inner)]
  if (inner === '' || isBlank(first) || isBlank(last) || inner.startsWith('&#x20;') || inner.endsWith('&#x20;'))
    return false
  const opens = !isPunctuation(first) || isBlank(before) || isPunctuation(before)
  const closes = !isPunctuation(last) || isBlank(after) || isPunctuation(after)
  if (!opens || !closes) return false
  const [edge] = delimiter
  if (before === edge || after === edge || first === edge || last === edge) return false
  // Underscores are no delimiters inside words.
  return edge !== '_' || ((isBlank(before) || isPunctuation(before)) && (isBlank(after) || isPunctuation(after)))
}

function tagName(mark: Mark): string {
  switch (mark.type) {
    case 'keyboard':
      return 'kbd'
    case 'superscript':
      return 'sup'
    case 'subscript':
      return 'sub'
    case 'color':
      return /^<(\w+)/.exec(mark.data.written ?? '')?.[1] ?? 'mark'
    case 'bold':
      return 'strong'
    case 'italic':
      return 'em'
    case 'strikethrough':
      return 's'
    case 'code':
      return 'code'
  }
}

function openingTag(mark: Mark): string {
  if (mark.type !== 'color') return `<${tagName(mark)}>`
  const { text, background, written } = mark.data
  if (written !== undefined) return written
  return `<mark style="${text ? `color:${text};` : ''}${background ? `background-color:${background};` : ''}">`
}

function printText({ text }: Leaf): string {
  return escapeText(text).replace(/\n/g, '\\\n')
}

/** `before` is the character that it stands behind. */
function printElement(node: InlineElement, before: string, context: PrintContext): string {
  const { references } = context
  switch (node.type) {
    case 'link': {
      // An address inside a link makes no link of its own.
      const inside = printInlines(node.nodes, { ...context, isInLink: true })
      const destination = references.write(node.data.ref)
      if (context.isInLink) return `<a href="${escapeAttribute(destination)}">${inside.replace(/\\?\n/g, '<br>')}</a>`
      const inner = inside.replace(/\\?\n/g, '<br>').replace(/^(https?)\\(?=:\/\/)/i, '$1')
      return `[${inner}](${linkDestination(destination)})`
    }
    case 'mention': {
      if (context.isInLink) return printHtmlElement(node, context)
      const destination = references.write(node.data.ref)
      return `[${escapeText(mentionText(destination))}](${linkDestination(destination)} "mention")`
    }
    case 'annotation': {
      const body = bodyOf(node)
      if (!body) return printInlines(node.nodes, context)
      return printAnnotation(node.nodes, context.footnote(body), context)
    }
    case 'inline-math':
      return `$$${node.data.formula}$$`
    case 'emoji': {
      // Behind a word its name could be taken for a part of that.
      const name = isBlank(before) ? emojiName(node.data.code) : undefined
      return name === undefined ? printHtmlElement(node, context) : `:${name}:`
    }
    default:
      return printHtmlElement(node, context)
  }
}

function bodyOf({ fragments }: AnnotationInline): Fragment | undefined {
  const [body] = fragments
  return body && fragments.length > 1 ? { ...body, nodes: fragments.flatMap(({ nodes }) => nodes) } : body
}

/** The text of a mention is made from what it points at. */
function mentionText(destination: string): string {
  return destination.replace(/\/$/, '').split('/').at(-1) || '.'
}

/** Behind a single word a footnote annotates it; around anything else it has to be said where it begins. */
function printAnnotation(nodes: readonly InlineNode[], label: string, context: PrintContext): string {
  const [only] = nodes
  const isWord =
    nodes.length === 1 &&
    only?.object === 'text' &&
    only.leaves.length === 1 &&
    /^\S+$/.test(only.leaves[0]?.text ?? '')
  if (isWord && only.leaves[0]?.marks.length === 0) return `${printInlines(nodes, context)}[^${label}]`
  return `<a data-footnote-ref href="#user-content-fn-${escapeAttribute(label)}">${printHtmlInlines(nodes, context)}</a>`
}

// HTML, in which nothing is Markdown

/** The inlines of a block inside HTML. */
export function printHtmlInlines(nodes: readonly InlineNode[], context: PrintContext): string {
  return printHtmlPieces(piecesOf(nodes), [], context)
}

function printHtmlPieces(pieces: readonly Piece[], open: readonly Mark['type'][], context: PrintContext): string {
  return runsOf(pieces, open)
    .map((run) => {
      if (run.mark) {
        if (run.mark.type === 'code') return `<code>${escapeHtml(textOfPieces(run.pieces))}</code>`
        const inner = printHtmlPieces(run.pieces, [...open, run.mark.type], context)
        return `${openingTag(run.mark)}${inner}</${tagName(run.mark)}>`
      }
      const { leaf, element } = run.piece
      return leaf ? printHtmlText(leaf.text) : printHtmlElement(element as InlineElement, context)
    })
    .join('')
}

/** In HTML several spaces are one, and formulas stand as in Markdown. */
function printHtmlText(text: string): string {
  return escapeHtml(text)
    .replace(/\$/g, '&#x24;')
    .replace(/ (?= )/g, '&#x20;')
    .replaceAll('&#x0A;', '<br>')
}

/** A formula in HTML. */
export function printFormula(formula: string): string {
  return `$$${escapeHtml(formula).replaceAll('$', '&#x24;')}$$`
}

/** The attribute for the width or height of an image. */
export function printLength(name: 'width' | 'height', length: Length | undefined): string {
  if (length === undefined) return ''
  const written =
    typeof length === 'number' ? String(length) : `${length.value}${length.unit === 'px' ? '' : length.unit}`
  return ` ${name}="${escapeAttribute(written)}"`
}

function printHtmlElement(node: InlineElement, context: PrintContext): string {
  const write = (ref: Parameters<References['write']>[0]) => escapeAttribute(context.references.write(ref))
  switch (node.type) {
    case 'link':
      return `<a href="${write(node.data.ref)}">${printHtmlInlines(node.nodes, context)}</a>`
    case 'mention': {
      const destination = context.references.write(node.data.ref)
      return `<a data-mention href="${escapeAttribute(destination)}">${escapeHtml(mentionText(destination))}</a>`
    }
    case 'annotation': {
      const body = bodyOf(node)
      const inner = printHtmlInlines(node.nodes, context)
      return body
        ? `<a data-footnote-ref href="#user-content-fn-${escapeAttribute(context.footnote(body))}">${inner}</a>`
        : inner
    }
    case 'emoji':
      return `<span data-gb-custom-inline data-tag="emoji" data-code="${escapeAttribute(node.data.code)}">${emojiCharacters(node.data.code)}</span>`
    case 'icon': {
      const icon = escapeAttribute(node.data.icon)
      const { color } = node.data
      return `<i class="fa-${icon}"${color ? ` style="color:${color};"` : ''}>:${icon}:</i>`
    }
    case 'expression':
      return `<code class="expression">${escapeHtml(node.data.expression)}</code>`
    case 'inline-math':
      return printFormula(node.data.formula)
    case 'inline-image': {
      const { ref, refDark, alt, size, width, height } = node.data
      const lengths = `${printLength('width', width)}${printLength('height', height)}`
      const image = `<img src="${write(ref)}" alt="${escapeAttribute(alt ?? '')}"${size ? ` data-size="${size}"` : ''}${lengths}>`
      if (!refDark) return image
      return `<picture><source srcset="${write(refDark)}" media="(prefers-color-scheme: dark)">${image}</picture>`
    }
    case 'html':
      // An empty line would end the HTML around it.
      return node.data.html.replace(/\s*\n\s*/g, ' ')
    case 'anchor':
      return `<a id="${escapeAttribute(node.data.id)}"></a>`
    case 'button': {
      const { label, kind, icon, ref, action } = node.data
      const look = `class="button ${kind}"`
      const data = icon ? ` data-icon="${escapeAttribute(icon)}"` : ''
      if (!action) return `<a${ref ? ` href="${write(ref)}"` : ''} ${look}${data}>${escapeHtml(label)}</a>`
      const query =
        action.action === 'select'
          ? ` data-slug="${escapeAttribute(action.slug)}"`
          : action.query
            ? ` data-query="${escapeAttribute(action.query)}"`
            : ''
      return `<button type="button" ${look} data-action="${action.action}"${query}${data}>${escapeHtml(label)}</button>`
    }
  }
}
