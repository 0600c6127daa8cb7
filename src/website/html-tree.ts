import type { Block } from '../content/document/nodes.ts'
import { limitHtml } from './html-limits.ts'

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
  panelCount: number
}

/** Reads nodes as blocks. */
export type ReadChildBlocks = (nodes: readonly WebNode[]) => Block[]

/** Maximum depth, more than any ordinary page has; deeper nodes are added to the element at that depth. */
const maxDepth = 200

export const blockElements: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr html iframe li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul video'
  ).split(' '),
)

/** Elements that are never visible, or are rendered as graphics that cannot be imported. */
const ignoredElements: ReadonlySet<string> = new Set([
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
export async function parseHtmlDocument(html: string): Promise<DomNode> {
  const { parseHTML } = await import('linkedom')
  return parseHTML(limitHtml(html)).document
}

/** Converts a document to a tree; its root is not an element of the page. */
export function toElementTree(document: DomNode): WebElement {
  const root = newElement('#root', {}, undefined)
  // The doctype node has no `nextSibling`.
  const first = Array.from(document.childNodes).find(({ nodeType }) => nodeType !== doctypeNode) ?? null
  const stack: { next: DomNode | null; target: WebElement; depth: number; isClosing: boolean }[] = [
    { next: first, target: root, depth: 0, isClosing: true },
  ]
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const { next: node, target, depth } = level
    if (!node) {
      stack.pop()
      if (level.isClosing) propagateToParent(target)
      continue
    }
    level.next = node.nextSibling
    if (node.nodeType === textNode) target.children.push(node.textContent ?? '')
    if (node.nodeType !== elementNode) continue
    const name = (node.localName ?? '').toLowerCase()
    const attributes = Object.fromEntries(
      Array.from(node.attributes ?? [], ({ name: key, value }) => [key.toLowerCase(), value]),
    )
    if (ignoredElements.has(name) || (name === 'script' && !attributes['type']?.startsWith('math/tex'))) continue
    if (depth >= maxDepth) {
      stack.push({ next: node.firstChild, target, depth, isClosing: false })
      continue
    }
    const element = newElement(name, attributes, target)
    target.children.push(element)
    stack.push({ next: node.firstChild, target: element, depth: depth + 1, isClosing: true })
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
    panelCount: 0,
  }
}

/** Adds the properties of a complete element to its parent. */
function propagateToParent({ name, attributes, hasBlocks, panelCount, parent }: WebElement): void {
  if (!parent) return
  parent.hasBlocks ||= hasBlocks || blockElements.has(name)
  parent.panelCount += panelCount + (attributes['role'] === 'tabpanel' ? 1 : 0)
}

// Search functions. They take predicates, because there are few kinds of elements to find and many elements.

export const isElement = (node: WebNode | undefined): node is WebElement => typeof node === 'object'

export const childElements = ({ children }: WebElement): WebElement[] => children.filter(isElement)

/** Yields all descendants in document order. */
export function* descendants(root: WebElement): Generator<WebElement> {
  const stack = childElements(root).toReversed()
  for (let element = stack.pop(); element; element = stack.pop()) {
    yield element
    for (let index = element.children.length - 1; index >= 0; index--) {
      const child = element.children[index]
      if (isElement(child)) stack.push(child)
    }
  }
}

export function findElement(root: WebElement, isWanted: (element: WebElement) => boolean): WebElement | undefined {
  for (const element of descendants(root)) if (isWanted(element)) return element
  return undefined
}

export function findElements(root: WebElement, isWanted: (element: WebElement) => boolean): WebElement[] {
  return Array.from(descendants(root)).filter(isWanted)
}

/** Returns the outermost matching elements; their descendants are not searched. */
export function findOutermost(root: WebElement, isWanted: (element: WebElement) => boolean): WebElement[] {
  return childElements(root).flatMap((child) => (isWanted(child) ? [child] : findOutermost(child, isWanted)))
}

export const hasClass =
  (...names: string[]) =>
  ({ classes }: WebElement) =>
    names.some((name) => classes.has(name))

export const hasTagName =
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
  const ancestors: WebElement[] = []
  for (let ancestor = element.parent; ancestor && ancestors.length < count; ancestor = ancestor.parent)
    ancestors.push(ancestor)
  return ancestors
}

/** Returns the text content with its whitespace. */
export function rawText(node: WebNode): string {
  if (typeof node === 'string') return node
  return node.children.map(rawText).join('')
}

/** Returns the text content on one line. */
export const nodeText = (node: WebNode) => collapseWhitespace(rawText(node))

export const collapseWhitespace = (text: string) => text.replace(/\s+/g, ' ').trim()
