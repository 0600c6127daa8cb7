/** A block tag that stands alone on its line: `{% hint style="info" %}`. */
export interface Tag {
  /** `hint`, `endhint`, `@mermaid/diagram`, … */
  name: string
  attributes: Readonly<Record<string, string>>
  /** What stands behind the name, as written. */
  rest: string
  /** From `{%` to behind `%}` in the source. */
  start: number
  end: number
}

// Each of these reads a text in one way only: where a blank can be read in two ways, trying all takes forever.
const fenceStart = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/
const tagLine = /^((?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*)(\{%.*)$/
const attribute = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))/g
const nextTag = /[ \t]*\{%/y

/** As long as an empty comment, which takes its place for the parser. */
const shortestTag = '<!---->'.length

/** Multi-line tags are written by integrations only; more lines than this are no tag but an unclosed one. */
const maxTagLines = 200

/** How many characters of lines behind a `{%` that no tag begins with may be read in vain, for each of the text. */
const maxReadAgain = 10

/** Finds the tags of a text. Those in fenced code, in `<pre>` and in comments are text. */
export function findTags(source: string): Tag[] {
  const tags: Tag[] = []
  // Each line may begin a tag of many lines that is never closed: these are read again and again.
  const budget = { left: 100_000 + maxReadAgain * source.length }
  let fence: string | undefined
  let inRaw: RegExp | undefined
  for (let start = 0; start < source.length;) {
    const end = lineEnd(source, start)
    const line = source.slice(start, end)
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
    } else if (inRaw) {
      if (inRaw.test(line)) inRaw = undefined
    } else {
      const opened = fenceStart.exec(line)?.[1]
      if (opened !== undefined) fence = opened
      else if (/^\s*<pre[\s>]/i.test(line)) inRaw = /<\/pre>/i.test(line) ? undefined : /<\/pre>/i
      else if (/^\s*<!--/.test(line)) inRaw = line.includes('-->') ? undefined : /-->/
      else {
        const found = tagsOfLine(source, start, line, budget)
        if (found) {
          for (const tag of found.tags) tags.push(tag)
          start = found.next
          continue
        }
      }
    }
    start = nextLine(source, end)
  }
  return tags
}

function closesFence(line: string, fence: string): boolean {
  const text = line.replace(/^[ \t>]*/, '').trimEnd()
  return text.length >= fence.length && text.split('').every((character) => character === fence[0])
}

/** The tags of a line that holds nothing else; one tag may go on over further lines. */
function tagsOfLine(
  source: string,
  start: number,
  line: string,
  budget: { left: number },
): { tags: Tag[]; next: number } | undefined {
  const match = tagLine.exec(line)
  if (!match) return undefined
  const tags: Tag[] = []
  let at = start + (match[1] as string).length
  let restEnd = start + line.length
  for (;;) {
    const end = tagEnd(source, at, budget)
    if (end === undefined) return undefined
    const tag = readTag(source, at, end)
    if (!tag) return undefined
    tags.push(tag)
    if (end > restEnd) restEnd = lineEnd(source, end)
    const next = tagBehind(source, end)
    if (next !== undefined) at = next
    else if (source.slice(end, restEnd).trim() === '') return { tags, next: nextLine(source, restEnd) }
    else return undefined
  }
}

/** Where a tag begins that stands behind this place with nothing but blanks between. */
function tagBehind(source: string, place: number): number | undefined {
  nextTag.lastIndex = place
  return nextTag.test(source) ? nextTag.lastIndex - 2 : undefined
}

/** Behind the `%}` that closes a tag; quoted values may hold anything, also line ends. */
function tagEnd(source: string, start: number, budget: { left: number }): number | undefined {
  let quote: string | undefined
  let lines = 0
  for (let index = start + 2; index < source.length; index++) {
    const character = source[index] as string
    if (lines > 0 && --budget.left < 0) return undefined
    if (character === '\n' && (++lines > maxTagLines || quote === undefined)) return undefined
    if (quote !== undefined) {
      if (character === '\\') index++
      else if (character === quote) quote = undefined
    } else if (character === '"') quote = character
    else if (character === '%' && source[index + 1] === '}') return index + 2
  }
  return undefined
}

function readTag(source: string, start: number, end: number): Tag | undefined {
  if (end - start < shortestTag) return undefined
  const inner = source.slice(start + 2, end - 2)
  const match = /^\s*([@\w][\w@/.-]*)([^]*)$/.exec(inner)
  if (!match) return undefined
  const rest = (match[2] as string).trim()
  return { name: match[1] as string, attributes: readAttributes(rest), rest, start, end }
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name, quoted, bare] of text.matchAll(attribute)) {
    attributes[name as string] = quoted === undefined ? (bare as string) : quoted.replace(/\\(["\\])/g, '$1')
  }
  return attributes
}

function lineEnd(source: string, start: number): number {
  const newline = source.indexOf('\n', start)
  const end = newline === -1 ? source.length : newline
  return end > start && source[end - 1] === '\r' ? end - 1 : end
}

function nextLine(source: string, end: number): number {
  const newline = source.indexOf('\n', end)
  return newline === -1 ? source.length : newline + 1
}

/** A text in which tags are blocks of their own, and how far its offsets are ahead of the source's. */
export interface Masked {
  text: string
  /** In order: from `at` in the text on, offsets are `ahead` of those in the source. */
  shifts: readonly { at: number; ahead: number }[]
}

/**
 * The source with every tag replaced by an HTML comment, with empty lines around: a block of its own for any Markdown
 * parser, whatever stands before and behind it. In quotes the empty lines are lines of the quote.
 */
export function maskTags(source: string, tags: readonly Tag[]): Masked {
  const shifts: { at: number; ahead: number }[] = []
  // Joined at the end: to look into a text that grows copies all of it every time.
  const parts: string[] = []
  let length = 0
  let at = 0
  let ahead = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  const insert = (line: string) => {
    add(line)
    ahead += line.length
    shifts.push({ at: length, ahead })
  }
  let emptyLine = ''
  for (const { start, end } of tags) {
    const lineStart = at + source.slice(at, start).lastIndexOf('\n') + 1
    const isFirstOfLine = lineStart === 0 || source[lineStart - 1] === '\n'
    if (isFirstOfLine) {
      emptyLine = `${source.slice(lineStart, start).replace(/[^>]/g, ' ').trimEnd()}\n`
      add(source.slice(at, lineStart))
      insert(emptyLine)
      at = lineStart
    }
    const filler = source.slice(start + 4, end - 3).replace(/[^\r\n]/g, 'x')
    add(`${source.slice(at, start)}<!--${filler}-->`)
    at = end
    if (tagBehind(source, end) === undefined) {
      const next = nextLine(source, end)
      const rest = source.slice(at, next)
      add(rest)
      at = next
      insert(rest.endsWith('\n') ? emptyLine : `\n${emptyLine}`)
    }
  }
  add(source.slice(at))
  return { text: parts.join(''), shifts }
}

/** The text with a backslash before the characters at some offsets of the source, which are in order. */
export function withBackslashes({ text, shifts }: Masked, offsets: readonly number[]): Masked {
  const merged: { at: number; ahead: number }[] = []
  const parts: string[] = []
  let [at, next, ahead] = [0, 0, 0]
  offsets.forEach((offset, count) => {
    for (; next < shifts.length; next++) {
      const shift = shifts[next] as Masked['shifts'][number]
      if (shift.at - shift.ahead > offset) break
      ahead = shift.ahead
      merged.push({ at: shift.at + count, ahead: ahead + count })
    }
    const place = offset + ahead
    parts.push(text.slice(at, place), '\\')
    at = place
    merged.push({ at: place + count + 1, ahead: ahead + count + 1 })
  })
  for (const shift of shifts.slice(next))
    merged.push({ at: shift.at + offsets.length, ahead: shift.ahead + offsets.length })
  parts.push(text.slice(at))
  return { text: parts.join(''), shifts: merged }
}

/** The offset in the source of an offset in the masked text. */
export function sourceOffset({ shifts }: Masked, offset: number): number {
  let [low, high] = [0, shifts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shifts[middle] as { at: number }).at <= offset) low = middle + 1
    else high = middle
  }
  return offset - (shifts[low - 1]?.ahead ?? 0)
}
