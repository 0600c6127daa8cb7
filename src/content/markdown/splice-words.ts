import { type IndexPair, type SequenceEdit, alignSequences, toSequenceEdits } from '../document/sequences.ts'

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
export function spliceWords({ before, after, source, prefix, newline }: WordSpliceInput): string | undefined {
  if (before.length + after.length + source.length > maxLength) return undefined
  const [a, b, s] = [splitTokens(before, false), splitTokens(after, false), splitTokens(source, prefix.includes('>'))]
  const edits = toSequenceEdits(alignSequences(a, b), a.length, b.length)
  const sourceIndexes = new Map(alignWords(a, s))
  const changes = mapEditsToSource(edits, sourceIndexes, a.length, s.length)
  let text = ''
  let at = 0
  for (const { from, to, sideFrom, sideTo } of changes) {
    text +=
      s.slice(at, from).join('') +
      b
        .slice(sideFrom, sideTo)
        .join('')
        .replace(/\r?\n/g, newline + prefix)
    at = to
  }
  return text + s.slice(at).join('')
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
) {
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
  return located.map(({ edit: { sideFrom, sideTo }, from, to }) => ({ from, to, sideFrom, sideTo }))
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
