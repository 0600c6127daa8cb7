import { FlowParser } from './flow-yaml.ts'
import { type JsonObject, type JsonValue, isJsonObject } from './json-value.ts'
import {
  UnsupportedYaml,
  countSpaces,
  findQuote,
  foldLines,
  hash,
  isBlank,
  maxDepth,
  plainStart,
  removeComment,
  resolvePlain,
  trimSpaceEnd,
  trimSpaceStart,
  unescape,
  unsupported,
} from './yaml-scalars.ts'

// Most specifications use a small part of YAML: indented maps and lists with texts, and aliases. This parser reads that part in a
// tenth of the time of the YAML parser, and leaves everything else to it: tags, directives, unusual escapes, errors.

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

const isItem = (content: string): boolean => content === '-' || content.startsWith('- ')

class BlockParser {
  readonly #lines: string[]
  #index = 0
  /** Indentation and content of the current line. */
  #indent = -1
  #content = ''
  #depth = 0
  readonly #anchors = new Map<string, JsonValue>()
  /** Number of fields that merge keys copied. */
  #copied = 0

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
      if (isItem(rest) || (rest !== '' && findKeyEnd(rest) !== undefined)) {
        // The item is a map or list that begins on the line of its dash.
        this.#indent += this.#content.length - rest.length
        this.#content = rest
        items.push(this.#parseBlock(this.#indent))
        continue
      }
      items.push(this.#parseNode(rest, indent, (nested) => nested > indent))
    }
    if (this.#indent > indent) unsupported()
    return items
  }

  #parseMap(indent: number): JsonObject {
    const map: JsonObject = {}
    /** Fields that a merge key copied and that the map may still replace. */
    let merged: Set<string> | undefined
    const isNested = (nested: number) => nested > indent || (nested === indent && isItem(this.#content))
    while (this.#indent === indent && !isItem(this.#content)) {
      const content = this.#content
      const keyEnd = findKeyEnd(content) ?? unsupported()
      const source = trimSpaceEnd(content.slice(0, keyEnd))
      const rest = trimSpaceStart(content.slice(keyEnd + 1))
      if (source === '<<') {
        if (merged) unsupported()
        merged = this.#merge(map, this.#parseNode(rest, indent, isNested))
        continue
      }
      const key = parseKey(source)
      // The YAML parser reports duplicates.
      if (key === '__proto__' || (Object.hasOwn(map, key) && !merged?.delete(key))) unsupported()
      map[key] = this.#parseNode(rest, indent, isNested)
    }
    if (this.#indent > indent) unsupported()
    return map
  }

  /** Copies the fields of a map, or of several, that the map does not have; returns their names. */
  #merge(map: JsonObject, source: JsonValue): Set<string> {
    const names = new Set<string>()
    for (const fields of Array.isArray(source) ? source : [source]) {
      if (!isJsonObject(fields)) return unsupported()
      const entries = Object.entries(fields)
      this.#copied += entries.length
      // The YAML parser reports that there are too many.
      if (this.#copied > maxCopiedFields) unsupported()
      for (const [name, value] of entries) {
        if (Object.hasOwn(map, name)) continue
        map[name] = value
        names.add(name)
      }
    }
    return names
  }

  /** Parses the rest of a line after a key or a dash, with its anchor, or the block in the lines below it. */
  #parseNode(rest: string, indent: number, isNested: (indent: number) => boolean): JsonValue {
    if (rest.startsWith('*')) return this.#parseAlias(rest)
    if (!rest.startsWith('&')) return this.#parseUnnamed(rest, indent, isNested)
    const [anchor, name] = /^&([\w.-]+)(?: +|$)/.exec(rest) ?? unsupported()
    const content = rest.slice(anchor.length)
    // An anchor before a key belongs to the key, and an alias has none.
    if (/^[&*]/.test(content) || isItem(content) || (content !== '' && findKeyEnd(content) !== undefined)) unsupported()
    const value = this.#parseUnnamed(content, indent, isNested)
    // Special rules apply to an anchor that is defined again, even inside its own value.
    if (this.#anchors.has(name as string)) unsupported()
    this.#anchors.set(name as string, value)
    return value
  }

  #parseAlias(text: string): JsonValue {
    const name = /^\*([\w.-]+)(?: +#.*)?$/.exec(text)?.[1] ?? unsupported()
    const value = this.#anchors.get(name)
    this.#next()
    return value === undefined ? unsupported() : value
  }

  #parseUnnamed(rest: string, indent: number, isNested: (indent: number) => boolean): JsonValue {
    if (rest !== '' && !rest.startsWith('#')) return this.#parseValue(rest, indent)
    this.#next()
    return isNested(this.#indent) ? this.#parseBlock(this.#indent) : null
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
      // Special rules apply to escaped line breaks.
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
        // Empty lines before the first line must not have more spaces than its indentation.
        if (lines.some((one) => one.length > spaces)) unsupported()
        lines.fill('')
      } else if (spaces < contentIndent) {
        if (spaces > indent) unsupported()
        break
      }
      lines.push(line.slice(contentIndent))
    }
    this.#skipEmptyLines()
    // Texts that consist of spaces only, and the spaces of empty lines at the end, have special rules.
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

/** Maximum number of fields that merge keys copy. */
const maxCopiedFields = 100_000

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
  const value = resolvePlain(text)
  // Numbers and null are converted to texts in another form than they are written.
  if (value === null || String(value) !== text) unsupported()
  return text
}
