import type { Block, Document, Fragment, InlineElement, InlineNode } from './nodes.ts'

// Traversal of documents. Blocks are nested in blocks, in fragments, and in the bodies of annotations.

type NodeMapper<Node> = (node: Node) => Node | readonly Node[]

export function fragmentsOf(node: Block | InlineNode): readonly Fragment[] {
  return ('fragments' in node ? node.fragments : undefined) ?? []
}

function nodesOf(node: Block | InlineNode): readonly (Block | InlineNode)[] {
  return 'nodes' in node ? node.nodes : []
}

/** Returns the blocks directly below a block: its nodes, the bodies of annotations in its text, and its fragments. */
export function childBlocks(block: Block): readonly Block[] {
  const children: Block[] = []
  for (const node of nodesOf(block)) {
    if (node.object === 'block') children.push(node)
    // Text nodes are skipped because they contain no blocks, and this function is called for every block of every document.
    else if (node.object === 'inline' && ('nodes' in node || 'fragments' in node))
      for (const inner of addWithDescendants(node, [])) addFragmentBlocks(inner, children)
  }
  addFragmentBlocks(block, children)
  return children
}

function addFragmentBlocks(node: Block | InlineNode, target: Block[]): void {
  for (const { nodes } of fragmentsOf(node)) for (const inner of nodes) target.push(inner)
}

/** Returns the inlines directly in a block. */
export function inlinesOf(block: Block): readonly InlineNode[] {
  return nodesOf(block).filter((node): node is InlineNode => node.object !== 'block')
}

/** Yields every block of a document in order, each before those below it. */
export function* walkBlocks(document: Document): Iterable<Block> {
  const stack = document.nodes.toReversed()
  for (let block = stack.pop(); block; block = stack.pop()) {
    yield block
    pushReversed(stack, childBlocks(block))
  }
}

/** Returns every inline of a block, including those in links and annotations, but not of the blocks below it. */
export function walkInlines(block: Block): readonly InlineNode[] {
  const inlines: InlineNode[] = []
  for (const node of nodesOf(block)) {
    if (node.object === 'text') inlines.push(node)
    else if (node.object === 'inline') addWithDescendants(node, inlines)
  }
  return inlines
}

/** Adds an inline and those below it to a list, in order. Returns the list. */
export function addWithDescendants(inline: InlineElement, target: InlineNode[]): readonly InlineNode[] {
  const stack: InlineNode[] = [inline]
  for (let next = stack.pop(); next; next = stack.pop()) {
    target.push(next)
    if (next.object === 'inline' && 'nodes' in next) pushReversed(stack, next.nodes)
  }
  return target
}

/** Pushes items one by one, because a spread of very many arguments overflows the stack. */
function pushReversed<Item>(stack: Item[], items: readonly Item[]): void {
  for (let index = items.length - 1; index >= 0; index--) stack.push(items[index] as Item)
}

/** Replaces blocks, the innermost first, by the results of `change`. Values that do not change are not copied. */
export function mapBlocks(nodes: readonly Block[], change: NodeMapper<Block>): readonly Block[] {
  return mapNodes(nodes, change, unchanged)
}

/** Replaces inlines, then the blocks that contain them, by the results of the functions. */
export function mapNodes(
  nodes: readonly Block[],
  changeBlock: NodeMapper<Block>,
  changeInline: NodeMapper<InlineNode>,
): readonly Block[] {
  const changeDeep = (block: Block): Block | readonly Block[] =>
    changeBlock(mapChildren(block, changeDeep, changeInline))
  return mapList(nodes, changeDeep)
}

/** Replaces the blocks directly below a block, and its inlines. */
export function mapChildren(
  block: Block,
  changeBlock: NodeMapper<Block>,
  changeInline: NodeMapper<InlineNode> = unchanged,
): Block {
  const changeChild: NodeMapper<Block | InlineNode> = (node) => {
    if (node.object === 'block') return changeBlock(node)
    return changeInline(node.object === 'text' ? node : mapContents(node, changeChild))
  }
  return mapContents(block, changeChild)
}

export function withNodes(document: Document, nodes: readonly Block[]): Document {
  return nodes === document.nodes ? document : { ...document, nodes }
}

const unchanged = <Node>(node: Node): Node => node

/** Returns a node with changed nodes and fragments. Does not check whether the node may contain the results of `change`. */
function mapContents<Node extends Block | InlineElement>(node: Node, change: NodeMapper<Block | InlineNode>): Node {
  const nodes = nodesOf(node)
  const changedNodes = mapList(nodes, change)
  const fragments = fragmentsOf(node)
  const changedFragments = mapList(fragments, (fragment) => {
    const inner = mapList<Block | InlineNode>(fragment.nodes, change)
    return inner === fragment.nodes ? fragment : { ...fragment, nodes: inner as readonly Block[] }
  })
  if (changedNodes === nodes && changedFragments === fragments) return node
  return {
    ...node,
    ...(changedNodes !== nodes && { nodes: changedNodes }),
    ...(changedFragments !== fragments && { fragments: changedFragments }),
  }
}

function mapList<Item>(items: readonly Item[], change: NodeMapper<Item>): readonly Item[] {
  let changed: Item[] | undefined
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Item
    const next = change(item)
    if (next === item && !changed) continue
    changed ??= items.slice(0, index)
    if (isList(next)) for (const one of next) changed.push(one)
    else changed.push(next)
  }
  return changed ?? items
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}
