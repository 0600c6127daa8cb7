import { type WebElement, findElement, hasClass, hasClassPrefix, hasTagName } from '../html-tree.ts'
import { readSidebar } from '../navigation.ts'
import type { BlockReader } from '../node-reader.ts'
import { kindFromClass, readCallout } from './callouts.ts'
import type { SiteGenerator } from './generator.ts'

const isTitle = (element: WebElement) => hasClassPrefix(element, 'admonitionHeading')

const readAdmonition: BlockReader = (element, reader) => {
  if (!element.classes.has('theme-admonition')) return undefined
  return readCallout(element, { kind: kindFromClass(element, 'theme-admonition-'), isTitle }, reader)
}

/** Whether a link is a category without a page; without scripts it leads to the first page below. */
const isHeading = hasClass('menu__link--sublist-caret')

const isSidebar = hasClass('theme-doc-sidebar-menu')

export const docusaurus: SiteGenerator = {
  name: 'docusaurus',
  matches: (page, meta) =>
    meta.startsWith('Docusaurus') ||
    findElement(page, ({ attributes }) => attributes['id'] === '__docusaurus') !== undefined,
  findMainContent: (page: WebElement) =>
    findElement(page, hasClass('theme-doc-markdown')) ??
    findElement(page, hasTagName('article')) ??
    findElement(page, hasTagName('main')),
  readBlock: readAdmonition,
  isListing: (page) => findElement(page, hasClass('docs-tags-list-page', 'docs-tags-doc-list-page')) !== undefined,
  readNavigation(page, addresses) {
    const sidebar = findElement(page, isSidebar)
    return sidebar ? readSidebar(sidebar, addresses, { isHeading }) : []
  },
}
