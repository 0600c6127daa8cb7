import { hint } from '../build-blocks.ts'
import { type WebElement, elementsIn, find, hasClass, hasClassPrefix, isNamed, textOf } from '../html-tree.ts'
import { readNavigation } from '../navigation.ts'
import type { BlockReader } from '../reading.ts'
import type { Generator } from './generator.ts'

const readAdmonition: BlockReader = (element, reading) => {
  if (!element.classes.has('theme-admonition')) return undefined
  const prefix = 'theme-admonition-'
  const kind =
    Array.from(element.classes)
      .find((name) => name.startsWith(prefix))
      ?.slice(prefix.length) ?? 'note'
  const title = elementsIn(element).find((inner) => hasClassPrefix(inner, 'admonitionHeading'))
  const nodes = reading.blocks(element.children.filter((node) => node !== title))
  return [hint(kind, title && textOf(title), nodes)]
}

const isSidebar = hasClass('theme-doc-sidebar-menu')

export const docusaurus: Generator = {
  name: 'docusaurus',
  made: (page, meta) =>
    meta.startsWith('Docusaurus') || find(page, ({ attributes }) => attributes['id'] === '__docusaurus') !== undefined,
  mainContent: (page: WebElement) =>
    find(page, hasClass('theme-doc-markdown')) ?? find(page, isNamed('article')) ?? find(page, isNamed('main')),
  readBlock: readAdmonition,
  navigation(page, addresses) {
    const sidebar = find(page, isSidebar)
    return sidebar ? readNavigation(sidebar, addresses) : []
  },
}
