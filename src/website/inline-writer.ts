import { InlineBuilder, areMarksEqual } from '../content/document/build.ts'
import type { Fragment, InlineElement, InlineNode, Mark } from '../content/document/nodes.ts'
import { textInline as textNode } from './build-blocks.ts'

/** Maximum length of a word that is annotated. */
const maxWordLength = 100

/** Collects the inlines of a paragraph and collapses whitespace like browsers: no repeated spaces, and none at the ends. */
export class InlineWriter {
  #text = new InlineBuilder()
  #link: { url: string; text: InlineBuilder; isEmpty: boolean } | undefined
  #pendingSpace: '' | ' ' | '\n' = ''
  #pendingSpaceMarks: readonly Mark[] = []
  #lastMarks: readonly Mark[] = []
  #isEmpty = true

  text(written: string, marks: readonly Mark[]): void {
    const words = written.replace(/[ \t\n\r\f]+/g, ' ')
    if (words.startsWith(' ')) this.#addSpace(marks)
    const trimmed = words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') ? -1 : undefined)
    if (words === ' ' || trimmed === '') return
    this.#prepareWrite(marks).addText(trimmed, marks)
    if (words.endsWith(' ')) this.#addSpace(marks)
  }

  /** Ends the line; returns false if it is already ended, which starts a new paragraph. */
  endLine(): boolean {
    if (this.#pendingSpace === '\n') return false
    if (!this.#isEmpty) this.#pendingSpace = '\n'
    return true
  }

  element(element: InlineElement): void {
    this.#prepareWrite([]).addElement(element)
  }

  /** Writes a link; a link inside a link becomes part of the outer one. */
  link(url: string, write: () => void): void {
    if (this.#link) return write()
    const link = { url, text: new InlineBuilder(), isEmpty: true }
    this.#link = link
    write()
    this.#link = undefined
    const nodes = link.text.build()
    if (nodes.length === 0) return
    this.#text.addElement({ object: 'inline', type: 'link', data: { ref: { kind: 'url', url } }, nodes })
  }

  /** Annotates the word before the current position. */
  annotate(body: Fragment, label: string): void {
    const target = this.#link?.text ?? this.#text
    const word = target.takeTrailing(/\S/, maxWordLength)
    const element = word ? undefined : target.takeLastElement()
    // A second annotation on the same text gets its own label, otherwise many would be nested.
    const isAnnotated = element?.type === 'annotation'
    if (element && isAnnotated) target.addElement(element)
    const annotated = word ? { object: 'text' as const, leaves: [word] } : isAnnotated ? undefined : element
    if (annotated) this.#pendingSpace = ''
    const builder = this.#prepareWrite([])
    const nodes = [annotated ?? textNode(label === '' ? '*' : label)]
    builder.addElement({ object: 'inline', type: 'annotation', nodes, fragments: [body] })
    this.#lastMarks = []
  }

  /** Returns the inlines written since the last call. */
  take(): InlineNode[] {
    // Sites write a non-breaking space before elements that they append to a text.
    this.#text.takeTrailing(/\u00a0/, 10)
    const nodes = this.#text.build()
    this.#text = new InlineBuilder()
    this.#pendingSpace = ''
    this.#isEmpty = true
    this.#lastMarks = []
    return nodes
  }

  #addSpace(marks: readonly Mark[]): void {
    if (this.#isEmpty) return
    if (this.#pendingSpace === '') [this.#pendingSpace, this.#pendingSpaceMarks] = [' ', marks]
    else this.#pendingSpaceMarks = commonMarks(this.#pendingSpaceMarks, marks)
  }

  /** Returns the builder for the next text; the space before it gets the marks that both sides share. */
  #prepareWrite(marks: readonly Mark[]): InlineBuilder {
    if (this.#pendingSpace !== '') {
      const builder = this.#link && !this.#link.isEmpty ? this.#link.text : this.#text
      builder.addText(
        this.#pendingSpace,
        this.#pendingSpace === '\n' ? [] : commonMarks(commonMarks(this.#lastMarks, this.#pendingSpaceMarks), marks),
      )
    }
    this.#pendingSpace = ''
    this.#isEmpty = false
    this.#lastMarks = marks
    if (this.#link) this.#link.isEmpty = false
    return this.#link?.text ?? this.#text
  }
}

const commonMarks = (some: readonly Mark[], others: readonly Mark[]) =>
  some.filter((one) => others.some((other) => areMarksEqual([one], [other])))
