import { signedClaimsLimits } from './claims.ts'
import { type PlainObject, copyPlainObject } from './plain-data.ts'

export type DecodedClaims = { claims: PlainObject } | { problem: string }

/** Parses claims of a URL: an object in Rison, with or without the outer parentheses, or in JSON. */
export function decodeClaims(text: string): DecodedClaims {
  if (text.length > signedClaimsLimits.bytes)
    return { problem: `must have at most ${signedClaimsLimits.bytes} characters` }
  try {
    const value: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : new RisonParser(text).parseObject()
    const claims = copyPlainObject(value, signedClaimsLimits)
    return claims === undefined
      ? { problem: `must be an object with at most ${signedClaimsLimits.depth} levels of nesting` }
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

class RisonParser {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Parses the whole text as an object. */
  parseObject(): PlainObject {
    const isWrapped = this.#consume('(')
    const object = this.#parseMembers(isWrapped ? ')' : '', 1)
    if (this.#position < this.#text.length) this.#fail()
    return object
  }

  #parseValue(depth: number): unknown {
    if (this.#consume('(')) return this.#parseMembers(')', depth + 1)
    if (this.#consume('!(')) return this.#parseItems(depth + 1)
    if (this.#consume('!')) return this.#parseConstant()
    const digits = this.#match(number)
    return digits === undefined ? this.#parseString() : Number(digits[0])
  }

  /** Parses the members of an object after `(`, up to and including the closing parenthesis. */
  #parseMembers(end: string, depth: number): PlainObject {
    assertDepth(depth)
    const members: [string, unknown][] = []
    if (this.#consumeEnd(end)) return {}
    do {
      const name = this.#parseString()
      if (!this.#consume(':')) this.#fail()
      members.push([name, this.#parseValue(depth)])
    } while (this.#consume(','))
    if (!this.#consumeEnd(end)) this.#fail()
    return Object.fromEntries(members)
  }

  #parseItems(depth: number): unknown[] {
    assertDepth(depth)
    const items: unknown[] = []
    if (this.#consume(')')) return items
    do items.push(this.#parseValue(depth))
    while (this.#consume(','))
    if (!this.#consume(')')) this.#fail()
    return items
  }

  #parseConstant(): boolean | null {
    const value = constants.get(this.#text.charAt(this.#position))
    if (value === undefined) this.#fail()
    this.#position += 1
    return value
  }

  #parseString(): string {
    const quoted = this.#match(quotedText)?.[1]
    if (quoted !== undefined) return quoted.replaceAll(/!(.)/g, '$1')
    return this.#match(bareText)?.[0] ?? this.#fail()
  }

  #consumeEnd(end: string): boolean {
    return end === '' ? this.#position === this.#text.length : this.#consume(end)
  }

  #consume(token: string): boolean {
    if (!this.#text.startsWith(token, this.#position)) return false
    this.#position += token.length
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#position += match[0].length
    return match
  }

  #fail(): never {
    const code = this.#text.codePointAt(this.#position)
    const found = code === undefined ? 'end of input' : JSON.stringify(String.fromCodePoint(code))
    throw new RisonError(`unexpected ${found} at position ${this.#position + 1}`)
  }
}

function assertDepth(depth: number): void {
  if (depth > signedClaimsLimits.depth) throw new RisonError(`nested deeper than ${signedClaimsLimits.depth} levels`)
}
