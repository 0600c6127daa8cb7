import { definitionOf } from './block-definitions.ts'
import { completeBlock, completeInline, dataOf, hasColor, optionColor, startOfDay } from './complete.ts'
import type {
  Block,
  ColumnDefinition,
  Document,
  Expandable,
  Fragment,
  InlineNode,
  Leaf,
  Mark,
  Table,
  TableData,
} from './nodes.ts'
import { isSame, isTextBlock } from './parts.ts'
import { headerText } from './text.ts'
import { everyBlock, mapChildren, mapNodes, withNodes } from './walk.ts'

/**
 * Removes what `completeDocument` adds to replies from a document that a client sent. Parts that the client did not
 * change get their stored form.
 */
export function restoreStored(sent: Document, stored: Document | undefined): Document {
  const known = new Map<string, Block>()
  for (const block of stored ? everyBlock(stored) : []) if (block.key !== undefined) known.set(block.key, block)
  const restore = (block: Block): Block => {
    const former = known.get(block.key ?? '')
    const reduced = reduceBlock(block.type === 'table' ? withHeaders(block, former) : block)
    return former ? asStored(reduced, former) : reduced
  }
  return withNodes(sent, mapNodes(sent.nodes, restore, reduceInline))
}

/**
 * Returns a table with headers as stored: a title is empty if the header is a fragment. If the title was changed and
 * the fragment was not, the title replaces the fragment.
 */
function withHeaders(table: Table, former: Block | undefined): Table {
  const columns = Object.entries(table.data.definition)
  if (columns.every(([, { header }]) => header === undefined)) return table
  const bodies = bodiesOf(table)
  const before = former?.type === 'table' ? { columns: former.data.definition, bodies: bodiesOf(former) } : undefined
  const replaced = new Set<string>()
  const definition = columns.map(([id, column]): [string, ColumnDefinition] => {
    const { header, ...plain } = column
    if (header === undefined) return [id, column]
    const isReplaced =
      column.title !== '' &&
      column.title !== headerText(column, bodies) &&
      before?.columns[id]?.header === header &&
      isSame(before.bodies.get(header), bodies.get(header))
    if (isReplaced) replaced.add(header)
    return [id, isReplaced ? plain : { ...column, title: '' }]
  })
  // Clients choose the names, so a cell or another header may refer to the same fragment.
  for (const [, { header }] of definition) if (header !== undefined) replaced.delete(header)
  if (replaced.size > 0) {
    for (const { values } of Object.values(table.data.records))
      for (const value of Object.values(values)) if (typeof value === 'string') replaced.delete(value)
  }
  return {
    ...table,
    data: { ...table.data, definition: Object.fromEntries(definition) },
    fragments: table.fragments.filter(({ fragment }) => fragment === undefined || !replaced.has(fragment)),
  }
}

const bodiesOf = ({ fragments }: Table) => new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))

function asStored(block: Block, former: Block): Block {
  if (block.type !== former.type) return isSame(completed(block), completed(former)) ? former : block
  const restored = withData(block, storedData(block, former))
  if (isTextBlock(restored) && isTextBlock(former)) {
    return isSame(completeText(restored).nodes, completeText(former).nodes)
      ? { ...restored, nodes: former.nodes }
      : restored
  }
  return restored.type === 'expandable' && former.type === 'expandable' ? storedParts(restored, former) : restored
}

const completed = (block: Block): readonly Block[] => mapNodes([block], completeBlock, completeInline)

const completeText = <TextBlock extends Block>(block: TextBlock): TextBlock =>
  mapChildren(block, (inner) => inner, completeInline) as TextBlock

/** Returns the data of a block; fields with an unchanged meaning get their stored value. */
function storedData(block: Block, former: Block): object {
  const [sent = {}, before = {}] = [dataOf(block), dataOf(former)]
  const [shown = {}, shownBefore = {}] = [dataOf(completeBlock(block)), dataOf(completeBlock(former))]
  const names = new Set([...Object.keys(sent), ...Object.keys(before)])
  const data = [...names].map((name) => [name, isSame(shown[name], shownBefore[name]) ? before[name] : sent[name]])
  return Object.fromEntries(data.filter(([, value]) => value !== undefined)) as object
}

function storedParts(block: Expandable, { fragments: former }: Expandable): Expandable {
  const fragments = block.fragments.map((part, index) => {
    const before = former[index]
    return before?.fragment !== undefined && before.type === part.type && part.fragment === undefined
      ? { ...part, fragment: before.fragment }
      : part
  })
  return { ...block, fragments }
}

/** Sets the data of a block; omits empty data unless the block is void. */
function withData(block: Block, data: object): Block {
  const { data: _, ...others } = block
  return (Object.keys(data).length > 0 || block.isVoid === true ? { ...others, data } : others) as Block
}

function reduceBlock(block: Block): Block {
  switch (block.type) {
    case 'expandable':
      return { ...block, fragments: block.fragments.map(reduceExpandablePart) }
    case 'update': {
      const { data } = block
      return data?.date.endsWith(startOfDay)
        ? { ...block, data: { ...data, date: data.date.slice(0, -startOfDay.length) } }
        : block
    }
    case 'table':
      return { ...block, data: reduceTableData(block.data) }
    default: {
      const data = dataOf(block)
      const defaults: Readonly<Record<string, unknown>> = definitionOf(block).requiredData ?? {}
      const isDefault = ([name, value]: [string, unknown]) => Object.hasOwn(defaults, name) && defaults[name] === value
      const entries = Object.entries(data ?? {})
      return entries.some(isDefault)
        ? withData(block, Object.fromEntries(entries.filter((entry) => !isDefault(entry))))
        : block
    }
  }
}

function reduceExpandablePart(part: Fragment): Fragment {
  const { fragment, ...others } = part
  return { ...(fragment === part.type ? others : part), nodes: reduceNodes(part.nodes) }
}

/** Removes a single empty paragraph without a key, which replies contain in place of an empty list. */
function reduceNodes(nodes: readonly Block[]): readonly Block[] {
  const [only] = nodes
  const isNothing =
    nodes.length === 1 && only?.type === 'paragraph' && only.key === undefined && only.nodes.length === 0 && !only.data
  return isNothing ? [] : nodes
}

function reduceTableData(data: TableData): TableData {
  const definition = Object.entries(data.definition).map(([id, column]) => [id, reduceColumn(column)] as const)
  return { ...data, definition: Object.fromEntries(definition) }
}

function reduceColumn(column: ColumnDefinition): ColumnDefinition {
  switch (column.type) {
    case 'text': {
      const { textAlignment, ...others } = column
      return textAlignment === 'left' ? others : column
    }
    case 'users': {
      const { multiple, ...others } = column
      return multiple === false ? others : column
    }
    case 'select': {
      const { multiple, ...others } = column
      const options = column.options.map(({ color, ...option }) =>
        color === undefined || color === optionColor ? option : { ...option, color },
      )
      return { ...others, ...(multiple && { multiple }), options }
    }
    default:
      return column
  }
}

function reduceInline(node: InlineNode): InlineNode {
  if (node.object === 'text') {
    return node.leaves.some(hasColor) ? { ...node, leaves: node.leaves.map(reduceLeaf) } : node
  }
  if (node.type === 'button') {
    const { ref, ...others } = node.data
    return ref?.kind === 'url' && ref.url === '' ? { ...node, data: others } : node
  }
  if (node.type !== 'annotation') return node
  return { ...node, fragments: node.fragments.map((part) => ({ ...part, nodes: reduceNodes(part.nodes) })) }
}

const reduceLeaf = (leaf: Leaf): Leaf => ({ ...leaf, marks: leaf.marks.map(reduceMark) })

function reduceMark(mark: Mark): Mark {
  if (mark.type !== 'color') return mark
  const { text, background, written } = mark.data
  return {
    ...mark,
    data: {
      ...(text && text !== 'default' && { text }),
      ...(background && background !== 'default' && { background }),
      ...(written !== undefined && { written }),
    },
  }
}
