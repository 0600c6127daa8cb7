import type { Block, Document, InlineElement, InlineNode, Leaf, Mark, Paragraph, SimpleMarkType } from './nodes.ts'

export const createDocument = (nodes: readonly Block[]): Document => ({
  data: { schemaVersion: 1 },
  nodes,
  object: 'document',
})

// Fields are in alphabetical order, as stored: objects with another order are copied before they are stored, and so is
// everything that contains them.

export const leaf = (text: string, marks: readonly Mark[] = []): Leaf => ({ marks, object: 'leaf', text })

export const paragraph = (nodes: readonly InlineNode[]): Paragraph => ({ nodes, object: 'block', type: 'paragraph' })

/** Order in which marks are stored, so that equal texts are equal values. */
const markOrder: readonly Mark['type'][] = [
  'bold',
  'italic',
  'strikethrough',
  'keyboard',
  'superscript',
  'subscript',
  'color',
  'code',
]

export const mark = (type: SimpleMarkType): Mark => ({ object: 'mark', type })

/** Adds a mark in the stored order; replaces a mark of the same type. */
export function addMark(marks: readonly Mark[], added: Mark): readonly Mark[] {
  if (marks.length === 0) return [added]
  const others = marks.filter((one) => one.type !== added.type)
  return [...others, added].sort((a, b) => markOrder.indexOf(a.type) - markOrder.indexOf(b.type))
}

/** Collects inlines in order and joins adjacent texts with the same marks. */
export class InlineBuilder {
  readonly #nodes: InlineNode[] = []
  #leaves: Leaf[] = []

  addText(text: string, marks: readonly Mark[]): void {
    if (text === '') return
    const last = this.#leaves.at(-1)
    if (last && areMarksEqual(last.marks, marks)) this.#leaves[this.#leaves.length - 1] = leaf(last.text + text, marks)
    else this.#leaves.push(leaf(text, marks))
  }

  addElement(node: InlineElement): void {
    this.#flushText()
    this.#nodes.push(node)
  }

  /** Removes and returns up to `maxCount` matching characters at the end of the preceding text; undefined if there are none. */
  takeTrailing(character: RegExp, maxCount = Infinity): Leaf | undefined {
    const last = this.#leaves.pop()
    if (!last) return undefined
    const start = findTrailingStart(last.text, character, maxCount)
    if (start === last.text.length) {
      this.#leaves.push(last)
      return undefined
    }
    const remaining = last.text.slice(0, start)
    if (remaining !== '') this.#leaves.push(leaf(remaining, last.marks))
    return leaf(last.text.slice(start), last.marks)
  }

  /** Removes and returns the preceding element; undefined if text was added after it. */
  takeLastElement(): InlineElement | undefined {
    const last = this.#nodes.at(-1)
    if (this.#leaves.length > 0 || !last || last.object === 'text') return undefined
    this.#nodes.pop()
    return last
  }

  build(): InlineNode[] {
    this.#flushText()
    return this.#nodes
  }

  #flushText(): void {
    if (this.#leaves.length > 0) this.#nodes.push({ leaves: this.#leaves, object: 'text' })
    this.#leaves = []
  }
}

/**
 * Returns the offset of the trailing matching characters. Searches backward: an expression such as `\S+$` would start
 * again at every character of a long word.
 */
function findTrailingStart(text: string, character: RegExp, maxCount: number): number {
  let start = text.length
  while (start > 0 && text.length - start < maxCount && character.test(text.charAt(start - 1))) start--
  return start
}

export function areMarksEqual(a: readonly Mark[], b: readonly Mark[]): boolean {
  if (a === b) return true
  if (a.length === 0 || a.length !== b.length) return a.length === b.length
  return JSON.stringify(a) === JSON.stringify(b)
}
