import { type WebElement, find, hasClass, hasClassPrefix, isNamed } from '../html-tree.ts'
import { readNavigation } from '../navigation.ts'
import type { BlockReader } from '../reading.ts'
import { kindIn, readCallout } from './callouts.ts'
import type { Generator } from './generator.ts'

const isTitle = (element: WebElement) => hasClassPrefix(element, 'admonitionHeading')

const readAdmonition: BlockReader = (element, reading) => {
  if (!element.classes.has('theme-admonition')) return undefined
  return readCallout(element, { kind: kindIn(element, 'theme-admonition-'), isTitle }, reading)
}

/** Whether a link is a category without a page; without scripts it leads to the first page below. */
const isHeading = hasClass('menu__link--sublist-caret')

const isSidebar = hasClass('theme-doc-sidebar-menu')

export const docusaurus: Generator = {
  name: 'docusaurus',
  made: (page, meta) =>
    meta.startsWith('Docusaurus') || find(page, ({ attributes }) => attributes['id'] === '__docusaurus') !== undefined,
  mainContent: (page: WebElement) =>
    find(page, hasClass('theme-doc-markdown')) ?? find(page, isNamed('article')) ?? find(page, isNamed('main')),
  readBlock: readAdmonition,
  isListing: (page) => find(page, hasClass('docs-tags-list-page', 'docs-tags-doc-list-page')) !== undefined,
  navigation(page, addresses) {
    const sidebar = find(page, isSidebar)
    return sidebar ? readNavigation(sidebar, addresses, { isHeading }) : []
  },
}
