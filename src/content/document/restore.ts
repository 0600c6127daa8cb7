import { definitionOf } from './block-definitions.ts'
import { completeBlock, completeInline, dataOf, hasColor, defaultOptionColor, midnightSuffix } from './complete.ts'
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
import { isEqualContent, isTextBlock } from './block-groups.ts'
import { headerText } from './text.ts'
import { walkBlocks, mapChildren, mapNodes, withNodes } from './walk.ts'

/**
 * Removes what `completeDocument` adds to replies from a document that a client sent. Parts that the client did not
 * change get their stored form.
 */
export function restoreStoredDocument(sent: Document, stored: Document | undefined): Document {
  const storedBlocks = new Map<string, Block>()
  for (const block of stored ? walkBlocks(stored) : []) if (block.key !== undefined) storedBlocks.set(block.key, block)
  const restore = (block: Block): Block => {
    const former = storedBlocks.get(block.key ?? '')
    const stripped = stripBlockDefaults(block.type === 'table' ? restoreHeaders(block, former) : block)
    return former ? restoreUnchangedParts(stripped, former) : stripped
  }
  return withNodes(sent, mapNodes(sent.nodes, restore, stripInlineDefaults))
}

/**
 * Returns a table with headers as stored: a title is empty if the header is a fragment. If the title was changed and
 * the fragment was not, the title replaces the fragment.
 */
function restoreHeaders(table: Table, former: Block | undefined): Table {
  const columns = Object.entries(table.data.definition)
  if (columns.every(([, { header }]) => header === undefined)) return table
  const bodies = fragmentBlocksOf(table)
  const before =
    former?.type === 'table' ? { columns: former.data.definition, bodies: fragmentBlocksOf(former) } : undefined
  const replaced = new Set<string>()
  const definition = columns.map(([id, column]): [string, ColumnDefinition] => {
    const { header, ...plain } = column
    if (header === undefined) return [id, column]
    const isReplaced =
      column.title !== '' &&
      column.title !== headerText(column, bodies) &&
      before?.columns[id]?.header === header &&
      isEqualContent(before.bodies.get(header), bodies.get(header))
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

const fragmentBlocksOf = ({ fragments }: Table) => new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))

function restoreUnchangedParts(block: Block, former: Block): Block {
  if (block.type !== former.type) return isEqualContent(completeDeep(block), completeDeep(former)) ? former : block
  const restored = withData(block, restoreData(block, former))
  if (isTextBlock(restored) && isTextBlock(former)) {
    return isEqualContent(completeTextBlock(restored).nodes, completeTextBlock(former).nodes)
      ? { ...restored, nodes: former.nodes }
      : restored
  }
  return restored.type === 'expandable' && former.type === 'expandable'
    ? restoreFragmentNames(restored, former)
    : restored
}

const completeDeep = (block: Block): readonly Block[] => mapNodes([block], completeBlock, completeInline)

const completeTextBlock = <TextBlock extends Block>(block: TextBlock): TextBlock =>
  mapChildren(block, (inner) => inner, completeInline) as TextBlock

/** Returns the data of a block; fields with an unchanged meaning get their stored value. */
function restoreData(block: Block, former: Block): object {
  const [sent = {}, before = {}] = [dataOf(block), dataOf(former)]
  const [shown = {}, shownBefore = {}] = [dataOf(completeBlock(block)), dataOf(completeBlock(former))]
  const names = new Set([...Object.keys(sent), ...Object.keys(before)])
  const data = [...names].map((name) => [
    name,
    isEqualContent(shown[name], shownBefore[name]) ? before[name] : sent[name],
  ])
  return Object.fromEntries(data.filter(([, value]) => value !== undefined)) as object
}

function restoreFragmentNames(block: Expandable, { fragments: former }: Expandable): Expandable {
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

function stripBlockDefaults(block: Block): Block {
  switch (block.type) {
    case 'expandable':
      return { ...block, fragments: block.fragments.map(stripFragmentDefaults) }
    case 'update': {
      const { data } = block
      return data?.date.endsWith(midnightSuffix)
        ? { ...block, data: { ...data, date: data.date.slice(0, -midnightSuffix.length) } }
        : block
    }
    case 'table':
      return { ...block, data: stripTableDefaults(block.data) }
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

function stripFragmentDefaults(part: Fragment): Fragment {
  const { fragment, ...others } = part
  return { ...(fragment === part.type ? others : part), nodes: stripEmptyParagraph(part.nodes) }
}

/** Removes a single empty paragraph without a key, which replies contain in place of an empty list. */
function stripEmptyParagraph(nodes: readonly Block[]): readonly Block[] {
  const [only] = nodes
  const isPlaceholder =
    nodes.length === 1 && only?.type === 'paragraph' && only.key === undefined && only.nodes.length === 0 && !only.data
  return isPlaceholder ? [] : nodes
}

function stripTableDefaults(data: TableData): TableData {
  const definition = Object.entries(data.definition).map(([id, column]) => [id, stripColumnDefaults(column)] as const)
  return { ...data, definition: Object.fromEntries(definition) }
}

function stripColumnDefaults(column: ColumnDefinition): ColumnDefinition {
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
        color === undefined || color === defaultOptionColor ? option : { ...option, color },
      )
      return { ...others, ...(multiple && { multiple }), options }
    }
    default:
      return column
  }
}

function stripInlineDefaults(node: InlineNode): InlineNode {
  if (node.object === 'text') {
    return node.leaves.some(hasColor) ? { ...node, leaves: node.leaves.map(stripLeafDefaults) } : node
  }
  if (node.type === 'button') {
    const { ref, ...others } = node.data
    return ref?.kind === 'url' && ref.url === '' ? { ...node, data: others } : node
  }
  if (node.type !== 'annotation') return node
  return { ...node, fragments: node.fragments.map((part) => ({ ...part, nodes: stripEmptyParagraph(part.nodes) })) }
}

const stripLeafDefaults = (leaf: Leaf): Leaf => ({ ...leaf, marks: leaf.marks.map(stripMarkDefaults) })

function stripMarkDefaults(mark: Mark): Mark {
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
