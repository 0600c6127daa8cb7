import { type IndexPair, type SequenceEdit, alignSequences, toSequenceEdits } from '../document/sequences.ts'
import { findPrintedLinks } from './printed-links.ts'

/** Maximum total length of the texts; longer ones are printed from scratch, because comparing them would take too long. */
const maxLength = 4_000_000

interface WordSpliceInput {
  /** The printed block as it is in the source, and as it is wanted. */
  before: string
  after: string
  /** Text of the block in the source. */
  source: string
  /** Prefix of the lines of the source after the first one, and the newline sequence. */
  prefix: string
  newline: string
}

/**
 * Applies the difference between two printed texts to the source, word by word, so that the author's line breaks, escapes and
 * delimiters are kept everywhere else. The result may parse differently and must be checked.
 */
export function spliceWords(input: WordSpliceInput): string | undefined {
  return splice(input, (edits) => edits)
}

/**
 * Like `spliceWords`, but replaces whole links: those whose words were edited, and those next to an edit. The source may contain
 * them as bare URLs or references, which have no text of their own. Undefined if no edit is at a link.
 */
export function spliceLinks(input: WordSpliceInput): string | undefined {
  if (input.before.length + input.after.length > maxParsedLength) return undefined
  const [before, after] = [findPrintedLinks(input.before), findPrintedLinks(input.after)]
  if (before.length === 0 && after.length === 0) return undefined
  let isWidened = false
  const text = splice(input, (edits, a, b) => {
    const [inA, inB] = [toTokenRanges(before, a), toTokenRanges(after, b)]
    // The links of a text are searched for each edit.
    if (edits.length * (inA.length + inB.length) > maxLinkComparisons) return edits
    return edits.map((edit) => {
      const widened = widenToLinks(edit, inA, inB)
      isWidened ||= widened !== edit
      return widened
    })
  })
  return isWidened ? text : undefined
}

/** Maximum total length of the texts that are parsed to find their links. */
const maxParsedLength = 100_000
const maxLinkComparisons = 200_000

function splice(
  { before, after, source, prefix, newline }: WordSpliceInput,
  widen: (edits: readonly SequenceEdit[], a: readonly string[], b: readonly string[]) => readonly SequenceEdit[],
): string | undefined {
  if (before.length + after.length + source.length > maxLength) return undefined
  const [a, b, s] = [splitTokens(before, false), splitTokens(after, false), splitTokens(source, prefix.includes('>'))]
  const edits = toSequenceEdits(alignSequences(a, b), a.length, b.length).map((edit) => moveBehindWord(edit, a, b))
  const sourceIndexes = new Map(alignWords(a, s))
  const changes = mapEditsToSource(widen(edits, a, b), sourceIndexes, a.length, s.length)
  let text = ''
  let at = 0
  for (const { edit, from, to } of changes) {
    const written = s.slice(from, to).join('')
    const [old, fresh] = [a.slice(edit.from, edit.to).join(''), b.slice(edit.sideFrom, edit.sideTo).join('')]
    text += s.slice(at, from).join('') + withReference(written, old, fresh).replace(/\r?\n/g, newline + prefix)
    at = to
  }
  return text + s.slice(at).join('')
}

/** Moves words that were inserted before a word to the word before them, so that they are added to its line. */
function moveBehindWord(edit: SequenceEdit, a: readonly string[], b: readonly string[]): SequenceEdit {
  const { from, to, sideFrom, sideTo } = edit
  if (from !== to || from === 0 || sideTo - sideFrom < 2 || a[from - 1] !== ' ' || b[sideTo - 1] !== ' ') return edit
  return { from: from - 1, to: to - 1, sideFrom: sideFrom - 1, sideTo: sideTo - 1 }
}

const shortReference = /^\[([^[\]]+)\](?:\[\])?$/
const inlineLink = /^\[([^[\]]*)\](\([^()\s]*\))$/

/** Returns the text that replaces a link; a reference without a label gets its former text as the label. */
function withReference(written: string, before: string, after: string): string {
  const label = shortReference.exec(written)?.[1]
  const [, , destination] = inlineLink.exec(before) ?? []
  const [, words, wanted] = inlineLink.exec(after) ?? []
  if (label === undefined || words === undefined || destination !== wanted) return after
  return `[${words}][${label}]`
}

interface TokenRange {
  from: number
  to: number
}

/** Converts ranges of a text to ranges of its tokens. */
function toTokenRanges(ranges: readonly { start: number; end: number }[], tokens: readonly string[]): TokenRange[] {
  const found: TokenRange[] = []
  let [index, at] = [0, 0]
  const advanceTo = (offset: number) => {
    while (index < tokens.length && at < offset) at += (tokens[index++] as string).length
    return index
  }
  for (const { start, end } of ranges) found.push({ from: advanceTo(start), to: advanceTo(end) })
  return found
}

/** Extends an edit to the links that it touches; the tokens by which it is extended are the same on both sides. */
function widenToLinks(edit: SequenceEdit, inA: readonly TokenRange[], inB: readonly TokenRange[]): SequenceEdit {
  let { from, to, sideFrom, sideTo } = edit
  for (;;) {
    const linkA = inA.find((link) => link.from <= to && link.to >= from && (link.from < from || link.to > to))
    const linkB = inB.find(
      (link) => link.from <= sideTo && link.to >= sideFrom && (link.from < sideFrom || link.to > sideTo),
    )
    const back = Math.max(0, from - (linkA?.from ?? from), sideFrom - (linkB?.from ?? sideFrom))
    const ahead = Math.max(0, (linkA?.to ?? to) - to, (linkB?.to ?? sideTo) - sideTo)
    if (back === 0 && ahead === 0) break
    ;[from, to, sideFrom, sideTo] = [from - back, to + ahead, sideFrom - back, sideTo + ahead]
  }
  return from === edit.from && to === edit.to ? edit : { from, to, sideFrom, sideTo }
}

const tokenPattern = /[ \t]*(?:\r?\n[ \t]*)+|[ \t]+|[\p{L}\p{N}\p{M}]+|[^]/gu
const quotedTokenPattern = /[ \t]*(?:\r?\n[ \t>]*)+|[ \t]+|[\p{L}\p{N}\p{M}]+|[^]/gu

/** Splits a text into words and the parts between them. */
function splitTokens(text: string, isQuoted: boolean): string[] {
  return Array.from(text.matchAll(isQuoted ? quotedTokenPattern : tokenPattern), ([token]) => token)
}

const isWord = (token: string) => /^[\p{L}\p{N}\p{M}]/u.test(token)

const wordsIn = (tokens: readonly string[]) => [...tokens.keys()].filter((at) => isWord(tokens[at] as string))

/**
 * Aligns the tokens of a printed text with those of the source: first the words, nearly all of which match, then the tokens
 * between them. Line breaks and indentation of the source are spaces in the printed text.
 */
function alignWords(a: readonly string[], s: readonly string[]): IndexPair[] {
  const [inA, inS] = [wordsIn(a), wordsIn(s)]
  const pairs: IndexPair[] = []
  let [fromA, fromS] = [0, 0]
  const words = alignSequences(
    inA.map((at) => a[at] as string),
    inS.map((at) => s[at] as string),
  ).map(([one, other]) => [inA[one] as number, inS[other] as number] as const)
  for (const [toA, toS] of [...words, [a.length, s.length] as const]) {
    const [some, others] = [a.slice(fromA, toA).map(collapseWhitespace), s.slice(fromS, toS).map(collapseWhitespace)]
    for (const [one, other] of alignSequences(some, others)) pairs.push([fromA + one, fromS + other])
    if (toA < a.length) pairs.push([toA, toS])
    ;[fromA, fromS] = [toA + 1, toS + 1]
  }
  return pairs
}

const collapseWhitespace = (token: string) => (/\s/.test(token) ? ' ' : token)

/** Converts edits of a printed text to edits of the source; `places` maps tokens of the printed text to those of the source. */
function mapEditsToSource(
  edits: readonly SequenceEdit[],
  sourceIndexes: ReadonlyMap<number, number>,
  length: number,
  sourceLength: number,
): { edit: SequenceEdit; from: number; to: number }[] {
  const located: { edit: SequenceEdit; from: number; to: number }[] = []
  for (const one of edits) {
    let edit = widenEdit(one, sourceIndexes, length)
    // A widened edit may overlap the previous one; they are then joined.
    for (let last = located.at(-1); last && last.edit.to > edit.from; last = located.at(-1)) {
      located.pop()
      edit = widenEdit({ ...edit, from: last.edit.from, sideFrom: last.edit.sideFrom }, sourceIndexes, length)
    }
    const from = startInSource(edit, sourceIndexes)
    located.push({ edit, from, to: Math.max(from, endInSource(edit, sourceIndexes, length, sourceLength)) })
  }
  return located
}

/** Extends an edit by the tokens around it until its edges are found in the source. */
function widenEdit(edit: SequenceEdit, sourceIndexes: ReadonlyMap<number, number>, length: number): SequenceEdit {
  let { from, to, sideFrom, sideTo } = edit
  if (from === to && (sourceIndexes.has(from - 1) || sourceIndexes.has(from))) return edit
  while (from > 0 && !sourceIndexes.has(from - 1) && !(from < to && sourceIndexes.has(from))) {
    from--
    sideFrom--
  }
  while (to < length && !sourceIndexes.has(to) && !(from < to && sourceIndexes.has(to - 1))) {
    to++
    sideTo++
  }
  return { from, to, sideFrom, sideTo }
}

function startInSource({ from, to }: SequenceEdit, sourceIndexes: ReadonlyMap<number, number>): number {
  const [own, previous] = [sourceIndexes.get(from), sourceIndexes.get(from - 1)]
  if (from < to && own !== undefined) return own
  return previous === undefined ? (own ?? 0) : previous + 1
}

function endInSource(
  edit: SequenceEdit,
  places: ReadonlyMap<number, number>,
  length: number,
  sourceLength: number,
): number {
  const { from, to } = edit
  const [own, next] = [places.get(to - 1), places.get(to)]
  if (from < to && own !== undefined) return own + 1
  if (from === to && own !== undefined) return own + 1
  if (next !== undefined) return next
  return to >= length ? sourceLength : startInSource(edit, places)
}
