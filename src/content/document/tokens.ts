import { canonical } from './canonical.ts'
import { InlineBuilder } from './build.ts'
import { hashOf } from './hash.ts'
import type { AnnotationInline, InlineElement, InlineNode, LinkInline, Mark } from './nodes.ts'

// Inlines as a flat sequence of words. Each word contains its marks, links and annotations, so that any sequence of
// words can be converted to valid inlines.

export type Wrapper = LinkInline | AnnotationInline

export interface InlineToken {
  /** Content of the token without marks and wrappers. */
  text: string
  /** Element, if the token is not a word. */
  element?: InlineElement
  marks: readonly Mark[]
  /** Links and annotations around the token, from the outermost to the innermost. */
  wrappers: readonly Wrapper[]
  /** String that is equal for equal wrappers. */
  wrapped: string
}

const withoutSpaces = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}'
const pieces = new RegExp(`[${withoutSpaces}]|(?:(?![${withoutSpaces}])[\\p{L}\\p{N}\\p{M}_])+|\\s+|[^]`, 'gu')

/** Splits a text into words, spaces and single characters, which together are the text. */
export function splitWords(text: string): string[] {
  return text.match(pieces) ?? []
}

export function tokensOf(nodes: readonly InlineNode[]): InlineToken[] {
  const tokens: InlineToken[] = []
  addTokens(nodes, [], '', tokens)
  return tokens
}

function addTokens(
  nodes: readonly InlineNode[],
  wrappers: readonly Wrapper[],
  wrapped: string,
  tokens: InlineToken[],
): void {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves) {
        for (const word of splitWords(text)) tokens.push({ text: word, marks, wrappers, wrapped })
      }
    } else if ((node.type === 'link' || node.type === 'annotation') && node.nodes.length > 0) {
      addTokens(node.nodes, [...wrappers, node], wrapped + wrapperText(node), tokens)
    } else {
      tokens.push({ text: `\uFFFC${canonical(withoutNames(node))}`, element: node, marks: [], wrappers, wrapped })
    }
  }
}

const wrapperTexts = new WeakMap<Wrapper, string>()

/**
 * Maximum length of a wrapper's text. Every word repeats it, so a longer one is represented by its beginning, its
 * length and its hash.
 */
const maxWrapperText = 200

function wrapperText(node: Wrapper): string {
  const known = wrapperTexts.get(node)
  if (known !== undefined) return known
  const { nodes: _, ...rest } = withoutNames(node) as Wrapper
  const full = canonical(rest)
  const text = full.length > maxWrapperText ? `${full.slice(0, maxWrapperText)}${full.length}${hashOf(full)}` : full
  wrapperTexts.set(node, text)
  return text
}

function withoutNames(element: InlineElement): Partial<InlineElement> {
  const { key: _, meta: __, ...rest } = element
  return rest
}

export function marksText(marks: readonly Mark[]): string {
  return marks.map((mark) => (mark.type === 'color' ? canonical(mark.data) : mark.type)).join()
}

/** Returns a token as a string, with its marks and wrappers. */
export function tokenText({ text, marks, wrapped }: InlineToken): string {
  return marks.length === 0 && wrapped === '' ? text : `${text}\0${marksText(marks)}\0${wrapped}`
}

export function joinTokens(tokens: readonly InlineToken[]): InlineNode[] {
  return build(tokens, 0)
}

function build(tokens: readonly InlineToken[], depth: number): InlineNode[] {
  const builder = new InlineBuilder()
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as InlineToken
    const wrapper = token.wrappers[depth]
    if (!wrapper) {
      if (token.element) builder.element(token.element)
      else builder.text(token.text, token.marks)
      at++
      continue
    }
    const name = wrapperText(wrapper)
    const from = at
    while (at < tokens.length && isIn(tokens[at] as InlineToken, depth, wrapper, name)) at++
    builder.element({ ...wrapper, nodes: build(tokens.slice(from, at), depth + 1) })
  }
  return builder.build()
}

function isIn(token: InlineToken, depth: number, wrapper: Wrapper, name: string): boolean {
  const own = token.wrappers[depth]
  return own !== undefined && (own === wrapper || wrapperText(own) === name)
}
