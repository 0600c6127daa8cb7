import type { Block, InlineNode, ListItem } from '../content/document/nodes.ts'
import { joinTexts } from '../content/document/text.ts'
import { readInteger, toOptionalData } from '../content/markdown/make-blocks.ts'
import { boldParagraph, bulletList, listItem, textInline } from './build-blocks.ts'
import { type WebElement, childElements, isElement, hasTagName } from './html-tree.ts'
import type { NodeReader } from './node-reader.ts'

const isList = hasTagName('ul', 'ol', 'menu')

/** Reads a list; a nested list between items belongs to the item before it. */
export function readList(list: WebElement, reader: NodeReader): Block[] {
  const groups: { item: WebElement | undefined; children: (WebElement | string)[] }[] = []
  for (const node of list.children) {
    const isItem = isElement(node) && node.name === 'li'
    if (isItem) groups.push({ item: node, children: [...node.children] })
    else if (isElement(node) || node.trim() !== '') {
      const last = groups.at(-1)
      if (last && isElement(node) && isList(node)) last.children.push(node)
      else groups.push({ item: undefined, children: [node] })
    }
  }
  const items = groups.flatMap(({ item, children }): (ListItem & { isTask: boolean })[] => {
    const checkbox = item && findCheckbox(item)
    const nodes = withoutDividers(reader.readBlocks(children))
    if (nodes.length === 0 && !checkbox) return []
    return [
      {
        ...listItem(nodes),
        ...(checkbox && { data: { checked: checkbox.isChecked } }),
        isTask: checkbox !== undefined,
      },
    ]
  })
  if (items.length === 0) return []
  const isTaskList = items.some(({ isTask }) => isTask)
  const nodes = items.map(({ isTask, ...item }): ListItem =>
    isTaskList && !isTask ? { ...item, data: { checked: false } } : item,
  )
  if (isTaskList) return [{ object: 'block', type: 'list-tasks', nodes }]
  if (list.name !== 'ol') return [bulletList(nodes)]
  const start = readInteger(list.attributes['start'], 0, 999_999_999)
  return [
    {
      object: 'block',
      type: 'list-ordered',
      ...toOptionalData({ ...(start !== undefined && start !== 1 && { start }) }),
      nodes,
    },
  ]
}

/** Removes dividers, which in list items only separate the parts of a card. */
const withoutDividers = (blocks: readonly Block[]) => blocks.filter(({ type }) => type !== 'divider')

const isCheckbox = ({ name, attributes: { type, role } }: WebElement) =>
  (name === 'input' && type === 'checkbox') || role === 'checkbox'

/** Returns the checkbox at the start of an item. */
function findCheckbox(item: WebElement): { isChecked: boolean } | undefined {
  let element: WebElement | undefined = item
  for (let level = 0; element && level < 5; level++) {
    const first: WebElement['children'][number] | undefined = element.children.find(
      (node) => isElement(node) || node.trim() !== '',
    )
    if (!isElement(first)) return undefined
    if (isCheckbox(first)) {
      const { checked, 'aria-checked': aria, 'data-state': state } = first.attributes
      return { isChecked: checked !== undefined || aria === 'true' || state === 'checked' }
    }
    element = first
  }
  return undefined
}

/** Reads a definition list as a list whose items start with the term. */
export function readDefinitionList(list: WebElement, reader: NodeReader): Block[] {
  const items: { terms: InlineNode[]; nodes: Block[] }[] = []
  // Terms and definitions may be grouped in `div` elements.
  const parts = childElements(list).flatMap((element) => (element.name === 'div' ? childElements(element) : [element]))
  for (const part of parts) {
    const last = items.at(-1)
    if (part.name === 'dt') {
      const term = reader.readInlines(part.children)
      if (last && last.nodes.length === 0)
        last.terms.push(...(last.terms.length > 0 ? [textInline(', ')] : []), ...term)
      else items.push({ terms: term, nodes: [] })
    } else if (part.name === 'dd') {
      const nodes = reader.readBlocks(part.children)
      if (last) last.nodes.push(...nodes)
      else items.push({ terms: [], nodes })
    }
  }
  const nodes = items.map(({ terms, nodes: definition }) =>
    listItem(terms.length === 0 ? definition : [boldParagraph(joinTexts(terms)), ...definition]),
  )
  const nonEmpty = nodes.filter(({ nodes: inside }) => inside.length > 0)
  return nonEmpty.length > 0 ? [bulletList(nonEmpty)] : []
}
