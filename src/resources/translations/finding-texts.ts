import { blockGroupsOf, isTextBlock, withBlockGroups } from '../../content/document/block-groups.ts'
import type { Block, Document } from '../../content/document/nodes.ts'
import { textOfBlocks } from '../../content/document/text.ts'
import { walkBlocks, walkInlines } from '../../content/document/walk.ts'
import { type Objects, type PageFields, readObject } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import { type Tree, findPage } from '../../content/revision/tree.ts'
import type { FindingLocation } from '../../domain/translations/finding-store.ts'
import { ownerOfLocation } from './finding-locations.ts'

/** Maximum length of the texts of a finding. */
const maxTextLength = 10_000

/** A page or a reusable content. */
interface LocatedItem {
  title: string
  fields: Partial<PageFields>
  document: Document | undefined
}

/** Reads the texts of a tree at the locations of findings; the last item is kept, because successive findings often share it. */
export class FindingTexts {
  readonly #tree: Tree
  #last: { name: string; item: LocatedItem | undefined } | undefined

  constructor(tree: Tree) {
    this.#tree = tree
  }

  /** Returns the text at a location; undefined if it does not exist. */
  async read(location: FindingLocation): Promise<string | undefined> {
    const { kind, id } = ownerOfLocation(location)
    const { tags, variables } = this.#tree.root
    if (kind === 'tag') return toFindingText(Object.hasOwn(tags, id) ? tags[id]?.label : undefined)
    if (kind === 'variable') return toFindingText(Object.hasOwn(variables, id) ? variables[id] : undefined)
    const item = await this.#readItem(kind, id)
    const { block: key, field } = location
    if (key === undefined) return toFindingText(item?.fields[(field ?? 'title') as keyof PageFields])
    const block = item?.document && findBlock(item.document, key)
    return toFindingText(block && (field === undefined ? textOfBlock(block) : textOfField(block, field)))
  }

  /** Returns the title of the page or reusable content at a location; empty for others. */
  async readTitle(location: FindingLocation): Promise<string> {
    const { kind, id } = ownerOfLocation(location)
    return kind === 'page' || kind === 'reusable-content' ? ((await this.#readItem(kind, id))?.title ?? '') : ''
  }

  async #readItem(kind: 'page' | 'reusable-content', id: string): Promise<LocatedItem | undefined> {
    const name = `${kind} ${id}`
    if (this.#last?.name === name) return this.#last.item
    const item = kind === 'page' ? await readPage(this.#tree, id) : await readReusableContent(this.#tree, id)
    this.#last = { name, item }
    return item
  }
}

async function readPage(tree: Tree, id: string): Promise<LocatedItem | undefined> {
  const page = (await findPage(tree, id))?.page
  return page && { title: page.title, fields: page, document: await readDocument(tree.objects, page.document) }
}

async function readReusableContent(tree: Tree, id: string): Promise<LocatedItem | undefined> {
  const entry = (await findInSorted(tree.objects, tree.root.reusableContents, [id])).get(id)
  if (!entry) return undefined
  const { title, document } = await readObject(tree.objects, 'reusable-content', entry.hash)
  return { title, fields: { title }, document: await readDocument(tree.objects, document) }
}

const readDocument = async (objects: Objects, hash: string | undefined): Promise<Document | undefined> =>
  hash === undefined ? undefined : (await readObject(objects, 'document', hash)).document

/** Finds a block by its key, also in annotations. */
export function findBlock(document: Document, key: string): Block | undefined {
  for (const block of walkBlocks(document)) if (block.key === key) return block
  return undefined
}

/** Returns the text of a value of a finding; values that are not texts are shown as JSON. */
export function toFindingText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxTextLength)
}

/** Returns the text of a block without the blocks inside it, or with them if it has no text itself. */
export function textOfBlock(block: Block): string {
  const own = withBlockGroups(
    block,
    blockGroupsOf(block).map(() => []),
  )
  return textOfBlocks([own], '\n') || textOfBlocks([block], '\n')
}

/** Returns the text of a field of a block: in its data, in a column of a table, or in the images of its text. */
function textOfField(block: Block, field: string): string | undefined {
  if (block.type === 'table') return textOfColumn(block, field)
  if (isTextBlock(block)) return textsOfImages(block, field)
  return toFindingText('data' in block ? (block.data as Record<string, unknown> | undefined)?.[field] : undefined)
}

function textOfColumn({ data }: Extract<Block, { type: 'table' }>, field: string): string | undefined {
  const column = Object.values(data.definition).find(({ id }) => field.startsWith(`${id}.`))
  const name = field.slice((column?.id.length ?? 0) + 1)
  if (name === 'title') return column?.title
  return column?.type === 'select' ? column.options.find(({ value }) => value === name)?.label : undefined
}

function textsOfImages(block: Block, field: string): string {
  const texts: string[] = []
  for (const inline of walkInlines(block)) {
    if (inline.object === 'text' || inline.type !== 'inline-image') continue
    const text = field === 'alt' ? inline.data.alt : inline.data.caption
    if (text !== undefined) texts.push(text)
  }
  return texts.join('\n')
}
