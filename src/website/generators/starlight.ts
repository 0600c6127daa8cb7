import { boldParagraph, stepper } from '../build-blocks.ts'
import {
  type WebElement,
  type WebNode,
  childElements,
  findElement,
  hasClass,
  isElement,
  hasTagName,
} from '../html-tree.ts'
import { readSidebar } from '../navigation.ts'
import type { BlockReader } from '../node-reader.ts'
import { kindFromClass, readCallout } from './callouts.ts'
import type { SiteGenerator } from './generator.ts'

const isTitle = hasClass('starlight-aside__title')

const readAside: BlockReader = (element, reader) => {
  if (!element.classes.has('starlight-aside')) return undefined
  return readCallout(element, { kind: kindFromClass(element, 'starlight-aside--'), isTitle }, reader)
}

const readSteps: BlockReader = (element, reader) => {
  if (element.name !== 'ol' || !element.classes.has('sl-steps')) return undefined
  return [
    stepper(
      childElements(element)
        .filter(hasTagName('li'))
        .map(({ children }) => reader.readBlocks(children)),
    ),
  ]
}

const readCard: BlockReader = (element, reader) => {
  if (element.name !== 'article' || !element.classes.has('card')) return undefined
  const title = childElements(element).find(hasClass('title'))
  if (!title) return undefined
  const body = reader.readBlocks(element.children.filter((node) => node !== title))
  return [boldParagraph(reader.readInlines(title.children)), ...body]
}

/** Reads a file tree: folders, which are collapsible on the page, become list items with a nested list. */
const readFileTree: BlockReader = (element, reader) => {
  if (element.name !== 'starlight-file-tree') return undefined
  const unwrapDetails = (nodes: readonly WebNode[]): WebNode[] =>
    nodes.flatMap((node) => {
      if (!isElement(node)) return [node]
      const children = unwrapDetails(node.children)
      return hasTagName('details', 'summary')(node) ? children : [{ ...node, children }]
    })
  return reader.readBlocks(unwrapDetails(element.children))
}

/** Returns the content of a page, including the hero of a landing page. */
function findContent(page: WebElement): WebElement | undefined {
  const content = findElement(page, hasClass('sl-markdown-content'))
  const hero = content && findElement(page, ({ name, classes }) => name === 'div' && classes.has('hero'))
  return hero ? { ...content, children: [hero, ...content.children] } : content
}

export const starlight: SiteGenerator = {
  name: 'starlight',
  matches: (page, meta) =>
    meta.startsWith('Starlight') || findElement(page, hasClass('sl-markdown-content')) !== undefined,
  findMainContent: (page) => findContent(page) ?? findElement(page, hasTagName('main')),
  readBlock: (element, reader) =>
    readAside(element, reader) ??
    readSteps(element, reader) ??
    readCard(element, reader) ??
    readFileTree(element, reader),
  readNavigation(page, addresses) {
    const sidebar = findElement(page, ({ name, classes }) => name === 'nav' && classes.has('sidebar'))
    const list =
      sidebar &&
      (findElement(sidebar, (element) => element.name === 'ul' && element.classes.has('top-level')) ??
        findElement(sidebar, hasTagName('ul')))
    return list ? readSidebar(list, addresses) : []
  },
}
