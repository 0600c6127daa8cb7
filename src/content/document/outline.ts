import { type BlockType, definitionOf } from './block-definitions.ts'
import type { AnchorInline, Block, Document, Heading, InlineNode } from './nodes.ts'
import { plainText, textOfBlocks } from './text.ts'
import { childBlocks, walkBlocks, walkInlines, inlinesOf, mapChildren, mapNodes, withNodes } from './walk.ts'

export interface OutlineEntry {
  id: string
  /** Level from 1 to 3 for headings; other blocks are one level below the preceding heading. */
  depth: number
  title: string
  type: BlockType
}

/** Returns the sections of a document with anchor ids, in order: headings with text, and API operations. */
export function createOutline(document: Document): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  let headingDepth = 0
  const stack = document.nodes.toReversed()
  for (let block = stack.pop(); block; block = stack.pop()) {
    const { anchor, hidesHeadings } = definitionOf(block)
    if (hidesHeadings) continue
    for (const child of childBlocks(block).toReversed()) stack.push(child)
    const id = block.meta?.id
    const title = anchor ? titleOf(block) : ''
    if (!anchor || id === undefined || title === '') continue
    const { level } = anchor
    headingDepth = level ?? headingDepth
    entries.push({ id, depth: level ?? headingDepth + 1, title, type: block.type })
  }
  return entries
}

/**
 * Adds a unique id to each link target, as `meta.id`. Anchors are processed last and get no id if a heading has the
 * same one, so that anchors never change the ids of headings.
 */
export function withAnchorIds(document: Document, slugOf: (text: string) => string): Document {
  const blocks = [...walkBlocks(document)]
  const explicitIds = blocks.flatMap((block) => explicitIdOf(block) ?? [])
  const ids = new UniqueIds(explicitIds)
  const assignIds = (block: Block): Block => mapChildren(hasAnchor(block) ? withId(block) : block, assignIds)
  const withId = (block: Block): Block => ({ ...block, meta: { ...block.meta, id: assignId(block, ids, slugOf) } })
  const nodes = document.nodes.map(assignIds)
  if (!blocks.some((block) => walkInlines(block).some(isInlineAnchor))) return withNodes(document, nodes)
  return withNodes(
    document,
    mapNodes(nodes, unchanged, (inline) => withInlineAnchorId(inline, ids)),
  )
}

/** Assigns an id to a link target. */
function assignId(block: Block, ids: UniqueIds, slugOf: (text: string) => string): string {
  const explicitId = explicitIdOf(block)
  return explicitId === undefined
    ? ids.assignFromTitle(toAnchorId(slugOf(anchorNameOf(block))))
    : ids.assignExplicit(explicitId)
}

/** A block that links can refer to, or that contains such inlines. */
export interface LinkTargetBlock {
  block: Block
  inlineAnchors: readonly AnchorInline[]
}

/**
 * Returns the anchors of link targets that are given in the order of the document, and the ids of blocks: the same ones as in the
 * document that `withAnchorIds` returns, if there are no annotations. Copying the document takes most of its time.
 */
export function listTargetAnchors(
  targets: readonly LinkTargetBlock[],
  slugOf: (text: string) => string,
): { anchors: Anchor[]; idOfBlock: ReadonlyMap<Block, string> } {
  const ids = new UniqueIds(targets.flatMap(({ block }) => explicitIdOf(block) ?? []))
  const idOfBlock = new Map<Block, string>()
  for (const { block } of targets) if (hasAnchor(block)) idOfBlock.set(block, assignId(block, ids, slugOf))
  const anchors: Anchor[] = []
  for (const { block, inlineAnchors } of targets) {
    const id = idOfBlock.get(block)
    if (id !== undefined) anchors.push(createBlockAnchor(block, id))
    for (const { data } of inlineAnchors)
      if (ids.tryReserve(data.id)) anchors.push({ id: data.id, name: '', isHeading: false })
  }
  return { anchors, idOfBlock }
}

function createBlockAnchor(block: Block, id: string): Anchor {
  return { id, name: titleOf(block), isHeading: definitionOf(block).anchor?.level !== undefined }
}

const unchanged = (block: Block): Block => block

const isInlineAnchor = (inline: InlineNode) => inline.object === 'inline' && inline.type === 'anchor'

function withInlineAnchorId(inline: InlineNode, ids: UniqueIds): InlineNode {
  if (inline.object === 'text' || inline.type !== 'anchor') return inline
  const { meta: _, ...rest } = inline
  return ids.tryReserve(inline.data.id) ? { ...rest, meta: { id: inline.data.id } } : rest
}

/**
 * Returns the text that an id is derived from. It contains a letter or digit, because ids do not contain emoji and
 * punctuation.
 */
function anchorNameOf(block: Block): string {
  const isHeading = definitionOf(block).anchor?.level !== undefined
  const name = isHeading ? headingName({ nodes: inlinesOf(block) }) : titleOf(block)
  if (/[\p{L}\p{N}]/u.test(name)) return name
  return isHeading ? 'section' : block.type
}

/** Returns the id of a title for its slug: like GitBook, adds a prefix to titles that begin with a digit. */
export const toAnchorId = (slug: string): string => (/^\d/.test(slug) ? `id-${slug}` : slug)

/** Id on a page, with the text that it was derived from. */
export interface Anchor {
  id: string
  name: string
  isHeading: boolean
}

/** Returns the anchors of a block with anchor ids, without those of nested blocks. */
export function anchorsOfBlock(block: Block): readonly Anchor[] {
  const anchors: Anchor[] = []
  const id = block.meta?.id
  if (id !== undefined && hasAnchor(block)) anchors.push(createBlockAnchor(block, id))
  for (const inline of walkInlines(block)) {
    if (inline.object === 'inline' && inline.meta?.id !== undefined)
      anchors.push({ id: inline.meta.id, name: '', isHeading: false })
  }
  return anchors
}

/** Returns the name of a heading: its text, or the names of its icons and images if it has none. */
export function headingName({ nodes }: Pick<Heading, 'nodes'>): string {
  const text = plainText(nodes).trim()
  if (text !== '') return text
  const names = nodes.map((node) => {
    if (node.object !== 'inline') return ''
    if (node.type === 'icon') return node.data.icon.replaceAll('-', ' ')
    return node.type === 'inline-image' ? (node.data.alt ?? '') : ''
  })
  return names.filter(Boolean).join(' ')
}

/** Assigns each id once and adds a number to repeated ones. Ids written by authors are never assigned to titles. */
export class UniqueIds {
  readonly #explicitIds: ReadonlySet<string>
  readonly #taken = new Set<string>()
  /** Last number of each id, so that many equal titles do not count from the start each time. */
  readonly #numbers = new Map<string, number>()

  constructor(explicitIds: Iterable<string>) {
    this.#explicitIds = new Set(explicitIds)
  }

  assignExplicit(id: string): string {
    return this.#reserve(this.#taken.has(id) ? this.#withNumber(id) : id)
  }

  assignFromTitle(slug: string): string {
    return this.#reserve(this.#isFree(slug) ? slug : this.#withNumber(slug))
  }

  /** Reserves an id; returns false if it is assigned already. */
  tryReserve(id: string): boolean {
    if (this.#taken.has(id)) return false
    this.#taken.add(id)
    return true
  }

  #isFree(id: string): boolean {
    return !this.#taken.has(id) && !this.#explicitIds.has(id)
  }

  #withNumber(id: string): string {
    let number = (this.#numbers.get(id) ?? 0) + 1
    while (!this.#isFree(`${id}-${number}`)) number++
    this.#numbers.set(id, number)
    return `${id}-${number}`
  }

  #reserve(id: string): string {
    this.#taken.add(id)
    return id
  }
}

export const hasAnchor = (block: Block): boolean => definitionOf(block).anchor !== undefined

const explicitIdOf = (block: Block): string | undefined => definitionOf(block).anchor?.id?.(block)

const titleOf = (block: Block): string => {
  const { anchor, contents } = definitionOf(block)
  return contents === 'inlines' ? plainText(inlinesOf(block)).trim() : (anchor?.title?.(block, joinedText) ?? '')
}

const joinedText = (blocks: readonly Block[]): string => textOfBlocks(blocks, ' ')
