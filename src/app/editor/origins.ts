import type { Node } from 'prosemirror-model'
import type { Block } from '../../content/document/nodes.ts'

/**
 * The blocks from which nodes were made. Nodes are immutable, so a node that is still in the editor was not edited, and
 * its block is sent as it was read.
 */
export type Origins = WeakMap<Node, Block>
