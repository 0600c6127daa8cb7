import type { HintStyle } from '../../content/document/nodes.ts'
import { hint, stepper } from '../build-blocks.ts'
import { type WebElement, childElements, findElement, hasTagName, nodeText } from '../html-tree.ts'
import { readSidebar } from '../navigation.ts'
import type { BlockReader } from '../node-reader.ts'
import type { SiteGenerator } from './generator.ts'

const styles: readonly HintStyle[] = ['info', 'warning', 'danger', 'success']

const readHint: BlockReader = (element, reader) => {
  if (element.name !== 'div' || !element.classes.has('hint')) return undefined
  const classNames = Array.from(element.classes)
  const style = styles.find((name) =>
    classNames.some(
      (className) => className === name || className.startsWith(`bg-${name}`) || className.startsWith(`border-${name}`),
    ),
  )
  return [hint('hint', [], reader.readBlocks(element.children), style ?? 'info')]
}

/** Returns the body of a step, whose number is in a separate, unselectable column. */
function findStepBody(element: WebElement): WebElement | undefined {
  const [column, body] = childElements(element)
  const isNumber = column?.classes.has('select-none') === true && /^\d*$/.test(nodeText(column))
  return element.classes.has('flex-row') && isNumber ? body : undefined
}

const readStepper: BlockReader = (element, reader) => {
  if (element.name !== 'div') return undefined
  const steps = childElements(element)
  const [first] = steps
  if (!first || !findStepBody(first)) return undefined
  const bodies = steps.flatMap((step) => findStepBody(step) ?? [])
  return bodies.length === steps.length
    ? [stepper(bodies.map(({ children }) => reader.readBlocks(children)))]
    : undefined
}

/** Returns the element after the header; only links to other pages follow it. */
function findContent(main: WebElement): WebElement {
  const marked = findElement(main, ({ attributes }) => attributes['data-content-ref-root'] !== undefined)
  if (marked) return marked
  const children = childElements(main)
  const header = children.findIndex(hasTagName('header'))
  return (header < 0 ? undefined : children[header + 1]) ?? main
}

const isTableOfContents = ({ attributes }: WebElement) =>
  attributes['data-testid'] === 'table-of-contents' || attributes['id'] === 'table-of-contents'

export const gitbook: SiteGenerator = {
  name: 'gitbook',
  matches: (_page, meta) => meta.startsWith('GitBook'),
  findMainContent(page) {
    const main = findElement(page, hasTagName('main'))
    return main && findContent(main)
  },
  readBlock: (element, reader) => readHint(element, reader) ?? readStepper(element, reader),
  readNavigation(page, addresses) {
    const contents = findElement(page, isTableOfContents)
    return contents ? readSidebar(contents, addresses) : []
  },
}
