import type { AnchorInline, Block, HtmlInline, InlineNode } from './nodes.ts'

// HTML that a document keeps as it was written because it has no text of its own: comments, single tags, and elements
// whose content is never text. It is printed back in Markdown and shown nowhere.

const comment = /^<!--(?:>|->|(?:(?!-->)[^])*-->)$/
const openingTag =
  /^<([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z_:@][\w.:@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>$/
const closingTag = /^<\/([A-Za-z][A-Za-z0-9-]*)\s*>$/
const closedElement = /^<([A-Za-z]+)(?:\s[^>]*)?>[^]*<\/([A-Za-z]+)\s*>$/

/** Elements that are kept as a whole, because their content is not text. */
export const opaqueElements: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'template'])

export type RawHtml =
  | { kind: 'comment' }
  | { kind: 'open' | 'close'; name: string; hasAttributes: boolean }
  | { kind: 'element'; name: string }

/** What a piece of HTML is; undefined when it is none that a document can keep. */
export function readRawHtml(html: string): RawHtml | undefined {
  if (comment.test(html)) return { kind: 'comment' }
  const opening = openingTag.exec(html)
  // Without its end it would take what follows for its content.
  if (opening && opaqueElements.has(nameIn(opening)) && !html.endsWith('/>')) return undefined
  if (opening) return { kind: 'open', name: nameIn(opening), hasAttributes: opening[2] !== '' }
  const closing = closingTag.exec(html)
  if (closing) return { kind: 'close', name: nameIn(closing), hasAttributes: false }
  const whole = closedElement.exec(html)
  const name = whole && nameIn(whole)
  return name && opaqueElements.has(name) && name === whole[2]?.toLowerCase() ? { kind: 'element', name } : undefined
}

const nameIn = (match: RegExpExecArray): string => (match[1] as string).toLowerCase()

export const rawHtml = (html: string): HtmlInline => ({ data: { html }, isVoid: true, object: 'inline', type: 'html' })

export const anchor = (id: string): AnchorInline => ({ data: { id }, isVoid: true, object: 'inline', type: 'anchor' })

/** Elements that change how text looks and that pages show; they have no attributes there. */
const formattingElements: ReadonlySet<string> = new Set([
  'u',
  'ins',
  'small',
  'big',
  'q',
  'abbr',
  'cite',
  'dfn',
  'var',
  'samp',
])

/** Whether a piece of HTML is the tag of an element that only changes how text looks. */
export function isFormatting(html: string): boolean {
  const raw = readRawHtml(html)
  return (raw?.kind === 'open' || raw?.kind === 'close') && formattingElements.has(raw.name)
}

/** The tags among siblings that open and close formatting, with the name of their element. Tags without a partner are not in it. */
export function formattingTags(
  nodes: readonly InlineNode[],
): ReadonlyMap<InlineNode, { name: string; isOpen: boolean }> {
  const found = new Map<InlineNode, { name: string; isOpen: boolean }>()
  const open: { node: InlineNode; name: string }[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const node of nodes) {
    const raw = node.object === 'inline' && node.type === 'html' ? readRawHtml(node.data.html) : undefined
    if ((raw?.kind !== 'open' && raw?.kind !== 'close') || !formattingElements.has(raw.name)) continue
    const { name } = raw
    if (raw.kind === 'open') {
      open.push({ node, name })
      count(name, 1)
      continue
    }
    if (!counts.get(name)) continue
    // What was opened since then and is still open has no partner.
    for (let last = open.pop(); last; last = open.pop()) {
      count(last.name, -1)
      if (last.name !== name) continue
      found.set(last.node, { name, isOpen: true })
      found.set(node, { name, isOpen: false })
      break
    }
  }
  return found
}

const isBlank = (node: InlineNode) =>
  node.object === 'text' ? node.leaves.every(({ text }) => text.trim() === '') : isUnseen(node)

const isUnseen = (node: InlineNode) => node.object === 'inline' && (node.type === 'html' || node.type === 'anchor')

/** Whether a block is a paragraph that contains nothing to be seen but has HTML or anchors. */
export const isUnseenParagraph = (block: Block): boolean =>
  block.type === 'paragraph' && block.nodes.some(isUnseen) && block.nodes.every(isBlank)

/** Inlines without the HTML that is not to be shown. */
export const withoutHtml = (
  nodes: readonly InlineNode[],
  isShown: (html: string) => boolean = () => false,
): readonly InlineNode[] =>
  nodes.some((node) => isHidden(node, isShown)) ? nodes.filter((node) => !isHidden(node, isShown)) : nodes

const isHidden = (node: InlineNode, isShown: (html: string) => boolean) =>
  node.object === 'inline' && node.type === 'html' && !isShown(node.data.html)
