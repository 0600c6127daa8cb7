import { definitionOf } from '../content/document/block-definitions.ts'
import {
  type BlockChange,
  type IndexedDocument,
  type TextChange,
  diffIndexedDocuments,
  diffInlines,
  indexDocument,
} from '../content/document/diff.ts'
import type { Block, CodeLine, Document, InlineNode } from '../content/document/nodes.ts'
import {
  type BlockIndex,
  type BlockLocation,
  blockGroupsOf,
  isTextBlock,
  nodesGroup,
  withBlockGroups,
} from '../content/document/block-groups.ts'
import { alignSequences, toSequenceEdits } from '../content/document/sequences.ts'
import { plainText } from '../content/document/text.ts'
import { mapNodes, withNodes } from '../content/document/walk.ts'
import { type Html, markup } from './html.ts'
import type { Texts } from './texts.ts'

export type ChangeKind = 'added' | 'changed' | 'removed'

/** A line of code in a comparison. */
export interface LineChange {
  kind: TextChange['kind']
  line: CodeLine
}

/** Changes to mark in a rendered document. */
export interface DocumentChanges {
  /** By block key. */
  blocks: ReadonlyMap<string, ChangeKind>
  /** Texts with added or removed words, by their current value. */
  words: ReadonlyMap<readonly InlineNode[], readonly TextChange[]>
  /** Code with added or removed lines, by its current lines. */
  lines: ReadonlyMap<readonly CodeLine[], readonly LineChange[]>
}

/** A document compared with an earlier one; removed blocks are inserted at their former positions. */
export interface ComparedDocument {
  document: Document
  changes: DocumentChanges
  counts: Readonly<Record<ChangeKind, number>>
}

/** Compares two versions of a document. `yieldIfDue` is called often, because large documents take long. */
export async function compareDocuments(
  before: Document,
  after: Document,
  yieldIfDue?: () => Promise<void>,
): Promise<ComparedDocument> {
  const old = indexDocument(undefined, before)
  await yieldIfDue?.()
  const now = indexDocument(old.document, after)
  const blockChanges = await diffIndexedDocuments(old, now, yieldIfDue)
  return new DocumentComparison(old, now, blockChanges).run(yieldIfDue)
}

/** Wraps content in a mark with a label for screen readers. */
export function renderChangeMark(kind: ChangeKind | undefined, content: Html, texts: Texts): Html {
  if (kind === undefined) return content
  const label = { added: texts.addedHere, changed: texts.changedHere, removed: texts.removedHere }[kind]
  return markup`<div class="${`change change-${kind}`}"><span class="sr-only">${label}: </span>${content}</div>`
}

/** Renders a text with added and removed words. */
export function renderTextChanges(words: readonly TextChange[], render: (nodes: readonly InlineNode[]) => Html): Html {
  return markup`${words.map(({ kind, nodes }) => {
    const content = render(kind === 'removed' ? nodes.filter((node) => !isAnchor(node)) : nodes)
    if (kind === 'equal') return content
    return kind === 'added' ? markup`<ins>${content}</ins>` : markup`<del>${content}</del>`
  })}`
}

const marksContents = (block: Block): boolean => definitionOf(block).marksChildrenInDiff === true

class DocumentComparison {
  readonly #after: Document
  readonly #blockChanges: readonly BlockChange[]
  readonly #oldIndex: BlockIndex
  readonly #newIndex: BlockIndex
  readonly #blocks = new Map<string, ChangeKind>()
  readonly #words = new Map<readonly InlineNode[], readonly TextChange[]>()
  readonly #lines = new Map<readonly CodeLine[], readonly LineChange[]>()
  /** Removed blocks, by their list and by the block before them. */
  readonly #removed = new Map<string, Map<string | null, Block[]>>()

  constructor(before: IndexedDocument, after: IndexedDocument, blockChanges: readonly BlockChange[]) {
    this.#after = after.document
    this.#oldIndex = before.index
    this.#newIndex = after.index
    this.#blockChanges = blockChanges
  }

  async run(yieldIfDue?: () => Promise<void>): Promise<ComparedDocument> {
    const counts = { added: 0, changed: 0, removed: 0 }
    const seen = new Set<string>()
    for (const change of this.#blockChanges) {
      const kind = change.kind === 'edited' || change.kind === 'moved' ? 'changed' : change.kind
      if (!seen.has(change.key)) counts[kind]++
      seen.add(change.key)
      this.#recordChange(change)
      await yieldIfDue?.()
    }
    await this.#groupRemovedBlocks(yieldIfDue)
    const document =
      this.#removed.size === 0 ? this.#after : withNodes(this.#after, this.#insertRemovedBlocks(this.#after.nodes))
    return { document, changes: { blocks: this.#blocks, words: this.#words, lines: this.#lines }, counts }
  }

  #recordChange(change: BlockChange): void {
    if (change.kind === 'removed') return this.#markBlock(change.before, 'removed', this.#oldIndex)
    const { after } = change
    if (change.kind === 'added') return this.#markBlock(after, 'added', this.#newIndex)
    const { before } = change
    if (change.kind === 'edited' && hasComparableText(before) && hasComparableText(after)) {
      this.#words.set(after.nodes, diffInlines(before.nodes, after.nodes))
    }
    if (before.type === 'code' && after.type === 'code')
      this.#lines.set(after.nodes, diffLines(before.nodes, after.nodes))
    this.#markChanged(after)
  }

  #markBlock(block: Block, kind: 'added' | 'removed', index: BlockIndex): void {
    const location = index.get(block.key ?? '')
    const parent = index.get(location?.parent ?? '')?.block
    if (parent?.type === 'images') this.#markChanged(parent)
    else if (hasComparableText(block) && location && isRenderedInline(location, parent)) {
      this.#words.set(block.nodes, [{ kind, text: '', nodes: [...block.nodes] }])
    } else if (marksContents(block)) {
      for (const group of blockGroupsOf(block)) for (const inner of group.blocks) this.#markBlock(inner, kind, index)
    } else if (block.key !== undefined) this.#blocks.set(block.key, kind)
  }

  /** Returns the block to mark: a block without its own element is marked by its parent. */
  #markChanged(block: Block): void {
    let changed: Block | undefined = block
    while (changed && (marksContents(changed) || changed.type === 'image')) {
      const parent: Block | undefined = this.#newIndex.get(this.#newIndex.get(changed.key ?? '')?.parent ?? '')?.block
      if (changed.type === 'image' && parent?.type !== 'images') break
      changed = parent
    }
    if (changed?.key !== undefined && !this.#blocks.has(changed.key)) this.#blocks.set(changed.key, 'changed')
  }

  async #groupRemovedBlocks(yieldIfDue?: () => Promise<void>): Promise<void> {
    const removedKeys = new Set(this.#blockChanges.flatMap((change) => (change.kind === 'removed' ? [change.key] : [])))
    for (const key of removedKeys) {
      const { parent, group, siblings } = this.#oldIndex.get(key) as BlockLocation
      const list = listKey(parent, group)
      if (this.#removed.has(list) || this.#newIndex.get(parent ?? '')?.block.type === 'images') continue
      const removedAfter = new Map<string | null, Block[]>()
      this.#removed.set(list, removedAfter)
      let last: string | null = null
      for (const block of siblings) {
        await yieldIfDue?.()
        const now = this.#newIndex.get(block.key ?? '')
        if (removedKeys.has(block.key ?? '')) {
          const others = removedAfter.get(last)
          if (others) others.push(withoutAnchors(block))
          else removedAfter.set(last, [withoutAnchors(block)])
        } else if (now?.parent === parent && now.group === group) last = block.key ?? null
      }
    }
  }

  #insertRemovedBlocks(blocks: readonly Block[], parent: string | null = null, group = nodesGroup): readonly Block[] {
    const removed = this.#removed.get(listKey(parent, group))
    const shown = blocks.map((block) => this.#insertRemovedInside(block))
    if (!removed) return shown.every((block, index) => block === blocks[index]) ? blocks : shown
    return [...(removed.get(null) ?? []), ...shown.flatMap((block) => [block, ...(removed.get(block.key ?? '') ?? [])])]
  }

  #insertRemovedInside(block: Block): Block {
    const groups = blockGroupsOf(block)
    const lists = groups.map(({ name, blocks }) => this.#insertRemovedBlocks(blocks, block.key ?? '', name))
    return lists.every((list, index) => list === groups[index]?.blocks) ? block : withBlockGroups(block, lists)
  }
}

const lineText = ({ nodes }: CodeLine) => plainText(nodes)

/** Returns the lines of code with removed lines at their former positions. */
function diffLines(before: readonly CodeLine[], after: readonly CodeLine[]): LineChange[] {
  const pairs = alignSequences(before.map(lineText), after.map(lineText))
  const changes: LineChange[] = []
  const add = (kind: LineChange['kind'], lines: readonly CodeLine[]) => {
    for (const line of lines) changes.push({ kind, line })
  }
  let at = 0
  for (const { from, to, sideFrom, sideTo } of toSequenceEdits(pairs, before.length, after.length)) {
    add('equal', after.slice(at, sideFrom))
    add('removed', before.slice(from, to))
    add('added', after.slice(sideFrom, sideTo))
    at = sideTo
  }
  add('equal', after.slice(at))
  return changes
}

const listKey = (parent: string | null, group: string): string => `${parent ?? ''}\0${group}`

/** Whether a block's text is compared by words; lines of code are not. */
const hasComparableText = (block: Block): block is Extract<Block, { type: 'paragraph' }> =>
  isTextBlock(block) && block.type !== 'code-line'

/** Whether a paragraph is rendered without `<p>`: in list items, cells, titles and captions. */
const isRenderedInline = ({ index, group, siblings }: BlockLocation, parent: Block | undefined): boolean =>
  parent?.type === 'list-item' ? index === 0 : group.startsWith('#') && siblings.length === 1

/** Removes ids from removed blocks: they are not link targets, and existing blocks may have the same ids. */
function withoutAnchors(block: Block): Block {
  const [plain = block] = mapNodes([block], withoutMeta, (inline) => (isAnchor(inline) ? [] : inline))
  return plain
}

function withoutMeta(block: Block): Block {
  const { meta: _, ...rest } = block
  return rest
}

const isAnchor = (node: InlineNode): boolean => node.object === 'inline' && node.type === 'anchor'
