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

/** For each mark the parser looks at its line from the beginning: at how many characters in all lines that are not short. */
const maxLookedAt = 400_000_000
/** In these lines any number of marks is fine. */
const shortLine = 1000
const inlineMark = /[_*~`[\]<&$!@:|\\]/g

const containerMark = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]\s]{1,100}\]:)/y
const hideable = '>-+*.)_&@:~`[]<$!|\\'
/** The first of the characters that no standard gives a meaning to. */
const privateUse = 0xe000
/** The first of those that no text may hold: they hide when a text holds some of all others, and give way where it has them. */
const noncharacters = 0xfdd0
const replacement = 0xfffd

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
  const places = placesToHide(text)
  if (places.length === 0) return undefined
  const first = unusedCharacters(text) ?? noncharacters
  const isHidden = new Uint8Array(text.length)
  for (const place of places) isHidden[place] = 1
  const isMask = (code: number) => code >= first && code < first + hideable.length
  return {
    text: mapCodes(text, (code, place) => {
      if (isHidden[place] === 1) return first + hideable.indexOf(String.fromCharCode(code))
      return isMask(code) ? replacement : code
    }),
    show: (part) => mapCodes(part, (code) => (isMask(code) ? hideable.charCodeAt(code - first) : code)),
  }
}

/** As many codes as can be made a text of at once. */
const portion = 8192

function mapCodes(text: string, change: (code: number, place: number) => number): string {
  const codes = new Uint16Array(Math.min(portion, text.length))
  let changed = ''
  for (let start = 0; start < text.length; start += portion) {
    const length = Math.min(portion, text.length - start)
    for (let at = 0; at < length; at++) codes[at] = change(text.charCodeAt(start + at), start + at)
    changed += String.fromCharCode(...codes.subarray(0, length))
  }
  return changed
}

/** In no order; some more than once. */
function placesToHide(text: string): number[] {
  const places: number[] = []
  const counts = counted.map(() => 0)
  const budget = { left: maxLookedAt }
  const areMany = counted.some(({ text: sought }) => standsOften(text, sought))
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    hideDeepContainers(text, start, end, places)
    if (end - start > shortLine) hideMarks(text.slice(start, end), start, budget, places)
    if (!areMany) {
      start = end + 1
      continue
    }
    const line = text.slice(start, end)
    if (line.startsWith('|') || line.trim() === '') counts.fill(0)
    counted.forEach(({ text: sought, at }, index) => {
      let count = counts[index] as number
      for (let found = line.indexOf(sought); found >= 0; found = line.indexOf(sought, found + 1)) {
        if (++count > maxInParagraph) places.push(start + found + at)
      }
      counts[index] = count
    })
    start = end + 1
  }
  return places
}

/** Whether a text occurs in another more often than it may in one paragraph; in most pages it does not. */
function standsOften(text: string, sought: string): boolean {
  let count = 0
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (++count > maxInParagraph) return true
  }
  return false
}

function hideMarks(line: string, start: number, budget: { left: number }, places: number[]): void {
  const most = budget.left / line.length
  let count = 0
  inlineMark.lastIndex = 0
  while (inlineMark.test(line)) if (++count > most) places.push(start + inlineMark.lastIndex - 1)
  budget.left -= Math.min(count, most) * line.length
}

function hideDeepContainers(text: string, start: number, end: number, places: number[]): void {
  // A mark takes at least one character and mostly two.
  if (end - start <= maxContainers) return
  containerMark.lastIndex = start
  for (let count = 1; containerMark.test(text) && containerMark.lastIndex <= end; count++) {
    if (count > maxContainers) places.push(containerMark.lastIndex - 1)
  }
}

/** The code of the first of as many characters as can be hidden, none of which the text has. */
function unusedCharacters(text: string): number | undefined {
  for (let first = privateUse; first < privateUse + 6400 - hideable.length; first += hideable.length) {
    const candidates = String.fromCharCode(...Array.from(hideable, (_, index) => first + index))
    if (!new RegExp(`[${candidates}]`).test(text)) return first
  }
  return undefined
}
