import type { HintStyle } from '../../content/document/nodes.ts'
import { hint, stepper } from '../build-blocks.ts'
import { type WebElement, elementsIn, find, isNamed, textOf } from '../html-tree.ts'
import { readNavigation } from '../navigation.ts'
import type { BlockReader } from '../reading.ts'
import type { Generator } from './generator.ts'

const styles: readonly HintStyle[] = ['info', 'warning', 'danger', 'success']

const readHint: BlockReader = (element, reading) => {
  if (element.name !== 'div' || !element.classes.has('hint')) return undefined
  const looks = Array.from(element.classes)
  const style = styles.find((name) =>
    looks.some((look) => look === name || look.startsWith(`bg-${name}`) || look.startsWith(`border-${name}`)),
  )
  return [hint('hint', [], reading.blocks(element.children), style ?? 'info')]
}

/** Returns the body of a step, whose number is in a separate, unselectable column. */
function bodyOfStep(element: WebElement): WebElement | undefined {
  const [column, body] = elementsIn(element)
  const isNumber = column?.classes.has('select-none') === true && /^\d*$/.test(textOf(column))
  return element.classes.has('flex-row') && isNumber ? body : undefined
}

const readStepper: BlockReader = (element, reading) => {
  if (element.name !== 'div') return undefined
  const inside = elementsIn(element)
  const [first] = inside
  if (!first || !bodyOfStep(first)) return undefined
  const bodies = inside.flatMap((step) => bodyOfStep(step) ?? [])
  return bodies.length === inside.length ? [stepper(bodies.map(({ children }) => reading.blocks(children)))] : undefined
}

/** Returns the element after the header; only links to other pages follow it. */
function contentOf(main: WebElement): WebElement {
  const marked = find(main, ({ attributes }) => attributes['data-content-ref-root'] !== undefined)
  if (marked) return marked
  const inside = elementsIn(main)
  const header = inside.findIndex(isNamed('header'))
  return (header < 0 ? undefined : inside[header + 1]) ?? main
}

const isContents = ({ attributes }: WebElement) =>
  attributes['data-testid'] === 'table-of-contents' || attributes['id'] === 'table-of-contents'

export const gitbook: Generator = {
  name: 'gitbook',
  made: (_page, meta) => meta.startsWith('GitBook'),
  mainContent(page) {
    const main = find(page, isNamed('main'))
    return main && contentOf(main)
  },
  readBlock: (element, reading) => readHint(element, reading) ?? readStepper(element, reading),
  navigation(page, addresses) {
    const contents = find(page, isContents)
    return contents ? readNavigation(contents, addresses) : []
  },
}
