import { leaf as leafOf, areMarksEqual } from '../document/build.ts'
import type { InlineElement, InlineNode, Leaf, Mark } from '../document/nodes.ts'
import { isUnambiguousTag, readHtmlTag } from './html.ts'

/** A text with one set of marks, or an element. */
export interface Piece {
  leaf?: Leaf
  element?: InlineElement
  marks: readonly Mark[]
}

/** Returns the pieces of inlines; adjacent texts with the same marks are one piece. */
export function piecesOf(nodes: readonly InlineNode[]): Piece[] {
  const pieces: Piece[] = []
  for (const node of nodes) {
    if (node.object !== 'text') {
      pieces.push({ element: node, marks: [] })
      continue
    }
    for (const one of node.leaves) {
      const last = pieces.at(-1)
      if (last?.leaf && areMarksEqual(last.marks, one.marks)) {
        pieces[pieces.length - 1] = { leaf: leafOf(last.leaf.text + one.text, one.marks), marks: one.marks }
      } else if (one.text !== '') pieces.push({ leaf: one, marks: one.marks })
    }
  }
  return pieces
}

/** Returns the pieces of inlines; marks also cover invisible pieces between two marked texts. */
export function markedPieces(nodes: readonly InlineNode[]): readonly Piece[] {
  const pieces = piecesOf(nodes)
  return pieces.some(isNeutral) ? extendMarks(pieces) : pieces
}

/** Whether a piece is parsed the same way inside and outside of marks. */
function isNeutral({ element }: Piece): boolean {
  if (element?.type !== 'html') return element?.type === 'anchor'
  // Only siblings are pairs of tags of templates.
  if (element.data.html.startsWith('{%')) return false
  const tag = readHtmlTag(element.data.html)
  return tag === undefined || (isUnambiguousTag(tag) && !markElements.has(tag.name))
}

/** Elements used to print marks: such a tag could be parsed as the tag of a mark. */
const markElements: ReadonlySet<string> = new Set(
  'b strong em i s del strike kbd sup sub code mark span font'.split(' '),
)

/** Extends marks over invisible pieces if they are on both sides. */
function extendMarks(pieces: readonly Piece[]): Piece[] {
  let before: readonly Mark[] = []
  const marksBefore = pieces.map((piece) => (before = isNeutral(piece) ? before : piece.marks))
  let after: readonly Mark[] = []
  const marked = pieces.toReversed().map((piece, index) => {
    if (!isNeutral(piece)) {
      after = piece.marks
      return piece
    }
    return { ...piece, marks: sharedMarks(marksBefore[pieces.length - 1 - index] ?? [], after) }
  })
  return alignTags(marked.toReversed())
}

type MarkSpans = ReadonlyMap<Mark, object>

/** Removes marks from pairs of tags that do not include the whole element: in a cell, delimiters on both sides of a tag are text. */
function alignTags(pieces: readonly Piece[]): Piece[] {
  const aligned = [...pieces]
  const open: { index: number; name: string; spans: MarkSpans }[] = []
  const counts = new Map<string, number>()
  let spans: MarkSpans = new Map()
  pieces.forEach((piece, index) => {
    spans = continueSpans(spans, piece.marks)
    const tag = piece.element?.type === 'html' ? readHtmlTag(piece.element.data.html) : undefined
    if (!tag || tag.kind === 'void') return
    const { name, kind } = tag
    const count = counts.get(name) ?? 0
    if (kind === 'open') {
      open.push({ index, name, spans })
      counts.set(name, count + 1)
      return
    }
    if (count === 0) return
    // Tags that were opened later have no closing tag.
    for (let last = open.pop(); last; last = open.pop()) {
      counts.set(last.name, (counts.get(last.name) ?? 1) - 1)
      if (last.name !== name) continue
      const starts = new Set(last.spans.values())
      const marks = [...spans].flatMap(([mark, start]) => (starts.has(start) ? [mark] : []))
      for (const at of [last.index, index]) aligned[at] = { ...(pieces[at] as Piece), marks }
      break
    }
  })
  return aligned
}

/** Returns the marks of a piece, each with a value that is the same for all pieces that it includes without a gap. */
function continueSpans(before: MarkSpans, marks: readonly Mark[]): MarkSpans {
  const known = [...before]
  return new Map(marks.map((mark) => [mark, known.find(([one]) => areMarksEqual([one], [mark]))?.[1] ?? {}]))
}

const sharedMarks = (before: readonly Mark[], after: readonly Mark[]): Mark[] =>
  before.filter((mark) => mark.type !== 'code' && after.some((one) => areMarksEqual([one], [mark])))

/** Order of nesting, outermost first. */
const nesting: readonly Mark['type'][] = [
  'strikethrough',
  'italic',
  'superscript',
  'subscript',
  'keyboard',
  'color',
  'bold',
  'code',
]

/** Consecutive pieces to enclose in one more mark, or a single piece whose marks are all printed. */
export type Run = { mark: Mark; pieces: readonly Piece[] } | { mark: undefined; piece: Piece }

/** Groups pieces that are already inside the `open` marks into runs. */
export function groupRuns(pieces: readonly Piece[], open: readonly Mark['type'][]): Run[] {
  const runs: Run[] = []
  for (let index = 0; index < pieces.length;) {
    const piece = pieces[index] as Piece
    let mark: Mark | undefined
    let end = index + 1
    // A mark that continues after another one is around it.
    for (const type of nesting) {
      const other = open.includes(type) ? undefined : piece.marks.find((one) => one.type === type)
      if (!other || (mark && type === 'code')) continue
      const otherEnd = findMarkEnd(other, pieces, index)
      if (mark && otherEnd <= end) continue
      mark = other
      end = otherEnd
    }
    runs.push(mark ? { mark, pieces: pieces.slice(index, end) } : { mark: undefined, piece })
    index = end
  }
  return runs
}

/** Returns the index after the last piece that a mark of a piece includes. */
function findMarkEnd(mark: Mark, pieces: readonly Piece[], start: number): number {
  let end = start + 1
  while (end < pieces.length && continuesMark(mark, pieces[start] as Piece, pieces[end] as Piece)) end++
  return end
}

/** Whether a mark that starts with one piece includes the next one. Code cannot contain other marks. */
function continuesMark(mark: Mark, from: Piece, next: Piece): boolean {
  if (mark.type === 'code') return areMarksEqual(from.marks, next.marks)
  return next.marks.some((one) => areMarksEqual([one], [mark]))
}

export const textOfPieces = (pieces: readonly Piece[]) => pieces.map(({ leaf }) => leaf?.text ?? '').join('')
