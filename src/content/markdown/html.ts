import { opaqueElements } from '../document/raw-html.ts'
import { namedCharacters } from './character-names.ts'

// A parser for the HTML in Markdown files, which consists of fragments written by people and exporters, not of documents. It
// records offsets so that anything it does not understand can be kept as written.

export interface HtmlElement {
  type: 'element'
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly HtmlNode[]
  start: number
  end: number
  /** Offsets at which the content starts and ends. */
  innerStart: number
  innerEnd: number
}

export interface HtmlText {
  type: 'text'
  /** Text with decoded character references. */
  value: string
  start: number
  end: number
}

/** A comment, an unclosed tag, a closing tag without an opening one, or an element whose content is not text. */
export interface HtmlRaw {
  type: 'raw'
  /** The tag, unless the node is a comment or a whole element. */
  tag?: HtmlTag
  start: number
  end: number
}

export type HtmlNode = HtmlElement | HtmlText | HtmlRaw

export const isNonBlankText = (node: HtmlNode): boolean => node.type === 'text' && node.value.trim() !== ''

/** Elements that end the paragraph in which they start. */
const paragraphEnds: ReadonlySet<string> = new Set(
  'p ul ol table pre blockquote h1 h2 h3 h4 h5 h6 hr details'.split(' '),
)

export const isBlockElement = (node: HtmlNode): boolean => node.type === 'element' && paragraphEnds.has(node.name)

const voidElements = new Set(['img', 'br', 'hr', 'source', 'input', 'col', 'wbr', 'meta', 'link'])

const knownElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button ' +
    'canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset ' +
    'figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins ' +
    'kbd label legend li link main map mark marquee menu meta meter nav nobr noframes noscript object ol optgroup option ' +
    'output p param picture pre progress q rp rt ruby s samp script section select small source span strike strong style ' +
    'sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr'
  ).split(' '),
)

/** Elements whose names are also used as placeholders: `<title>`, `<address>`. */
const ambiguousElements: ReadonlySet<string> = new Set(
  (
    'a address applet area article aside audio base body button canvas caption cite code col data datalist dialog dir embed ' +
    'fieldset figure footer form frame head header html input label legend link main map mark menu meta meter nav object ' +
    'option output param picture progress q s search section select source summary table template time title track var video'
  ).split(' '),
)

/** Whether a name is that of an element of HTML, in any case. */
export const isElementName = (name: string): boolean => knownElements.has(name.toLowerCase())

/** Whether a tag is HTML, not a placeholder such as `<name>`; `isPaired` if it opens or closes an element. */
export function isHtmlTag({ name, kind, attributes, isComponent }: HtmlTag, isPaired: boolean): boolean {
  if (!knownElements.has(name)) return isComponent === true && (isPaired || kind === 'void')
  if (isPaired || kind === 'close' || !ambiguousElements.has(name)) return true
  return Object.keys(attributes).length > 0
}

/** Whether a tag is always HTML, never a placeholder. */
export const isUnambiguousTag = ({ name }: Pick<HtmlTag, 'name'>): boolean =>
  knownElements.has(name) && !ambiguousElements.has(name)

const tagPattern =
  /<(?:!--|(\/)?([A-Za-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*(\/)?>)/g

/** Matches the first tag only: `matchAll` copies the expression, which takes longer than matching a short text. */
const firstTagPattern = new RegExp(tagPattern.source)

/** A tag or comment with its offsets and its closing tag. */
interface HtmlToken {
  tag: HtmlTag | undefined
  start: number
  end: number
  close?: HtmlToken
}

/**
 * Parses a fragment. An element that is not closed where it should be becomes a node without content. A tag that could be a
 * placeholder is text unless it is closed or `isTag` returns true for it.
 */
export function parseHtml(
  html: string,
  isTag: (tag: HtmlTag, start: number, end: number) => boolean = alwaysFalse,
): HtmlNode[] {
  const root: HtmlNode[] = []
  const open: { token: HtmlToken; children: HtmlNode[] }[] = []
  const children = () => open.at(-1)?.children ?? root
  let at = 0
  const addText = (end: number) => {
    if (end > at) children().push({ type: 'text', value: decodeEntities(html.slice(at, end)), start: at, end })
  }
  for (const token of pairHtmlTokens(html)) {
    const { tag, start, end, close } = token
    const around = open.at(-1)
    const isClosing = around !== undefined && around.token.close === token
    const isText = !isClosing && tag && !isHtmlTag(tag, close !== undefined) && !isTag(tag, start, end)
    if (isText) continue
    addText(start)
    at = end
    if (isClosing && around) {
      open.pop()
      children().push(elementOf(around.token, around.children, start, end))
    } else if (close) open.push({ token, children: [] })
    else if (tag?.kind === 'void') children().push(elementOf(token, [], end, end))
    else children().push({ type: 'raw', ...(tag && { tag }), start, end })
  }
  addText(html.length)
  return root
}

const alwaysFalse = () => false

function elementOf(
  { tag, start, end }: HtmlToken,
  children: readonly HtmlNode[],
  innerEnd: number,
  closeEnd: number,
): HtmlElement {
  const { name, attributes } = tag as HtmlTag
  return { type: 'element', name, attributes, children, start, end: closeEnd, innerStart: end, innerEnd }
}

/** Maximum nesting depth of elements; a table in a table adds four levels. */
const maxDepth = 250

/** Returns the tags and comments of a fragment in order, with opening and closing tags paired up to the maximum depth. */
function pairHtmlTokens(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = []
  const open: HtmlToken[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const token of tokenizeHtml(html)) {
    tokens.push(token)
    const { tag } = token
    if (tag?.kind === 'open' && knownElements.has(tag.name)) {
      open.push(token)
      count(tag.name, 1)
    }
    // Searching all open elements for each closing tag without an opening one would take quadratic time.
    if (tag?.kind !== 'close' || !counts.get(tag.name)) continue
    for (let last = open.pop(); last; last = open.pop()) {
      const name = last.tag?.name ?? ''
      count(name, -1)
      if (name !== tag.name) continue
      if (open.length < maxDepth) last.close = token
      break
    }
  }
  return tokens
}

function* tokenizeHtml(html: string): Generator<HtmlToken> {
  const find = createFinder(html)
  let at = 0
  for (const match of html.matchAll(tagPattern)) {
    const [whole, , name] = match
    const start = match.index
    // This match is inside a comment or a script.
    if (start < at) continue
    if (name === undefined) {
      const end = find('-->', start + whole.length)
      if (end === undefined) continue
      at = end
      yield { tag: undefined, start, end }
      continue
    }
    const tag = toHtmlTag(match)
    const end = start + whole.length
    const closeEnd = tag.kind === 'open' && opaqueElements.has(tag.name) ? find(`</${tag.name}>`, end) : undefined
    at = closeEnd ?? end
    yield { tag: closeEnd === undefined ? tag : undefined, start, end: at }
  }
}

/**
 * Returns a function that finds the end of the next occurrence of a text, ignoring case; a text that was not found is not
 * searched for again.
 */
function createFinder(html: string): (text: string, from: number) => number | undefined {
  const missing = new Set<string>()
  let lower: string | undefined
  return (text, from) => {
    if (missing.has(text)) return undefined
    lower ??= html.toLowerCase()
    // Some characters change their length when converted to lower case.
    const found = lower.length === html.length ? lower.indexOf(text, from) : html.indexOf(text, from)
    if (found === -1) missing.add(text)
    return found === -1 ? undefined : found + text.length
  }
}

/** A single HTML tag: `<mark style="…">`, `</mark>`, `<br>`. */
export interface HtmlTag {
  name: string
  kind: 'open' | 'close' | 'void'
  attributes: Readonly<Record<string, string>>
  /** Whether the name is that of a component: `<Tooltip>`, `<x-tooltip>`. */
  isComponent?: true
}

export function readHtmlTag(text: string): HtmlTag | undefined {
  const match = firstTagPattern.exec(text)
  if (!match || match[0] !== text || match[2] === undefined) return undefined
  return toHtmlTag(match)
}

function toHtmlTag([, closing, rawName = '', rawAttributes = '', selfClosing]: RegExpExecArray): HtmlTag {
  const name = rawName.toLowerCase()
  const kind = closing ? 'close' : selfClosing || voidElements.has(name) ? 'void' : 'open'
  const isComponent = /^[A-Z]|-/.test(rawName) && !knownElements.has(name)
  return { name, kind, attributes: readAttributes(rawAttributes), ...(isComponent && { isComponent }) }
}

function readAttributes(text: string): Record<string, string> {
  if (text === '') return {}
  return Object.fromEntries(readAttributePairs(text).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Returns the attributes of an opening tag by their names as written. */
export function readOriginalAttributes(tag: string): Map<string, string> {
  const match = firstTagPattern.exec(tag)
  return new Map(readAttributePairs(match?.[3] ?? ''))
}

function readAttributePairs(text: string): [name: string, value: string][] {
  const attributes: [string, string][] = []
  for (const [, name, double, single, bare] of text.matchAll(
    /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g,
  )) {
    attributes.push([name as string, decodeEntities(double ?? single ?? bare ?? '')])
  }
  return attributes
}

const isSpace = (character: string | undefined) => character !== undefined && ' \t\r\n\f'.includes(character)

/** Removes whitespace at the edges of a text; other blanks, such as those of `&nbsp;`, are part of it. */
export function trimHtml(text: string, edges: { start: boolean; end: boolean } = { start: true, end: true }): string {
  let [start, end] = [0, text.length]
  if (edges.start) while (start < end && isSpace(text[start])) start++
  if (edges.end) while (end > start && isSpace(text[end - 1])) end--
  return text.slice(start, end)
}

/** Decodes character references once; unknown ones are kept. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return namedCharacters.get(name) ?? whole
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : whole
    },
  )
}

/** Escapes a text for HTML on one line: an empty line would end the HTML block. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&#x26;').replace(/</g, '&#x3C;').replace(/\n/g, '&#x0A;').replace(/\r/g, '&#x0D;')
}

/** Escapes a value for a double-quoted attribute. */
export function escapeAttribute(text: string): string {
  return escapeHtml(text).replace(/"/g, '&#x22;').replace(/'/g, '&#x27;')
}

const blockElements =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
const elementStart = new RegExp(`^ {0,3}</?(?:${blockElements})(?:[\\s>]|/>|$)`, 'i')
const rawStart = /^ {0,3}<(?:(?:script|pre|style|textarea)(?:[\s>]|$)|!--|\?|![A-Za-z]|!\[CDATA\[)/i

/** Whether a Markdown parser treats a line of a paragraph as the start of an HTML block. */
export const beginsHtmlBlock = (line: string): boolean => rawStart.test(line) || elementStart.test(line)

/** Whether a Markdown parser treats a line as the start of an HTML block that only an empty line ends. */
export const beginsElementBlock = (line: string): boolean => elementStart.test(line)

/** Returns the text of nodes without markup. */
export function extractHtmlText(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'raw') return ''
      return node.type === 'text' ? node.value : node.name === 'br' ? '\n' : extractHtmlText(node.children)
    })
    .join('')
}
