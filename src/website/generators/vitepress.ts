import { tabs } from '../build-blocks.ts'
import type { PageAddresses } from '../addresses.ts'
import { type WebElement, elementsIn, find, findAll, findOutermost, hasClass, isNamed, textOf } from '../html-tree.ts'
import type { WebNavigationItem } from '../page.ts'
import type { BlockReader } from '../reading.ts'
import { readCallout } from './callouts.ts'
import type { Generator } from './generator.ts'

const kinds = ['tip', 'info', 'warning', 'danger', 'note', 'important', 'caution']
const isTitle = hasClass('custom-block-title')

const readCustomBlock: BlockReader = (element, reading) => {
  if (!element.classes.has('custom-block') || element.name === 'details') return undefined
  const kind = kinds.find((name) => element.classes.has(name)) ?? 'info'
  // The `caution` of GitHub corresponds to our `danger`.
  const isHarm = element.classes.has('github-alert') && kind === 'caution'
  return readCallout(element, { kind, isTitle, style: isHarm ? 'danger' : undefined }, reading)
}

const readCodeGroup: BlockReader = (element, reading) => {
  if (!element.classes.has('vp-code-group')) return undefined
  const titles = findAll(element, isNamed('label'))
  const blocks = find(element, hasClass('blocks'))
  if (!blocks) return undefined
  const panels = elementsIn(blocks)
  return [tabs(panels.map((panel, index) => ({ title: titleOf(titles[index]), nodes: reading.blocks([panel]) })))]
}

const titleOf = (label: WebElement | undefined) => (label ? (label.attributes['data-title'] ?? textOf(label)) : '')

const isItem = hasClass('VPSidebarItem')

/** Reads a navigation item and the items below it. */
function readItem(item: WebElement, addresses: PageAddresses): WebNavigationItem[] {
  const line = elementsIn(item).find(hasClass('item'))
  const link = line && find(line, isNamed('a'))
  const url = addresses.page(link?.attributes['href'])
  const below = elementsIn(item).find(hasClass('items'))
  const children = below ? findOutermost(below, isItem).flatMap((one) => readItem(one, addresses)) : []
  const title = line ? textOf(line) : ''
  if (title === '') return children
  return [{ title, ...(url !== undefined && { url }), children }]
}

/** Returns the home page; splits a title that contains the name and the tagline of the site into title and paragraph. */
function homeOf(page: WebElement): WebElement | undefined {
  const home = find(page, hasClass('VPHome'))
  const title = home && find(home, (element) => element.name === 'h1' && element.classes.has('heading'))
  const [name, words] = title ? elementsIn(title) : []
  if (title?.parent && name && words && textOf(name) !== '') {
    title.children = [name]
    title.parent.children.splice(title.index + 1, 0, { ...words, name: 'p', parent: title.parent })
  }
  return home
}

export const vitepress: Generator = {
  name: 'vitepress',
  made: (page, meta) => meta.startsWith('VitePress') || find(page, hasClass('VPContent', 'VPDoc')) !== undefined,
  mainContent: (page) =>
    homeOf(page) ?? find(page, (element) => element.classes.has('vp-doc')) ?? find(page, isNamed('main')),
  readBlock: (element, reading) => readCustomBlock(element, reading) ?? readCodeGroup(element, reading),
  navigation(page, addresses) {
    const sidebar = find(page, hasClass('VPSidebar'))
    return sidebar ? findOutermost(sidebar, isItem).flatMap((item) => readItem(item, addresses)) : []
  },
}
