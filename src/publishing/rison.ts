import { signedLimits } from './claims.ts'
import { type PlainObject, plainObject } from './plain-data.ts'

export type DecodedClaims = { claims: PlainObject } | { problem: string }

/** Parses claims of a URL: an object in Rison, with or without the outer parentheses, or in JSON. */
export function decodeClaims(text: string): DecodedClaims {
  if (text.length > signedLimits.bytes) return { problem: `must have at most ${signedLimits.bytes} characters` }
  try {
    const value: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : new RisonReader(text).object()
    const claims = plainObject(value, signedLimits)
    return claims === undefined
      ? { problem: `must be an object with at most ${signedLimits.depth} levels of nesting` }
      : { claims }
  } catch (error) {
    if (error instanceof RisonError) return { problem: `is not valid Rison: ${error.message}` }
    if (error instanceof SyntaxError) return { problem: `is not valid JSON: ${error.message}` }
    throw error
  }
}

class RisonError extends Error {}

// `(a:b,c:'d e')` is an object, `!(1,2)` a list; `!t`, `!f` and `!n` are true, false and null. A string needs quotes if it could
// be parsed as something else; within quotes, `!` escapes quotes and itself.

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?/y
const bareText = /[^-\d '!:(),*@$][^ '!:(),*@$]*/y
const quotedText = /'((?:[^'!]|![!'])*)'/y
const constants = new Map([
  ['t', true],
  ['f', false],
  ['n', null],
])

class RisonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Parses the whole text as an object. */
  object(): PlainObject {
    const isWrapped = this.#take('(')
    const object = this.#members(isWrapped ? ')' : '', 1)
    if (this.#at < this.#text.length) this.#fail()
    return object
  }

  #value(depth: number): unknown {
    if (this.#take('(')) return this.#members(')', depth + 1)
    if (this.#take('!(')) return this.#items(depth + 1)
    if (this.#take('!')) return this.#constant()
    const digits = this.#match(number)
    return digits === undefined ? this.#string() : Number(digits[0])
  }

  /** Parses the members of an object after `(`, up to and including the closing parenthesis. */
  #members(end: string, depth: number): PlainObject {
    refuseDepth(depth)
    const members: [string, unknown][] = []
    if (this.#ends(end)) return {}
    do {
      const name = this.#string()
      if (!this.#take(':')) this.#fail()
      members.push([name, this.#value(depth)])
    } while (this.#take(','))
    if (!this.#ends(end)) this.#fail()
    return Object.fromEntries(members)
  }

  #items(depth: number): unknown[] {
    refuseDepth(depth)
    const items: unknown[] = []
    if (this.#take(')')) return items
    do items.push(this.#value(depth))
    while (this.#take(','))
    if (!this.#take(')')) this.#fail()
    return items
  }

  #constant(): boolean | null {
    const value = constants.get(this.#text.charAt(this.#at))
    if (value === undefined) this.#fail()
    this.#at += 1
    return value
  }

  #string(): string {
    const quoted = this.#match(quotedText)?.[1]
    if (quoted !== undefined) return quoted.replaceAll(/!(.)/g, '$1')
    return this.#match(bareText)?.[0] ?? this.#fail()
  }

  #ends(end: string): boolean {
    return end === '' ? this.#at === this.#text.length : this.#take(end)
  }

  #take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at += match[0].length
    return match
  }

  #fail(): never {
    const code = this.#text.codePointAt(this.#at)
    const found = code === undefined ? 'end of input' : JSON.stringify(String.fromCodePoint(code))
    throw new RisonError(`unexpected ${found} at position ${this.#at + 1}`)
  }
}

function refuseDepth(depth: number): void {
  if (depth > signedLimits.depth) throw new RisonError(`nested deeper than ${signedLimits.depth} levels`)
}
