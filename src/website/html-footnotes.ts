import type { Fragment } from '../content/document/nodes.ts'
import { type ReadChildBlocks, type WebElement, descendants, findElement, hasClass, nodeText } from './html-tree.ts'

const isFootnoteList = ({ classes, attributes }: WebElement) =>
  classes.has('footnotes') ||
  classes.has('footnote') ||
  attributes['role'] === 'doc-endnotes' ||
  attributes['data-footnotes'] !== undefined

const isBackLink = (element: WebElement) =>
  element.name === 'a' &&
  (hasClass('footnote-backref', 'data-footnote-backref')(element) ||
    element.attributes['data-footnote-backref'] !== undefined ||
    element.attributes['role'] === 'doc-backlink' ||
    /^(?:[↩⮌↑^\s]|\ufe0e)+$/u.test(nodeText(element)))

const fragmentOf = ({ attributes }: WebElement) => /#(.+)$/.exec(attributes['href'] ?? '')?.[1]

/** Footnotes of a page; each is read at the position of its reference in the text. */
export class PageFootnotes {
  readonly #items = new Map<string, WebElement>()
  readonly #lists = new Set<WebElement>()
  readonly #bodies = new Map<string, Fragment>()
  #isReading = false

  constructor(content: WebElement) {
    const references = new Set<string>()
    const lists = new Set(Array.from(descendants(content)).filter(isFootnoteList))
    const items = new Map<string, WebElement>()
    for (const list of lists) {
      if (list.parent && lists.has(list.parent)) continue
      for (const item of descendants(list)) {
        const { id } = item.attributes
        if (item.name === 'li' && id !== undefined) items.set(id, item)
      }
    }
    if (items.size === 0) return
    for (const element of descendants(content)) {
      const fragment = element.name === 'a' ? fragmentOf(element) : undefined
      const item = fragment === undefined ? undefined : items.get(fragment)
      if (item && fragment !== undefined && !isBackLink(element)) references.add(fragment)
    }
    for (const [id, item] of items) if (references.has(id)) this.#items.set(id, item)
    // A list that contains unreferenced footnotes is rendered unchanged.
    for (const list of lists) {
      const inside = Array.from(descendants(list)).filter(({ attributes: { id } }) => id !== undefined && items.has(id))
      if (inside.length > 0 && inside.every(({ attributes: { id } }) => this.#items.has(id ?? '')))
        this.#lists.add(list)
    }
  }

  /** Whether an element is a list of footnotes that are all read elsewhere. */
  isList(element: WebElement): boolean {
    return this.#lists.has(element)
  }

  /** Returns the footnote that a link refers to. */
  readFootnote(link: WebElement, read: ReadChildBlocks): Fragment | undefined {
    const id = fragmentOf(link)
    const item = id === undefined ? undefined : this.#items.get(id)
    // Footnotes that refer to each other would recurse infinitely.
    if (id === undefined || !item || this.#isReading || isBackLink(link)) return undefined
    const cached = this.#bodies.get(id)
    if (cached) return cached
    this.#isReading = true
    const body: Fragment = { object: 'fragment', type: 'annotation-body', nodes: read(item.children) }
    this.#isReading = false
    this.#bodies.set(id, body)
    return body
  }

  /** Whether a link leads from a footnote back to the text. */
  isBackLink(link: WebElement): boolean {
    return this.#items.size > 0 && isBackLink(link) && findElement(link, () => true) === undefined
  }
}
