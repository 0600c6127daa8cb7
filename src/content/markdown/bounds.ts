// The parser takes time, and for entities memory, that grows with the square of how deep one line opens containers, of how
// many underscores, entities and bare addresses one paragraph has, and of how many marks one line has. Nobody writes as many
// as would be felt, but somebody may send them: those too many are hidden from it.

/** More containers than any line opens that is meant to be read; deeper ones are text anyway. */
const maxContainers = 100
/** More of each of these than any paragraph has; a row of a table counts for itself. */
const maxInParagraph = 2000
/** What is counted, and which of its characters to hide. */
const counted = [
  { text: '_', at: 0 },
  { text: '&', at: 0 },
  { text: '@', at: 0 },
  { text: '://', at: 0 },
  { text: 'www.', at: 3 },
] as const

/** For each mark the parser looks at its line from the beginning: at how many characters in all. */
const maxLookedAt = 400_000_000
/** In these lines any number of marks is fine. */
const shortLine = 20_000
const inlineMark = /[_*~`[\]<&$!@:|\\]/g

const containerMark = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y
const hideable = '>-+*.)_&@:~`[]<$!|\\'
/** The first of the characters that no standard gives a meaning to. */
const privateUse = 0xe000

/** What is made of a line takes about 3 KB of memory, of a mark within one half of that: as much as there is for a page. */
const maxMarkup = 250_000
const markOfPage = /[\r\n]+|[_*~`[<&$|]/g

/** Whether a text has so much markup that it would fill the memory; the parser could not even go down into all of it. */
export function hasTooMuchMarkup(text: string): boolean {
  if (text.length <= maxMarkup / 2) return false
  let markup = 0
  for (const [mark] of text.matchAll(markOfPage)) {
    markup += mark.endsWith('\n') ? 2 : 1
    if (markup > maxMarkup) return true
  }
  return false
}

/** A text in which some characters are hidden from the parser. */
export interface Bounded {
  text: string
  /** Shows what was hidden in a part of the text. */
  show: (part: string) => string
}

/** The text as the parser may have it; undefined when it can take all of it as it is. */
export function bounded(text: string): Bounded | undefined {
  const hidden = [...placesToHide(text)]
  if (hidden.length === 0) return undefined
  const masks = unusedCharacters(text)
  if (masks === undefined) return undefined
  const parts: string[] = []
  let end = 0
  for (const place of hidden) {
    parts.push(text.slice(end, place), masks[hideable.indexOf(text[place] as string)] as string)
    end = place + 1
  }
  parts.push(text.slice(end))
  const pattern = new RegExp(`[${masks}]`, 'g')
  return {
    text: parts.join(''),
    show: (part) => part.replace(pattern, (mask) => hideable[masks.indexOf(mask)] as string),
  }
}

function* placesToHide(text: string): Iterable<number> {
  let counts = counted.map(() => 0)
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    yield* deepContainers(text, start, end)
    const line = text.slice(start, end)
    if (line.trim() === '' || line.startsWith('|')) counts = counted.map(() => 0)
    const places = marksTooMany(line).map((place) => start + place)
    for (const [index, { text: sought, at }] of counted.entries()) {
      for (let found = line.indexOf(sought); found >= 0; found = line.indexOf(sought, found + 1)) {
        const count = (counts[index] ?? 0) + 1
        counts[index] = count
        if (count > maxInParagraph) places.push(start + found + at)
      }
    }
    yield* [...new Set(places)].sort((one, other) => one - other)
    start = end + 1
  }
}

function marksTooMany(line: string): number[] {
  if (line.length <= shortLine) return []
  return Array.from(line.matchAll(inlineMark), ({ index }) => index).slice(maxLookedAt / line.length)
}

function* deepContainers(text: string, start: number, end: number): Iterable<number> {
  // A mark takes at least one character and mostly two.
  if (end - start <= maxContainers) return
  containerMark.lastIndex = start
  for (let count = 1; containerMark.test(text) && containerMark.lastIndex <= end; count++) {
    if (count > maxContainers) yield containerMark.lastIndex - 1
  }
}

/** As many characters as can be hidden, none of which the text has. */
function unusedCharacters(text: string): string | undefined {
  for (let first = privateUse; first < privateUse + 6400 - hideable.length; first += hideable.length) {
    const candidates = String.fromCharCode(...Array.from(hideable, (_, index) => first + index))
    if (!new RegExp(`[${candidates}]`).test(text)) return candidates
  }
  return undefined
}
