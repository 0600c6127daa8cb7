import { isElementName } from './html.ts'
import { type Root, startOffset, endOffset } from './mdast.ts'
import { findRangesBetween } from './ranges.ts'
import type { References } from './references.ts'
import { closesFence, fenceStart } from './tags.ts'

// Notations that the Markdown parser would read as text or that would cut texts: comments of MDX and Obsidian, attributes of JSX, and
// expressions of template languages in destinations. The parser reads other characters of the same number instead of them.

export interface ForeignSpan {
  kind: 'hidden' | 'space' | 'nothing' | 'attribute' | 'destination'
  start: number
  end: number
  /** What the parser reads instead. */
  mask: string
}

// A destination is searched only behind characters that it cannot contain, so that each character is read once.
const mayHaveSpans =
  /\{\/\*|\{['"] +['"]\}|=\{|\{\.\.\.|%%|(?:\]\(|^[ \t>]*\[[^\]\n]{1,200}\]:)[ \t]*[^\s()<>"']*\{[{%]/m

/** Whether a text may contain one of these notations. */
export const mayHaveForeignSpans = (text: string): boolean => mayHaveSpans.test(text)

/** Maximum number of characters read for tags that are not closed, per character of the text. */
const maxRescansPerCharacter = 10

/** Finds the notations outside of fenced code. Those in other code are found, too. */
export function findForeignSpans(source: string): ForeignSpan[] {
  if (!mayHaveSpans.test(source)) return []
  const budget = { left: 100_000 + maxRescansPerCharacter * source.length }
  return textsOutsideFences(source).flatMap(({ start, text }) => {
    if (!mayHaveSpans.test(text)) return []
    const spans = [...findComments(text), ...findAttributes(text, budget), ...findDestinations(text)]
    const found: ForeignSpan[] = []
    for (const span of spans.sort((one, other) => one.start - other.start)) {
      if (span.start < (found.at(-1)?.end ?? 0) || text[span.start - 1] === '\\') continue
      found.push(span)
    }
    return found.map((span) => ({ ...span, start: span.start + start, end: span.end + start }))
  })
}

function textsOutsideFences(source: string): { start: number; text: string }[] {
  if (!/`{3}|~{3}/.test(source)) return [{ start: 0, text: source }]
  const texts: { start: number; text: string }[] = []
  let fence: string | undefined
  let from = 0
  for (let start = 0; start < source.length;) {
    const newline = source.indexOf('\n', start)
    const end = newline === -1 ? source.length : newline
    const line = source.slice(start, end)
    if (fence === undefined) {
      fence = fenceStart.exec(line)?.[1]
      if (fence !== undefined) texts.push({ start: from, text: source.slice(from, start) })
    } else if (closesFence(line, fence)) fence = undefined
    start = end + 1
    if (fence !== undefined) from = start
  }
  if (fence === undefined) texts.push({ start: from, text: source.slice(from) })
  return texts
}

const masked = (
  kind: ForeignSpan['kind'],
  start: number,
  end: number,
  toMask: (written: string) => string,
  text: string,
): ForeignSpan => ({ kind, start, end, mask: toMask(text.slice(start, end)) })

const hide = (text: string) => text.replace(/[^\r\n]/g, 'x')

const emptyString = /\{(?:' +'|" +")\}/g

/** A comment with the id of a heading. */
const headingId = /^\{\/\*[ \t]*#\S/

/** Finds comments and spaces in braces. */
function findComments(text: string): ForeignSpan[] {
  const spans: ForeignSpan[] = []
  const add = (kind: ForeignSpan['kind'], start: number, end: number) => {
    const mask = toElementMask(text, start, end)
    if (mask !== undefined) spans.push({ kind, start, end, mask })
  }
  for (let at = text.indexOf('{/*'); at !== -1;) {
    const close = text.indexOf('*/}', at + 3)
    if (close === -1) break
    if (!headingId.test(text.slice(at, close + 3))) add('hidden', at, close + 3)
    at = text.indexOf('{/*', close + 3)
  }
  for (const { index, 0: written } of text.matchAll(emptyString)) {
    const end = index + written.length
    // At the edge of a line, a space has no effect.
    const isAtEdge =
      /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 100)) ||
      /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, index - 100), index))
    add(isAtEdge ? 'nothing' : 'space', index, end)
  }
  for (let at = text.indexOf('%%'); at !== -1;) {
    const close = text.indexOf('%%', at + 2)
    if (close === -1) break
    const isComment = isObsidianComment(text, at, close + 2)
    if (isComment) add('hidden', at, close + 2)
    at = isComment ? text.indexOf('%%', close + 2) : close
  }
  return spans
}

/** Whether percent signs enclose a comment: whole lines, or a text without blanks at its edges. One word is a placeholder: `%%NAME%%`. */
function isObsidianComment(text: string, start: number, end: number): boolean {
  const inner = text.slice(start + 2, end - 2)
  if (inner.trim() === '' || !/\s/.test(inner) || inner.startsWith('%') || text[end] === '%') return false
  if (isAlone(text, start, end)) return true
  const isApart = [text.charAt(start - 1), text.charAt(end)].every((character) => /^[^\p{L}\p{N}]?$/u.test(character))
  return isApart && !inner.includes('\n') && inner.trim() === inner
}

const linePrefix = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*$/

/** Whether nothing else is in the lines of a span. */
function isAlone(text: string, start: number, end: number): boolean {
  return startsLine(text, start) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 100))
}

/** Maximum number of characters before a span in its line, if it starts the line. */
const maxPrefix = 200

function startsLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - maxPrefix), start)
  const newline = before.lastIndexOf('\n')
  return (newline !== -1 || start <= maxPrefix) && linePrefix.test(before.slice(newline + 1))
}

/** Returns a tag or a processing instruction of the same length; undefined if it could include the text around it. */
function toElementMask(text: string, start: number, end: number): string | undefined {
  const written = text.slice(start, end)
  const instruction = `<?${hide(written.slice(2, -2))}?>`
  if (isAlone(text, start, end)) return instruction
  // A part of these may belong to code, and may be in another cell of a table.
  if (/[`|]/.test(written)) return undefined
  if (!written.includes('\n')) return `<${'x'.repeat(written.length - 3)}/>`
  return startsLine(text, start) ? undefined : instruction
}

const tagName = /<([A-Za-z][\w.-]*)(?=\s)/g
const attributeName = /([\s]*)([^\s"'<>/={}]+)(\s*=\s*)?/y
const plainValue = /^\{\s*(?:"[^"\\]*"|'[^'"\\]*'|`[^`"\\$]*`|[\w.-]+)\s*\}$/

/** Maximum length of a tag. */
const maxTagLength = 5000

/** Finds attributes with values in braces. Numbers and texts become values in quotation marks; other attributes are left out. */
function findAttributes(text: string, budget: { left: number }): ForeignSpan[] {
  const spans: ForeignSpan[] = []
  if (!text.includes('={') && !text.includes('{...')) return spans
  let readTo = 0
  for (const match of text.matchAll(tagName)) {
    if (match.index < readTo) continue
    const name = match[1] as string
    if (!isElementName(name) && !/^[A-Z]/.test(name)) continue
    const found = readAttributes(text, match.index + match[0].length, budget)
    if (!found) continue
    for (const span of found.spans) spans.push(span)
    readTo = found.end
  }
  return spans
}

/** Reads the attributes of a tag; undefined if it is not closed. */
function readAttributes(text: string, from: number, budget: { left: number }) {
  const spans: ForeignSpan[] = []
  const last = Math.min(text.length, from + maxTagLength)
  for (let at = from; at < last;) {
    if (--budget.left < 0) return undefined
    const character = text[at] as string
    if (character === '>') return { spans, end: at + 1 }
    if (/[\s/]/.test(character)) {
      at++
      continue
    }
    attributeName.lastIndex = at
    const name = attributeName.exec(text)
    const valueStart = name ? attributeName.lastIndex : at
    const opening = text[valueStart]
    if (!name && opening !== '{') return undefined
    if (name && name[3] === undefined) {
      at = valueStart
      continue
    }
    const close =
      opening === '{'
        ? closingBrace(text, valueStart, last, budget)
        : opening === '"' || opening === "'"
          ? text.indexOf(opening, valueStart + 1)
          : -1
    if (close === undefined || (close === -1 && /["'{<>]/.test(opening ?? '>')) || close >= last) return undefined
    if (opening === '{') {
      const written = text.slice(valueStart, close + 1)
      if (name && plainValue.test(written)) spans.push(masked('attribute', valueStart, close + 1, toQuoted, text))
      else spans.push(masked('attribute', at, close + 1, (whole) => whole.replace(/[^\r\n]/g, ' '), text))
    }
    const bare = close === -1 ? /[^\s"'=<>`]+/y : undefined
    if (bare) bare.lastIndex = valueStart
    at = bare ? (bare.test(text) ? bare.lastIndex : last) : close + 1
  }
  return undefined
}

/** Writes a value in braces with quotation marks and as many blanks as needed. */
function toQuoted(written: string): string {
  const value = written
    .slice(1, -1)
    .trim()
    .replace(/^["'`]|["'`]$/g, '')
  return `"${value}"`.padEnd(written.length)
}

function closingBrace(text: string, start: number, last: number, budget: { left: number }): number | undefined {
  let [depth, quote]: [number, string | undefined] = [0, undefined]
  for (let at = start; at < last; at++) {
    if (--budget.left < 0) return undefined
    const character = text[at] as string
    if (quote !== undefined) {
      if (character === '\\') at++
      else if (character === quote) quote = undefined
    } else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at
    else if (character === '\n' && /^[ \t]*\r?\n/.test(text.slice(at + 1, at + 100))) return undefined
  }
  return undefined
}

const writtenDestination =
  /(?:\]\(|^[ \t>]*\[[^\]\n]{1,200}\]:)[ \t]*((?:[^\s(){}<>"'\\]|\{\{[^{}()\n]*\}\}|\{%[^{}()%\n]*%\})+)(?=[ \t]*(?:\)|"|'|\r?$))/gm

/** Finds destinations with expressions. */
function findDestinations(text: string): ForeignSpan[] {
  if (!text.includes('{{') && !text.includes('{%')) return []
  return Array.from(text.matchAll(writtenDestination)).flatMap(({ 0: whole, 1: url = '', index }) => {
    if (!/\{[{%]/.test(url)) return []
    const start = index + whole.length - url.length
    return [masked('destination', start, start + url.length, toDestinationMask, text)]
  })
}

const toDestinationMask = (url: string) => url.replace(/[^\w./#?=:-]/g, 'x')

/** Replaces the spans of a text by what the parser reads instead. */
export function maskSpans(source: string, spans: readonly ForeignSpan[]): string {
  if (spans.length === 0) return source
  const parts: string[] = []
  let at = 0
  for (const { start, end, mask } of spans) {
    parts.push(source.slice(at, start), mask)
    at = end
  }
  return parts.join('') + source.slice(at)
}

interface TreeNode {
  type: string
  children?: TreeNode[]
  value?: string
  url?: string
  position?: unknown
}

/** Containers of texts; in other nodes, HTML is a block. */
const textContainers: ReadonlySet<string> = new Set(
  'paragraph heading tableCell strong emphasis delete link linkReference'.split(' '),
)

/** Tags of elements whose content is not Markdown. */
const literalTag = /^<(\/)?(?:code|button|script|style|svg|template)(?=[\s>])(?![^]*\/>$)/i

/** Restores the spans in a tree. Returns those that are not where they have a meaning, so that they must be read as text. */
export function restoreSpans(root: Root, source: string, spans: readonly ForeignSpan[]): ReadonlySet<ForeignSpan> {
  const missing = new Set(spans)
  if (spans.length === 0) return missing
  const pending: TreeNode[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { children } = node
    if (!children) continue
    const isText = textContainers.has(node.type)
    let literalDepth = 0
    node.children = children.flatMap((child) => {
      pending.push(child)
      const [tag, slash] = child.type === 'html' && isText ? (literalTag.exec(child.value ?? '') ?? []) : []
      if (tag !== undefined) literalDepth = Math.max(0, literalDepth + (slash === '/' ? -1 : 1))
      if (literalDepth > 0) return [child]
      if (child.type !== 'html' && child.url === undefined) return [child]
      const [start, end] = [startOffset(child), endOffset(child)]
      const inside = findRangesBetween(spans, start, end)
      const [only] = inside
      if (!only) return [child]
      if (child.type !== 'html') {
        if (only.kind !== 'destination' || inside.length > 1 || child.url !== only.mask) return [child]
        missing.delete(only)
        return [{ ...child, url: source.slice(only.start, only.end) }]
      }
      const isWhole = inside.length === 1 && only.start === start && source.slice(only.end, end).trim() === ''
      if (isWhole && only.kind !== 'attribute' && only.kind !== 'destination') {
        missing.delete(only)
        if (!isText || only.kind === 'nothing') return []
        const isSpace = only.kind === 'space'
        return [
          { ...child, type: isSpace ? 'text' : 'html', value: isSpace ? ' ' : source.slice(only.start, only.end) },
        ]
      }
      for (const span of inside) if (span.kind === 'attribute') missing.delete(span)
      return [child]
    })
  }
  return missing
}

const siteAddress = /\{\{-?[ \t]*site\.(?:base_?url|url|root|base_path)[ \t]*(?:\|[^{}]*)?\}\}/g
const quotedPath = /\{\{-?[ \t]*["']([^"'{}]*)["'][ \t]*\|[ \t]*(?:relative|absolute)_url[ \t]*-?\}\}/g
const linkTag = /\{%-?[ \t]*link[ \t]([^%{}]*)%\}/g
const referenceCall = /\{\{[<%][ \t]*(?:rel)?ref[ \t]([^{}]*)[>%]\}\}/g

const toPath = (text: string) =>
  text
    .replace(/-$/, '')
    .trim()
    .replace(/^(?:path=)?["']?|["']$/g, '')

/** Returns a destination without the expressions of template languages whose value is known: addresses of the site and pages. */
function evaluateDestination(written: string): string {
  if (!/\{[{%]/.test(written) || written.length > 2000) return written
  const path = written
    .replace(siteAddress, '')
    .replace(quotedPath, '$1')
    .replace(linkTag, (_, inner: string) => `/${toPath(inner)}`)
    .replace(referenceCall, (_, inner: string) => toPath(inner))
  return /\{[{%]/.test(path) ? written : path.replace(/^\/{2,}/, '/') || '/'
}

/** Returns references whose destinations may contain expressions. */
export function evaluateDestinations(references: References): References {
  const { defer } = references
  return {
    resolve: (destination) => references.resolve(evaluateDestination(destination)),
    print: (reference) => references.print(reference),
    ...(defer && { defer: (kind, destination) => defer(kind, evaluateDestination(destination)) }),
  }
}
