import { isAttributeLine, wouldBeAttributeList } from './attribute-lists.ts'
import { findEmojiCode } from './emoji.ts'

/** Position at which a text is printed. */
export interface EscapeContext {
  /** The characters printed directly before and after the text; empty at the edge of the block. */
  before: string
  after: string
  /**
   * A label is between the brackets of a link, where URLs and email addresses do not become links and brackets must be balanced.
   */
  kind: 'text' | 'label' | 'either'
  /** Whether a mark that is plain text only in the context of the whole block is printed without a backslash. */
  canStayUnescaped: (delimiter: DelimiterCharacter) => boolean
}

/** Marks whose meaning depends on other marks in the same block. */
export type DelimiterCharacter = '*' | '_' | '~' | '['

const unknownContext: EscapeContext = { before: '', after: '', kind: 'either', canStayUnescaped: () => false }

const special = /[\\`[\]<&$:@]|\*+|_+|~+|!$|%%|\{(?=\/\*|[^{}\n]*\})|https?(?=:\/\/)|www(?=\.)/gi

/** Escapes a text so that Markdown parses it as exactly this text. */
export function escapeMarkdown(text: string, context: EscapeContext = unknownContext): string {
  const isLabel = context.kind !== 'text'
  const hasAutolinks = context.kind !== 'label'
  const isUnknown = context.kind === 'either'
  return text.replace(special, (found, at: number) => {
    const escape = () => Array.from(found, (character) => `\\${character}`).join('')
    const next = text[at + found.length] ?? context.after
    switch (found[0]) {
      case '`':
        return escape()
      // The end tag of a block would close that block even next to the text of a list item.
      case '{':
        return matchesAt(endTag, text, at) ||
          matchesAt(foreignComment, text, at) ||
          wouldBeAttributeList(text, at, context)
          ? escape()
          : found
      case '%':
        return mayStartComment(text, at, next) ? `\\${found}` : found
      case '\\':
        return isEscapable(next) || (isSpace(next) && isLineEdge(text[at + 2])) ? escape() : found
      case '*':
      case '_':
      case '~':
        return isPlainRun(text, at, found) || context.canStayUnescaped(found[0]) ? found : escape()
      case '[': {
        const isPlain = !isLabel && next !== '^' && (text[at - 1] ?? context.before) !== '!'
        return isPlain && context.canStayUnescaped('[') ? found : escape()
      }
      case ']':
        return isLabel ? escape() : found
      case '<':
        return startsTag.test(next) || mayBeEmail(text, at + 1) ? escape() : found
      case '&':
        return matchesAt(entity, text, at) ? escape() : found
      case '$':
        // A single dollar sign is text, but two are a delimiter.
        return next === '$' || (text[at - 1] ?? context.before) === '$' || (isUnknown && isAtEdge(text, at))
          ? escape()
          : found
      case ':':
        return isEmoji(text, at) ? escape() : found
      case '@':
        return hasAutolinks && matchesAt(domain, text, at + 1) ? escape() : found
      case '!':
        return context.after === '[' ? escape() : found
      default:
        // A backslash after the start of a URL prevents it from becoming a link.
        return hasAutolinks ? `${found}\\` : found
    }
  })
}

/** Whether a backslash before a character is an escape. Spaces at the edge of a line are printed as entities. */
const isEscapable = (character: string) => /^[!-/:-@[-`{-~\n]?$/.test(character)
const endTag = /\{%[\s-]*(?:end|\/)[\w-]*\s*%\}/y
const foreignComment = /\{(?:\/\*|' +'\}|" +"\})/y

/** Whether percent signs would be the start of a comment; its end may be in another text of the block. */
function mayStartComment(text: string, at: number, next: string): boolean {
  const close = text.indexOf('%%', at + 2)
  if (close !== -1 && !/\s/.test(text.slice(at + 2, close))) return false
  return !/^\s/.test(next) || /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 100), at))
}
const startsTag = /[A-Za-z/!?]/
const entity = /&#?\w+;/y
const domain = /[\w.-]+\./y
const emoji = /:([a-z0-9_+-]+):/y
const emailStart = /[^\s<>@]*@/y
const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}\p{M}]/u.test(character)
const isSpace = (character: string | undefined) => character === ' ' || character === '\t'

const isAtEdge = (text: string, at: number) => at === 0 || at === text.length - 1

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

const mayBeEmail = (text: string, at: number) => matchesAt(emailStart, text, at)

function isEmoji(text: string, at: number): boolean {
  emoji.lastIndex = at
  const name = emoji.exec(text)?.[1]
  return name !== undefined && findEmojiCode(name) !== undefined
}

/**
 * Whether emphasis delimiters are text regardless of the rest of the block: underscores in a word, or a single delimiter between
 * spaces.
 */
export function isPlainRun(text: string, at: number, run: string): boolean {
  const end = at + run.length
  if (run.startsWith('_') && isWordCharacter(text[at - 1]) && isWordCharacter(text[end])) return true
  if (run.length > 1 || !isSpace(text[at - 1]) || !isSpace(text[end])) return false
  return !isLineEdge(text[at - 2]) && !isLineEdge(text[end + 1])
}

const isLineEdge = (character: string | undefined) => character === undefined || character === '\n'

const blockStart =
  /^(?:#{1,6}(?=[ \t]|$)|>|[-+*_](?=[ \t]|$)|[*_][*_ \t]*$|\[[ xX]\](?=[ \t]|$)|\d{1,9}(?=[.)](?:[ \t]|$))|[=|-][=|: \t-]*$|:?-[|: \t-]*$|\{%(?!.*(?<!\\)\{%[\s-]*(?:end|\/))|\{\{[<%]|\{:|~~~|:::)/

/** Escapes the lines of a paragraph that start like another kind of block. */
export function escapeLineStarts(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      const start = blockStart.exec(line)?.[0]
      if (start === undefined) return isAttributeLine(line) ? `\\${line}` : line
      return /^\d/.test(start) ? `${start}\\${line.slice(start.length)}` : `\\${line}`
    })
    .join('\n')
}

/** Replaces spaces at the edges of lines with entities, because the parser would remove them. */
export function encodeEdgeSpaces(markdown: string): string {
  return markdown.replace(/^[ \t]|[ \t]$/gm, (space) => (space === ' ' ? '&#x20;' : '&#x9;'))
}

/** Joins the lines of a text; each line break and the whitespace around it become one space. */
export function toSingleLine(text: string): string {
  // A pattern such as `\s*\n` takes quadratic time on a long run of whitespace.
  if (!/[\r\n]/.test(text)) return text
  const lines = text.split(/[\r\n]+/)
  const last = lines.length - 1
  return lines
    .map((line, index) => (index === 0 ? line.trimEnd() : index === last ? line.trimStart() : line.trim()))
    .filter((line, index) => line !== '' || index === 0 || index === last)
    .join(' ')
}

/** Removes trailing spaces; a pattern such as ` +$` takes quadratic time on a long run of spaces. */
export function trimTrailingSpaces(text: string): string {
  return text.slice(0, findTrailingRunStart(text, ' '))
}

/** Returns the offset at which the trailing run of a character starts. */
export function findTrailingRunStart(text: string, character: string): number {
  let start = text.length
  while (start > 0 && text[start - 1] === character) start--
  return start
}

/** Prints the destination of a link. */
export function printLinkDestination(destination: string): string {
  if (destination === '' || /[\s()<>\\]/.test(destination)) {
    return `<${destination.replace(/[\\<>]|&(?=#?\w+;)/g, '\\$&').replace(/\n/g, '%0A')}>`
  }
  return destination.replace(/&(?=#?\w+;)/g, '\\&')
}

/** Prints the title after the destination of a link or image. */
export function printLinkTitle(title: string): string {
  return `"${toSingleLine(title).replace(/["\\]|&(?=#?\w+;)/g, '\\$&')}"`
}

/** Prints a code span with as many backticks as needed. */
export function printCodeSpan(text: string): string {
  const runs = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  let length = 1
  while (runs.has(length)) length++
  const fence = '`'.repeat(length)
  const padded = /^`|`$|^ .* $/.test(text) && text.trim() !== '' ? ` ${text} ` : text
  return `${fence}${padded}${fence}`
}
