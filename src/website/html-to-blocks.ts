import { addMark, documentOf, mark } from '../content/document/build.ts'
import type { Block, Document, InlineNode, ListItem, Mark, SimpleMarkType } from '../content/document/nodes.ts'
import { inlinesOfBlocks } from '../content/markdown/print-html.ts'
import { bulletList, divider, embed, expandable, mathBlock } from './build-blocks.ts'
import { cardOf, readCard } from './html-cards.ts'
import { readPre, readWrappedCode } from './html-code.ts'
import { isDropped, isPermalink } from './html-dropped.ts'
import { readHeading } from './html-headings.ts'
import { paragraphOrImages, readFigure, readImage } from './html-images.ts'
import { readDefinitions, readList } from './html-lists.ts'
import { readFormula } from './html-math.ts'
import { isTable, readTable } from './html-table.ts'
import { type WebElement, type WebNode, blockNames, elementsIn, isElement, isNamed, textOf } from './html-tree.ts'
import { InlineWriter } from './inline-writer.ts'
import { readGeneratedBlock } from './generators/blocks.ts'
import type { PageContext, Reading } from './reading.ts'

/** Maximum nesting depth: slightly less than half of a document's maximum, because lists and tabs are two nested blocks each. */
const maxNesting = 22

/** Reads the nodes of a page into a document. */
export function readDocument(nodes: readonly WebNode[], page: PageContext): Document {
  return documentOf(readNodes(nodes, page, 0, paragraphOrImages))
}

type EndParagraph = (nodes: readonly InlineNode[]) => Block | undefined

const keepInlines: EndParagraph = (nodes) =>
  nodes.length === 0 ? undefined : { object: 'block', type: 'paragraph', nodes }

function readNodes(nodes: readonly WebNode[], page: PageContext, depth: number, end: EndParagraph): Block[] {
  const walk = new Walk(page, depth, end)
  walk.nodes(nodes, [])
  return walk.build()
}

const markElements = new Map<string, SimpleMarkType>([
  ['strong', 'bold'],
  ['b', 'bold'],
  ['em', 'italic'],
  ['i', 'italic'],
  ['cite', 'italic'],
  ['dfn', 'italic'],
  ['var', 'italic'],
  ['s', 'strikethrough'],
  ['del', 'strikethrough'],
  ['strike', 'strikethrough'],
  ['code', 'code'],
  ['tt', 'code'],
  ['samp', 'code'],
  ['kbd', 'keyboard'],
  ['sup', 'superscript'],
  ['sub', 'subscript'],
])

const headings = isNamed('h1', 'h2', 'h3', 'h4', 'h5', 'h6')

/** Walks the elements of a page; a block ends the current paragraph. */
class Walk implements Reading {
  readonly page: PageContext
  readonly depth: number
  readonly #end: EndParagraph
  readonly #blocks: Block[] = []
  readonly #inlines = new InlineWriter()
  /** Items of the card list at the end, to which the next card is added. */
  #cards: ListItem[] | undefined

  constructor(page: PageContext, depth: number, end: EndParagraph) {
    this.page = page
    this.depth = depth
    this.#end = end
  }

  blocks(nodes: readonly WebNode[]): Block[] {
    return readNodes(nodes, this.page, this.depth + 1, paragraphOrImages)
  }

  inlines(nodes: readonly WebNode[]): InlineNode[] {
    return inlinesOfBlocks(readNodes(nodes, this.page, this.depth + 1, keepInlines))
  }

  build(): Block[] {
    this.#endParagraph()
    return this.#blocks
  }

  nodes(nodes: readonly WebNode[], marks: readonly Mark[]): void {
    for (const node of nodes) {
      if (isElement(node)) this.#element(node, marks)
      else this.#inlines.text(node, marks)
    }
  }

  #element(element: WebElement, marks: readonly Mark[]): void {
    const tabs = this.page.tabs.read(element, (nodes) => this.blocks(nodes))
    if (tabs) return this.#add(tabs)
    if (this.page.notes.isList(element)) return
    // Beyond the maximum depth everything becomes paragraphs.
    const isTooDeep = this.depth >= maxNesting
    const special = isTooDeep ? undefined : readGeneratedBlock(element, this)
    if (special) return this.#add(special)
    if (isDropped(element)) return
    const formula = readFormula(element)
    if (formula) return this.#formula(formula)
    const card = isTooDeep ? undefined : cardOf(element, this)
    if (card) return this.#addCard(card)
    const blocks = isTooDeep ? undefined : this.#block(element)
    if (blocks) return this.#add(blocks)
    if (element.name === 'a') return this.#link(element, marks)
    if (blockNames.has(element.name) || element.hasBlocks) {
      this.#endParagraph()
      this.nodes(element.children, marks)
      return this.#endParagraph()
    }
    this.#inline(element, marks)
  }

  /** Reads an element as blocks; undefined if it is only a container. */
  #block(element: WebElement): readonly Block[] | undefined {
    if (isTable(element)) return readTable(element, this)
    if (headings(element)) return readHeading(element, this)
    const code = readWrappedCode(element)
    if (code) return [code]
    switch (element.name) {
      case 'pre':
        return textOf(element) === '' ? [] : [readPre(element)]
      case 'ul':
      case 'ol':
      case 'menu':
        return readList(element, this)
      case 'dl':
        return readDefinitions(element, this)
      case 'blockquote': {
        const nodes = this.blocks(element.children)
        return nodes.length > 0 ? [{ object: 'block', type: 'blockquote', nodes }] : []
      }
      case 'hr':
        return [divider]
      case 'figure':
        return readFigure(element, this)
      case 'details':
        return this.#details(element)
      case 'iframe':
      case 'video':
      case 'lite-youtube':
        return this.#embed(element)
      default:
        return undefined
    }
  }

  #details(element: WebElement): Block[] {
    const summary = elementsIn(element).find(isNamed('summary'))
    const body = this.blocks(element.children.filter((node) => node !== summary))
    return [expandable(summary ? this.inlines(summary.children) : [], body, element.attributes['open'] !== undefined)]
  }

  #embed(element: WebElement): Block[] {
    const source = elementsIn(element).find(isNamed('source'))
    const { src, 'data-src': late, videoid } = element.attributes
    const written = videoid === undefined ? (src ?? late ?? source?.attributes['src']) : `https://youtu.be/${videoid}`
    const url = this.page.addresses.page(written)
    const video = /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(url ?? '')?.[1]
    if (video !== undefined && video !== 'videoseries') return [embed(`https://www.youtube.com/watch?v=${video}`)]
    return url === undefined ? [] : [embed(url)]
  }

  #formula({ tex, isBlock }: { tex: string; isBlock: boolean }): void {
    if (isBlock) return this.#add([mathBlock(tex)])
    this.#inlines.element({ object: 'inline', type: 'inline-math', isVoid: true, data: { formula: tex } })
  }

  #link(element: WebElement, marks: readonly Mark[]): void {
    if (isPermalink(element) || this.page.notes.isBackLink(element)) return
    const body = this.depth < maxNesting ? this.page.notes.bodyOf(element, (nodes) => this.blocks(nodes)) : undefined
    if (body) return this.#inlines.annotate(body, textOf(element))
    const url = this.page.addresses.link(element.attributes['href'])
    if (element.hasBlocks) {
      const card = url === undefined ? undefined : readCard(element.children, url, this)
      if (card) return this.#addCard(card)
      this.#endParagraph()
      this.nodes(element.children, marks)
      return this.#endParagraph()
    }
    const isToPicture =
      url !== undefined && /\.(?:png|jpe?g|gif|svg|webp|avif)(?:\?|$)/i.test(url) && textOf(element) === ''
    if (url === undefined || isToPicture) return this.nodes(element.children, marks)
    this.#inlines.link(url, () => this.nodes(element.children, marks))
  }

  #inline(element: WebElement, marks: readonly Mark[]): void {
    switch (element.name) {
      case 'br':
        if (!this.#inlines.endLine()) this.#endParagraph()
        return
      case 'img': {
        const shown = readImage(element, this)
        if (typeof shown === 'string') this.#inlines.text(shown, marks)
        else if (shown) this.#inlines.element(shown)
        return
      }
      case 'mark':
        return this.nodes(
          element.children,
          addMark(marks, { object: 'mark', type: 'color', data: { background: 'yellow' } }),
        )
      case 'sup': {
        const note = elementsIn(element).find(
          (inner) => inner.name === 'a' && this.page.notes.bodyOf(inner, (nodes) => this.blocks(nodes)) !== undefined,
        )
        if (note) return this.#link(note, marks)
      }
    }
    const type = markElements.get(element.name)
    this.nodes(element.children, type ? addMark(marks, mark(type)) : marks)
  }

  #endParagraph(): void {
    const block = this.#end(this.#inlines.take())
    if (block) this.#push(block)
  }

  #add(blocks: readonly Block[]): void {
    this.#endParagraph()
    for (const block of blocks) this.#push(block)
  }

  #push(block: Block): void {
    this.#blocks.push(block)
    this.#cards = undefined
  }

  /** Adds a card; adjacent cards become one list. */
  #addCard(card: ListItem): void {
    this.#endParagraph()
    if (this.#cards) {
      this.#cards.push(card)
      return
    }
    const cards = [card]
    this.#push(bulletList(cards))
    this.#cards = cards
  }
}
