import { isPlainLine } from './code-text.ts'
import type { Block, Document, If, Table } from './nodes.ts'
import { ownTextLines, plainText, tableTextLines } from './text.ts'
import { childBlocks, mapBlocks } from './walk.ts'

/** Part of a page that is indexed separately. */
export interface Section {
  /** ID of its heading; null for the start of the page. */
  anchor: string | null
  heading: string
  /** Whether it starts at the heading; otherwise it continues an interrupted or long section. */
  isBeginning: boolean
  body: string
  /** Conditions that must all be true for a reader to see it. */
  conditions: readonly string[]
}

/** Maximum length of a section, so that creating a snippet does not require reading a long text. */
const maxBodyLength = 4000
/**
 * Maximum length of an indexed page: twice that of a document, because reusable contents can make a page longer than a
 * document.
 */
const maxPageLength = 2 * 1024 ** 2

/**
 * Splits a document with anchors into sections, at headings and at the boundaries of conditional content, so that a
 * section never contains text without its conditions. Inlines whose text depends on the reader are omitted. `idOf` returns the
 * anchor of a heading of a document without anchors.
 */
export function splitIntoSections(
  document: Document,
  idOf: (heading: Block) => string | undefined = ({ meta }) => meta?.id,
): Section[] {
  const splitter = new SectionSplitter(idOf)
  splitter.addAll(document.nodes)
  return splitter.finish()
}

type SectionHeading = Pick<Section, 'anchor' | 'heading'>

class SectionSplitter {
  readonly #sections: Section[] = []
  #heading: SectionHeading = { anchor: null, heading: '' }
  #conditions: readonly string[] = []
  #isBeginning = true
  #lines: string[] = []
  #length = 0
  #remainingLength = maxPageLength
  readonly #idOf: (heading: Block) => string | undefined

  constructor(idOf: (heading: Block) => string | undefined) {
    this.#idOf = idOf
  }

  addAll(blocks: readonly Block[]): void {
    for (const block of blocks) this.#add(block)
  }

  finish(): Section[] {
    this.#close()
    return this.#sections
  }

  #add(block: Block): void {
    switch (block.type) {
      case 'if':
        return this.#addConditional(block)
      case 'table':
        return this.#addTable(block)
      case 'code':
        for (const line of ownTextLines(block)) this.#addLine(line)
        for (const line of block.nodes) {
          if (isPlainLine(line)) this.#addLine(plainText(line.nodes))
          else this.#add(line)
        }
        return
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        this.#close()
        this.#heading = { anchor: this.#idOf(block) ?? null, heading: replaceNul(plainText(block.nodes)).trim() }
        this.#isBeginning = true
        break
      default:
        for (const line of ownTextLines(block)) this.#addLine(line)
    }
    this.addAll(childBlocks(block))
  }

  #addConditional({ data: { expression }, nodes }: If): void {
    const [heading, conditions] = [this.#heading, this.#conditions]
    this.#close()
    if (expression.trim() !== '' && !conditions.includes(expression)) this.#conditions = [...conditions, expression]
    this.addAll(nodes)
    this.#close()
    // Content after a condition belongs to the section before it, because not every reader sees the headings inside.
    this.#heading = heading
    this.#conditions = conditions
  }

  #addTable(table: Table): void {
    const conditionals = findConditionals(table)
    const unconditional =
      conditionals.length === 0 ? [table] : mapBlocks([table], (block) => (block.type === 'if' ? [] : block))
    for (const block of unconditional)
      if (block.type === 'table') for (const line of tableTextLines(block)) this.#addLine(line)
    for (const conditional of conditionals) this.#addConditional(conditional)
  }

  #addLine(line: string): void {
    for (const piece of splitLine(replaceNul(line.slice(0, this.#remainingLength)))) {
      if (this.#length + piece.length > maxBodyLength) this.#close()
      this.#lines.push(piece)
      this.#length += piece.length + 1
      this.#remainingLength -= piece.length
    }
  }

  #close(): void {
    if (this.#isBeginning || this.#lines.length > 0) {
      const body = this.#lines.join('\n')
      const { anchor, heading } = this.#heading
      const conditions = this.#conditions
      this.#sections.push({ anchor, heading, isBeginning: this.#isBeginning, body, conditions })
    }
    this.#isBeginning = false
    this.#lines = []
    this.#length = 0
  }
}

/** Replaces U+0000, which PostgreSQL cannot store. */
const replaceNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', ' ') : text)

/** Returns the outermost conditional blocks below a block. */
function findConditionals(block: Block): If[] {
  return childBlocks(block).flatMap((child) => (child.type === 'if' ? [child] : findConditionals(child)))
}

/** Splits a line into pieces of limited length, between words if possible. */
function splitLine(line: string): readonly string[] {
  const text = line.trim()
  if (text.length <= maxBodyLength) return text === '' ? [] : [text]
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = start + maxBodyLength
    // Only the piece is searched for a space; otherwise a long text without spaces would be searched again for each piece.
    const space = end < text.length ? start + text.slice(start, end + 1).lastIndexOf(' ') : text.length
    const pieceEnd = space > start ? Math.min(space, end) : end
    pieces.push(text.slice(start, pieceEnd).trim())
    start = pieceEnd
  }
  return pieces
}
