import type { JsonObject, JsonValue } from './json-value.ts'
import { findQuote, maxDepth, plainStart, resolvePlain, trimSpaceEnd, unescape, unsupported } from './yaml-scalars.ts'

/** Parses a list or map in brackets. */
export class FlowParser {
  readonly #text: string
  #position = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the value; undefined if the text ends inside it. */
  parse(): JsonValue | undefined {
    const value = this.#parseValue()
    if (value !== undefined && !/^(?: *| +#.*)$/.test(this.#text.slice(this.#position))) unsupported()
    return value
  }

  #skipSpaces(): string | undefined {
    while (this.#text[this.#position] === ' ') this.#position++
    return this.#text[this.#position]
  }

  #parseValue(): JsonValue | undefined {
    const first = this.#skipSpaces()
    if (first === undefined) return undefined
    if (first !== '[' && first !== '{') return this.#parseScalar()
    if (++this.#depth > maxDepth) unsupported()
    const value = first === '[' ? this.#parseList() : this.#parseMap()
    this.#depth--
    return value
  }

  #parseList(): JsonValue[] | undefined {
    const items: JsonValue[] = []
    this.#position++
    for (;;) {
      const next = this.#skipSpaces()
      if (next === undefined) return undefined
      if (next === ']') break
      const item = this.#parseValue()
      if (item === undefined) return undefined
      items.push(item)
      const separator = this.#skipSpaces()
      if (separator === undefined) return undefined
      if (separator === ',') this.#position++
      else if (separator !== ']') unsupported()
    }
    this.#position++
    return items
  }

  #parseMap(): JsonObject | undefined {
    const map: JsonObject = {}
    this.#position++
    for (;;) {
      const next = this.#skipSpaces()
      if (next === undefined) return undefined
      if (next === '}') break
      const start = this.#position
      const key = this.#parseScalar()
      if (key === undefined) return undefined
      if (typeof key !== 'string') unsupported()
      const name = key as string
      if (name === '__proto__' || name === '<<' || Object.hasOwn(map, name) || start === this.#position) unsupported()
      const colon = this.#skipSpaces()
      if (colon === undefined) return undefined
      if (colon !== ':' || this.#text[this.#position + 1] !== ' ') unsupported()
      this.#position++
      const value = this.#parseValue()
      if (value === undefined) return undefined
      map[name] = value
      const separator = this.#skipSpaces()
      if (separator === undefined) return undefined
      if (separator === ',') this.#position++
      else if (separator !== '}') unsupported()
    }
    this.#position++
    return map
  }

  #parseScalar(): JsonValue | undefined {
    const rest = this.#text.slice(this.#position)
    const quote = rest[0]
    if (quote === '"' || quote === "'") {
      const end = findQuote(rest.slice(1), quote)
      if (end === undefined) return undefined
      this.#position += end + 2
      const content = rest.slice(1, end + 1)
      return quote === '"' ? unescape(content) : content.replaceAll("''", "'")
    }
    if (!plainStart.test(rest)) unsupported()
    const end = rest.search(/[,[\]{}]|:(?: |$)| #/)
    // An unquoted text could continue on the next line.
    if (end === -1) return undefined
    if (rest.startsWith(' #', end)) unsupported()
    this.#position += end
    return resolvePlain(trimSpaceEnd(rest.slice(0, end)))
  }
}
