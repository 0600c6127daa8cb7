import type { BlockTag } from './block-tag.ts'
import type { Insertion } from './masked-text.ts'
import { closesFence, fenceStart, lineEnd, nextLine, pairTags } from './tags.ts'

// The content of components is indented by their nesting, which Markdown would read as code. The parser gets it without the
// indentation that all of its lines share. Some people indent block tags and their content like HTML, too.

interface Line {
  start: number
  /** Number of blanks at its start; undefined if the line does not count, as those in code and empty ones. */
  own: number | undefined
  blanks: number
}

interface Body {
  tag: BlockTag
  /** Indexes of its first line and of the line of its closing tag. */
  from: number
  to: number
}

/** Returns the indentation to remove from the lines inside of components and of indented block tags. */
export function findComponentIndents(
  source: string,
  tags: readonly BlockTag[],
  isPaired: (tag: BlockTag) => boolean,
): Insertion[] {
  const pairs = [...pairComponents(source, tags), ...pairIndentedTags(source, tags, isPaired)]
  if (pairs.length === 0) return []
  const lines = readLines(source, tags)
  const removed = lines.map(() => 0)
  for (const { tag, from, to } of locateBodies(pairs, lines)) {
    const line = lines[from - 1]
    // Behind the marker of an item or quote, the column of a tag is not the number of blanks before it.
    if (!line || line.start + line.blanks !== tag.start) continue
    let least = Infinity
    for (let at = from; at < to; at++) least = Math.min(least, lines[at]?.own ?? Infinity)
    const by = least === Infinity ? 0 : least - line.blanks
    if (by > 0) for (let at = from; at < to; at++) removed[at] = (removed[at] as number) + by
  }
  return lines.flatMap(({ start, blanks }, index) => {
    const count = Math.min(removed[index] as number, blanks)
    return count > 0 ? [{ offset: start, text: '', removed: count }] : []
  })
}

/** Maximum nesting depth of tags whose content is moved; each level reads its lines once more. */
const maxDepth = 20

/** Returns the tags of components that are on different lines, in order. */
function pairComponents(source: string, tags: readonly BlockTag[]): [BlockTag, BlockTag][] {
  const pairs: [BlockTag, BlockTag][] = []
  const open: BlockTag[] = []
  for (const tag of tags) {
    if (source[tag.start] !== '<' || tag.name === '<empty-component>') continue
    if (source[tag.start + 1] !== '/') open.push(tag)
    else {
      const opening = open.pop()
      if (opening && open.length < maxDepth) pairs.push([opening, tag])
    }
  }
  return pairs.sort(([one], [other]) => one.start - other.start)
}

/** Returns the block tags whose first inner tag is indented more than they are, and the block tags inside of them. */
function pairIndentedTags(
  source: string,
  tags: readonly BlockTag[],
  isPaired: (tag: BlockTag) => boolean,
): [BlockTag, BlockTag][] {
  const written = tags.filter(({ start }) => source[start] === '{')
  const next = new Map(written.map((tag, index) => [tag, written[index + 1]]))
  const pairs = pairTags(written, isPaired).sort(([one], [other]) => one.start - other.start)
  const ends: number[] = []
  return pairs.filter(([opening, closing]) => {
    while (ends.length > 0 && (ends.at(-1) as number) < opening.start) ends.pop()
    const first = next.get(opening)
    const isIndented = first !== closing && first !== undefined && indentOf(source, first) > indentOf(source, opening)
    if ((ends.length === 0 && !isIndented) || ends.length >= maxDepth) return false
    ends.push(closing.start)
    return true
  })
}

/** Returns the number of blanks before a tag; 0 if it is not the first of its line. */
function indentOf(source: string, { start }: BlockTag): number {
  const blanks = /^[ \t]*$/.exec(source.slice(source.lastIndexOf('\n', start - 1) + 1, start))
  return blanks?.[0].length ?? 0
}

/** Returns the lines of the source, except those that start inside a tag. */
function readLines(source: string, tags: readonly BlockTag[]): Line[] {
  const lines: Line[] = []
  let fence: string | undefined
  let next = 0
  for (let start = 0; start < source.length;) {
    const end = lineEnd(source, start)
    const text = source.slice(start, end)
    while (next < tags.length && (tags[next] as BlockTag).end <= start) next++
    const isInTag = next < tags.length && (tags[next] as BlockTag).start < start
    const isCode = fence !== undefined
    if (fence === undefined) fence = fenceStart.exec(text)?.[1]
    else if (closesFence(text, fence)) fence = undefined
    const blanks = /^[ \t]*/.exec(text)?.[0].length ?? 0
    const isCounted = !isCode && !isInTag && blanks < text.length
    lines.push({ start, own: isCounted ? blanks : undefined, blanks: isInTag ? 0 : blanks })
    start = nextLine(source, end)
  }
  return lines
}

/** Returns the lines between the tags of each pair. */
function* locateBodies(pairs: readonly [BlockTag, BlockTag][], lines: readonly Line[]): Generator<Body> {
  const lineAfter = (offset: number) => {
    let [low, high] = [0, lines.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lines[middle] as Line).start <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
  for (const [opening, closing] of pairs) {
    const from = lineAfter(opening.start)
    yield { tag: opening, from, to: Math.max(from, lineAfter(closing.start) - (closing.edge ? 0 : 1)) }
  }
}
