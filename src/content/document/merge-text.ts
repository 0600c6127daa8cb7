import { withMark } from './build.ts'
import type { CodeLine, InlineNode, Mark } from './nodes.ts'
import { canonical } from '../revision/canonical.ts'
import { isSame } from './parts.ts'
import { type Edit, type Stretch, mergeSequences, partners } from './sequences.ts'
import { type Token, inlinesOf, marksText, tokensOf } from './tokens.ts'

/** Merges texts word by word; undefined when both sides changed the same words, or what stands around them. */
export function mergeInlines(
  base: readonly InlineNode[],
  ours: readonly InlineNode[],
  theirs: readonly InlineNode[],
): readonly InlineNode[] | undefined {
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours
  if (isSame(base, ours)) return theirs
  return new TextMerge(tokensOf(base), tokensOf(ours), tokensOf(theirs)).merge()
}

class TextMerge {
  readonly #base: readonly Token[]
  readonly #ours: readonly Token[]
  readonly #theirs: readonly Token[]

  constructor(base: readonly Token[], ours: readonly Token[], theirs: readonly Token[]) {
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
  }

  merge(): InlineNode[] | undefined {
    const [base, ours, theirs] = [this.#base, this.#ours, this.#theirs].map((tokens) => tokens.map(({ text }) => text))
    const merged = mergeSequences(base ?? [], ours ?? [], theirs ?? [])
    if (!merged) return undefined
    const inOurs = tokensAt(this.#ours, partners(merged.oursPairs, this.#base.length))
    const inTheirs = tokensAt(this.#theirs, partners(merged.theirsPairs, this.#base.length))
    const tokens: Token[] = []
    for (const stretch of merged.stretches) {
      const added = this.#stretch(stretch, inOurs, inTheirs)
      if (!added) return undefined
      for (const token of added) tokens.push(token)
    }
    return this.#hasWrappersOfBoth(tokens) ? inlinesOf(tokens) : undefined
  }

  #stretch(stretch: Stretch, inOurs: Partners, inTheirs: Partners): Token[] | undefined {
    switch (stretch.kind) {
      case 'kept':
        return allOf(this.#base.slice(stretch.from, stretch.to), (token, index) =>
          mergeAround(token, inOurs(stretch.from + index), inTheirs(stretch.from + index)),
        )
      case 'ours':
        return this.#replaced(stretch, this.#ours, inTheirs)
      case 'theirs':
        return this.#replaced(stretch, this.#theirs, inOurs)
      case 'both':
        return allOf(this.#ours.slice(stretch.sideFrom, stretch.sideTo), (token, index) => {
          const other = this.#theirs[stretch.theirsFrom + index]
          return other && around(token) === around(other) ? token : undefined
        })
    }
  }

  /** The words of one side, with what the other side has put around the words that they replace. */
  #replaced({ from, to, sideFrom, sideTo }: Edit, side: readonly Token[], inOther: Partners): Token[] | undefined {
    const words = side.slice(sideFrom, sideTo)
    if (words.length === 0) return []
    const isInsertion = from === to
    const places = isInsertion ? [from - 1, from] : Array.from({ length: to - from }, (_, index) => from + index)
    const changes = places.flatMap((place) => {
      const [token, other] = [this.#base[place], inOther(place)]
      return token && other ? [changeAround(token, other)] : []
    })
    const [change] = changes
    const isUniform = changes.length === places.length && changes.every((one) => one.name === change?.name)
    if (!change || (isUniform && change.name === '')) return words
    if (!isUniform) return isInsertion || changes.every(({ name }) => name === '') ? words : undefined
    const changed = allOf(words, change.apply)
    return changed ?? (isInsertion ? words : undefined)
  }

  /** A link or a note that a side has made must be somewhere, even when its words are gone. */
  #hasWrappersOfBoth(tokens: readonly Token[]): boolean {
    const found = new Set([...this.#base, ...tokens].map(({ wrapped }) => wrapped))
    return [...this.#ours, ...this.#theirs].every(({ wrapped }) => found.has(wrapped))
  }
}

/** What a word of the base has become on one side. */
type Partners = (place: number) => Token | undefined

function tokensAt(tokens: readonly Token[], places: Int32Array): Partners {
  return (place) => tokens[places[place] ?? -1]
}

function allOf<T, Result>(items: readonly T[], change: (item: T, index: number) => Result | undefined) {
  const changed: Result[] = []
  for (const [index, item] of items.entries()) {
    const result = change(item, index)
    if (result === undefined) return undefined
    changed.push(result)
  }
  return changed
}

const around = ({ marks, wrapped }: Token) => `${marksText(marks)}\0${wrapped}`

/** A word that both sides kept, with the changes of both to what stands around it. */
function mergeAround(base: Token, ours: Token | undefined, theirs: Token | undefined): Token | undefined {
  if (!ours || !theirs) return undefined
  if (around(ours) === around(theirs) || around(base) === around(theirs)) return ours
  if (around(base) === around(ours)) return theirs
  const marks = mergeMarks(base.marks, ours.marks, theirs.marks)
  if (!marks) return undefined
  const wrapping =
    base.wrapped === theirs.wrapped || ours.wrapped === theirs.wrapped
      ? ours
      : base.wrapped === ours.wrapped
        ? theirs
        : undefined
  return wrapping && { ...ours, marks, wrappers: wrapping.wrappers, wrapped: wrapping.wrapped }
}

function mergeMarks(base: readonly Mark[], ours: readonly Mark[], theirs: readonly Mark[]) {
  let merged: readonly Mark[] = []
  for (const type of new Set([...base, ...ours, ...theirs].map((mark) => mark.type))) {
    const [old, our, their] = [base, ours, theirs].map((marks) => marks.find((mark) => mark.type === type))
    if (!isSame(our, their) && !isSame(old, our) && !isSame(old, their)) return undefined
    const chosen = isSame(old, our) ? their : our
    if (chosen) merged = withMark(merged, chosen)
  }
  return merged
}

const has = (marks: readonly Mark[], one: Mark) => marks.some((mark) => isSame(mark, one))

/** What was done to what stands around a word; the name is empty for nothing, and equal for the same. */
function changeAround(before: Token, after: Token): { name: string; apply: (token: Token) => Token | undefined } {
  if (around(before) === around(after)) return { name: '', apply: (token) => token }
  const removed = before.marks.filter((mark) => !has(after.marks, mark))
  const added = after.marks.filter((mark) => !has(before.marks, mark))
  return {
    name: canonical([removed, added, before.wrapped, after.wrapped]),
    apply(token) {
      if (token.wrapped !== before.wrapped && before.wrapped !== after.wrapped) return undefined
      const kept = token.marks.filter((mark) => !has(removed, mark))
      // A colour of its own is not overwritten.
      if (added.some((mark) => mark.type === 'color' && kept.some(({ type }) => type === 'color'))) return undefined
      const marks = token.element ? token.marks : added.reduce(withMark, kept as readonly Mark[])
      if (before.wrapped === after.wrapped) return { ...token, marks }
      return { ...token, marks, wrappers: after.wrappers, wrapped: after.wrapped }
    },
  }
}

/** Merges code line by line; undefined when both sides changed the same lines. */
export function mergeLines(
  base: readonly CodeLine[],
  ours: readonly CodeLine[],
  theirs: readonly CodeLine[],
): CodeLine[] | undefined {
  const texts = [base, ours, theirs].map((lines) => lines.map(lineText))
  const merged = mergeSequences(texts[0] ?? [], texts[1] ?? [], texts[2] ?? [])
  return merged?.stretches.flatMap((stretch) => {
    if (stretch.kind === 'kept') return base.slice(stretch.from, stretch.to)
    return (stretch.kind === 'theirs' ? theirs : ours).slice(stretch.sideFrom, stretch.sideTo)
  })
}

function lineText({ data, nodes }: CodeLine): string {
  const leaves = nodes.flatMap((node) => (node.object === 'text' ? node.leaves : []))
  const isPlain = leaves.length === nodes.length && leaves.every(({ marks }) => marks.length === 0)
  const text = leaves.map((leaf) => leaf.text).join('')
  return isPlain && !data?.highlighted ? `=${text}` : canonical([data?.highlighted === true, nodes])
}
