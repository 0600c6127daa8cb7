import type { Block } from '../content/document/nodes.ts'
import { boundedHtml } from './html-bounds.ts'

// The elements of a web page as plain values. Pages are hostile until shown otherwise: the tree is never deeper than
// `maxDepth`, so that reading it may recurse, and what is asked of every element is counted once while it is built.

export type WebNode = WebElement | string

export interface WebElement {
  name: string
  attributes: Readonly<Record<string, string>>
  classes: ReadonlySet<string>
  children: WebNode[]
  parent: WebElement | undefined
  /** Its place among the children of its parent. */
  index: number
  /** Whether a block stands anywhere inside. */
  hasBlocks: boolean
  /** How many panels of tabs stand inside. */
  panels: number
}

/** Makes blocks of what stands inside an element. */
export type ReadBlocks = (nodes: readonly WebNode[]) => Block[]

/** Deeper than any page that was made to be read; what is deeper stands in the last element. */
const maxDepth = 200

export const blockNames: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr html iframe li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul video'
  ).split(' '),
)

/** Never shown, or shown as a picture that we cannot have. */
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

/** What we need of the nodes of a document. */
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

/** The document of a page, for readers that want one. */
export async function parseDocument(html: string): Promise<DomNode> {
  const { parseHTML } = await import('linkedom')
  return parseHTML(boundedHtml(html)).document
}

/** The tree of a document; its root is no element of the page. */
export function treeOf(document: DomNode): WebElement {
  const root = newElement('#root', {}, undefined)
  // The type of a document knows nothing of what follows it.
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

/** All its children are there: tells its parent what they are. */
function tellParent({ name, attributes, hasBlocks, panels, parent }: WebElement): void {
  if (!parent) return
  parent.hasBlocks ||= hasBlocks || blockNames.has(name)
  parent.panels += panels + (attributes['role'] === 'tabpanel' ? 1 : 0)
}

// Finding things. Predicates, because a page has few kinds of things that are sought and many elements.

export const isElement = (node: WebNode | undefined): node is WebElement => typeof node === 'object'

export const elementsIn = ({ children }: WebElement): WebElement[] => children.filter(isElement)

/** All elements inside, in the order of the page. */
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

/** The outermost wanted elements: what stands inside of one is not sought. */
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

/** Whether one of its classes begins like this: builds put a hash behind the names of their styles. */
export const hasClassPrefix = ({ classes }: WebElement, prefix: string) =>
  Array.from(classes).some((one) => one.startsWith(prefix))

export function ancestorsOf(element: WebElement, count: number): WebElement[] {
  const found: WebElement[] = []
  for (let one = element.parent; one && found.length < count; one = one.parent) found.push(one)
  return found
}

/** The text inside, with its spaces as they are. */
export function rawText(node: WebNode): string {
  if (typeof node === 'string') return node
  return node.children.map(rawText).join('')
}

/** The text inside, on one line. */
export const textOf = (node: WebNode) => oneLine(rawText(node))

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
