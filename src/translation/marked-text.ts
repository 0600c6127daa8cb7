import { InlineBuilder } from '../content/document/build.ts'
import type {
  AnnotationInline,
  ButtonInline,
  InlineElement,
  InlineNode,
  Leaf,
  LinkInline,
  Mark,
} from '../content/document/nodes.ts'
import { type MarkupNode, closeTag, emptyTag, escapeText, openTag, parseMarkup, textOfMarkup } from './markup.ts'
import { splitFixedText } from './placeholders.ts'

/** A text as it is sent to translation services, with the nodes that its markup refers to. */
export interface MarkedText {
  /** Text with markup, without white space around it. */
  text: string
  /** Parts by their id, beginning with 1. */
  parts: readonly Part[]
  /** White space before and after the text. */
  before: string
  after: string
}

type Part =
  | { kind: 'fixed'; text: string; marks: readonly Mark[] }
  | { kind: 'element'; node: InlineElement }
  | { kind: 'formatted'; marks: readonly Mark[] }
  | { kind: 'wrapper'; node: LinkInline | AnnotationInline }
  | { kind: 'button'; node: ButtonInline }

/** Marks of text that is not translated. */
const isFixedMark = ({ type }: Mark): boolean => type === 'code' || type === 'keyboard'

export function markInlines(nodes: readonly InlineNode[]): MarkedText {
  const writer = new MarkupWriter()
  writer.addNodes(nodes)
  return writer.finish()
}

export function markString(text: string): MarkedText {
  const writer = new MarkupWriter()
  writer.addText(text, [])
  return writer.finish()
}

/** Whether a text contains anything to translate. */
export const hasWords = ({ text }: MarkedText): boolean => /\p{L}/u.test(textOfMarkup(parseMarkup(text)))

class MarkupWriter {
  #text = ''
  readonly #parts: Part[] = []

  addNodes(nodes: readonly InlineNode[]): void {
    for (const node of nodes) {
      if (node.object === 'text') for (const leaf of node.leaves) this.#addLeaf(leaf)
      else this.#addElement(node)
    }
  }

  addText(text: string, marks: readonly Mark[]): void {
    for (const piece of splitFixedText(text)) {
      if (piece.isFixed) this.#addEmpty({ kind: 'fixed', text: piece.text, marks })
      else this.#text += escapeText(piece.text)
    }
  }

  finish(): MarkedText {
    const text = this.#text.trim()
    const start = this.#text.length - this.#text.trimStart().length
    return {
      text,
      parts: this.#parts,
      before: this.#text.slice(0, start),
      after: this.#text.slice(start + text.length),
    }
  }

  #addLeaf({ text, marks }: Leaf): void {
    if (marks.some(isFixedMark)) this.#addEmpty({ kind: 'fixed', text, marks })
    else if (marks.length === 0) this.addText(text, marks)
    else this.#addEnclosing({ kind: 'formatted', marks }, () => this.addText(text, marks))
  }

  #addElement(node: InlineElement): void {
    if ((node.type === 'link' || node.type === 'annotation') && node.nodes.length > 0)
      this.#addEnclosing({ kind: 'wrapper', node }, () => this.addNodes(node.nodes))
    else if (node.type === 'button')
      this.#addEnclosing({ kind: 'button', node }, () => this.addText(node.data.label, []))
    else this.#addEmpty({ kind: 'element', node })
  }

  #addEmpty(part: Part): void {
    this.#text += emptyTag(this.#parts.push(part))
  }

  #addEnclosing(part: Part, addContent: () => void): void {
    this.#text += openTag(this.#parts.push(part))
    addContent()
    this.#text += closeTag
  }
}

/** Returns a translation as inlines; its markup is that of the source. */
export function restoreInlines({ parts, before, after }: MarkedText, translation: string): InlineNode[] {
  return buildInlines([before, ...parseMarkup(translation.trim()), after], parts, [])
}

/** Returns a translation as plain text; its markup is that of the source. */
export function restoreString({ parts, before, after }: MarkedText, translation: string): string {
  return before + textWithParts(parseMarkup(translation.trim()), parts) + after
}

function buildInlines(nodes: readonly MarkupNode[], parts: readonly Part[], marks: readonly Mark[]): InlineNode[] {
  const builder = new InlineBuilder()
  addInlines(builder, nodes, parts, marks)
  return builder.build()
}

function addInlines(
  builder: InlineBuilder,
  nodes: readonly MarkupNode[],
  parts: readonly Part[],
  marks: readonly Mark[],
): void {
  for (const node of nodes) {
    if (typeof node === 'string') {
      builder.addText(node, marks)
      continue
    }
    const part = partOf(parts, node.id)
    const content = node.content ?? []
    switch (part.kind) {
      case 'fixed':
        builder.addText(part.text, part.marks)
        break
      case 'element':
        builder.addElement(part.node)
        break
      case 'formatted':
        addInlines(builder, content, parts, part.marks)
        break
      case 'wrapper':
        builder.addElement({ ...part.node, nodes: buildInlines(content, parts, []) })
        break
      case 'button':
        builder.addElement({ ...part.node, data: { ...part.node.data, label: textWithParts(content, parts) } })
        break
    }
  }
}

function textWithParts(nodes: readonly MarkupNode[], parts: readonly Part[]): string {
  const texts = nodes.map((node) => {
    if (typeof node === 'string') return node
    const part = partOf(parts, node.id)
    return part.kind === 'fixed' ? part.text : textWithParts(node.content ?? [], parts)
  })
  return texts.join('')
}

function partOf(parts: readonly Part[], id: number): Part {
  const part = parts[id - 1]
  if (!part) throw new Error(`The markup refers to the part ${id}, which does not exist`)
  return part
}
