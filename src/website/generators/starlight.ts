import { boldParagraph, stepper } from '../build-blocks.ts'
import { type WebElement, type WebNode, elementsIn, find, hasClass, isElement, isNamed } from '../html-tree.ts'
import { readNavigation } from '../navigation.ts'
import type { BlockReader } from '../reading.ts'
import { kindIn, readCallout } from './callouts.ts'
import type { Generator } from './generator.ts'

const isTitle = hasClass('starlight-aside__title')

const readAside: BlockReader = (element, reading) => {
  if (!element.classes.has('starlight-aside')) return undefined
  return readCallout(element, { kind: kindIn(element, 'starlight-aside--'), isTitle }, reading)
}

const readSteps: BlockReader = (element, reading) => {
  if (element.name !== 'ol' || !element.classes.has('sl-steps')) return undefined
  return [
    stepper(
      elementsIn(element)
        .filter(isNamed('li'))
        .map(({ children }) => reading.blocks(children)),
    ),
  ]
}

const readCard: BlockReader = (element, reading) => {
  if (element.name !== 'article' || !element.classes.has('card')) return undefined
  const title = elementsIn(element).find(hasClass('title'))
  if (!title) return undefined
  const body = reading.blocks(element.children.filter((node) => node !== title))
  return [boldParagraph(reading.inlines(title.children)), ...body]
}

/** Reads a file tree: folders, which are collapsible on the page, become list items with a nested list. */
const readFileTree: BlockReader = (element, reading) => {
  if (element.name !== 'starlight-file-tree') return undefined
  const opened = (nodes: readonly WebNode[]): WebNode[] =>
    nodes.flatMap((node) => {
      if (!isElement(node)) return [node]
      const children = opened(node.children)
      return isNamed('details', 'summary')(node) ? children : [{ ...node, children }]
    })
  return reading.blocks(opened(element.children))
}

/** Returns the content of a page, including the hero of a landing page. */
function contentOf(page: WebElement): WebElement | undefined {
  const content = find(page, hasClass('sl-markdown-content'))
  const hero = content && find(page, ({ name, classes }) => name === 'div' && classes.has('hero'))
  return hero ? { ...content, children: [hero, ...content.children] } : content
}

export const starlight: Generator = {
  name: 'starlight',
  made: (page, meta) => meta.startsWith('Starlight') || find(page, hasClass('sl-markdown-content')) !== undefined,
  mainContent: (page) => contentOf(page) ?? find(page, isNamed('main')),
  readBlock: (element, reading) =>
    readAside(element, reading) ??
    readSteps(element, reading) ??
    readCard(element, reading) ??
    readFileTree(element, reading),
  navigation(page, addresses) {
    const sidebar = find(page, ({ name, classes }) => name === 'nav' && classes.has('sidebar'))
    const list =
      sidebar &&
      (find(sidebar, (element) => element.name === 'ul' && element.classes.has('top-level')) ??
        find(sidebar, isNamed('ul')))
    return list ? readNavigation(list, addresses) : []
  },
}
