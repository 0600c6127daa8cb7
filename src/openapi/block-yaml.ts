import type { JsonObject, JsonValue } from './json-value.ts'

// Most specifications use a small part of YAML: indented maps and lists with texts. This parser reads that part in a tenth of
// the time of the YAML parser, and leaves everything else to it: anchors, tags, merge keys, directives, unusual escapes, errors.

/** Thrown for YAML that this parser does not read. */
class UnsupportedYaml extends Error {}

const unsupported = (): never => {
  throw new UnsupportedYaml()
}

/** Characters that are line breaks for some parsers, or that YAML does not allow. */
// oxlint-disable-next-line no-control-regex
const unusualCharacters = /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]/

/** Parses YAML that consists of block maps, block lists, and scalars; returns undefined for all other YAML. */
export function parseBlockYaml(source: string): JsonValue | undefined {
  const text = source.replaceAll('\r\n', '\n')
  if (unusualCharacters.test(text) || text.includes('\r')) return undefined
  try {
    return new BlockParser(text.split('\n')).parse()
  } catch (error) {
    if (error instanceof UnsupportedYaml) return undefined
    throw error
  }
}

/** Start of an unquoted key or text. Other first characters have a meaning, or are rare. */
const plainStart = /^(?:[A-Za-z0-9_/$.(+<=\\^~;]|-(?=[^\s-])|[\u0080-\u{10ffff}])/u

const isItem = (content: string): boolean => content === '-' || content.startsWith('- ')

class BlockParser {
  readonly #lines: string[]
  #index = 0
  /** Indentation and content of the current line. */
  #indent = -1
  #content = ''
  #depth = 0

  constructor(lines: string[]) {
    this.#lines = lines
  }

  parse(): JsonValue {
    this.#skipEmptyLines()
    if (this.#content === '---') {
      this.#index++
      this.#skipEmptyLines()
    }
    if (this.#indent < 0) unsupported()
    const value = this.#parseBlock(this.#indent)
    if (this.#indent >= 0) unsupported()
    return value
  }

  /** Moves to the next line with content; the indentation is -1 at the end. */
  #skipEmptyLines(): void {
    for (; this.#index < this.#lines.length; this.#index++) {
      const line = this.#lines[this.#index] as string
      const indent = countSpaces(line)
      if (indent === line.length || line.charCodeAt(indent) === hash) continue
      if (line.includes('\t') || (indent === 0 && /^(?:---|\.\.\.|%)/.test(line) && line !== '---')) unsupported()
      this.#indent = indent
      this.#content = trimSpaceEnd(line.slice(indent))
      return
    }
    this.#indent = -1
    this.#content = ''
  }

  #next(): void {
    this.#index++
    this.#skipEmptyLines()
  }

  /** Parses the map or list that begins at the current line. */
  #parseBlock(indent: number): JsonValue {
    if (++this.#depth > maxDepth) unsupported()
    const value = isItem(this.#content) ? this.#parseList(indent) : this.#parseMap(indent)
    this.#depth--
    return value
  }

  #parseList(indent: number): JsonValue[] {
    const items: JsonValue[] = []
    while (this.#indent === indent && isItem(this.#content)) {
      const rest = trimSpaceStart(this.#content.slice(1))
      if (rest === '' || rest.startsWith('#')) {
        this.#next()
        items.push(this.#indent > indent ? this.#parseBlock(this.#indent) : null)
        continue
      }
      if (isItem(rest) || findKeyEnd(rest) !== undefined) {
        // The item is a map or list that begins on the line of its dash.
        this.#indent += this.#content.length - rest.length
        this.#content = rest
        items.push(this.#parseBlock(this.#indent))
        continue
      }
      items.push(this.#parseValue(rest, indent))
    }
    if (this.#indent > indent) unsupported()
    return items
  }

  #parseMap(indent: number): JsonObject {
    const map: JsonObject = {}
    while (this.#indent === indent && !isItem(this.#content)) {
      const content = this.#content
      const keyEnd = findKeyEnd(content) ?? unsupported()
      const key = parseKey(trimSpaceEnd(content.slice(0, keyEnd)))
      // The parser of YAML reports duplicates.
      if (key === '__proto__' || Object.hasOwn(map, key)) unsupported()
      const rest = trimSpaceStart(content.slice(keyEnd + 1))
      if (rest === '' || rest.startsWith('#')) {
        this.#next()
        const isNested = this.#indent > indent || (this.#indent === indent && isItem(this.#content))
        map[key] = isNested ? this.#parseBlock(this.#indent) : null
      } else map[key] = this.#parseValue(rest, indent)
    }
    if (this.#indent > indent) unsupported()
    return map
  }

  /** Parses a value that begins on the current line and continues on lines with more indentation than `indent`. */
  #parseValue(text: string, indent: number): JsonValue {
    switch (text[0]) {
      case '|':
      case '>':
        return this.#parseBlockScalar(text, indent)
      case '"':
      case "'":
        return this.#parseQuoted(text, indent)
      case '[':
      case '{':
        return this.#parseFlow(text)
      default:
        return this.#parsePlain(text, indent)
    }
  }

  #parsePlain(text: string, indent: number): JsonValue {
    if (!plainStart.test(text)) unsupported()
    const parts = [removeComment(text)]
    const hasComment = parts[0] !== text
    let emptyLines = 0
    for (;;) {
      this.#index++
      const line = this.#lines[this.#index]
      if (line === undefined) break
      const spaces = countSpaces(line)
      if (spaces === line.length) {
        emptyLines++
        continue
      }
      if (spaces <= indent || line.charCodeAt(spaces) === hash) break
      const part = trimSpaceEnd(line.slice(spaces))
      if (hasComment || part.includes('\t') || / #/.test(part) || /:(?: |$)/.test(part)) unsupported()
      parts.push(emptyLines === 0 ? ' ' : '\n'.repeat(emptyLines), part)
      emptyLines = 0
    }
    this.#skipEmptyLines()
    const [first] = parts as [string]
    if (/:(?: |$)/.test(first)) unsupported()
    return parts.length === 1 ? resolvePlain(first) : parts.join('')
  }

  #parseQuoted(text: string, indent: number): string {
    const quote = text[0] as string
    const parts: string[] = []
    let part = text.slice(1)
    let emptyLines = 0
    let isFirst = true
    for (;;) {
      const end = findQuote(part, quote)
      const piece = end === undefined ? part : part.slice(0, end)
      const separator = isFirst ? '' : emptyLines === 0 ? ' ' : '\n'.repeat(emptyLines)
      // An escaped line break has other rules.
      if (end === undefined && quote === '"' && trimSpaceEnd(piece).endsWith('\\')) unsupported()
      if (end !== undefined) {
        parts.push(separator, piece)
        if (!/^(?: *| +#.*)$/.test(part.slice(end + 1))) unsupported()
        break
      }
      parts.push(separator, trimSpaceEnd(piece))
      isFirst = false
      emptyLines = 0
      for (;;) {
        this.#index++
        const line = this.#lines[this.#index] ?? unsupported()
        const spaces = countSpaces(line)
        if (line.includes('\t')) unsupported()
        if (spaces === line.length) {
          emptyLines++
          continue
        }
        if (spaces <= indent) unsupported()
        part = line.slice(spaces)
        break
      }
    }
    this.#next()
    const joined = parts.join('')
    return quote === '"' ? unescape(joined) : joined.replaceAll("''", "'")
  }

  #parseFlow(text: string): JsonValue {
    let joined = text
    for (let lines = 0; lines <= maxFlowLines; lines++) {
      const value = new FlowParser(joined).parse()
      if (value !== undefined) {
        this.#next()
        return value
      }
      this.#index++
      const line = this.#lines[this.#index] ?? unsupported()
      const part = trimSpaceEnd(trimSpaceStart(line))
      if (part === '' || part.startsWith('#') || / #/.test(part) || line.includes('\t')) unsupported()
      joined += ` ${part}`
    }
    return unsupported()
  }

  #parseBlockScalar(header: string, indent: number): string {
    const [, style, chomping] = /^([|>])([+-]?)(?: +#.*)?$/.exec(header) ?? unsupported()
    const lines: string[] = []
    let contentIndent = -1
    for (this.#index++; this.#index < this.#lines.length; this.#index++) {
      const line = this.#lines[this.#index] as string
      const spaces = countSpaces(line)
      if (spaces === line.length) {
        lines.push(contentIndent < 0 ? line : line.slice(contentIndent))
        continue
      }
      if (contentIndent < 0) {
        if (spaces <= indent) break
        contentIndent = spaces
        // Spaces before the first line must not be deeper than it.
        if (lines.some((one) => one.length > spaces)) unsupported()
        lines.fill('')
      } else if (spaces < contentIndent) {
        if (spaces > indent) unsupported()
        break
      }
      lines.push(line.slice(contentIndent))
    }
    this.#skipEmptyLines()
    // A text of spaces only, and the spaces of empty lines at the end, have rules of their own.
    if (contentIndent < 0) unsupported()
    let end = lines.length
    while (isBlank(lines[end - 1])) end--
    if (lines.slice(end).some((line) => line !== '')) unsupported()
    const content = lines.slice(0, end)
    const body = style === '|' ? content.join('\n') : foldLines(content)
    if (chomping === '-') return body
    // The last empty line is the end of the file, if the text ends there.
    const trailing = lines.length - end - (this.#index >= this.#lines.length && lines.length > end ? 1 : 0)
    return `${body}\n${chomping === '+' ? '\n'.repeat(trailing) : ''}`
  }
}

const hash = 35
const space = 32

function countSpaces(line: string): number {
  let count = 0
  while (line.charCodeAt(count) === space) count++
  return count
}

/** Removes spaces at the end; `trimEnd` also removes characters that are text in YAML. */
function trimSpaceEnd(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === space) end--
  return text.slice(0, end)
}

const trimSpaceStart = (text: string): string => text.slice(countSpaces(text))

const isBlank = (line: string | undefined): boolean => line !== undefined && countSpaces(line) === line.length

/** Maximum depth of maps and lists; the YAML parser reports deeper ones. */
const maxDepth = 90

/** Maximum number of lines of a list or map in brackets. */
const maxFlowLines = 200

/** Returns the position of the colon after the key at the start of a text; undefined if it does not start with a key. */
function findKeyEnd(content: string): number | undefined {
  const quote = content[0]
  if (quote === '"' || quote === "'") {
    const end = findQuote(content.slice(1), quote)
    if (end === undefined) return undefined
    const colon = /^ *:(?: |$)/.exec(content.slice(end + 2))
    return colon ? end + 2 + colon[0].indexOf(':') : undefined
  }
  if (!plainStart.test(content)) return undefined
  const colon = content.search(/:(?: |$)/)
  const comment = content.search(/ #/)
  return colon === -1 || (comment !== -1 && comment < colon) ? undefined : colon
}

function parseKey(text: string): string {
  if (text.startsWith('"')) return unescape(text.slice(1, -1))
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  if (text === '<<') unsupported()
  const value = resolvePlain(text)
  // Numbers and null are converted to texts in another form than they are written.
  if (value === null || String(value) !== text) unsupported()
  return text
}

/** Returns the position of the closing quote; undefined if the text does not contain it. */
function findQuote(text: string, quote: string): number | undefined {
  if (quote === "'") {
    for (let end = text.indexOf("'"); end !== -1; end = text.indexOf("'", end + 2))
      if (text[end + 1] !== "'") return end
    return undefined
  }
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '/': '/',
  '\\': '\\',
  b: '\b',
  f: '\f',
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:u([\da-fA-F]{4})|([^]))/g,
    (_, code: string | undefined, character: string | undefined) =>
      code === undefined ? (escapes[character ?? ''] ?? unsupported()) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function removeComment(text: string): string {
  const comment = text.search(/ +#/)
  return comment === -1 ? text : text.slice(0, comment)
}

/** Returns the value of an unquoted text. */
function resolvePlain(text: string): string | number | boolean | null {
  if (!/^[-+.~\dntfNTF]/.test(text)) return text
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^[-+]?\d+$/.test(text)) return Number.parseInt(text, 10)
  if (/^[-+]?(?:\.\d+|\d+\.\d*)$/.test(text)) return Number.parseFloat(text)
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)[eE][-+]?\d+$/.test(text)) return Number(text)
  if (/^0[ox]|^[-+]?\.(?:inf|nan)$/i.test(text)) unsupported()
  return text
}

/** Joins the lines of a folded text: line breaks become spaces, except around empty and further indented lines. */
function foldLines(lines: readonly string[]): string {
  let folded = ''
  let emptyLines = 0
  let previous: string | undefined
  for (const line of lines) {
    if (line === '') {
      emptyLines++
      continue
    }
    if (/^[ \t]/.test(line)) unsupported()
    if (previous === undefined) folded = '\n'.repeat(emptyLines)
    else folded += emptyLines === 0 ? ' ' : '\n'.repeat(emptyLines)
    folded += line
    emptyLines = 0
    previous = line
  }
  return folded
}

/** Parses a list or map in brackets. */
class FlowParser {
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
