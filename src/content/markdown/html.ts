// A reader for the HTML that stands in Markdown files: fragments that people and exporters write, not documents.
// It keeps offsets, so that whatever is not understood can be kept as it was written.

export interface HtmlElement {
  type: 'element'
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly HtmlNode[]
  start: number
  end: number
  /** Where the content begins and ends. */
  innerStart: number
  innerEnd: number
}

export interface HtmlText {
  type: 'text'
  /** With character references decoded. */
  value: string
  start: number
  end: number
}

export type HtmlNode = HtmlElement | HtmlText

const voidElements = new Set(['img', 'br', 'hr', 'source', 'input', 'col', 'wbr', 'meta', 'link'])

const tagPattern =
  /<(?:!--|(\/)?([A-Za-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*(\/)?>)/g

/** The nodes of a fragment, or undefined when its elements do not close where they should. */
export function parseHtml(html: string): HtmlNode[] | undefined {
  const root: OpenElement = { name: '', attributes: {}, children: [], start: 0, innerStart: 0 }
  const stack = [root]
  let at = 0
  const addText = (end: number) => {
    if (end > at) top(stack).children.push({ type: 'text', value: decodeEntities(html.slice(at, end)), start: at, end })
  }
  for (const match of html.matchAll(tagPattern)) {
    const [whole, closing, rawName, rawAttributes, selfClosing] = match
    const start = match.index
    // Inside a comment.
    if (start < at) continue
    if (rawName === undefined) {
      const commentEnd = html.indexOf('-->', start + whole.length)
      if (commentEnd === -1) break
      addText(start)
      at = commentEnd + '-->'.length
      continue
    }
    addText(start)
    at = start + whole.length
    const name = rawName.toLowerCase()
    if (closing) {
      const open = stack.pop() as OpenElement
      if (open === root || open.name !== name) return undefined
      top(stack).children.push(closed(open, start, at))
      continue
    }
    const element: OpenElement = {
      name,
      attributes: readAttributes(rawAttributes ?? ''),
      children: [],
      start,
      innerStart: at,
    }
    if (selfClosing || voidElements.has(name)) top(stack).children.push(closed(element, at, at))
    else stack.push(element)
    if (stack.length > maxDepth) return undefined
  }
  addText(html.length)
  return stack.length === 1 ? root.children : undefined
}

/** Deeper than anyone writes: a table in a table is four levels deeper. */
const maxDepth = 250

interface OpenElement {
  name: string
  attributes: Record<string, string>
  children: HtmlNode[]
  start: number
  innerStart: number
}

function closed(open: OpenElement, innerEnd: number, end: number): HtmlElement {
  return { type: 'element', ...open, innerEnd, end }
}

function top(stack: OpenElement[]): OpenElement {
  return stack[stack.length - 1] as OpenElement
}

/** One tag, when a text is just that: `<mark style="…">`, `</mark>`, `<br>`. */
export interface HtmlTag {
  name: string
  kind: 'open' | 'close' | 'void'
  attributes: Readonly<Record<string, string>>
}

export function readHtmlTag(text: string): HtmlTag | undefined {
  const [match] = text.matchAll(tagPattern)
  if (!match || match[0] !== text || match[2] === undefined) return undefined
  const [, closing, rawName, rawAttributes, selfClosing] = match
  const name = rawName.toLowerCase()
  const kind = closing ? 'close' : selfClosing || voidElements.has(name) ? 'void' : 'open'
  return { name, kind, attributes: readAttributes(rawAttributes ?? '') }
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(attributesOf(text).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The attributes of an opening tag by their names as written. */
export function writtenAttributes(tag: string): Map<string, string> {
  const [match] = tag.matchAll(tagPattern)
  return new Map(attributesOf(match?.[3] ?? ''))
}

function attributesOf(text: string): [name: string, value: string][] {
  const attributes: [string, string][] = []
  for (const [, name, double, single, bare] of text.matchAll(
    /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g,
  )) {
    attributes.push([name as string, decodeEntities(double ?? single ?? bare ?? '')])
  }
  return attributes
}

const namedEntities = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    mdash: '—',
    ndash: '–',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    middot: '·',
    times: '×',
    rarr: '→',
    larr: '←',
  }),
)

/** Decodes character references once; what is none is kept. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return namedEntities.get(name) ?? whole
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : whole
    },
  )
}

/** A text as it stands in HTML, on one line: an empty one would end the HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&#x26;').replace(/</g, '&#x3C;').replace(/\n/g, '&#x0A;').replace(/\r/g, '&#x0D;')
}

/** A value as it stands in a double-quoted attribute. */
export function escapeAttribute(text: string): string {
  return escapeHtml(text).replace(/"/g, '&#x22;').replace(/'/g, '&#x27;')
}

const blockElements =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
const blockStart = new RegExp(
  `^ {0,3}<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--|\\?|![A-Za-z]|!\\[CDATA\\[|/?(?:${blockElements})(?:[\\s>]|/>|$))`,
  'i',
)

/** Whether a Markdown parser reads a line of a paragraph as the beginning of an HTML block. */
export const beginsHtmlBlock = (line: string): boolean => blockStart.test(line)

/** The text inside nodes, without their markup. */
export function textOf(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.name === 'br' ? '\n' : textOf(node.children)))
    .join('')
}
