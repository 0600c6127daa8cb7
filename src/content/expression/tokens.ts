import { ExpressionError } from './errors.ts'

/** Maximum length of an expression: about ten times that of a condition of a site, because pages may contain longer ones. */
export const maxExpressionLength = 10_000

const punctuators = [
  '===',
  '!==',
  '==',
  '!=',
  '<=',
  '>=',
  '<',
  '>',
  '&&',
  '||',
  '??',
  '?.',
  '?',
  ':',
  '!',
  '+',
  '-',
  '*',
  '/',
  '%',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  '.',
  '=>',
] as const

export type Punctuator = (typeof punctuators)[number]

interface TokenPosition {
  /** Source text of the token, for error messages. */
  readonly text: string
  readonly at: number
}

export type ExpressionToken =
  | (TokenPosition & { readonly kind: 'name' | 'end' })
  | (TokenPosition & { readonly kind: 'mark'; readonly text: Punctuator })
  | (TokenPosition & { readonly kind: 'literal'; readonly value: string | number })
  | TemplateToken

/** Text of a template literal up to its end or to the next placeholder, which follows as ordinary tokens. */
export interface TemplateToken extends TokenPosition {
  readonly kind: 'template'
  readonly value: string
  readonly first: boolean
  readonly last: boolean
}

const whitespace = /\s+/y
const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
const numericLiteral = /0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const invalidAfterNumber = /[\p{ID_Start}$_\d]/uy
const singleQuoted = /'(?:[^'\\\n\r]|\\(?:\r\n|[^]))*'/y
const doubleQuoted = /"(?:[^"\\\n\r]|\\(?:\r\n|[^]))*"/y
const templateText = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y
/** Matches all punctuators of JavaScript, the longest first, so that error messages contain unsupported ones in full. */
const anyPunctuator =
  />>>=|\.{3}|[=!]==|>>>|(?:<<|>>|\*\*|&&|\|\||\?\?)=|=>|[-+*/%&|^=!<>]=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\*\*|<<|>>|[-+*/%&|^~!<>=?:.,;(){}[\]]/y

/** Splits a source into tokens; the last is the end token. Every pattern is sticky, so each character is read once. */
export function tokenize(source: string): readonly ExpressionToken[] {
  if (source.length > maxExpressionLength) {
    throw new ExpressionError(`An expression can have at most ${maxExpressionLength} characters`, maxExpressionLength)
  }
  const tokens: ExpressionToken[] = []
  const openBraces: ('object' | 'hole')[] = []
  let at = 0

  const matchHere = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }

  const readTemplateToken = (first: boolean): TemplateToken => {
    const start = at
    at += 1
    const raw = matchHere(templateText) ?? ''
    const value = unescapeString(raw.replaceAll(/\r\n?/g, '\n'), at)
    at += raw.length
    const last = source[at] === '`'
    if (!last && source[at] !== '$') throw new ExpressionError('A template literal is not closed', start)
    if (!last) openBraces.push('hole')
    at += last ? 1 : 2
    return { kind: 'template', value, first, last, text: source.slice(start, at), at: start }
  }

  const readToken = (): ExpressionToken => {
    const start = at
    const character = source[at] as string
    if (character === '`' || (character === '}' && openBraces.at(-1) === 'hole')) {
      if (character === '}') openBraces.pop()
      return readTemplateToken(character === '`')
    }
    if (character === '"' || character === "'") {
      const text = matchHere(character === '"' ? doubleQuoted : singleQuoted)
      if (text === undefined) throw new ExpressionError('A string is not closed', at)
      at += text.length
      return { kind: 'literal', value: unescapeString(text.slice(1, -1), start + 1), text, at: start }
    }
    const word = matchHere(identifier)
    if (word !== undefined) {
      at += word.length
      return { kind: 'name', text: word, at: start }
    }
    const digits = matchHere(numericLiteral)
    if (digits !== undefined) {
      at += digits.length
      if (matchHere(invalidAfterNumber) !== undefined) throw new ExpressionError('Invalid number', start)
      return { kind: 'literal', value: Number(digits), text: digits, at: start }
    }
    const text = matchHere(anyPunctuator)
    if (text === undefined) throw new ExpressionError(`Unexpected "${characterAt(source, at)}"`, at)
    if (/^\/[/*]/.test(source.slice(at, at + 2))) throw new ExpressionError('Comments are not supported', at)
    if (text.startsWith('/') && !endsValue(tokens.at(-1))) {
      throw new ExpressionError('Regular expressions are not supported', at)
    }
    if (!isPunctuator(text)) throw new ExpressionError(describeUnsupported(text), at)
    if (text === '{') openBraces.push('object')
    if (text === '}') openBraces.pop()
    at += text.length
    return { kind: 'mark', text, at: start }
  }

  for (;;) {
    at += matchHere(whitespace)?.length ?? 0
    if (at >= source.length) return [...tokens, { kind: 'end', text: '', at: source.length }]
    tokens.push(readToken())
  }
}

const characterAt = (source: string, at: number) => String.fromCodePoint(source.codePointAt(at) as number)

const isPunctuator = (text: string): text is Punctuator => (punctuators as readonly string[]).includes(text)

/** Whether a token ends a value: then a slash is a division, otherwise it starts a regular expression. */
function endsValue(token: ExpressionToken | undefined): boolean {
  if (token === undefined) return false
  if (token.kind === 'mark') return token.text === ')' || token.text === ']' || token.text === '}'
  return token.kind !== 'template' || token.last
}

function describeUnsupported(punctuator: string): string {
  if (punctuator === ';') return 'Only one expression is allowed, without ";"'
  if (punctuator === '...') return 'Spreading with "..." is not supported'
  if (punctuator === '=') return 'Assignments are not supported; use "===" to compare'
  return `The operator "${punctuator}" is not supported`
}

/** Escape sequences. The last alternative is what JavaScript rejects: an incomplete `\u` or `\x`, or a digit. */
const escapeSequences = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|0(?!\d)|[^\dux])|[^])/g

const escapedCharacters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  // A backslash at the end of a line continues the string on the next line.
  '\r\n': '',
  '\n': '',
  '\r': '',
  '\u2028': '',
  '\u2029': '',
}

const maxCodePoint = 0x10ffff

function unescapeString(text: string, start: number): string {
  const decode = (sequence: string, point?: string, unit?: string, byte?: string, character?: string, offset = 0) => {
    if (character !== undefined) return escapedCharacters[character] ?? character
    const code = Number.parseInt(point ?? unit ?? byte ?? '', 16)
    if (code <= maxCodePoint) return String.fromCodePoint(code)
    throw new ExpressionError(`The escape "${sequence}" is not supported`, start + offset)
  }
  return text.replaceAll(escapeSequences, decode)
}
