import type { Block, Document, Fragment, InlineElement, InlineNode } from './nodes.ts'

// Traversal of documents. Blocks are nested in blocks, in fragments, and in the bodies of annotations.

type Change<Node> = (node: Node) => Node | readonly Node[]

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
    else if (node.object === 'inline') for (const inner of withInner(node)) addFragments(inner, children)
  }
  addFragments(block, children)
  return children
}

function addFragments(node: Block | InlineNode, into: Block[]): void {
  for (const { nodes } of fragmentsOf(node)) for (const inner of nodes) into.push(inner)
}

/** Returns the inlines directly in a block. */
export function inlinesIn(block: Block): readonly InlineNode[] {
  return nodesOf(block).filter((node): node is InlineNode => node.object !== 'block')
}

/** Yields every block of a document in order, each before those below it. */
export function* everyBlock(document: Document): Iterable<Block> {
  const waiting = document.nodes.toReversed()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    yield block
    for (const child of childBlocks(block).toReversed()) waiting.push(child)
  }
}

/** Yields every inline of a block, including those in links and annotations, but not of the blocks below it. */
export function* everyInlineIn(block: Block): Iterable<InlineNode> {
  for (const inline of inlinesIn(block)) yield* withInner(inline)
}

function* withInner(inline: InlineNode): Iterable<InlineNode> {
  const waiting = [inline]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    // Items are pushed one by one, here and below, because a spread of very many arguments overflows the stack.
    if (next.object === 'inline' && 'nodes' in next) for (const inner of next.nodes.toReversed()) waiting.push(inner)
  }
}

/** Replaces blocks, the innermost first, by the results of `change`. Values that do not change are not copied. */
export function mapBlocks(nodes: readonly Block[], change: Change<Block>): readonly Block[] {
  return mapNodes(nodes, change, unchanged)
}

/** Replaces inlines, then the blocks that contain them, by the results of the functions. */
export function mapNodes(
  nodes: readonly Block[],
  changeBlock: Change<Block>,
  changeInline: Change<InlineNode>,
): readonly Block[] {
  const inside = (block: Block): Block | readonly Block[] => changeBlock(mapChildren(block, inside, changeInline))
  return mapList(nodes, inside)
}

/** Replaces the blocks directly below a block, and its inlines. */
export function mapChildren(
  block: Block,
  changeBlock: Change<Block>,
  changeInline: Change<InlineNode> = unchanged,
): Block {
  const below: Change<Block | InlineNode> = (node) => {
    if (node.object === 'block') return changeBlock(node)
    return changeInline(node.object === 'text' ? node : rebuilt(node, below))
  }
  return rebuilt(block, below)
}

export function withNodes(document: Document, nodes: readonly Block[]): Document {
  return nodes === document.nodes ? document : { ...document, nodes }
}

const unchanged = <Node>(node: Node): Node => node

/** Returns a node with changed nodes and fragments. Does not check whether the node may contain the results of `change`. */
function rebuilt<Node extends Block | InlineElement>(node: Node, change: Change<Block | InlineNode>): Node {
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

function mapList<Item>(items: readonly Item[], change: Change<Item>): readonly Item[] {
  const changed: Item[] = []
  let isSame = true
  for (const item of items) {
    const next = change(item)
    if (next !== item) isSame = false
    if (isList(next)) for (const one of next) changed.push(one)
    else changed.push(next)
  }
  return isSame ? items : changed
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}
