// The parser's time (and its memory for entities) grows with the square of the number of containers that one line opens, of the
// underscores, entities and bare URLs in one paragraph, and of the marks in one line. Real texts stay far below, but input may be
// malicious: the characters above a limit are hidden from the parser.

/** Maximum number of containers that one line opens; deeper ones remain text. */
const maxContainers = 100
/** Maximum number of each of these in a paragraph; rows of a table are counted separately. */
const maxInParagraph = 2000
/** Strings that are counted, with the index of the character to hide in each. */
const countedStrings = [
  { text: '_', at: 0 },
  { text: '&', at: 0 },
  { text: '@', at: 0 },
  { text: '://', at: 0 },
  { text: 'www.', at: 3 },
] as const

/**
 * Maximum number of characters that the parser reads in lines that are not short: for each mark it reads its line from the start.
 */
const maxScannedCharacters = 400_000_000
/** Maximum length of a line in which marks are not counted. */
const maxShortLineLength = 1000
const inlineMark = /[_*~`[\]<&$!@:|\\]/g

const containerMark = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]\s]{1,100}\]:)/y
const hideable = '>-+*.)_&@:~`[]<$!|\\'
/** First code point of the private use area. */
const privateUse = 0xe000
/**
 * First noncharacter. Noncharacters are used as masks if the text contains characters from every private use range; those that
 * the text itself contains are replaced.
 */
const noncharacters = 0xfdd0
const replacement = 0xfffd

/**
 * Maximum amount of markup of a page. Parsing takes about 3 KB of memory for each line and half of that for each mark in a line.
 */
const maxMarkup = 250_000
const markupPattern = /[\r\n]+|[_*~`[<&$|]/g

/**
 * Whether a text has so much markup that parsing it would exhaust the memory; the parser could not recurse into all of it either.
 */
export function hasTooMuchMarkup(text: string): boolean {
  if (text.length <= maxMarkup / 2) return false
  let markup = 0
  for (const [mark] of text.matchAll(markupPattern)) {
    markup += mark.endsWith('\n') ? 2 : 1
    if (markup > maxMarkup) return true
  }
  return false
}

/** A text with some characters hidden from the parser. */
export interface LimitedMarkup {
  text: string
  /** Restores the hidden characters in a part of the text. */
  restore: (part: string) => string
}

/** Returns the text with excess characters hidden; undefined if the parser can process it unchanged. */
export function limitMarkup(text: string): LimitedMarkup | undefined {
  const offsets = findOffsetsToHide(text)
  if (offsets.length === 0) return undefined
  const first = findUnusedRange(text) ?? noncharacters
  const isHidden = new Uint8Array(text.length)
  for (const offset of offsets) isHidden[offset] = 1
  const isMask = (code: number) => code >= first && code < first + hideable.length
  return {
    text: mapCodes(text, (code, offset) => {
      if (isHidden[offset] === 1) return first + hideable.indexOf(String.fromCharCode(code))
      return isMask(code) ? replacement : code
    }),
    restore: (part) => mapCodes(part, (code) => (isMask(code) ? hideable.charCodeAt(code - first) : code)),
  }
}

/** Maximum number of character codes to convert to a string at once. */
const chunkLength = 8192

function mapCodes(text: string, change: (code: number, offset: number) => number): string {
  const codes = new Uint16Array(Math.min(chunkLength, text.length))
  let changed = ''
  for (let start = 0; start < text.length; start += chunkLength) {
    const length = Math.min(chunkLength, text.length - start)
    for (let at = 0; at < length; at++) codes[at] = change(text.charCodeAt(start + at), start + at)
    changed += String.fromCharCode(...codes.subarray(0, length))
  }
  return changed
}

/** Returns the offsets of the characters to hide, unsorted and with duplicates. */
function findOffsetsToHide(text: string): number[] {
  const offsets: number[] = []
  const counts = countedStrings.map(() => 0)
  const budget = { left: maxScannedCharacters }
  const hasFrequentString = countedStrings.some(({ text: sought }) => occursTooOften(text, sought))
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    hideDeepContainers(text, start, end, offsets)
    if (end - start > maxShortLineLength) hideMarks(text.slice(start, end), start, budget, offsets)
    if (!hasFrequentString) {
      start = end + 1
      continue
    }
    const line = text.slice(start, end)
    if (line.startsWith('|') || line.trim() === '') counts.fill(0)
    countedStrings.forEach(({ text: sought, at }, index) => {
      let count = counts[index] as number
      for (let found = line.indexOf(sought); found >= 0; found = line.indexOf(sought, found + 1)) {
        if (++count > maxInParagraph) offsets.push(start + found + at)
      }
      counts[index] = count
    })
    start = end + 1
  }
  return offsets
}

/** Whether a string occurs in the text more often than allowed in one paragraph; in most pages it does not. */
function occursTooOften(text: string, sought: string): boolean {
  let count = 0
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (++count > maxInParagraph) return true
  }
  return false
}

function hideMarks(line: string, start: number, budget: { left: number }, offsets: number[]): void {
  const maxCount = budget.left / line.length
  let count = 0
  inlineMark.lastIndex = 0
  while (inlineMark.test(line)) if (++count > maxCount) offsets.push(start + inlineMark.lastIndex - 1)
  budget.left -= Math.min(count, maxCount) * line.length
}

function hideDeepContainers(text: string, start: number, end: number, offsets: number[]): void {
  // A container mark has at least one character and usually two.
  if (end - start <= maxContainers) return
  containerMark.lastIndex = start
  for (let count = 1; containerMark.test(text) && containerMark.lastIndex <= end; count++) {
    if (count > maxContainers) offsets.push(containerMark.lastIndex - 1)
  }
}

/** Returns the first code of a range that has one code for each hideable character and does not occur in the text. */
function findUnusedRange(text: string): number | undefined {
  for (let first = privateUse; first < privateUse + 6400 - hideable.length; first += hideable.length) {
    const candidates = String.fromCharCode(...Array.from(hideable, (_, index) => first + index))
    if (!new RegExp(`[${candidates}]`).test(text)) return first
  }
  return undefined
}
