import { emojiCharacters } from '../document/text.ts'
import type { AnnotationInline, Fragment, InlineElement, InlineNode, Length, Mark } from '../document/nodes.ts'
import { toSingleLine } from './escape.ts'
import { escapeAttribute, escapeHtml } from './html.ts'
import { type Piece, groupRuns, piecesOf, textOfPieces } from './inline-pieces.ts'
import type { References } from './references.ts'

export interface PrintContext {
  references: References
  /** Registers the body of an annotation, to be printed at the end of the file; returns its label. */
  addFootnote(body: Fragment): string
  /**
   * Whether other texts are parsed together with a text, as in a cell of several paragraphs: delimiters could pair with theirs.
   */
  hasAdjacentText?: boolean
  /** Whether cells are printed without padding, which depends on all cells of a column. */
  isUnpadded?: boolean
}

/** Prints the inlines of a block inside HTML, which contains no Markdown. */
export function printHtmlInlines(nodes: readonly InlineNode[], context: PrintContext): string {
  return printHtmlPieces(piecesOf(nodes), [], context)
}

function printHtmlPieces(pieces: readonly Piece[], open: readonly Mark['type'][], context: PrintContext): string {
  return groupRuns(pieces, open)
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

/** Escapes text for HTML, where consecutive spaces collapse and two dollar signs delimit a formula as in Markdown. */
function printHtmlText(text: string): string {
  return escapeHtml(text)
    .replace(/\$(?=\$|$)|(?<=^|\$)\$/g, '&#x24;')
    .replace(/ (?= )/g, '&#x20;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('&#x0A;', '<br>')
}

/** Prints a formula in HTML. */
export function printFormula(formula: string): string {
  return `$$${escapeHtml(formula).replaceAll('$', '&#x24;')}$$`
}

/** Prints the attribute for the width or height of an image. */
export function printLength(name: 'width' | 'height', length: Length | undefined): string {
  if (length === undefined) return ''
  const written =
    typeof length === 'number' ? String(length) : `${length.value}${length.unit === 'px' ? '' : length.unit}`
  return ` ${name}="${escapeAttribute(written)}"`
}

/** Prints an inline element inside HTML. */
export function printHtmlElement(node: InlineElement, context: PrintContext): string {
  const write = (ref: Parameters<References['print']>[0]) => escapeAttribute(context.references.print(ref))
  switch (node.type) {
    case 'link':
      return `<a href="${write(node.data.ref)}">${printHtmlInlines(node.nodes, context)}</a>`
    case 'mention': {
      const destination = context.references.print(node.data.ref)
      return `<a data-mention href="${escapeAttribute(destination)}">${escapeHtml(mentionText(destination))}</a>`
    }
    case 'annotation': {
      const body = joinAnnotationBodies(node)
      const inner = printHtmlInlines(node.nodes, context)
      return body
        ? `<a data-footnote-ref href="#user-content-fn-${escapeAttribute(context.addFootnote(body))}">${inner}</a>`
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
      const { ref, refDark, alt, caption, size, width, height } = node.data
      const title = caption ? ` title="${escapeAttribute(caption)}"` : ''
      const lengths = `${printLength('width', width)}${printLength('height', height)}`
      const image = `<img src="${write(ref)}" alt="${escapeAttribute(alt ?? '')}"${title}${size ? ` data-size="${size}"` : ''}${lengths}>`
      if (!refDark) return image
      return `<picture><source srcset="${write(refDark)}" media="(prefers-color-scheme: dark)">${image}</picture>`
    }
    case 'html':
      // An empty line would end the HTML block.
      return toSingleLine(node.data.html)
    case 'anchor':
      return `<a id="${escapeAttribute(node.data.id)}"></a>`
    case 'button': {
      const { label, kind, icon, ref, action } = node.data
      const classAttribute = `class="button ${kind}"`
      const data = icon ? ` data-icon="${escapeAttribute(icon)}"` : ''
      if (!action) return `<a${ref ? ` href="${write(ref)}"` : ''} ${classAttribute}${data}>${escapeHtml(label)}</a>`
      const query =
        action.action === 'select'
          ? ` data-slug="${escapeAttribute(action.slug)}"`
          : action.query
            ? ` data-query="${escapeAttribute(action.query)}"`
            : ''
      return `<button type="button" ${classAttribute} data-action="${action.action}"${query}${data}>${escapeHtml(label)}</button>`
    }
  }
}

/** Returns the name of the element that a mark is printed as. */
export function tagName(mark: Mark): string {
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

export function openingTag(mark: Mark): string {
  if (mark.type !== 'color') return `<${tagName(mark)}>`
  const { text, background, written } = mark.data
  if (written !== undefined) return written
  return `<mark style="${text ? `color:${text};` : ''}${background ? `background-color:${background};` : ''}">`
}

/** Returns the content of an annotation as one fragment. */
export function joinAnnotationBodies({ fragments }: AnnotationInline): Fragment | undefined {
  const [body] = fragments
  return body && fragments.length > 1 ? { ...body, nodes: fragments.flatMap(({ nodes }) => nodes) } : body
}

/** Returns the text of a mention, derived from its destination: the anchor, or the name of the file or folder. */
export function mentionText(destination: string): string {
  const hash = destination.indexOf('#')
  if (hash !== -1 && hash < destination.length - 1) return destination.slice(hash)
  return destination.replace(/\/$/, '').split('/').at(-1) || '.'
}
