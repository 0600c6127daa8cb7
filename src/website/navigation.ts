import type { PageAddresses } from './page-addresses.ts'
import { isBadge, isNonContent } from './html-non-content.ts'
import {
  type WebElement,
  type WebNode,
  descendants,
  childElements,
  findElement,
  isElement,
  hasTagName,
  collapseWhitespace,
  rawText,
  nodeText,
} from './html-tree.ts'
import type { WebNavigationItem } from './page.ts'

/** Maximum depth of the navigation, more than any site has. */
const maxLevels = 12

interface SidebarOptions {
  /** Whether an element does not belong to the navigation. */
  isIgnored?: (element: WebElement) => boolean
  /** Whether a link is only the title of the items below it; its URL may be that of another page. */
  isHeading?: (link: WebElement) => boolean
}

const isList = hasTagName('ul', 'ol', 'menu')

/** Reads the items of a sidebar: nested lists, and headings before lists. */
export function readSidebar(
  sidebar: WebElement,
  addresses: PageAddresses,
  options: SidebarOptions = {},
): WebNavigationItem[] {
  return isList(sidebar) ? readItems(sidebar, addresses, options, 0) : readSections(sidebar, addresses, options, 0)
}

function readSections(
  part: WebElement,
  addresses: PageAddresses,
  options: SidebarOptions,
  level: number,
): WebNavigationItem[] {
  const items: WebNavigationItem[] = []
  let heading = ''
  const read = (element: WebElement): void => {
    for (const child of childElements(element)) {
      if (options.isIgnored?.(child)) continue
      if (isList(child)) {
        const nested = readItems(child, addresses, options, level)
        if (heading !== '' && nested.length > 0) items.push({ title: heading, children: nested })
        else items.push(...nested)
        heading = ''
      } else if (findElement(child, isList)) read(child)
      else if (child.name !== 'a' && !findElement(child, hasTagName('a')))
        heading = hasVisibleText(child) ? nodeText(child) : heading
    }
  }
  read(part)
  return items
}

const hasVisibleText = (element: WebElement) => nodeText(element) !== '' && !isNonContent(element)

function readItems(
  list: WebElement,
  addresses: PageAddresses,
  options: SidebarOptions,
  level: number,
): WebNavigationItem[] {
  if (level >= maxLevels) return []
  return childElements(list).flatMap((element): WebNavigationItem[] => {
    if (options.isIgnored?.(element)) return []
    if (isList(element)) return readItems(element, addresses, options, level + 1)
    const { words, link, lists } = splitItem(element, options)
    const title = collapseWhitespace(link ? labelOf(link) : words.join(' '))
    const children = lists.flatMap((nested) => readItems(nested, addresses, options, level + 1))
    const isHeading = link !== undefined && options.isHeading?.(link) === true
    const href = isHeading ? undefined : link?.attributes['href']
    // A link to an anchor of the same page is not a page; a title with children is a heading.
    const url = href === undefined || href.startsWith('#') ? undefined : addresses.resolvePage(href)
    if (title === '') return children
    if (url === undefined && children.length === 0 && !isHeading) return []
    return [{ title, ...(url !== undefined && { url }), children }]
  })
}

/** Returns the words, the first link and the nested lists of an item. */
function splitItem(
  item: WebElement,
  { isIgnored }: SidebarOptions,
): { words: string[]; link: WebElement | undefined; lists: WebElement[] } {
  const words: string[] = []
  const lists: WebElement[] = []
  let link: WebElement | undefined
  const read = (nodes: readonly WebNode[]): void => {
    for (const node of nodes) {
      if (!isElement(node)) {
        // Some themes repeat the title above the nested list.
        if (lists.length === 0 && node.trim() !== '' && !words.includes(node.trim())) words.push(node.trim())
      } else if (isIgnored?.(node) || node.name === 'input') continue
      else if (isList(node)) lists.push(node)
      else {
        if (node.name === 'a' && node.attributes['href'] !== undefined && lists.length === 0) link ??= node
        read(node.children)
      }
    }
  }
  read(item.children)
  return { words: words.slice(0, 20), link, lists }
}

/** Returns the text of a link without badges. */
function labelOf(link: WebElement): string {
  const words = collapseWhitespace(
    link.children.map((node) => (isElement(node) && isBadge(node) ? '' : rawText(node))).join(''),
  )
  return words === '' ? (link.attributes['aria-label'] ?? link.attributes['title'] ?? '') : words
}

const isSidebar = ({ name, attributes: { role, id = '' }, classes }: WebElement) =>
  name === 'nav' ||
  name === 'aside' ||
  role === 'navigation' ||
  /sidebar|^menu|toctree/i.test(`${id} ${Array.from(classes).join(' ')}`)

/** Minimum number of links of a site navigation. */
const minLinks = 3

/** Returns the navigation outside the content with the most links to pages of the same site. */
export function findNavigation(
  page: WebElement,
  content: WebElement | undefined,
  url: string,
  addresses: PageAddresses,
): WebNavigationItem[] {
  const origin = new URL(url).origin
  const counts = new Map<WebElement, Set<string>>()
  const walk = (element: WebElement, ancestors: Set<string>[]): void => {
    for (const child of childElements(element)) {
      if (child === content || child.name === 'footer') continue
      const target =
        child.name === 'a' && !child.attributes['href']?.startsWith('#')
          ? addresses.resolvePage(child.attributes['href'])
          : undefined
      if (target !== undefined && new URL(target).origin === origin) for (const links of ancestors) links.add(target)
      const links = isSidebar(child) && ancestors.length < maxLevels ? new Set<string>() : undefined
      if (links) counts.set(child, links)
      walk(child, links ? [...ancestors, links] : ancestors)
    }
  }
  walk(page, [])
  const [largest] = Array.from(counts).sort(([, one], [, other]) => other.size - one.size)
  if (!largest || largest[1].size < minLinks) return []
  return readSidebar(largest[0], addresses)
}

/** Returns the URLs of all links of a page. */
export function collectLinks(page: WebElement, addresses: PageAddresses): string[] {
  const links = new Set<string>()
  for (const element of descendants(page)) {
    const url = element.name === 'a' ? addresses.resolvePage(element.attributes['href']) : undefined
    if (url !== undefined) links.add(url)
  }
  return [...links]
}
