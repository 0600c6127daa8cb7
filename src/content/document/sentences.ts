import type { Mark } from './nodes.ts'
import { type InlineToken, tokenKey } from './inline-tokens.ts'

export interface Sentence {
  /** White space before the sentence. */
  gap: readonly InlineToken[]
  tokens: readonly InlineToken[]
  /** String that is equal for equal sentences, regardless of the white space around them. */
  comparisonKey: string
}

/** Splits a text into sentences. Never splits a link or a code span. */
export function splitSentences(tokens: readonly InlineToken[], language = 'en'): Sentence[] {
  const sentences: Sentence[] = []
  let gap: InlineToken[] = []
  let current: InlineToken[] = []
  const endSentence = () => {
    const end = current.findLastIndex((token) => !isSpace(token)) + 1
    if (end > 0) {
      const trimmed = current.slice(0, end)
      sentences.push({ gap, tokens: trimmed, comparisonKey: trimmed.map(tokenKey).join('\u0001') })
      gap = []
    }
    gap = [...gap, ...current.slice(end)]
    current = []
  }
  const starts = findSentenceStarts(tokens, language)
  for (const [index, token] of tokens.entries()) {
    if (starts.has(index) && !isSplitForbidden(current, tokens, index)) endSentence()
    if (current.length === 0 && isSpace(token)) gap.push(token)
    else current.push(token)
  }
  endSentence()
  return sentences
}

const isSpace = ({ text, element }: InlineToken): boolean => element === undefined && text.trim() === ''

const segmenters = new Map<string, Intl.Segmenter>()

function getSegmenter(language: string): Intl.Segmenter {
  const cached = segmenters.get(language)
  if (cached) return cached
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** Returns the indexes of the tokens at which sentences begin. */
function findSentenceStarts(tokens: readonly InlineToken[], language: string): Set<number> {
  const text = tokens.map(visibleText).join('')
  const starts = new Set<number>()
  let [index, offset] = [0, 0]
  for (const boundary of findBoundaries(text, language)) {
    for (; offset < boundary; index++) offset += visibleText(tokens[index] as InlineToken).length
    starts.add(index)
  }
  return starts
}

/** Maximum length of the text given to the segmenter at once: its time per sentence grows with the length of the text. */
const windowLength = 2000

/** Yields the offsets at which sentences begin in a text. */
function* findBoundaries(text: string, language: string): Iterable<number> {
  const segmenter = getSegmenter(language)
  let length = windowLength
  for (let start = 0; start < text.length;) {
    const end = start + length
    const found = Array.from(segmenter.segment(text.slice(start, end)), ({ index }) => start + index)
    // The last sentence may continue after the window.
    const next = end < text.length ? found.at(-1) : text.length
    if (next === start) {
      length *= 2
      continue
    }
    yield* found.filter((boundary) => boundary !== next)
    ;[start, length] = [next ?? text.length, windowLength]
  }
}

/** Returns the text of a token; an element is one character that is no letter, digit or punctuation. */
const visibleText = ({ text, element }: InlineToken): string => (element ? '\uFFFC' : text)

/** Whether a link, a code span or an abbreviation spans the boundary that the segmenter found. */
function isSplitForbidden(current: readonly InlineToken[], tokens: readonly InlineToken[], index: number): boolean {
  const before = current.findLast((token) => !isSpace(token))
  const after = tokens.slice(index, index + 2).find((token) => !isSpace(token))
  if (!before || !after) return false
  const isInLink = before.wrapperKey !== '' && before.wrappers.at(-1) === after.wrappers.at(-1)
  return isInLink || (before.marks.some(isCode) && after.marks.some(isCode)) || endsWithAbbreviation(current)
}

const isCode = ({ type }: Mark): boolean => type === 'code'

/** Abbreviations that are usually followed by names, numbers or further words. */
const abbreviations = new Set(
  (
    'al approx art bzw ca cf ch co dr ed eq etc evtl ex fig ggf hr inc jr lit ltd max min mr mrs ms no nos nr p pp prof ' +
    'resp ref sec sen sog sr st tab usw vgl vol vs'
  ).split(' '),
)

/** Whether the tokens end with an abbreviation or an initial: `e.g.`, `Dr.`, `J.`. */
function endsWithAbbreviation(tokens: readonly InlineToken[]): boolean {
  const last = tokens.findLastIndex((token) => !isSpace(token))
  if (tokens[last]?.text !== '.') return false
  const word = tokens[last - 1]?.text ?? ''
  return abbreviations.has(word.toLowerCase()) || /^\p{L}$/u.test(word)
}
