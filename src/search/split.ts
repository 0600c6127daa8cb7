import type { Block, Document, If, Table } from '../content/document/nodes.ts'
import { ownLines, plainText, tableLines } from '../content/document/text.ts'
import { childBlocks, mapBlocks } from '../content/document/walk.ts'

/** A piece of a page that is found by itself. */
export interface Section {
  /** Where in the page it stands: at a heading, or at its beginning. */
  anchor: string | null
  heading: string
  /** Whether it begins there; else it goes on with what was interrupted or too long. */
  isBeginning: boolean
  body: string
  /** All of these must hold for a reader to see it. */
  conditions: readonly string[]
}

/** So that a text which is shown in part need not be read at length. */
const maxBodyLength = 4000
/** As much as two full documents: contents that are reused may make a page much longer than it can be by itself. */
const maxPageLength = 2 * 1024 ** 2

/**
 * Cuts a document with anchors at its headings, and at the borders of all that not everybody sees: a section never
 * says something without its conditions. What depends on the reader says nothing.
 */
export function sectionsOf(document: Document): Section[] {
  const splitter = new Splitter()
  splitter.addAll(document.nodes)
  return splitter.end()
}

type Place = Pick<Section, 'anchor' | 'heading'>

class Splitter {
  readonly #sections: Section[] = []
  #place: Place = { anchor: null, heading: '' }
  #conditions: readonly string[] = []
  #isBeginning = true
  #lines: string[] = []
  #length = 0
  #room = maxPageLength

  addAll(blocks: readonly Block[]): void {
    for (const block of blocks) this.#add(block)
  }

  end(): Section[] {
    this.#close()
    return this.#sections
  }

  #add(block: Block): void {
    switch (block.type) {
      case 'if':
        return this.#addConditional(block)
      case 'table':
        return this.#addTable(block)
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        this.#close()
        this.#place = { anchor: block.meta?.id ?? null, heading: written(plainText(block.nodes)).trim() }
        this.#isBeginning = true
        break
      default:
        for (const line of ownLines(block)) this.#say(line)
    }
    this.addAll(childBlocks(block))
  }

  #addConditional({ data: { expression }, nodes }: If): void {
    const [place, conditions] = [this.#place, this.#conditions]
    this.#close()
    if (expression.trim() !== '' && !conditions.includes(expression)) this.#conditions = [...conditions, expression]
    this.addAll(nodes)
    this.#close()
    // What follows belongs to what stood before: not everybody sees the headings within.
    this.#place = place
    this.#conditions = conditions
  }

  #addTable(table: Table): void {
    const conditionals = conditionalsBelow(table)
    const seenByAll =
      conditionals.length === 0 ? [table] : mapBlocks([table], (block) => (block.type === 'if' ? [] : block))
    for (const block of seenByAll) if (block.type === 'table') for (const line of tableLines(block)) this.#say(line)
    for (const conditional of conditionals) this.#addConditional(conditional)
  }

  #say(line: string): void {
    for (const piece of piecesOf(written(line.slice(0, this.#room)))) {
      if (this.#length + piece.length > maxBodyLength) this.#close()
      this.#lines.push(piece)
      this.#length += piece.length + 1
      this.#room -= piece.length
    }
  }

  #close(): void {
    if (this.#isBeginning || this.#lines.length > 0) {
      const body = this.#lines.join('\n')
      const { anchor, heading } = this.#place
      const conditions = this.#conditions
      this.#sections.push({ anchor, heading, isBeginning: this.#isBeginning, body, conditions })
    }
    this.#isBeginning = false
    this.#lines = []
    this.#length = 0
  }
}

/** What PostgreSQL can keep as text. */
const written = (text: string): string => text.replaceAll('\0', ' ')

/** The outermost conditions below a block. */
function conditionalsBelow(block: Block): If[] {
  return childBlocks(block).flatMap((child) => (child.type === 'if' ? [child] : conditionalsBelow(child)))
}

/** A line in pieces that are not too long, cut between words if there are any. */
function* piecesOf(line: string): Iterable<string> {
  const text = line.trim()
  for (let start = 0; start < text.length;) {
    const end = start + maxBodyLength
    // Only the piece is searched: a long text without spaces would be searched again for each of its pieces.
    const space = end < text.length ? start + text.slice(start, end + 1).lastIndexOf(' ') : text.length
    const cut = space > start ? Math.min(space, end) : end
    yield text.slice(start, cut).trim()
    start = cut
  }
}
