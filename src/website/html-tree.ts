import type { Block } from '../content/document/nodes.ts'
import { boundedHtml } from './html-bounds.ts'

// Elements of a web page as plain values. Pages are not trusted: the depth of the tree is limited to `maxDepth`, so that reading
// may recurse, and the properties that are checked for every element are computed once while the tree is built.

export type WebNode = WebElement | string

export interface WebElement {
  name: string
  attributes: Readonly<Record<string, string>>
  classes: ReadonlySet<string>
  children: WebNode[]
  parent: WebElement | undefined
  /** Index among the children of the parent. */
  index: number
  /** Whether there is a block element among the descendants. */
  hasBlocks: boolean
  /** Number of tab panels among the descendants. */
  panels: number
}

/** Reads nodes as blocks. */
export type ReadBlocks = (nodes: readonly WebNode[]) => Block[]

/** Maximum depth, more than any ordinary page has; deeper nodes are added to the element at that depth. */
const maxDepth = 200

export const blockNames: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr html iframe li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul video'
  ).split(' '),
)

/** Elements that are never visible, or are rendered as graphics that cannot be imported. */
const unread: ReadonlySet<string> = new Set([
  'style',
  'template',
  'noscript',
  'svg',
  'canvas',
  'object',
  'audio',
  'map',
])

/** Subset of the DOM interface that is used here. */
export interface DomNode {
  nodeType: number
  localName?: string
  textContent: string | null
  firstChild: DomNode | null
  nextSibling: DomNode | null
  childNodes: Iterable<DomNode>
  attributes?: Iterable<{ name: string; value: string }>
}

const [elementNode, textNode, doctypeNode] = [1, 3, 10]

/** Parses HTML into a DOM document. */
export async function parseDocument(html: string): Promise<DomNode> {
  const { parseHTML } = await import('linkedom')
  return parseHTML(boundedHtml(html)).document
}

/** Converts a document to a tree; its root is not an element of the page. */
export function treeOf(document: DomNode): WebElement {
  const root = newElement('#root', {}, undefined)
  // The doctype node has no `nextSibling`.
  const first = Array.from(document.childNodes).find(({ nodeType }) => nodeType !== doctypeNode) ?? null
  const waiting: { next: DomNode | null; into: WebElement; depth: number; isClosing: boolean }[] = [
    { next: first, into: root, depth: 0, isClosing: true },
  ]
  for (let level = waiting.at(-1); level; level = waiting.at(-1)) {
    const { next: node, into, depth } = level
    if (!node) {
      waiting.pop()
      if (level.isClosing) tellParent(into)
      continue
    }
    level.next = node.nextSibling
    if (node.nodeType === textNode) into.children.push(node.textContent ?? '')
    if (node.nodeType !== elementNode) continue
    const name = (node.localName ?? '').toLowerCase()
    const attributes = Object.fromEntries(
      Array.from(node.attributes ?? [], ({ name: key, value }) => [key.toLowerCase(), value]),
    )
    if (unread.has(name) || (name === 'script' && !attributes['type']?.startsWith('math/tex'))) continue
    if (depth >= maxDepth) {
      waiting.push({ next: node.firstChild, into, depth, isClosing: false })
      continue
    }
    const element = newElement(name, attributes, into)
    into.children.push(element)
    waiting.push({ next: node.firstChild, into: element, depth: depth + 1, isClosing: true })
  }
  return root
}

function newElement(name: string, attributes: Record<string, string>, parent: WebElement | undefined): WebElement {
  const classes = new Set((attributes['class'] ?? '').split(/\s+/).filter((one) => one !== ''))
  return {
    name,
    attributes,
    classes,
    children: [],
    parent,
    index: parent?.children.length ?? 0,
    hasBlocks: false,
    panels: 0,
  }
}

/** Adds the properties of a complete element to its parent. */
function tellParent({ name, attributes, hasBlocks, panels, parent }: WebElement): void {
  if (!parent) return
  parent.hasBlocks ||= hasBlocks || blockNames.has(name)
  parent.panels += panels + (attributes['role'] === 'tabpanel' ? 1 : 0)
}

// Search functions. They take predicates, because there are few kinds of elements to find and many elements.

export const isElement = (node: WebNode | undefined): node is WebElement => typeof node === 'object'

export const elementsIn = ({ children }: WebElement): WebElement[] => children.filter(isElement)

/** Yields all descendants in document order. */
export function* descendants(root: WebElement): Generator<WebElement> {
  const waiting = elementsIn(root).toReversed()
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element
    for (let index = element.children.length - 1; index >= 0; index--) {
      const child = element.children[index]
      if (isElement(child)) waiting.push(child)
    }
  }
}

export function find(root: WebElement, isWanted: (element: WebElement) => boolean): WebElement | undefined {
  for (const element of descendants(root)) if (isWanted(element)) return element
  return undefined
}

export function findAll(root: WebElement, isWanted: (element: WebElement) => boolean): WebElement[] {
  return Array.from(descendants(root)).filter(isWanted)
}

/** Returns the outermost matching elements; their descendants are not searched. */
export function findOutermost(root: WebElement, isWanted: (element: WebElement) => boolean): WebElement[] {
  return elementsIn(root).flatMap((child) => (isWanted(child) ? [child] : findOutermost(child, isWanted)))
}

export const hasClass =
  (...names: string[]) =>
  ({ classes }: WebElement) =>
    names.some((name) => classes.has(name))

export const isNamed =
  (...names: string[]) =>
  ({ name }: WebElement) =>
    names.includes(name)

export const hasRole =
  (role: string) =>
  ({ attributes }: WebElement) =>
    attributes['role'] === role

/** Whether a class starts with a prefix: build tools append a hash to class names. */
export const hasClassPrefix = ({ classes }: WebElement, prefix: string) =>
  Array.from(classes).some((one) => one.startsWith(prefix))

export function ancestorsOf(element: WebElement, count: number): WebElement[] {
  const found: WebElement[] = []
  for (let one = element.parent; one && found.length < count; one = one.parent) found.push(one)
  return found
}

/** Returns the text content with its whitespace. */
export function rawText(node: WebNode): string {
  if (typeof node === 'string') return node
  return node.children.map(rawText).join('')
}

/** Returns the text content on one line. */
export const textOf = (node: WebNode) => oneLine(rawText(node))

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
