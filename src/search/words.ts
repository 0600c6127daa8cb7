// Texts are split into words here and not by the database, so that both engines return the same results.

/** Normalized word with its offsets in the text. */
export interface Word {
  text: string
  start: number
  end: number
}

/** Maximum length of an indexed word; databases limit it too. */
const maxWordLength = 64

const runs = /[\p{L}\p{N}\p{M}]+/gu
const notInWords = /[^\p{L}\p{N}\p{M}]+/gu

/** Scripts without spaces between words: each character is a word, and consecutive characters are searched as a phrase. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u

/** Combining marks of scripts in which letters have a similar meaning without them. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+/gu

/** Replacements for letters that Unicode normalization does not decompose. */
const spelledOut: Readonly<Record<string, string>> = {
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
const toSpellOut = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'gu')

/** Splits a text into words in lower case without accents. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  // ASCII is scanned without regular expressions, which would take ten times as long; most texts are ASCII.
  for (let at = 0; at < text.length; at++) {
    const start = at
    let isPlain = true
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x7f) isPlain = false
      else if (!isPlainLetter(code)) break
    }
    if (at === start) continue
    if (isPlain) words.push({ text: cut(text.slice(start, at).toLowerCase()), start, end: at })
    else addAny(words, text.slice(start, at), start)
  }
  return words
}

const isPlainLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)

/** Adds the words of a run that contains non-ASCII characters, which are not necessarily letters. */
function addAny(words: Word[], text: string, offset: number): void {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (unspaced.test(run)) addMixed(words, run, offset + index)
    else addWord(words, run, offset + index)
  }
}

function addWord(words: Word[], run: string, start: number): void {
  const text = folded(run)
  if (text !== '') words.push({ text: cut(text), start, end: start + run.length })
}

/** Adds the words of a run in which some characters are words by themselves. */
function addMixed(words: Word[], run: string, start: number): void {
  let [open, openStart, isOpenSpaced, at] = ['', start, true, start]
  const close = (isSpaced: boolean) => {
    if (open !== '') addWord(words, open, openStart)
    open = ''
    openStart = at
    isOpenSpaced = isSpaced
  }
  for (const character of run) {
    if (unspaced.test(character)) close(false)
    // A combining mark belongs to the character before it.
    else if (!isOpenSpaced && !/\p{Script=Inherited}/u.test(character)) close(true)
    open += character
    at += character.length
  }
  close(true)
}

function folded(run: string): string {
  return run
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(notInWords, '')
    .replace(toSpellOut, (letter) => spelledOut[letter] ?? letter)
    .normalize('NFC')
}

function cut(text: string): string {
  return text.length <= maxWordLength ? text : Array.from(text).slice(0, maxWordLength).join('')
}
