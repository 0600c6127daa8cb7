import type { BlockTag, TagEdge } from './block-tag.ts'
import { admonitionMarker, mayHaveAdmonition, readAdmonition } from './admonitions.ts'
import { mayHaveComponent } from './component-lines.ts'
import { ComponentPairs } from './components.ts'
import { DirectivePairs } from './directives.ts'
import { convertForeignTags, toKnownTag } from './foreign-tags.ts'
import { mayHaveMagicBlock, readMagicBlock } from './magic-blocks.ts'
import type { MaskedText } from './masked-text.ts'

// Each of these patterns matches a text in one way only: ambiguous whitespace would cause exponential backtracking.
export const fenceStart = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/
const tagLine = /^((?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*)(\{%.*)$/
const attribute = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'(?=\s|$)|([^\s"]+))/g
const nextTag = /[ \t]*\{%/y
/** A row with nothing but a closing tag. Formatters make it of a tag directly below a table. */
const tagRow = /^([ \t>]*)\|[ \t]*\{%-?[ \t]*end[\w-]+[ \t]*-?%\}[ \t]*\|[ \t|]*$/

/** Minimum length of a tag: that of an empty comment, which replaces it for the parser. */
const minTagLength = '<!---->'.length

/** Maximum number of lines of a tag. Only integrations write multi-line tags; a longer one is considered unclosed. */
const maxTagLines = 200

/** Maximum number of characters read for unclosed tags, per character of the text. */
const maxRescansPerCharacter = 10

/**
 * Finds the tags of a text. Those in fenced code, in `<pre>` and in comments are text. `isPaired` returns whether an opening tag
 * may enclose blocks.
 */
export function findTags(
  source: string,
  isPaired: (tag: BlockTag) => boolean,
  isKnown: (name: string) => boolean,
): BlockTag[] {
  const tags: BlockTag[] = []
  const hasDirectives = source.includes(':::')
  const hasAdmonitions = mayHaveAdmonition(source)
  const hasComponents = source.includes('{{') || mayHaveComponent(source)
  const hasMagicBlocks = mayHaveMagicBlock(source)
  const hasOthers = hasDirectives || hasAdmonitions || hasComponents || hasMagicBlocks
  if (!hasOthers && !source.includes('{%')) return tags
  const directives = new DirectivePairs()
  const components = new ComponentPairs()
  const edges = new Map<BlockTag, Pick<TagEdge, 'isBehindText' | 'isBeforeText'>>()
  // Each line may start a multi-line tag that is never closed, so that the same lines would be read repeatedly.
  const budget = { left: 100_000 + maxRescansPerCharacter * source.length }
  let fence: string | undefined
  let rawEndPattern: RegExp | undefined
  let componentEnd: number | undefined
  let magic: BlockTag | undefined
  for (let start = 0; start < source.length;) {
    const end = lineEnd(source, start)
    const line = source.slice(start, end)
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
    } else if (rawEndPattern) {
      if (rawEndPattern.test(line)) rawEndPattern = undefined
    } else {
      const opened = fenceStart.exec(line)?.[1]
      if (opened !== undefined) fence = opened
      else if (/^\s*<pre[\s>]/i.test(line)) rawEndPattern = /<\/pre>/i.test(line) ? undefined : /<\/pre>/i
      else if (/^\s*<!--/.test(line)) rawEndPattern = line.includes('-->') ? undefined : /-->/
      else if (hasMagicBlocks && (magic = readMagicBlock(source, start, line, budget))) {
        tags.push(magic)
        start = nextLine(source, magic.end)
        continue
      } else if (hasComponents && (componentEnd = components.read(source, start, end, budget)) !== undefined) {
        start = nextLine(source, componentEnd)
        continue
      } else if (line.includes('{%')) {
        const found = readTagLine(source, start, line, budget)
        if (found) {
          for (const tag of found.tags) tags.push(tag)
          start = found.next
          continue
        }
        for (const { tag, ...edge } of findEdgeTags(source, start, line)) {
          tags.push(tag)
          edges.set(tag, edge)
        }
      } else if (hasDirectives && line.includes(':::')) directives.add(line, start)
      else if (hasAdmonitions && mayHaveAdmonition(line)) {
        const admonition = readAdmonition(line, start, source)
        if (admonition) tags.push(admonition)
      }
    }
    start = nextLine(source, end)
  }
  const mayEnclose = (tag: BlockTag) => isPaired(tag) || !isKnown(tag.name)
  const paired = convertForeignTags(
    edges.size === 0 ? tags : pairEdges(source, tags, edges, mayEnclose, budget),
    isKnown,
  )
  const found = [...directives.list(), ...components.list()]
  return found.length === 0 ? paired : [...paired, ...found].sort((one, other) => one.start - other.start)
}

const linePrefix = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t])*/

/** Returns the tags at the edges of a line, if there are none in the middle, or the tag that is a whole row of a table. */
function findEdgeTags(
  source: string,
  start: number,
  line: string,
): (Pick<TagEdge, 'isBehindText' | 'isBeforeText'> & { tag: BlockTag })[] {
  const text = line.trimEnd()
  const oneLine = { left: 0 }
  const tagAt = (at: number): BlockTag | undefined => {
    const end = tagEnd(source, at, oneLine)
    return end === undefined || end > start + text.length ? undefined : readTag(source, at, end)
  }
  const row = tagRow.exec(text)
  if (row) {
    const [from, to] = [start + (row[1] as string).length, start + text.length]
    const tag = tagAt(source.indexOf('{%', from))
    return tag ? [{ tag: { ...tag, start: from, end: to }, isBehindText: false, isBeforeText: false }] : []
  }
  const prefix = linePrefix.exec(text)?.[0] ?? ''
  let [from, to] = [start + prefix.length, start + text.length]
  const [leading, trailing]: [BlockTag[], BlockTag[]] = [[], []]
  for (let tag = source.startsWith('{%', from) ? tagAt(from) : undefined; tag;) {
    leading.push(tag)
    from = tag.end
    const next = findAdjacentTag(source, from)
    tag = next === undefined ? undefined : tagAt(next)
  }
  while (to > from && source.startsWith('%}', to - 2)) {
    const at = source.lastIndexOf('{%', to)
    const tag = at < from ? undefined : tagAt(at)
    if (tag?.end !== to || source[at - 1] === '\\') return []
    trailing.push(tag)
    to = at
    while (to > from && isBlank(source[to - 1])) to--
  }
  const between = source.slice(from, to)
  const hasOpenCodeSpan = (between.split('`').length - 1) % 2 === 1
  if (between.trim() === '' || between.includes('{%') || hasOpenCodeSpan) return []
  return [
    ...leading.map((tag, index) => ({ tag, isBehindText: false, isBeforeText: index === leading.length - 1 })),
    ...trailing.toReversed().map((tag, index) => ({ tag, isBehindText: index === 0, isBeforeText: false })),
  ]
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t'

/** Removes the tags next to text that do not enclose blocks of the page or of one item or quote. */
function pairEdges(
  source: string,
  tags: readonly BlockTag[],
  edges: ReadonlyMap<BlockTag, Pick<TagEdge, 'isBehindText' | 'isBeforeText'>>,
  isPaired: (tag: BlockTag) => boolean,
  budget: { left: number },
): BlockTag[] {
  const pairs = new Map<BlockTag, Pick<TagEdge, 'partner' | 'indent'>>()
  // Tags on their own lines are paired first: those next to text may be part of the text.
  const closes = new Map(
    pairTags(
      tags.filter((tag) => !edges.has(tag)),
      isPaired,
    ),
  )
  const opens = new Map(Array.from(closes, ([opening, closing]) => [closing, opening]))
  const addPair = (opening: BlockTag, closing: BlockTag) => {
    const indent = sharedIndent(source, opening, closing, budget)
    // Outside of items and quotes, a tag behind text is part of a sentence about tags.
    if (indent === undefined || (indent === '' && edges.get(opening)?.isBehindText)) return
    pairs.set(opening, { partner: closing.start, indent })
    pairs.set(closing, { partner: opening.start, indent })
  }
  let level: BlockTag[] = []
  const levels: BlockTag[][] = []
  for (const tag of tags) {
    if (closes.has(tag)) {
      levels.push(level)
      level = []
    } else if (opens.has(tag)) {
      for (const pair of pairTags(level, isPaired)) addPair(...pair)
      level = levels.pop() ?? []
    } else level.push(tag)
  }
  for (const one of [...levels, level]) for (const pair of pairTags(one, isPaired)) addPair(...pair)
  return tags.flatMap((tag) => {
    const [edge, pair] = [edges.get(tag), pairs.get(tag)]
    if (!edge) return [tag]
    return pair ? [{ ...tag, edge: { ...edge, ...pair } }] : []
  })
}

/** Pairs each opening tag with the tag that closes it. */
export function pairTags(
  tags: readonly BlockTag[],
  isPaired: (tag: BlockTag) => boolean,
): [opening: BlockTag, closing: BlockTag][] {
  const found: [BlockTag, BlockTag][] = []
  const open: BlockTag[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const tag of tags) {
    if (isPaired(tag)) {
      open.push(tag)
      count(tag.name, 1)
    }
    const name = tag.name.startsWith('end') ? tag.name.slice('end'.length) : undefined
    if (name === undefined || !counts.get(name)) continue
    for (let last = open.pop(); last; last = open.pop()) {
      count(last.name, -1)
      if (last.name !== name) continue
      found.push([last, tag])
      break
    }
  }
  return found
}

/** Returns the indentation of the item or quote that contains both tags; undefined if a line between them is outside. */
function sharedIndent(
  source: string,
  opening: BlockTag,
  closing: BlockTag,
  budget: { left: number },
): string | undefined {
  const lineStart = source.lastIndexOf('\n', opening.start) + 1
  budget.left -= closing.end - lineStart
  if (budget.left < 0) return undefined
  const prefix = linePrefix.exec(source.slice(lineStart, opening.start))?.[0] ?? ''
  // The checkbox of a task is part of the text.
  const indent = prefix.replace(/\[[ xX]\][ \t]+/, '').replace(/[^>\t]/g, ' ')
  const column = columnOf(indent)
  const lines = source.slice(opening.end, closing.end).split('\n').slice(1)
  const isInside = lines.every((line) => {
    const blanks = /^[ \t>]*/.exec(line)?.[0] ?? ''
    return line.replace(/[>\s]/g, '') === '' || columnOf(blanks) >= column
  })
  return isInside ? indent : undefined
}

/** Returns the number of columns of a prefix, with tab stops at multiples of four. */
export function columnOf(prefix: string): number {
  let column = 0
  for (const character of prefix) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

export function closesFence(line: string, fence: string): boolean {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '>') at++
  // Most lines of code return here.
  if (line[at] !== fence[0]) return false
  const text = line.slice(at).trimEnd()
  return text.length >= fence.length && text.split('').every((character) => character === fence[0])
}

/** Returns the tags of a line that contains nothing else; a tag may span several lines. */
function readTagLine(
  source: string,
  start: number,
  line: string,
  budget: { left: number },
): { tags: BlockTag[]; next: number } | undefined {
  const match = tagLine.exec(line)
  if (!match) return undefined
  const tags: BlockTag[] = []
  let at = start + (match[1] as string).length
  let restEnd = start + line.length
  for (;;) {
    const end = tagEnd(source, at, budget)
    if (end === undefined) return undefined
    const tag = readTag(source, at, end)
    if (!tag) return undefined
    tags.push(tag)
    if (end > restEnd) restEnd = lineEnd(source, end)
    const next = findAdjacentTag(source, end)
    if (next !== undefined) at = next
    else if (source.slice(end, restEnd).trim() === '') return { tags, next: nextLine(source, restEnd) }
    else return undefined
  }
}

/** Returns the start of the next tag if only whitespace is before it. */
function findAdjacentTag(source: string, offset: number): number | undefined {
  nextTag.lastIndex = offset
  return nextTag.test(source) ? nextTag.lastIndex - 2 : undefined
}

/** Returns the offset after the `%}` that closes a tag; quoted values may contain any characters, including newlines. */
function tagEnd(source: string, start: number, budget: { left: number }): number | undefined {
  let quote: string | undefined
  let lines = 0
  for (let index = start + 2; index < source.length; index++) {
    const character = source[index] as string
    if (lines > 0 && --budget.left < 0) return undefined
    if (character === '\n') {
      if (lines === 0 && quote !== undefined) {
        const line = source.slice(start, index).trimEnd()
        // A quotation mark is missing: the tag ends with its line.
        if (line.endsWith('%}') && line.lastIndexOf('{%') === 0) return start + line.length
      }
      if (++lines > maxTagLines || quote === undefined) return undefined
    }
    if (quote !== undefined) {
      if (character === '\\') index++
      else if (character === quote) quote = undefined
    } else if (character === '"') quote = character
    else if (character === '%' && source[index + 1] === '}') return index + 2
  }
  return undefined
}

function readTag(source: string, start: number, end: number): BlockTag | undefined {
  if (end - start < minTagLength) return undefined
  const inner = source.slice(start + 2, end - 2)
  const match = /^[\s-]*(\/)?([@\w][\w@/.-]*)([^]*)$/.exec(inner)
  if (!match) return undefined
  const rest = (match[3] as string).trim()
  const name = match[2] as string
  const attributes = readAttributes(rest, name.startsWith('@'))
  return toKnownTag({ name: match[1] === undefined ? name : `end${name}`, attributes, rest, start, end })
}

/** Reads the attributes of a tag; former exports escape values like text, except those of integrations. */
function readAttributes(text: string, isIntegration: boolean): Record<string, string> {
  const attributes: Record<string, string> = {}
  const escaped = isIntegration ? /\\(["\\])/g : /\\(["\\_*[\]])/g
  for (const [, name, quoted, single, bare] of text.matchAll(attribute)) {
    attributes[name as string] = quoted?.replace(escaped, '$1') ?? single ?? (bare as string)
  }
  return attributes
}

export function lineEnd(source: string, start: number): number {
  const newline = source.indexOf('\n', start)
  const end = newline === -1 ? source.length : newline
  return end > start && source[end - 1] === '\r' ? end - 1 : end
}

export function nextLine(source: string, end: number): number {
  const newline = source.indexOf('\n', end)
  return newline === -1 ? source.length : newline + 1
}

/**
 * Replaces each tag with an HTML comment surrounded by empty lines: a separate block for any Markdown parser, regardless of the
 * text before and after it. In quotes the empty lines are lines of the quote.
 */
export function maskTags(source: string, tags: readonly BlockTag[]): MaskedText {
  const shifts: { at: number; ahead: number }[] = []
  // Joined at the end: reading from a growing string would copy all of it each time.
  const parts: string[] = []
  let length = 0
  let at = 0
  let ahead = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  const shift = (by: number) => {
    ahead += by
    shifts.push({ at: length, ahead })
  }
  const insert = (line: string) => {
    add(line)
    shift(line.length)
  }
  let emptyLine = ''
  tags.forEach(({ start, end, edge, isItem }, index) => {
    if (edge) emptyLine = `${edge.indent.trimEnd()}\n`
    if (edge?.isBehindText) {
      add(source.slice(at, start))
      insert(`\n${emptyLine}${edge.indent}`)
      at = start
    }
    const lineStart = at + source.slice(at, start).lastIndexOf('\n') + 1
    const isFirstOfLine = lineStart === 0 || source[lineStart - 1] === '\n'
    if (isFirstOfLine) {
      const prefix = source.slice(lineStart, start)
      emptyLine = toEmptyLine(prefix)
      add(source.slice(at, lineStart))
      // A quote behind the marker of an item begins with the item, not in the line before it.
      insert(toEmptyLine(/^[ \t>]*/.exec(prefix)?.[0] ?? ''))
      at = lineStart
    }
    const filler = toFiller(source.slice(start + 4, end - 3))
    add(source.slice(at, start))
    if (isItem) insert(admonitionMarker)
    add(`<!--${filler}-->`)
    // The closing line of a directive is shorter than a comment.
    if (end - start < minTagLength) shift(minTagLength - (end - start))
    at = end
    if (edge?.isBeforeText) {
      const blanks = /^[ \t]*/.exec(source.slice(end, nextLine(source, end)))?.[0] ?? ''
      add(blanks)
      at = end + blanks.length
      insert(`\n${emptyLine}${edge.indent}`)
    } else if (!isAdjacent(source, end, tags[index + 1])) {
      const next = nextLine(source, end)
      const rest = source.slice(at, next)
      add(rest)
      at = next
      insert(rest.endsWith('\n') ? emptyLine : `\n${emptyLine}`)
    }
  })
  add(source.slice(at))
  return { text: parts.join(''), shifts }
}

/** Whether only blanks are between a tag and the next one. */
const isAdjacent = (source: string, end: number, next: BlockTag | undefined): boolean =>
  next !== undefined && next.start - end < maxBlanks && /^[ \t]*$/.test(source.slice(end, next.start))

/** Maximum number of blanks between two tags in a line. */
const maxBlanks = 1000

const hide = (line: string): string => line.replace(/[^\r]/g, 'x')

/** Hides the text of a tag; its lines keep their indentation, so that they stay in their item or quote. */
function toFiller(text: string): string {
  const [first = '', ...others] = text.split('\n')
  const lines = others.map((line) => {
    const prefix = /^[ \t>]*/.exec(line)?.[0] ?? ''
    return prefix + hide(line.slice(prefix.length))
  })
  return [hide(first), ...lines].join('\n')
}

/** Returns an empty line of the same quotes as a line with this prefix. */
const toEmptyLine = (prefix: string): string => `${prefix.replace(/[^>]/g, ' ').trimEnd()}\n`
