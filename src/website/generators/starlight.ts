import { boldParagraph, hint, stepper } from '../build-blocks.ts'
import { elementsIn, find, hasClass, isNamed, textOf } from '../html-tree.ts'
import { readNavigation } from '../navigation.ts'
import type { BlockReader } from '../reading.ts'
import type { Generator } from './generator.ts'

const isTitle = hasClass('starlight-aside__title')

const readAside: BlockReader = (element, reading) => {
  if (!element.classes.has('starlight-aside')) return undefined
  const prefix = 'starlight-aside--'
  const kind =
    Array.from(element.classes)
      .find((name) => name.startsWith(prefix))
      ?.slice(prefix.length) ?? 'note'
  const title = elementsIn(element).find(isTitle)
  const nodes = reading.blocks(element.children.filter((node) => node !== title))
  return [hint(kind, title && textOf(title), nodes)]
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
  return [boldParagraph(textOf(title)), ...reading.blocks(element.children.filter((node) => node !== title))]
}

export const starlight: Generator = {
  name: 'starlight',
  made: (page, meta) => meta.startsWith('Starlight') || find(page, hasClass('sl-markdown-content')) !== undefined,
  mainContent: (page) => find(page, hasClass('sl-markdown-content')) ?? find(page, isNamed('main')),
  readBlock: (element, reading) =>
    readAside(element, reading) ?? readSteps(element, reading) ?? readCard(element, reading),
  navigation(page, addresses) {
    const sidebar = find(page, ({ name, classes }) => name === 'nav' && classes.has('sidebar'))
    const list =
      sidebar &&
      (find(sidebar, (element) => element.name === 'ul' && element.classes.has('top-level')) ??
        find(sidebar, isNamed('ul')))
    return list ? readNavigation(list, addresses) : []
  },
}
