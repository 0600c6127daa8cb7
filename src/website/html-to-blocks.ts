import { addMark, createDocument, mark } from '../content/document/build.ts'
import type { Block, Document, InlineNode, ListItem, Mark, SimpleMarkType } from '../content/document/nodes.ts'
import { blocksToInlines } from '../content/markdown/print-html.ts'
import { bulletList, divider, embed, expandable, mathBlock } from './build-blocks.ts'
import { readCardElement, buildCard } from './html-cards.ts'
import { readPre, readWrappedCode } from './html-code.ts'
import { isNonContent, isPermalink } from './html-non-content.ts'
import { readHeading } from './html-headings.ts'
import { paragraphOrImages, readFigure, readImage } from './html-images.ts'
import { readDefinitionList, readList } from './html-lists.ts'
import { readFormula } from './html-math.ts'
import { isTable, readTable } from './html-table.ts'
import {
  type WebElement,
  type WebNode,
  blockElements,
  childElements,
  isElement,
  hasTagName,
  nodeText,
} from './html-tree.ts'
import { InlineWriter } from './inline-writer.ts'
import { readGeneratorBlock } from './generators/blocks.ts'
import type { PageContext, NodeReader } from './node-reader.ts'

/** Maximum nesting depth: slightly less than half of a document's maximum, because lists and tabs are two nested blocks each. */
const maxNesting = 22

/** Reads the nodes of a page into a document. */
export function readWebDocument(nodes: readonly WebNode[], page: PageContext): Document {
  return createDocument(readNodes(nodes, page, 0, paragraphOrImages))
}

type BuildParagraph = (nodes: readonly InlineNode[]) => Block | undefined

const plainParagraph: BuildParagraph = (nodes) =>
  nodes.length === 0 ? undefined : { object: 'block', type: 'paragraph', nodes }

function readNodes(
  nodes: readonly WebNode[],
  page: PageContext,
  depth: number,
  buildParagraph: BuildParagraph,
): Block[] {
  const walker = new NodeWalker(page, depth, buildParagraph)
  walker.visitNodes(nodes, [])
  return walker.build()
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

const isHeading = hasTagName('h1', 'h2', 'h3', 'h4', 'h5', 'h6')

/** Walks the elements of a page; a block ends the current paragraph. */
class NodeWalker implements NodeReader {
  readonly page: PageContext
  readonly depth: number
  readonly #buildParagraph: BuildParagraph
  readonly #blocks: Block[] = []
  readonly #inlines = new InlineWriter()
  /** Items of the card list at the end, to which the next card is added. */
  #cards: ListItem[] | undefined

  constructor(page: PageContext, depth: number, buildParagraph: BuildParagraph) {
    this.page = page
    this.depth = depth
    this.#buildParagraph = buildParagraph
  }

  readBlocks(nodes: readonly WebNode[]): Block[] {
    return readNodes(nodes, this.page, this.depth + 1, paragraphOrImages)
  }

  readInlines(nodes: readonly WebNode[]): InlineNode[] {
    return blocksToInlines(readNodes(nodes, this.page, this.depth + 1, plainParagraph))
  }

  build(): Block[] {
    this.#endParagraph()
    return this.#blocks
  }

  visitNodes(nodes: readonly WebNode[], marks: readonly Mark[]): void {
    for (const node of nodes) {
      if (isElement(node)) this.#visitElement(node, marks)
      else this.#inlines.text(node, marks)
    }
  }

  #visitElement(element: WebElement, marks: readonly Mark[]): void {
    const tabs = this.page.tabs.read(element, (nodes) => this.readBlocks(nodes))
    if (tabs) return this.#add(tabs)
    if (this.page.footnotes.isList(element)) return
    // Beyond the maximum depth everything becomes paragraphs.
    const isTooDeep = this.depth >= maxNesting
    const generatorBlocks = isTooDeep ? undefined : readGeneratorBlock(element, this)
    if (generatorBlocks) return this.#add(generatorBlocks)
    if (isNonContent(element)) return
    const formula = readFormula(element)
    if (formula) return this.#addFormula(formula)
    const card = isTooDeep ? undefined : readCardElement(element, this)
    if (card) return this.#addCard(card)
    const blocks = isTooDeep ? undefined : this.#readBlock(element)
    if (blocks) return this.#add(blocks)
    if (element.name === 'a') return this.#visitLink(element, marks)
    if (blockElements.has(element.name) || element.hasBlocks) {
      this.#endParagraph()
      this.visitNodes(element.children, marks)
      return this.#endParagraph()
    }
    this.#visitInline(element, marks)
  }

  /** Reads an element as blocks; undefined if it is only a container. */
  #readBlock(element: WebElement): readonly Block[] | undefined {
    if (isTable(element)) return readTable(element, this)
    if (isHeading(element)) return readHeading(element, this)
    const code = readWrappedCode(element)
    if (code) return [code]
    switch (element.name) {
      case 'pre':
        return nodeText(element) === '' ? [] : [readPre(element)]
      case 'ul':
      case 'ol':
      case 'menu':
        return readList(element, this)
      case 'dl':
        return readDefinitionList(element, this)
      case 'blockquote': {
        const nodes = this.readBlocks(element.children)
        return nodes.length > 0 ? [{ object: 'block', type: 'blockquote', nodes }] : []
      }
      case 'hr':
        return [divider]
      case 'figure':
        return readFigure(element, this)
      case 'details':
        return this.#readDetails(element)
      case 'iframe':
      case 'video':
      case 'lite-youtube':
        return this.#readEmbed(element)
      default:
        return undefined
    }
  }

  #readDetails(element: WebElement): Block[] {
    const summary = childElements(element).find(hasTagName('summary'))
    const body = this.readBlocks(element.children.filter((node) => node !== summary))
    return [
      expandable(summary ? this.readInlines(summary.children) : [], body, element.attributes['open'] !== undefined),
    ]
  }

  #readEmbed(element: WebElement): Block[] {
    const source = childElements(element).find(hasTagName('source'))
    const { src, 'data-src': dataSrc, videoid } = element.attributes
    const written =
      videoid === undefined ? (src ?? dataSrc ?? source?.attributes['src']) : `https://youtu.be/${videoid}`
    const url = this.page.addresses.resolvePage(written)
    const video = /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(url ?? '')?.[1]
    if (video !== undefined && video !== 'videoseries') return [embed(`https://www.youtube.com/watch?v=${video}`)]
    return url === undefined ? [] : [embed(url)]
  }

  #addFormula({ tex, isBlock }: { tex: string; isBlock: boolean }): void {
    if (isBlock) return this.#add([mathBlock(tex)])
    this.#inlines.element({ object: 'inline', type: 'inline-math', isVoid: true, data: { formula: tex } })
  }

  #visitLink(element: WebElement, marks: readonly Mark[]): void {
    if (isPermalink(element) || this.page.footnotes.isBackLink(element)) return
    const body =
      this.depth < maxNesting ? this.page.footnotes.readFootnote(element, (nodes) => this.readBlocks(nodes)) : undefined
    if (body) return this.#inlines.annotate(body, nodeText(element))
    const url = this.page.addresses.resolveLink(element.attributes['href'])
    if (element.hasBlocks) {
      const card = url === undefined ? undefined : buildCard(element.children, url, this)
      if (card) return this.#addCard(card)
      this.#endParagraph()
      this.visitNodes(element.children, marks)
      return this.#endParagraph()
    }
    const isImageLink =
      url !== undefined && /\.(?:png|jpe?g|gif|svg|webp|avif)(?:\?|$)/i.test(url) && nodeText(element) === ''
    if (url === undefined || isImageLink) return this.visitNodes(element.children, marks)
    this.#inlines.link(url, () => this.visitNodes(element.children, marks))
  }

  #visitInline(element: WebElement, marks: readonly Mark[]): void {
    switch (element.name) {
      case 'br':
        if (!this.#inlines.endLine()) this.#endParagraph()
        return
      case 'img': {
        const image = readImage(element, this)
        if (typeof image === 'string') this.#inlines.text(image, marks)
        else if (image) this.#inlines.element(image)
        return
      }
      case 'mark':
        return this.visitNodes(
          element.children,
          addMark(marks, { object: 'mark', type: 'color', data: { background: 'yellow' } }),
        )
      case 'sup': {
        const footnoteLink = childElements(element).find(
          (inner) =>
            inner.name === 'a' &&
            this.page.footnotes.readFootnote(inner, (nodes) => this.readBlocks(nodes)) !== undefined,
        )
        if (footnoteLink) return this.#visitLink(footnoteLink, marks)
      }
    }
    const type = markElements.get(element.name)
    this.visitNodes(element.children, type ? addMark(marks, mark(type)) : marks)
  }

  #endParagraph(): void {
    const block = this.#buildParagraph(this.#inlines.take())
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
