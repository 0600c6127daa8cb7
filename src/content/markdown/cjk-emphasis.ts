import type { Insertion } from './masked-text.ts'

// CommonMark ignores delimiters between punctuation and a letter, which is where Chinese, Japanese and Korean texts have them:
// `**注意：**请`. An empty comment between such delimiters and the letter makes the parser accept them.

/** Text that is inserted next to delimiters: punctuation for the parser, and no part of the text. */
export const delimiterEdge = '<!---->'

/** Kinds of nodes that contain no delimiters. */
const opaqueTypes: ReadonlySet<string> = new Set(
  'code html yaml math definition image imageReference footnoteReference inlineCode inlineMath thematicBreak'.split(
    ' ',
  ),
)

const delimiterRun = /\\[^]|\*+|~~+/g
const cjk =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/u
const punctuation = /[\p{P}\p{S}]/u
/** Whitespace as CommonMark defines it, which excludes a byte order mark. */
const blank = /[\t\n\f\r\p{Zs}]/u

export const firstCharacter = (text: string): string => /^./su.exec(text)?.[0] ?? ''
export const lastCharacter = (text: string): string => /.$/su.exec(text.slice(-2))?.[0] ?? ''
export const isBlank = (character: string): boolean => character === '' || blank.test(character)
export const isPunctuation = (character: string): boolean => punctuation.test(character)

/** Whether delimiters between punctuation and a letter are accepted because one of them is Chinese, Japanese or Korean. */
export const isCjkEdge = (one: string, other: string): boolean => cjk.test(one) || cjk.test(other)

interface Node {
  type: string
  children?: readonly Node[]
  position: { start: { offset: number }; end: { offset: number } }
}

/** Returns what to insert into a text so that its delimiters next to CJK characters are parsed as such. */
export function findCjkEdges(text: string, parse: () => object): Insertion[] {
  if (!cjk.test(text)) return []
  const found: Insertion[] = []
  const edges: { start: number; offset: number }[] = []
  for (const match of text.matchAll(delimiterRun)) {
    if (match[0].startsWith('\\')) continue
    const [start, end] = [match.index, match.index + match[0].length]
    const [before, after] = [lastCharacter(text.slice(Math.max(0, start - 2), start)), characterAt(text, end)]
    if (isBlank(before) || isBlank(after) || isPunctuation(before) === isPunctuation(after)) continue
    if (isCjkEdge(before, after)) edges.push({ start, offset: isPunctuation(before) ? end : start })
  }
  if (edges.length === 0) return found
  const opaque = opaqueRanges(parse() as Node)
  let next = 0
  for (const { start, offset } of edges) {
    while (next < opaque.length && (opaque[next] as Range).end <= start) next++
    if (!opaque[next] || (opaque[next] as Range).start > start) found.push({ offset, text: delimiterEdge })
  }
  return found
}

const characterAt = (text: string, at: number): string => firstCharacter(text.slice(at, at + 2))

interface Range {
  start: number
  end: number
}

/** Returns the ranges of code, HTML, images and destinations in order. */
function opaqueRanges(root: Node): Range[] {
  const ranges: Range[] = []
  const waiting: (Node | Range)[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!('type' in node)) {
      ranges.push(node)
      continue
    }
    const { type, children = [] } = node
    const [start, end] = [node.position.start.offset, node.position.end.offset]
    const last = children.at(-1)
    if (opaqueTypes.has(type)) ranges.push({ start, end })
    else if (type === 'link' || type === 'linkReference')
      waiting.push({ start: last?.position.end.offset ?? start, end })
    for (const child of children.toReversed()) waiting.push(child)
  }
  return ranges
}
