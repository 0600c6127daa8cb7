import { canonicalJson } from './canonical-json.ts'
import { InlineBuilder } from './build.ts'
import { hashText } from './hash.ts'
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
  wrapperKey: string
}

const unspacedScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}'
const wordPattern = new RegExp(`[${unspacedScripts}]|(?:(?![${unspacedScripts}])[\\p{L}\\p{N}\\p{M}_])+|\\s+|[^]`, 'gu')

/** Splits a text into words, spaces and single characters, which together are the text. */
export function splitWords(text: string): string[] {
  return text.match(wordPattern) ?? []
}

export function tokenizeInlines(nodes: readonly InlineNode[]): InlineToken[] {
  const tokens: InlineToken[] = []
  addTokens(nodes, [], '', tokens)
  return tokens
}

function addTokens(
  nodes: readonly InlineNode[],
  wrappers: readonly Wrapper[],
  wrapperKey: string,
  tokens: InlineToken[],
): void {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves) {
        for (const word of splitWords(text)) tokens.push({ text: word, marks, wrappers, wrapperKey })
      }
    } else if ((node.type === 'link' || node.type === 'annotation') && node.nodes.length > 0) {
      addTokens(node.nodes, [...wrappers, node], wrapperKey + wrapperKeyOf(node), tokens)
    } else {
      tokens.push({
        text: `\uFFFC${canonicalJson(withoutKeyAndMeta(node))}`,
        element: node,
        marks: [],
        wrappers,
        wrapperKey,
      })
    }
  }
}

const wrapperKeyCache = new WeakMap<Wrapper, string>()

/**
 * Maximum length of a wrapper's text. Every word repeats it, so a longer one is represented by its beginning, its
 * length and its hash.
 */
const maxWrapperKeyLength = 200

function wrapperKeyOf(node: Wrapper): string {
  const cached = wrapperKeyCache.get(node)
  if (cached !== undefined) return cached
  const { nodes: _, ...rest } = withoutKeyAndMeta(node) as Wrapper
  const full = canonicalJson(rest)
  const text =
    full.length > maxWrapperKeyLength ? `${full.slice(0, maxWrapperKeyLength)}${full.length}${hashText(full)}` : full
  wrapperKeyCache.set(node, text)
  return text
}

function withoutKeyAndMeta(element: InlineElement): Partial<InlineElement> {
  const { key: _, meta: __, ...rest } = element
  return rest
}

export function marksKey(marks: readonly Mark[]): string {
  return marks.map((mark) => (mark.type === 'color' ? canonicalJson(mark.data) : mark.type)).join()
}

/** Returns a token as a string, with its marks and wrappers. */
export function tokenKey({ text, marks, wrapperKey }: InlineToken): string {
  return marks.length === 0 && wrapperKey === '' ? text : `${text}\0${marksKey(marks)}\0${wrapperKey}`
}

export function joinTokens(tokens: readonly InlineToken[]): InlineNode[] {
  return buildInlines(tokens, 0)
}

function buildInlines(tokens: readonly InlineToken[], depth: number): InlineNode[] {
  const builder = new InlineBuilder()
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as InlineToken
    const wrapper = token.wrappers[depth]
    if (!wrapper) {
      if (token.element) builder.addElement(token.element)
      else builder.addText(token.text, token.marks)
      at++
      continue
    }
    const key = wrapperKeyOf(wrapper)
    const from = at
    while (at < tokens.length && isInWrapper(tokens[at] as InlineToken, depth, wrapper, key)) at++
    builder.addElement({ ...wrapper, nodes: buildInlines(tokens.slice(from, at), depth + 1) })
  }
  return builder.build()
}

function isInWrapper(token: InlineToken, depth: number, wrapper: Wrapper, key: string): boolean {
  const own = token.wrappers[depth]
  return own !== undefined && (own === wrapper || wrapperKeyOf(own) === key)
}
