import { formattingElements } from './formatting-tags.ts'
import type { AnchorInline, Block, HtmlInline, InlineNode } from './nodes.ts'

// HTML that a document stores as written because it has no text of its own: comments, single tags, and elements whose
// content is never text. It is printed in Markdown; pages render only formatting tags.

const comment = /^<!--(?:>|->|(?:(?!-->)[^])*-->)$/
/** A tag of a template language, which also has no text. */
const templateTag = /^\{%(?:[^%{}\n]|%(?!\})|\{(?!%)|\}(?!\}))*%\}$/
/** A comment or a space of MDX, or a comment of Obsidian. */
const foreignComment = /^(?:\{\/\*[^]*\*\/\}|\{(?:' +'|" +")\}|%%[^]+%%)$/

/** Whether a text is a comment of another tool, or a space in braces. */
export const isForeignComment = (text: string): boolean => foreignComment.test(text)

const openingTag =
  /^<([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z_:@][\w.:@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>$/
const closingTag = /^<\/([A-Za-z][A-Za-z0-9-]*)\s*>$/
const closedElement = /^<([A-Za-z]+)(?:\s[^>]*)?>[^]*<\/([A-Za-z]+)\s*>$/

/** Elements that are stored as a whole, because their content is not text. */
export const opaqueElements: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'template'])

export type RawHtml =
  | { kind: 'comment' }
  | { kind: 'open' | 'close'; name: string; hasAttributes: boolean }
  | { kind: 'element'; name: string }

/** Classifies a piece of HTML; undefined if a document cannot store it. */
export function classifyHtml(html: string): RawHtml | undefined {
  if (comment.test(html) || templateTag.test(html) || isForeignComment(html)) return { kind: 'comment' }
  const opening = openingTag.exec(html)
  // Without its closing tag, the element would include the text that follows.
  if (opening && opaqueElements.has(elementNameOf(opening)) && !html.endsWith('/>')) return undefined
  if (opening) return { kind: 'open', name: elementNameOf(opening), hasAttributes: opening[2] !== '' }
  const closing = closingTag.exec(html)
  if (closing) return { kind: 'close', name: elementNameOf(closing), hasAttributes: false }
  const element = closedElement.exec(html)
  const name = element && elementNameOf(element)
  return name && opaqueElements.has(name) && name === element[2]?.toLowerCase() ? { kind: 'element', name } : undefined
}

const elementNameOf = (match: RegExpExecArray): string => (match[1] as string).toLowerCase()

export const createHtmlInline = (html: string): HtmlInline => ({
  data: { html },
  isVoid: true,
  object: 'inline',
  type: 'html',
})

export const createAnchorInline = (id: string): AnchorInline => ({
  data: { id },
  isVoid: true,
  object: 'inline',
  type: 'anchor',
})

const formattingNames: ReadonlySet<string> = new Set(formattingElements)

/** Whether a piece of HTML is the tag of an element that only formats text. */
export function isFormattingTag(html: string): boolean {
  const raw = classifyHtml(html)
  return (raw?.kind === 'open' || raw?.kind === 'close') && formattingNames.has(raw.name)
}

/** Returns the matching opening and closing formatting tags among siblings, with the name of their element. */
export function pairFormattingTags(
  nodes: readonly InlineNode[],
): ReadonlyMap<InlineNode, { name: string; isOpen: boolean }> {
  const found = new Map<InlineNode, { name: string; isOpen: boolean }>()
  const open: { node: InlineNode; name: string }[] = []
  const counts = new Map<string, number>()
  const adjustCount = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const node of nodes) {
    const raw = node.object === 'inline' && node.type === 'html' ? classifyHtml(node.data.html) : undefined
    if ((raw?.kind !== 'open' && raw?.kind !== 'close') || !formattingNames.has(raw.name)) continue
    const { name } = raw
    if (raw.kind === 'open') {
      open.push({ node, name })
      adjustCount(name, 1)
      continue
    }
    if (!counts.get(name)) continue
    // Tags that were opened later and are still open have no closing tag.
    for (let last = open.pop(); last; last = open.pop()) {
      adjustCount(last.name, -1)
      if (last.name !== name) continue
      found.set(last.node, { name, isOpen: true })
      found.set(node, { name, isOpen: false })
      break
    }
  }
  return found
}

const isBlank = (node: InlineNode) =>
  node.object === 'text' ? node.leaves.every(({ text }) => text.trim() === '') : isInvisible(node)

const isInvisible = (node: InlineNode) => node.object === 'inline' && (node.type === 'html' || node.type === 'anchor')

/** Whether a block is a paragraph without visible content that contains HTML or anchors. */
export const isInvisibleParagraph = (block: Block): boolean =>
  block.type === 'paragraph' && block.nodes.some(isInvisible) && block.nodes.every(isBlank)

/** Returns inlines without the HTML that is not rendered. */
export const withoutHtml = (
  nodes: readonly InlineNode[],
  isRendered: (html: string) => boolean = () => false,
): readonly InlineNode[] =>
  nodes.some((node) => isHidden(node, isRendered)) ? nodes.filter((node) => !isHidden(node, isRendered)) : nodes

const isHidden = (node: InlineNode, isRendered: (html: string) => boolean) =>
  node.object === 'inline' && node.type === 'html' && !isRendered(node.data.html)
