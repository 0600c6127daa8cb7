import type { Block, InlineNode, ListItem } from '../content/document/nodes.ts'
import { joinTexts } from '../content/document/text.ts'
import { readInteger, withData } from '../content/markdown/make-blocks.ts'
import { boldParagraph, bulletList, listItem, text } from './build-blocks.ts'
import { type WebElement, elementsIn, isElement, isNamed } from './html-tree.ts'
import type { Reading } from './reading.ts'

const isList = isNamed('ul', 'ol', 'menu')

/** Reads a list; a nested list between items belongs to the item before it. */
export function readList(list: WebElement, reading: Reading): Block[] {
  const groups: { item: WebElement | undefined; inside: (WebElement | string)[] }[] = []
  for (const node of list.children) {
    const isItem = isElement(node) && node.name === 'li'
    if (isItem) groups.push({ item: node, inside: [...node.children] })
    else if (isElement(node) || node.trim() !== '') {
      const last = groups.at(-1)
      if (last && isElement(node) && isList(node)) last.inside.push(node)
      else groups.push({ item: undefined, inside: [node] })
    }
  }
  const items = groups.flatMap(({ item, inside }): (ListItem & { isTask: boolean })[] => {
    const box = item && boxOf(item)
    const nodes = withoutRules(reading.blocks(inside))
    if (nodes.length === 0 && !box) return []
    return [{ ...listItem(nodes), ...(box && { data: { checked: box.isChecked } }), isTask: box !== undefined }]
  })
  if (items.length === 0) return []
  const isOfTasks = items.some(({ isTask }) => isTask)
  const nodes = items.map(({ isTask, ...item }): ListItem =>
    isOfTasks && !isTask ? { ...item, data: { checked: false } } : item,
  )
  if (isOfTasks) return [{ object: 'block', type: 'list-tasks', nodes }]
  if (list.name !== 'ol') return [bulletList(nodes)]
  const start = readInteger(list.attributes['start'], 0, 999_999_999)
  return [
    {
      object: 'block',
      type: 'list-ordered',
      ...withData({ ...(start !== undefined && start !== 1 && { start }) }),
      nodes,
    },
  ]
}

/** Removes dividers, which in list items only separate the parts of a card. */
const withoutRules = (blocks: readonly Block[]) => blocks.filter(({ type }) => type !== 'divider')

const isBox = ({ name, attributes: { type, role } }: WebElement) =>
  (name === 'input' && type === 'checkbox') || role === 'checkbox'

/** Returns the checkbox at the start of an item. */
function boxOf(item: WebElement): { isChecked: boolean } | undefined {
  let element: WebElement | undefined = item
  for (let level = 0; element && level < 5; level++) {
    const first: WebElement['children'][number] | undefined = element.children.find(
      (node) => isElement(node) || node.trim() !== '',
    )
    if (!isElement(first)) return undefined
    if (isBox(first)) {
      const { checked, 'aria-checked': aria, 'data-state': state } = first.attributes
      return { isChecked: checked !== undefined || aria === 'true' || state === 'checked' }
    }
    element = first
  }
  return undefined
}

/** Reads a definition list as a list whose items start with the term. */
export function readDefinitions(list: WebElement, reading: Reading): Block[] {
  const items: { terms: InlineNode[]; nodes: Block[] }[] = []
  // Terms and definitions may be grouped in `div` elements.
  const parts = elementsIn(list).flatMap((element) => (element.name === 'div' ? elementsIn(element) : [element]))
  for (const part of parts) {
    const last = items.at(-1)
    if (part.name === 'dt') {
      const term = reading.inlines(part.children)
      if (last && last.nodes.length === 0) last.terms.push(...(last.terms.length > 0 ? [text(', ')] : []), ...term)
      else items.push({ terms: term, nodes: [] })
    } else if (part.name === 'dd') {
      const nodes = reading.blocks(part.children)
      if (last) last.nodes.push(...nodes)
      else items.push({ terms: [], nodes })
    }
  }
  const nodes = items.map(({ terms, nodes: meaning }) =>
    listItem(terms.length === 0 ? meaning : [boldParagraph(joinTexts(terms)), ...meaning]),
  )
  const shown = nodes.filter(({ nodes: inside }) => inside.length > 0)
  return shown.length > 0 ? [bulletList(shown)] : []
}
