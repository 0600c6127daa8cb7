import { addMark, leaf, mark, paragraph } from '../content/document/build.ts'
import type { Block, Expandable, HintStyle, InlineNode, ListItem, TabsItem } from '../content/document/nodes.ts'
import { plainText } from '../content/document/text.ts'

// Constructors of blocks for reading web pages.

export const textInline = (words: string, ...marks: Parameters<typeof mark>[0][]): InlineNode => ({
  object: 'text',
  leaves: [leaf(words, marks.map(mark))],
})

export const boldParagraph = (nodes: readonly InlineNode[]) => paragraph(nodes.map(bold))

function bold(node: InlineNode): InlineNode {
  if (node.object !== 'text') return node.type === 'link' ? { ...node, nodes: node.nodes.map(bold) } : node
  const leaves = node.leaves.map((one) => leaf(one.text, addMark(one.marks, mark('bold'))))
  return { ...node, leaves }
}

const hintStyles: Readonly<Record<string, HintStyle>> = {
  tip: 'success',
  success: 'success',
  hint: 'success',
  check: 'success',
  done: 'success',
  warning: 'warning',
  caution: 'warning',
  attention: 'warning',
  important: 'warning',
  deprecated: 'warning',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  fail: 'danger',
  missing: 'danger',
  bug: 'danger',
}

/** Returns the hint style that is most similar to a kind of callout. */
export const hintStyleOf = (kind: string): HintStyle => hintStyles[kind.toLowerCase()] ?? 'info'

const normalizeText = (words: string) => words.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Builds a hint; a title that only repeats the kind is omitted. */
export function hint(
  kind: string,
  title: readonly InlineNode[],
  nodes: readonly Block[],
  style = hintStyleOf(kind),
): Block {
  const normalizedTitle = normalizeText(plainText(title))
  const hasOwnTitle = title.length > 0 && normalizedTitle !== normalizeText(kind)
  return {
    object: 'block',
    type: 'hint',
    data: { style },
    nodes: hasOwnTitle ? [boldParagraph(title), ...nodes] : nodes,
  }
}

export function tabs(items: readonly { title: string; nodes: readonly Block[] }[]): Block {
  const nodes = items.map(({ title, nodes: inner }): TabsItem => ({
    object: 'block',
    type: 'tabs-item',
    ...(title !== '' && { data: { title } }),
    nodes: inner,
  }))
  return { object: 'block', type: 'tabs', nodes }
}

export const stepper = (steps: readonly (readonly Block[])[]): Block => ({
  object: 'block',
  type: 'stepper',
  nodes: steps.map((nodes) => ({ object: 'block', type: 'stepper-step', nodes })),
})

export const expandable = (title: readonly InlineNode[], body: readonly Block[], isOpen: boolean): Expandable => ({
  object: 'block',
  type: 'expandable',
  isVoid: true,
  data: isOpen ? { defaultExpanded: true } : {},
  fragments: [
    { object: 'fragment', type: 'expandable-title', nodes: [paragraph(title)] },
    { object: 'fragment', type: 'expandable-body', nodes: body },
  ],
})

export const embed = (url: string): Block => ({ object: 'block', type: 'embed', isVoid: true, data: { url } })

export const divider: Block = { object: 'block', type: 'divider', isVoid: true, data: {} }

export const mathBlock = (formula: string): Block => ({
  object: 'block',
  type: 'math',
  isVoid: true,
  data: { formula },
})

export const listItem = (nodes: readonly Block[]): ListItem => ({ object: 'block', type: 'list-item', nodes })

export const bulletList = (nodes: readonly ListItem[]): Block => ({ object: 'block', type: 'list-unordered', nodes })
