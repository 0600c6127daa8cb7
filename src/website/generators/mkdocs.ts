import { tabs } from '../build-blocks.ts'
import { childElements, findElement, findElements, hasClass, hasRole, hasTagName, nodeText } from '../html-tree.ts'
import { readSidebar } from '../navigation.ts'
import type { BlockReader } from '../node-reader.ts'
import { readCallout } from './callouts.ts'
import type { SiteGenerator } from './generator.ts'

const isTitle = hasClass('admonition-title')

const readAdmonition: BlockReader = (element, reader) => {
  if (!element.classes.has('admonition') || element.name === 'details') return undefined
  const kind =
    Array.from(element.classes).find((name) => name !== 'admonition' && name !== 'inline' && name !== 'end') ?? 'note'
  return readCallout(element, { kind, isTitle }, reader)
}

const readTabs: BlockReader = (element, reader) => {
  if (!element.classes.has('tabbed-set')) return undefined
  const labels = findElement(element, hasClass('tabbed-labels'))
  // Older themes put each title before its panel.
  const titles = labels ? findElements(labels, hasTagName('label')) : childElements(element).filter(hasTagName('label'))
  const content = childElements(element).filter(hasClass('tabbed-content'))
  const [only] = content
  const panels = labels && only ? childElements(only) : content
  if (panels.length === 0) return undefined
  return [
    tabs(
      panels.map((panel, index) => ({
        title: titles[index] ? nodeText(titles[index]) : '',
        nodes: reader.readBlocks(panel.children),
      })),
    ),
  ]
}

const isPrimarySidebar = hasClass('md-nav--primary', 'wy-menu-vertical')

export const mkdocs: SiteGenerator = {
  name: 'mkdocs',
  matches: (page, meta) =>
    /^mkdocs/i.test(meta) || findElement(page, hasClass('md-content__inner')) !== undefined || hasBuiltInTheme(page),
  findMainContent: (page) =>
    findElement(page, hasClass('md-content__inner')) ??
    findElement(page, ({ attributes }) => attributes['itemprop'] === 'articleBody') ??
    findElement(page, hasRole('main')) ??
    findElement(page, hasTagName('article', 'main')),
  readBlock: (element, reader) => readAdmonition(element, reader) ?? readTabs(element, reader),
  readNavigation(page, addresses) {
    const sidebar =
      findElement(page, isPrimarySidebar) ??
      findElement(page, (element) => element.name === 'ul' && element.classes.has('navbar-nav'))
    return sidebar ? readSidebar(sidebar, addresses, { isIgnored: hasClass('md-nav--secondary') }) : []
  },
}

/** Whether a page uses a built-in theme, which can only be recognized by its search dialog. */
function hasBuiltInTheme(page: Parameters<SiteGenerator['matches']>[0]): boolean {
  const dialog = findElement(
    page,
    ({ attributes: { id } }) => id === 'mkdocs_search_modal' || id === 'mkdocs-search-query',
  )
  return dialog !== undefined
}
