import { tabs } from '../build-blocks.ts'
import type { PageAddresses } from '../page-addresses.ts'
import {
  type WebElement,
  childElements,
  findElement,
  findElements,
  findOutermost,
  hasClass,
  hasTagName,
  nodeText,
} from '../html-tree.ts'
import type { WebNavigationItem } from '../page.ts'
import type { BlockReader } from '../node-reader.ts'
import { readCallout } from './callouts.ts'
import type { SiteGenerator } from './generator.ts'

const kinds = ['tip', 'info', 'warning', 'danger', 'note', 'important', 'caution']
const isTitle = hasClass('custom-block-title')

const readCustomBlock: BlockReader = (element, reader) => {
  if (!element.classes.has('custom-block') || element.name === 'details') return undefined
  const kind = kinds.find((name) => element.classes.has(name)) ?? 'info'
  // The `caution` of GitHub corresponds to our `danger`.
  const isDanger = element.classes.has('github-alert') && kind === 'caution'
  return readCallout(element, { kind, isTitle, style: isDanger ? 'danger' : undefined }, reader)
}

const readCodeGroup: BlockReader = (element, reader) => {
  if (!element.classes.has('vp-code-group')) return undefined
  const titles = findElements(element, hasTagName('label'))
  const blocks = findElement(element, hasClass('blocks'))
  if (!blocks) return undefined
  const panels = childElements(blocks)
  return [tabs(panels.map((panel, index) => ({ title: titleOf(titles[index]), nodes: reader.readBlocks([panel]) })))]
}

const titleOf = (label: WebElement | undefined) => (label ? (label.attributes['data-title'] ?? nodeText(label)) : '')

const isItem = hasClass('VPSidebarItem')

/** Reads a navigation item and the items below it. */
function readItem(item: WebElement, addresses: PageAddresses): WebNavigationItem[] {
  const line = childElements(item).find(hasClass('item'))
  const link = line && findElement(line, hasTagName('a'))
  const url = addresses.resolvePage(link?.attributes['href'])
  const childList = childElements(item).find(hasClass('items'))
  const children = childList ? findOutermost(childList, isItem).flatMap((one) => readItem(one, addresses)) : []
  const title = line ? nodeText(line) : ''
  if (title === '') return children
  return [{ title, ...(url !== undefined && { url }), children }]
}

/** Returns the home page; splits a title that contains the name and the tagline of the site into title and paragraph. */
function findHome(page: WebElement): WebElement | undefined {
  const home = findElement(page, hasClass('VPHome'))
  const title = home && findElement(home, (element) => element.name === 'h1' && element.classes.has('heading'))
  const [name, tagline] = title ? childElements(title) : []
  if (title?.parent && name && tagline && nodeText(name) !== '') {
    title.children = [name]
    title.parent.children.splice(title.index + 1, 0, { ...tagline, name: 'p', parent: title.parent })
  }
  return home
}

export const vitepress: SiteGenerator = {
  name: 'vitepress',
  matches: (page, meta) =>
    meta.startsWith('VitePress') || findElement(page, hasClass('VPContent', 'VPDoc')) !== undefined,
  findMainContent: (page) =>
    findHome(page) ??
    findElement(page, (element) => element.classes.has('vp-doc')) ??
    findElement(page, hasTagName('main')),
  readBlock: (element, reader) => readCustomBlock(element, reader) ?? readCodeGroup(element, reader),
  readNavigation(page, addresses) {
    const sidebar = findElement(page, hasClass('VPSidebar'))
    return sidebar ? findOutermost(sidebar, isItem).flatMap((item) => readItem(item, addresses)) : []
  },
}
