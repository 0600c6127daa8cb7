// Texts are split into words here and not by the database, so that both engines return the same results.

/** Normalized word with its offsets in the text. */
export interface Word {
  text: string
  /** Parts of an identifier in camel case, such as `create` and `page` of `createPage`. */
  parts?: readonly string[]
  start: number
  end: number
}

/** Maximum length of an indexed word; databases limit it too. */
const maxWordLength = 64

const wordRuns = /[\p{L}\p{N}\p{M}]+/gu
const nonWordCharacters = /[^\p{L}\p{N}\p{M}]+/gu

/** Scripts without spaces between words: each character is a word, and consecutive characters are searched as a phrase. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u

/** Combining marks of scripts in which letters have a similar meaning without them. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+/gu

/** Replacements for letters that Unicode normalization does not decompose. */
const letterReplacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const replacedLetters = new RegExp(`[${Object.keys(letterReplacements).join('')}]`, 'gu')

const characterKinds = { other: 0, digit: 1, lowerCase: 2, upperCase: 3, nonAscii: 4 }

const kindsByCode = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return characterKinds.lowerCase
  if (/[A-Z]/.test(character)) return characterKinds.upperCase
  return /[0-9]/.test(character) ? characterKinds.digit : characterKinds.other
})

/** Pairs of characters with which words begin, as flags by their ASCII codes in lower case. */
export type WordBeginnings = Uint8Array

const asciiSize = kindsByCode.length

/** Returns the beginnings of the given words, and of all words whose stems they are; words that are not ASCII are always included. */
export function toWordBeginnings(words: Iterable<string>): WordBeginnings {
  const beginnings = new Uint8Array(asciiSize * asciiSize)
  for (const word of words) {
    const [first, second] = [word.charCodeAt(0), word.length > 1 ? word.charCodeAt(1) : 0]
    if (first >= asciiSize) continue
    const row = first * asciiSize
    if (second >= asciiSize) beginnings.fill(1, row, row + asciiSize)
    else beginnings[row + second] = 1
    // Stems begin with the same two letters as their word, except for Finnish stems such as `so` of `sso`.
    if (word.length === 2) beginnings[row + first] = 1
  }
  return beginnings
}

/** Splits a text into words in lower case without accents. */
export const splitSearchWords = (text: string): Word[] => selectSearchWords(text).words

/** Some of the words of a text. */
export interface SelectedWords {
  words: Word[]
  /** Position of each word among all words of the text. */
  positions: number[]
  /** Number of all words of the text. */
  length: number
}

/**
 * Splits a text into words. With `beginnings`, ASCII words are left out if neither they nor their parts begin with one of them, which
 * takes a fraction of the time.
 */
export function selectSearchWords(text: string, beginnings?: WordBeginnings): SelectedWords {
  const words: Word[] = []
  const positions: number[] = []
  let length = 0
  // ASCII is scanned without regular expressions, which would take ten times as long; most texts are ASCII.
  for (let at = 0; at < text.length; at++) {
    const start = at
    let isAscii = true
    let isCamelCase = false
    let previous = characterKinds.other
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const kind = code < kindsByCode.length ? kindsByCode[code] : characterKinds.nonAscii
      if (kind === characterKinds.other) break
      if (kind === characterKinds.nonAscii) isAscii = false
      else if (kind === characterKinds.upperCase && previous === characterKinds.lowerCase) isCamelCase = true
      previous = kind as number
    }
    if (at === start) continue
    if (beginnings && isAscii && beginnings[beginningAt(text, start, at)] === 0) {
      if (!isCamelCase || !mayHavePart(text, start, at, beginnings)) {
        length++
        continue
      }
    }
    const run = text.slice(start, at)
    if (!isAscii) addNonAsciiWords(words, run, start)
    else {
      const word: Word = { text: truncateWord(run.toLowerCase()), start, end: at }
      if (isCamelCase) word.parts = splitAsciiIdentifier(run)
      words.push(word)
    }
    while (positions.length < words.length) positions.push(length++)
  }
  return { words, positions, length }
}

/** Whether a part of an ASCII identifier may begin with one of these beginnings: parts begin at capital letters and around digits. */
function mayHavePart(text: string, start: number, end: number, beginnings: WordBeginnings): boolean {
  let previous = characterKinds.digit
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const kind = kindsByCode[code] as number
    const mayBegin = kind !== characterKinds.lowerCase || previous === characterKinds.digit
    previous = kind
    if (!mayBegin) continue
    const row = toAsciiLowerCase(code) * asciiSize
    const next = at + 1 < end ? toAsciiLowerCase(text.charCodeAt(at + 1)) : 0
    if (beginnings[row] === 1 || beginnings[row + next] === 1) return true
  }
  return false
}

const asciiIdentifierParts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** Returns the parts of an ASCII identifier that has an upper-case letter after a lower-case one. */
const splitAsciiIdentifier = (run: string): string[] =>
  (run.slice(0, maxWordLength).match(asciiIdentifierParts) ?? []).map((part) => part.toLowerCase())

const identifierParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu

/** Returns the parts of an identifier in camel case. */
function splitIdentifier(run: string): Pick<Word, 'parts'> {
  const parts = (run.slice(0, maxWordLength).match(identifierParts) ?? []).map(normalizeWord)
  return parts.length > 1 ? { parts } : {}
}

/** Returns the position of the flag for an ASCII word. */
const beginningAt = (text: string, start: number, end: number): number =>
  toAsciiLowerCase(text.charCodeAt(start)) * asciiSize +
  (start + 1 < end ? toAsciiLowerCase(text.charCodeAt(start + 1)) : 0)

const toAsciiLowerCase = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code)

/** Adds the words of a run that contains non-ASCII characters, which are not necessarily letters. */
function addNonAsciiWords(words: Word[], text: string, offset: number): void {
  for (const { 0: run, index } of text.matchAll(wordRuns)) {
    if (unspacedScripts.test(run)) addUnspacedWords(words, run, offset + index)
    else addWord(words, run, offset + index)
  }
}

function addWord(words: Word[], run: string, start: number): void {
  const text = normalizeWord(run)
  if (text === '') return
  const identifier = /\p{Ll}\p{Lu}/u.test(run) ? splitIdentifier(run) : {}
  words.push({ text: truncateWord(text), start, end: start + run.length, ...identifier })
}

/** Adds the words of a run in which some characters form words alone. */
function addUnspacedWords(words: Word[], run: string, start: number): void {
  let [current, currentStart, isCurrentSpaced, at] = ['', start, true, start]
  const addCurrent = (isSpaced: boolean) => {
    if (current !== '') addWord(words, current, currentStart)
    current = ''
    currentStart = at
    isCurrentSpaced = isSpaced
  }
  for (const character of run) {
    if (unspacedScripts.test(character)) addCurrent(false)
    // A combining mark belongs to the character before it.
    else if (!isCurrentSpaced && !/\p{Script=Inherited}/u.test(character)) addCurrent(true)
    current += character
    at += character.length
  }
  addCurrent(true)
}

function normalizeWord(run: string): string {
  return run
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(nonWordCharacters, '')
    .replace(replacedLetters, (letter) => letterReplacements[letter] ?? letter)
    .normalize('NFC')
}

function truncateWord(text: string): string {
  return text.length <= maxWordLength ? text : Array.from(text).slice(0, maxWordLength).join('')
}
