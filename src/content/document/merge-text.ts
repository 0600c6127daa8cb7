import { canonicalJson } from './canonical-json.ts'
import type { Side } from './merge-fields.ts'
import type { CodeLine, InlineNode } from './nodes.ts'
import { isEqualContent } from './block-groups.ts'
import { type Sentence, splitSentences } from './sentences.ts'
import { type IndexRange, type SequenceEdit, type MergeChunk, mergeSequences } from './sequences.ts'
import { plainText } from './text.ts'
import { type InlineToken, joinTokens, tokenizeInlines } from './inline-tokens.ts'

/** Result of merging two versions of a text; conflicting parts are those of one side. */
export interface MergedText<Node> {
  nodes: readonly Node[]
  isConflict: boolean
  /** Whether it contains changes of both sides. */
  isCombined: boolean
}

export interface TextMergeOptions {
  /** Side whose version is used in conflicts. */
  prefer: Side
  /** Language whose rules separate sentences. */
  language?: string | undefined
  /** Budget of text that may still be merged by sentence; unlimited if undefined. */
  budget?: TextBudget | undefined
}

/** Limits the text that is merged by sentence: merging a megabyte would block the thread for a second. */
export class TextBudget {
  #remainingCharacters = 300_000

  /** Whether the budget is sufficient for these texts; subtracts their length. */
  spend(texts: readonly (readonly InlineNode[])[]): boolean {
    this.#remainingCharacters -= texts.reduce((sum, nodes) => sum + plainText(nodes).length, 0)
    return this.#remainingCharacters >= 0
  }
}

/** Merges texts by sentence: a sentence that both sides changed is a conflict, with its marks and links. */
export function mergeInlines(
  base: readonly InlineNode[],
  ours: readonly InlineNode[],
  theirs: readonly InlineNode[],
  { prefer, language, budget }: TextMergeOptions,
): MergedText<InlineNode> {
  const oneSided = mergeOneSided(base, ours, theirs)
  if (oneSided) return oneSided
  const unmerged = { nodes: { base, ours, theirs }[prefer], isConflict: true, isCombined: false }
  if (budget?.spend([base, ours, theirs]) === false) return unmerged
  const tokens = { base: tokenizeInlines(base), ours: tokenizeInlines(ours), theirs: tokenizeInlines(theirs) }
  if (isRewritten(tokens.base, tokens.ours) || isRewritten(tokens.base, tokens.theirs)) {
    return unmerged
  }
  const sentences = {
    base: splitSentences(tokens.base, language),
    ours: splitSentences(tokens.ours, language),
    theirs: splitSentences(tokens.theirs, language),
  }
  const chunks = mergeSequences(
    comparisonKeysOf(sentences.base),
    comparisonKeysOf(sentences.ours),
    comparisonKeysOf(sentences.theirs),
    {
      split: (edit, side) => splitBySentence(edit, sentences.base, sentences[side]),
    },
  )
  const defaultGap = [...sentences.ours, ...sentences.theirs].find(({ gap }) => gap.length > 0)?.gap ?? []
  const merged: InlineToken[] = []
  for (const chunk of chunks) {
    const { from, to } = chunk[pickSourceSide(chunk, prefer)]
    for (let index = 0; index < to - from; index++) {
      const { gap, tokens: words } = sentences[pickSourceSide(chunk, prefer)][from + index] as Sentence
      const gaps = chunk.kind === 'kept' ? gapsAt(sentences, chunk, index) : [gap]
      // White space before the first sentence is dropped.
      if (merged.length > 0) merged.push(...(mergeGaps(gaps) ?? defaultGap))
      for (const token of words) merged.push(token)
    }
  }
  return { nodes: joinTokens(merged), ...summarizeChunks(chunks) }
}

/** Whether less than half of the words remain: additions by the other side may no longer make sense beside the rest. */
function isRewritten(base: readonly InlineToken[], side: readonly InlineToken[]): boolean {
  const remaining = new Map<string, number>()
  for (const { text } of side) remaining.set(text, (remaining.get(text) ?? 0) + 1)
  let [words, keptWords] = [0, 0]
  for (const token of base) {
    if (!isWord(token)) continue
    words++
    const count = remaining.get(token.text) ?? 0
    if (count > 0) keptWords++
    remaining.set(token.text, count - 1)
  }
  return 2 * keptWords < words
}

/** Maximum number of pairs of sentences that are compared. */
const maxSentencePairs = 2500

/** Splits an edit of several sentences into edits of one, if the sentences can be matched. */
function splitBySentence(edit: SequenceEdit, base: readonly Sentence[], side: readonly Sentence[]): SequenceEdit[] {
  const [before, after] = [base.slice(edit.from, edit.to), side.slice(edit.sideFrom, edit.sideTo)]
  if (before.length === 0 || after.length === 0 || before.length * after.length > maxSentencePairs) return [edit]
  const edits: SequenceEdit[] = []
  let [from, sideFrom] = [edit.from, edit.sideFrom]
  const add = (to: number, sideTo: number) => {
    if (to > from || sideTo > sideFrom) edits.push({ from, to, sideFrom, sideTo })
    ;[from, sideFrom] = [to, sideTo]
  }
  let next = 0
  for (const [index, sentence] of before.entries()) {
    const found = after.findIndex((other, at) => at >= next && isSimilar(sentence, other))
    if (found < 0) continue
    add(edit.from + index, edit.sideFrom + found)
    add(edit.from + index + 1, edit.sideFrom + found + 1)
    next = found + 1
  }
  add(edit.to, edit.sideTo)
  return edits
}

/** Whether at least half of the words of two sentences are the same. */
function isSimilar(one: Sentence, other: Sentence): boolean {
  const [words, others] = [one, other].map(({ tokens }) => new Set(tokens.filter(isWord).map(({ text }) => text)))
  if (!words || !others) return false
  const shared = [...words].filter((word) => others.has(word)).length
  return shared > 0 && 2 * shared >= Math.max(words.size, others.size)
}

const isWord = ({ text, element }: InlineToken): boolean => element !== undefined || /[\p{L}\p{N}]/u.test(text)

const comparisonKeysOf = (sentences: readonly Sentence[]): string[] =>
  sentences.map(({ comparisonKey }) => comparisonKey)

/** Returns the side from which a stretch is copied. */
function pickSourceSide({ kind }: MergeChunk, prefer: Side): Side {
  if (kind === 'conflict') return prefer
  return kind === 'theirs' ? 'theirs' : 'ours'
}

function summarizeChunks(chunks: readonly MergeChunk[]) {
  const has = (kind: MergeChunk['kind']) => chunks.some((chunk) => chunk.kind === kind)
  return { isConflict: has('conflict'), isCombined: has('ours') && has('theirs') }
}

type Gap = readonly InlineToken[]

function gapsAt(sentences: Record<Side, readonly Sentence[]>, chunk: MergeChunk, index: number): Gap[] {
  return (['base', 'ours', 'theirs'] as const).map((side) => sentences[side][chunk[side].from + index]?.gap ?? [])
}

/** Merges the white space before a sentence that all sides have; a sentence that was the first on a side has none there. */
function mergeGaps([base = [], ours = base, theirs = base]: readonly Gap[]): Gap | undefined {
  const chosen = isEqualContent(base, ours) ? theirs : ours
  return [chosen, ours, theirs, base].find((gap) => gap.length > 0)
}

/** Returns the result if at most one side changed something. */
function mergeOneSided<Node>(
  base: readonly Node[],
  ours: readonly Node[],
  theirs: readonly Node[],
): MergedText<Node> | undefined {
  if (isEqualContent(ours, theirs) || isEqualContent(base, theirs))
    return { nodes: ours, isConflict: false, isCombined: false }
  return isEqualContent(base, ours) ? { nodes: theirs, isConflict: false, isCombined: false } : undefined
}

/** Merges code by line; lines that both sides changed are conflicts, and so are adjacent changed lines. */
export function mergeLines(
  base: readonly CodeLine[],
  ours: readonly CodeLine[],
  theirs: readonly CodeLine[],
  prefer: Side,
): MergedText<CodeLine> {
  const oneSided = mergeOneSided(base, ours, theirs)
  if (oneSided) return oneSided
  const lines = { base, ours, theirs }
  const chunks = mergeSequences(base.map(lineText), ours.map(lineText), theirs.map(lineText), { adjacent: true })
  const nodes = chunks.flatMap((chunk) => {
    const side = pickSourceSide(chunk, prefer)
    const { from, to }: IndexRange = chunk[side]
    return lines[side].slice(from, to)
  })
  return { nodes, ...summarizeChunks(chunks) }
}

function lineText({ data, nodes }: CodeLine): string {
  const leaves = nodes.flatMap((node) => (node.object === 'text' ? node.leaves : []))
  const isPlain = leaves.length === nodes.length && leaves.every(({ marks }) => marks.length === 0)
  const text = leaves.map((leaf) => leaf.text).join('')
  return isPlain && !data?.highlighted ? `=${text}` : canonicalJson([data?.highlighted === true, nodes])
}
