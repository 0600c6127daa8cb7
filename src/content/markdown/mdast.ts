import type { Root } from 'mdast'
import { markdownToMdast } from 'satteri'
import { escapePattern } from '../document/escape-pattern.ts'
import { delimiterEdge, findCjkEdges } from './cjk-emphasis.ts'
import { limitMarkup } from './markup-limits.ts'
import { insertTexts, toSourceOffset as toSourceOffsetIn } from './masked-text.ts'

// The only module that depends on the Markdown parser. The parser returns mdast trees with exact offsets.

export type {
  BlockContent,
  Blockquote as MdBlockquote,
  DefinitionContent,
  List,
  ListItem as MdListItem,
  PhrasingContent,
  Root,
  RootContent,
  TableRow,
  Text as MdText,
} from 'mdast'
export type MdTable = import('mdast').Table

const features = {
  gfm: true,
  frontmatter: true,
  math: { singleDollarTextMath: false },
}

/** Parses a text; `toSourceOffset` maps an offset in the text to an offset in the source, if they differ. */
export function parseMdast(text: string, toSourceOffset?: (offset: number) => number): Root {
  const limited = limitMarkup(text)
  const written = limited?.text ?? text
  const restore = limited?.restore
  let unchanged: Root | undefined
  const edges = findCjkEdges(written, () => (unchanged = parseText(written)))
  const hasOffsets = toSourceOffset !== undefined
  if (edges.length === 0 && unchanged === undefined) return parseText(written, { restore, toSourceOffset })
  const masked = insertTexts({ text: written, shifts: [] }, edges)
  const inWritten = (offset: number) => toSourceOffsetIn(masked, offset)
  return parseText(masked.text, {
    restore,
    toSourceOffset: hasOffsets ? (offset) => toSourceOffset(inWritten(offset)) : inWritten,
    hasEdges: true,
  })
}

interface TextOptions {
  restore?: ((part: string) => string) | undefined
  toSourceOffset?: ((offset: number) => number) | undefined
  /** Whether the text contains empty comments that are no part of the source. */
  hasEdges?: boolean
}

function parseText(text: string, { restore, toSourceOffset, hasEdges }: TextOptions = {}): Root {
  const root = markdownToMdast(text, { features }) as unknown as Root
  // The parser drops a byte order mark and does not count it.
  const dropped = text.startsWith('\ufeff') ? 1 : 0
  const counted = text.slice(dropped)
  const pending: PositionedNode[] = [root as unknown as PositionedNode]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { children, position } = node
    if (children) {
      if (children.some(isWithoutPosition)) addMissingPositions(node, counted)
      for (const child of children) pending.push(child)
    }
    if (restore) restoreTexts(node, restore)
    if (toSourceOffset || dropped > 0) {
      const [start, end] = [position.start.offset + dropped, position.end.offset + dropped]
      position.start.offset = toSourceOffset ? toSourceOffset(start) : start
      position.end.offset = toSourceOffset ? toSourceOffset(end) : end
    }
  }
  if (hasEdges) dropEdges(root as unknown as PositionedNode)
  return root
}

/** Removes the empty comments that are no part of the source. */
function dropEdges(root: PositionedNode): void {
  const pending = [root]
  const isEdge = ({ value, position: { start, end } }: PositionedNode) =>
    value === delimiterEdge && start.offset === end.offset
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!node.children) continue
    if (node.children.some(isEdge)) node.children = node.children.filter((child) => !isEdge(child))
    for (const child of node.children) pending.push(child)
  }
}

const isWithoutPosition = ({ position }: { position?: unknown }): boolean => position === undefined

/**
 * Adds positions to children that have none. The parser omits them where it splits a text around a bare URL in a line that starts
 * with an entity inside a container: each URL is searched for, and the texts are between the URLs.
 */
function addMissingPositions({ position, children = [] }: PositionedNode, text: string): void {
  let at = position.start.offset
  for (let index = 0; index < children.length; index++) {
    const first = index
    while (index < children.length && children[index]?.position === undefined) index++
    const next = children[index]
    const end = next?.position.start.offset ?? position.end.offset
    if (index > first) locateBetween(children.slice(first, index), at, end, text)
    at = next?.position.end.offset ?? end
  }
}

/** Sets the positions of nodes that together cover a part of the text. */
function locateBetween(nodes: readonly PositionedNode[], start: number, end: number, text: string): void {
  const part = text.slice(start, end)
  let at = 0
  let pendingText: PositionedNode | undefined
  const setPosition = (node: PositionedNode, from: number, to: number) => {
    node.position = { start: { offset: start + from }, end: { offset: start + to } }
    for (const child of node.children ?? []) setPosition(child, from, to)
  }
  for (const node of nodes) {
    const address = node.children?.[0]?.value
    if (address === undefined) {
      setPosition(node, at, part.length)
      pendingText = node
      continue
    }
    const found = addressPattern(address, at).exec(part)
    // A URL that is not found is placed at the end, as are all after it, so that the rest is searched only once.
    const from = found?.index ?? part.length
    if (pendingText) setPosition(pendingText, at, from)
    at = found ? from + found[0].length : part.length
    setPosition(node, from, at)
    pendingText = undefined
  }
}

/** Returns a pattern that matches a URL with or without backslashes. */
function addressPattern(address: string, from: number): RegExp {
  const characters = Array.from(address, (character) => `\\\\?${escapePattern(character)}`)
  const pattern = new RegExp(characters.join(''), 'g')
  pattern.lastIndex = from
  return pattern
}

function restoreTexts(node: object, restore: (part: string) => string): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string' && name !== 'type') Object.assign(node, { [name]: restore(value) })
  }
}

interface PositionedNode {
  position: { start: { offset: number }; end: { offset: number } }
  children?: PositionedNode[]
  value?: string
}

export function startOffset(node: { position?: unknown }): number {
  return positionOf(node).start.offset
}

export function endOffset(node: { position?: unknown }): number {
  return positionOf(node).end.offset
}

function positionOf({ position }: { position?: unknown }): PositionedNode['position'] {
  return position as PositionedNode['position']
}
