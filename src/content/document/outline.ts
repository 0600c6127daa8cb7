import type {
  Block,
  Document,
  Expandable,
  Heading,
  InlineNode,
  OpenApiOperation,
  OpenApiSchemas,
  OpenApiWebhook,
  Swagger,
  TabsItem,
} from './nodes.ts'
import { plainText, textOfBlocks } from './text.ts'
import { childBlocks, everyBlock, everyInlineIn, mapChildren, mapNodes, withNodes } from './walk.ts'

/** Blocks that a reader can be sent to. */
type Anchored = Heading | TabsItem | Expandable | Swagger | OpenApiOperation | OpenApiSchemas | OpenApiWebhook

export interface OutlineEntry {
  id: string
  /** From 1 to 3 for headings; other blocks are one below the heading before them. */
  depth: number
  title: string
  type: Anchored['type']
}

/** Blocks whose headings are not in the outline, because their content may be hidden or is outside of the main text. */
const besideTheText: ReadonlySet<Block['type']> = new Set([
  'tabs',
  'tabs-item',
  'expandable',
  'columns',
  'table',
  'hint',
])

/** The sections of a page in reading order, of a document with anchors: its headings with a text, and API operations. */
export function outlineOf(document: Document): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  let headingDepth = 0
  const waiting = document.nodes.toReversed()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    if (besideTheText.has(block.type)) continue
    for (const child of childBlocks(block).toReversed()) waiting.push(child)
    const id = block.meta?.id
    const title = isAnchored(block) ? titleOf(block) : ''
    if (!isAnchored(block) || id === undefined || title === '') continue
    const level = headingLevels.get(block.type)
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
  const anchored = (block: Block): Block => mapChildren(isAnchored(block) ? withId(block) : block, anchored)
  const withId = (block: Anchored): Block => {
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

/** What an id is made of: something with letters, as emoji and punctuation have no place in one. */
function nameOf(block: Anchored): string {
  const isHeading = block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3'
  const name = isHeading ? headingName(block) : titleOf(block)
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
  if (id !== undefined && isAnchored(block))
    anchors.push({ id, name: titleOf(block), isHeading: headingLevels.has(block.type) })
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

const headingLevels: ReadonlyMap<string, number> = new Map([
  ['heading-1', 1],
  ['heading-2', 2],
  ['heading-3', 3],
])

const anchoredTypes: ReadonlySet<string> = new Set<Anchored['type']>([
  'heading-1',
  'heading-2',
  'heading-3',
  'tabs-item',
  'expandable',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
])

const isAnchored = (block: Block): block is Anchored => anchoredTypes.has(block.type)

function writtenId(block: Block): string | undefined {
  switch (block.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return block.data?.id || undefined
    case 'tabs-item':
      return block.data?.slug || undefined
    default:
      return undefined
  }
}

function titleOf(block: Anchored): string {
  switch (block.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return plainText(block.nodes).trim()
    case 'tabs-item':
      return block.data?.title ?? ''
    case 'expandable':
      return textOfBlocks(block.fragments.find(({ type }) => type === 'expandable-title')?.nodes ?? [], ' ')
    case 'swagger':
    case 'openapi-operation':
      return [block.data.method?.toUpperCase(), block.data.path].filter(Boolean).join(' ')
    case 'openapi-schemas':
      return block.data.title || block.data.schemas.join(', ')
    case 'openapi-webhook':
      return block.data.name
  }
}
