import { isElementName, isUnambiguousTag } from './html.ts'

// The tags of components of MDX in a line: `<Card title="a">`, which may span several lines, and `</Card>`. An `<aside>`, as Notion
// exports callouts, is one too.

export interface ComponentTag {
  name: string
  isClosing: boolean
  isEmpty: boolean
  /** Attributes as written. */
  rest: string
  start: number
  end: number
}

/** The tags at the edges of a line that enclose blocks. */
export interface ComponentEdges {
  leading: readonly ComponentTag[]
  trailing: readonly ComponentTag[]
  /** Whether the line contains nothing but tags. */
  isAlone: boolean
  /** Indentation and markers before the first tag or text. */
  prefix: string
  /** Offset of the end of the last line. */
  end: number
}

const linePrefix = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*/
const tagStart = /<(\/)?([A-Z][\w.]*|[a-z][a-z\d]*-[a-z\d-]+|aside)(?=[\s/>])/y
const anyTagStart = /<\/?(?:[A-Z]|[a-z][a-z\d]*-|aside[\s>])/

/** Maximum number of lines of a tag; a longer one is considered unclosed. */
const maxTagLines = 100

/** Whether a line may contain the tag of a component. */
export const mayHaveComponent = (line: string): boolean => anyTagStart.test(line)

/** Returns the tags of components at the edges of the line at an offset; undefined if there are none. */
export function readComponentEdges(
  source: string,
  lineStart: number,
  firstEnd: number,
  budget: { left: number },
): ComponentEdges | undefined {
  const prefix = linePrefix.exec(source.slice(lineStart, firstEnd))?.[0] ?? ''
  const textStart = lineStart + prefix.length
  let at = textStart
  let end = firstEnd
  const leading: ComponentTag[] = []
  for (let tag = readTag(source, at, budget); tag; tag = readTag(source, at, budget)) {
    leading.push(tag)
    if (tag.end > end) end = lineEndOf(source, tag.end)
    at = skipBlanks(source, tag.end)
  }
  if (leading.length > 0 && source.slice(at, end).trim() === '')
    return { leading, trailing: [], isAlone: true, prefix, end }
  const rest = source.slice(at, end).trimEnd()
  if ((rest.split('`').length - 1) % 2 === 1) return undefined
  const inText = readTagsInText(source, at, at + rest.length, budget)
  const trailing: ComponentTag[] = []
  for (let last = inText.at(-1), to = at + rest.length; last?.isClosing && last.end === to; last = inText.at(-1)) {
    trailing.unshift(last)
    inText.pop()
    to = at + source.slice(at, last.start).trimEnd().length
  }
  const edges = withoutInlineTags(leading, inText, trailing)
  if (!edges || edges.leading.length + edges.trailing.length === 0) return undefined
  return { ...edges, isAlone: false, prefix, end }
}

/** Removes the tags of components inside the text: those that are opened before or in the text and closed in it. */
function withoutInlineTags(
  leading: readonly ComponentTag[],
  inText: readonly ComponentTag[],
  trailing: readonly ComponentTag[],
): Pick<ComponentEdges, 'leading' | 'trailing'> | undefined {
  const partners = new Map<ComponentTag, ComponentTag>()
  const open: ComponentTag[] = []
  for (const tag of [...leading, ...inText, ...trailing]) {
    if (tag.isEmpty) continue
    if (!tag.isClosing) open.push(tag)
    else if (open.at(-1)?.name === tag.name) {
      const opening = open.pop() as ComponentTag
      partners.set(opening, tag)
      partners.set(tag, opening)
    }
  }
  const inner = new Set(inText)
  const isInline = (tag: ComponentTag) => tag.isEmpty || inner.has(partners.get(tag) as ComponentTag)
  const [first, last] = [leading.findIndex(isInline), trailing.findLastIndex(isInline)]
  const isOpenInText = inText.some((tag) => !tag.isEmpty && !partners.has(tag))
  if (isOpenInText) return undefined
  return { leading: first === -1 ? leading : leading.slice(0, first), trailing: trailing.slice(last + 1) }
}

function readTagsInText(source: string, from: number, to: number, budget: { left: number }): ComponentTag[] {
  const found: ComponentTag[] = []
  for (let at = source.indexOf('<', from); at !== -1 && at < to; at = source.indexOf('<', at)) {
    const tag = readTag(source, at, budget)
    const isWhole = tag !== undefined && tag.end <= to
    if (isWhole) found.push(tag)
    at = isWhole ? tag.end : at + 1
  }
  return found
}

/** Reads the tag of a component at an offset; values in quotes and braces may contain any characters. */
function readTag(source: string, start: number, budget: { left: number }): ComponentTag | undefined {
  tagStart.lastIndex = start
  const match = tagStart.exec(source)
  const name = match?.[2]
  if (!match || name === undefined || isElement(name)) return undefined
  const from = start + match[0].length
  let [depth, lines, quote]: [number, number, string | undefined] = [0, 0, undefined]
  for (let at = from; at < source.length; at++) {
    const character = source[at] as string
    if (--budget.left < 0) return undefined
    if (character === '\n' && (++lines > maxTagLines || /^[ \t]*\r?$/.test(nextLineOf(source, at)))) return undefined
    if (quote !== undefined) {
      if (character === quote) quote = undefined
    } else if (
      character === '"' ||
      (character === "'" && isValueStart(source, at, depth)) ||
      (character === '`' && depth > 0)
    )
      quote = character
    else if (character === '{') depth++
    else if (character === '}') depth--
    else if (depth <= 0 && character === '<') return undefined
    else if (depth <= 0 && character === '>') {
      const rest = source.slice(from, at)
      return { name, isClosing: match[1] !== undefined, isEmpty: rest.endsWith('/'), rest, start, end: at + 1 }
    }
  }
  return undefined
}

/** Whether a single quotation mark opens a value; in other places it may be an apostrophe. */
const isValueStart = (source: string, at: number, depth: number): boolean =>
  depth > 0 ? /[\s({[,:=+?]/.test(source[at - 1] as string) : source[at - 1] === '='

function nextLineOf(source: string, newline: number): string {
  const end = source.indexOf('\n', newline + 1)
  return source.slice(newline + 1, Math.min(end === -1 ? source.length : end, newline + 1000))
}

function lineEndOf(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end === -1 ? source.length : end
}

function skipBlanks(source: string, at: number): number {
  while (source[at] === ' ' || source[at] === '\t') at++
  return at
}

/** Whether a name with capital letters is HTML: `<TABLE>` and `<Div>`, not `<Map>`. */
function isElement(name: string): boolean {
  const lower = name.toLowerCase()
  return name === name.toUpperCase()
    ? isElementName(name)
    : !componentNames.has(lower) && isUnambiguousTag({ name: lower })
}

/** Names of components that have a meaning although there are elements with the same name. */
const componentNames: ReadonlySet<string> = new Set(['details'])
