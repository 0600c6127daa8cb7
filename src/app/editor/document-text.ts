import type { Node } from 'prosemirror-model'
import { createDocument } from '../../content/document/build.ts'
import type { Block } from '../../content/document/nodes.ts'
import type { Origins } from './origins.ts'
import { isBlock, isOmitted, toBlock, toDocument } from './to-document.ts'
import { toEditor } from './to-editor.ts'

/** Converts the text of a page, which is the JSON of its blocks, to the content of the editor. */
export const parseBody = (body: string, origins: Origins): Node => readBlocks(JSON.parse(body) as Block[], origins)

/** Converts the blocks of a page to the content of the editor. */
export const readBlocks = (blocks: readonly Block[], origins: Origins): Node =>
  toEditor(createDocument(blocks), origins)

/** Converts blocks to content of the editor. */
export const toNodes = (blocks: readonly Block[], origins: Origins): readonly Node[] =>
  blocks.length === 0 ? [] : toEditor(createDocument(blocks), origins).children

/** Returns a function that converts the content of the editor to JSON. It converts only nodes that are new. */
export function createBodyPrinter(origins: Origins): (doc: Node) => string {
  const printed = new WeakMap<Node, string>()
  const print = (node: Node): string => {
    const known = printed.get(node)
    if (known !== undefined) return known
    const origin = origins.get(node)
    const nodes = origin ? [origin] : toDocument(node.type.schema.node('doc', null, [node]), origins).nodes
    const text = nodes.map((block) => JSON.stringify(block)).join(',')
    printed.set(node, text)
    return text
  }
  return (doc) => `[${doc.children.map(print).filter(Boolean).join(',')}]`
}

/**
 * Returns a function that returns equal strings for nodes with the same content, regardless of the keys of their blocks. The string
 * is empty for nodes that are not sent to the server.
 */
export function createComparator(origins: Origins): (node: Node) => string {
  const known = new WeakMap<Node, string>()
  const describe = (node: Node): string => {
    if (isOmitted(node, origins)) return ''
    if (isBlock(node)) return JSON.stringify(sortFields(toBlock(node, origins)))
    return JSON.stringify([
      node.type.name,
      sortFields(node.attrs),
      node.isInline ? node.text : node.children.map(compare),
    ])
  }
  const compare = (node: Node): string => {
    const before = known.get(node)
    if (before !== undefined) return before
    const text = describe(node)
    known.set(node, text)
    return text
  }
  return compare
}

/** Sorts the fields of JSON, and removes the keys of blocks and fields that the server computes. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'key' && name !== 'meta')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortFields(inner)]),
  )
}
