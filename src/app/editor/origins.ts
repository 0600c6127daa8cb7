import type { Node } from 'prosemirror-model'
import type { Block } from '../../content/document/nodes.ts'

/**
 * The blocks from which nodes were created. Nodes are immutable, so a node that is still in the editor was not edited, and the
 * original block is sent.
 */
export type Origins = WeakMap<Node, Block>
