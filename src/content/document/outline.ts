import { type BlockType, definitionOf } from './block-definitions.ts'
import type { Block, Document, Heading, InlineNode } from './nodes.ts'
import { plainText, textOfBlocks } from './text.ts'
import { childBlocks, everyBlock, everyInlineIn, inlinesIn, mapChildren, mapNodes, withNodes } from './walk.ts'

export interface OutlineEntry {
  id: string
  /** From 1 to 3 for headings; other blocks are one below the heading before them. */
  depth: number
  title: string
  type: BlockType
}

/** The sections of a page in reading order, of a document with anchors: its headings with a text, and API operations. */
export function outlineOf(document: Document): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  let headingDepth = 0
  const waiting = document.nodes.toReversed()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    const { anchor, hidesHeadings } = definitionOf(block)
    if (hidesHeadings) continue
    for (const child of childBlocks(block).toReversed()) waiting.push(child)
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
 * The document with an id for each place that a reader can be sent to, as `meta.id`; no two are the same. Anchors come
 * last: an anchor with the id of a heading has none of its own, so that anchors never change the ids of headings.
 */
export function withAnchors(document: Document, slugOf: (text: string) => string): Document {
  const written = Array.from(everyBlock(document)).flatMap((block) => writtenId(block) ?? [])
  const ids = new UniqueIds(written)
  const anchored = (block: Block): Block => mapChildren(hasAnchor(block) ? withId(block) : block, anchored)
  const withId = (block: Block): Block => {
    const own = writtenId(block)
    const id = own === undefined ? ids.ofTitle(anchorIdOf(slugOf(nameOf(block)))) : ids.ofWritten(own)
    return { ...block, meta: { ...block.meta, id } }
  }
  const nodes = document.nodes.map(anchored)
  return withNodes(
    document,
    mapNodes(nodes, unchanged, (inline) => withAnchorId(inline, ids)),
  )
}

const unchanged = (block: Block): Block => block

function withAnchorId(inline: InlineNode, ids: UniqueIds): InlineNode {
  if (inline.object === 'text' || inline.type !== 'anchor') return inline
  const { meta: _, ...rest } = inline
  return ids.takeFree(inline.data.id) ? { ...rest, meta: { id: inline.data.id } } : rest
}

/** Returns the text that an id is made of. It contains a letter or digit, because emoji and punctuation are left out of ids. */
function nameOf(block: Block): string {
  const isHeading = definitionOf(block).anchor?.level !== undefined
  const name = isHeading ? headingName({ nodes: inlinesIn(block) }) : titleOf(block)
  if (/[\p{L}\p{N}]/u.test(name)) return name
  return isHeading ? 'section' : block.type
}

/** The id of a title, given its slug: GitBook puts a prefix before titles that begin with a digit. */
export const anchorIdOf = (slug: string): string => (/^\d/.test(slug) ? `id-${slug}` : slug)

/** An id on a page, with the text that it was made of. */
export interface Anchor {
  id: string
  name: string
  isHeading: boolean
}

/** The anchors of a block of a document with anchors, without those of the blocks in it. */
export function anchorsOfBlock(block: Block): readonly Anchor[] {
  const anchors: Anchor[] = []
  const id = block.meta?.id
  const { anchor } = definitionOf(block)
  if (id !== undefined && anchor) anchors.push({ id, name: titleOf(block), isHeading: anchor.level !== undefined })
  for (const inline of everyInlineIn(block)) {
    if (inline.object === 'inline' && inline.meta?.id !== undefined)
      anchors.push({ id: inline.meta.id, name: '', isHeading: false })
  }
  return anchors
}

/** What a heading is called: its text, or else the names of its icons and images. */
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

/** Gives out each id once, then with a number behind it. What someone wrote is never given to a title. */
export class UniqueIds {
  readonly #written: ReadonlySet<string>
  readonly #taken = new Set<string>()
  /** The last number behind each id, so that many equal titles do not count from the start each time. */
  readonly #numbers = new Map<string, number>()

  constructor(written: Iterable<string>) {
    this.#written = new Set(written)
  }

  ofWritten(id: string): string {
    return this.#take(this.#taken.has(id) ? this.#numbered(id) : id)
  }

  ofTitle(slug: string): string {
    return this.#take(this.#isFree(slug) ? slug : this.#numbered(slug))
  }

  /** Takes an id unless it was given out. */
  takeFree(id: string): boolean {
    if (this.#taken.has(id)) return false
    this.#taken.add(id)
    return true
  }

  #isFree(id: string): boolean {
    return !this.#taken.has(id) && !this.#written.has(id)
  }

  #numbered(id: string): string {
    let number = (this.#numbers.get(id) ?? 0) + 1
    while (!this.#isFree(`${id}-${number}`)) number++
    this.#numbers.set(id, number)
    return `${id}-${number}`
  }

  #take(id: string): string {
    this.#taken.add(id)
    return id
  }
}

const hasAnchor = (block: Block): boolean => definitionOf(block).anchor !== undefined

const writtenId = (block: Block): string | undefined => definitionOf(block).anchor?.id?.(block)

const titleOf = (block: Block): string => {
  const { anchor, contents } = definitionOf(block)
  return contents === 'inlines' ? plainText(inlinesIn(block)).trim() : (anchor?.title?.(block, joinedText) ?? '')
}

const joinedText = (blocks: readonly Block[]): string => textOfBlocks(blocks, ' ')
