import { tabs } from '../build-blocks.ts'
import { elementsIn, find, findAll, hasClass, hasRole, isNamed, textOf } from '../html-tree.ts'
import { readNavigation } from '../navigation.ts'
import type { BlockReader } from '../reading.ts'
import { readCallout } from './callouts.ts'
import type { Generator } from './generator.ts'

const isTitle = hasClass('admonition-title')

const readAdmonition: BlockReader = (element, reading) => {
  if (!element.classes.has('admonition') || element.name === 'details') return undefined
  const kind =
    Array.from(element.classes).find((name) => name !== 'admonition' && name !== 'inline' && name !== 'end') ?? 'note'
  return readCallout(element, { kind, isTitle }, reading)
}

const readTabs: BlockReader = (element, reading) => {
  if (!element.classes.has('tabbed-set')) return undefined
  const labels = find(element, hasClass('tabbed-labels'))
  // Older themes put each title before its panel.
  const titles = labels ? findAll(labels, isNamed('label')) : elementsIn(element).filter(isNamed('label'))
  const content = elementsIn(element).filter(hasClass('tabbed-content'))
  const [only] = content
  const panels = labels && only ? elementsIn(only) : content
  if (panels.length === 0) return undefined
  return [
    tabs(
      panels.map((panel, index) => ({
        title: titles[index] ? textOf(titles[index]) : '',
        nodes: reading.blocks(panel.children),
      })),
    ),
  ]
}

const isPrimary = hasClass('md-nav--primary', 'wy-menu-vertical')

export const mkdocs: Generator = {
  name: 'mkdocs',
  made: (page, meta) =>
    /^mkdocs/i.test(meta) || find(page, hasClass('md-content__inner')) !== undefined || isOwnTheme(page),
  mainContent: (page) =>
    find(page, hasClass('md-content__inner')) ??
    find(page, ({ attributes }) => attributes['itemprop'] === 'articleBody') ??
    find(page, hasRole('main')) ??
    find(page, isNamed('article', 'main')),
  readBlock: (element, reading) => readAdmonition(element, reading) ?? readTabs(element, reading),
  navigation(page, addresses) {
    const sidebar =
      find(page, isPrimary) ?? find(page, (element) => element.name === 'ul' && element.classes.has('navbar-nav'))
    return sidebar ? readNavigation(sidebar, addresses, { isIgnored: hasClass('md-nav--secondary') }) : []
  },
}

/** Whether a page uses a built-in theme, which can only be recognized by its search dialog. */
function isOwnTheme(page: Parameters<Generator['made']>[0]): boolean {
  const dialog = find(page, ({ attributes: { id } }) => id === 'mkdocs_search_modal' || id === 'mkdocs-search-query')
  return dialog !== undefined
}
