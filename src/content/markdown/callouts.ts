import type { HintStyle } from '../document/nodes.ts'
import { readDirectiveStyle } from './directives.ts'
import {
  type BlockContent,
  type DefinitionContent,
  type MdBlockquote,
  type PhrasingContent,
  endOffset,
  startOffset,
} from './mdast.ts'

// Callouts are quotes of which the first line is their kind and title: `> [!NOTE]`, `> [!tip]- Title`, and `> 📘 Title`.

interface Callout {
  style: HintStyle
  /** Set if the callout can be folded. */
  fold: 'open' | 'closed' | undefined
  /** The inlines of the title, which may be empty, and the title of a callout that has none. */
  title: readonly PhrasingContent[]
  usualTitle: string
  children: readonly (BlockContent | DefinitionContent)[]
}

/** Styles of alerts on GitHub, where they differ from those of directives, and of the callouts of Obsidian. */
const calloutStyles: ReadonlyMap<string, HintStyle> = new Map<string, HintStyle>([
  ['caution', 'danger'],
  ['fail', 'danger'],
  ['missing', 'danger'],
  ['help', 'warning'],
  ['faq', 'warning'],
])

/** Emojis with which callouts of README.io start. */
const emojiStyles: readonly (readonly [string, HintStyle])[] = [
  ['📘', 'info'],
  ['👍', 'success'],
  ['🚧', 'warning'],
  ['❗', 'danger'],
]

const kindPattern = /^\[!([A-Za-z][\w-]*)(?:\|[^[\]\n]*)?\]([+-]?)(?=[ \t\r\n]|$)[ \t]*/
const emojiPattern = /^(📘|👍|🚧|❗)\ufe0f?(?=[ \t\r\n]|$)[ \t]*/u

/** Reads a quote that is a callout. */
export function readCallout(quote: MdBlockquote, source: string): Callout | undefined {
  const [first, ...others] = quote.children
  const [text] = first?.type === 'paragraph' ? first.children : []
  if (first?.type !== 'paragraph' || text?.type !== 'text') return undefined
  const match = kindPattern.exec(text.value) ?? emojiPattern.exec(text.value)
  // A bracket with a backslash before it is text.
  if (!match || !source.startsWith(match[0].trimEnd(), startOffset(text))) return undefined
  const [written, kind = '', fold] = match
  const { title, rest } = splitLine(written.length, first.children, source)
  const [start] = rest
  const position = { start: { offset: start ? startOffset(start) : 0 }, end: { offset: endOffset(first) } }
  const children = start ? [{ ...first, children: [...rest], position } as unknown as BlockContent, ...others] : others
  const name = kind.toLowerCase()
  const style =
    emojiStyles.find(([emoji]) => emoji === kind)?.[1] ?? calloutStyles.get(name) ?? readDirectiveStyle(name)
  return {
    style,
    fold: fold === '-' ? 'closed' : fold === '+' ? 'open' : undefined,
    title,
    usualTitle: kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase(),
    children,
  }
}

/** Splits inlines behind a number of characters into the rest of the first line and the following lines. */
function splitLine(
  length: number,
  [first, ...others]: readonly PhrasingContent[],
  source: string,
): { title: readonly PhrasingContent[]; rest: readonly PhrasingContent[] } {
  const nodes = [cut(first as TextNode, length, source), ...others]
  const title: PhrasingContent[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'break') return { title, rest: nodes.slice(index + 1) }
    const end = node.type === 'text' ? node.value.indexOf('\n') : -1
    if (node.type === 'text' && end !== -1) {
      const value = node.value.slice(0, end).trimEnd()
      if (value !== '') title.push({ ...node, value })
      const next = cut(node, end + 1, source)
      return { title, rest: next.value === '' ? nodes.slice(index + 1) : [next, ...nodes.slice(index + 1)] }
    }
    if (node.type !== 'text' || node.value !== '') title.push(node)
  }
  return { title, rest: [] }
}

type TextNode = Extract<PhrasingContent, { type: 'text' }>

/** Returns a text without characters at its start, of which the last one may be a line break. */
function cut(node: TextNode, length: number, source: string): TextNode {
  const start = startOffset(node)
  let offset = start + length
  if (node.value[length - 1] === '\n') {
    offset = source.indexOf('\n', start) + 1
    while (source[offset] === ' ' || source[offset] === '\t' || source[offset] === '>') offset++
  }
  const position = { start: { offset }, end: { offset: endOffset(node) } }
  return { ...node, value: node.value.slice(length), position } as unknown as TextNode
}

/** Escapes the first line of a quote that would be parsed as a callout. */
export function escapeCallout(markdown: string): string {
  const emoji = emojiPattern.exec(markdown)?.[1]
  if (emoji !== undefined) return `&#x${emoji.codePointAt(0)?.toString(16)};${markdown.slice(emoji.length)}`
  return kindPattern.test(markdown) ? `\\${markdown}` : markdown
}
