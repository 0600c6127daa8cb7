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
    else if (node.object === 'inline')
      for (const inner of inlineAndDescendants(node)) addFragmentBlocks(inner, children)
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
    for (const child of childBlocks(block).toReversed()) stack.push(child)
  }
}

/** Yields every inline of a block, including those in links and annotations, but not of the blocks below it. */
export function* walkInlines(block: Block): Iterable<InlineNode> {
  for (const inline of inlinesOf(block)) yield* inlineAndDescendants(inline)
}

function* inlineAndDescendants(inline: InlineNode): Iterable<InlineNode> {
  const stack = [inline]
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next
    // Items are pushed one by one, here and below, because a spread of very many arguments overflows the stack.
    if (next.object === 'inline' && 'nodes' in next) for (const inner of next.nodes.toReversed()) stack.push(inner)
  }
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
  const changed: Item[] = []
  let isUnchanged = true
  for (const item of items) {
    const next = change(item)
    if (next !== item) isUnchanged = false
    if (isList(next)) for (const one of next) changed.push(one)
    else changed.push(next)
  }
  return isUnchanged ? items : changed
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}
