import { createDocument } from './build.ts'
import { assignKeys } from './assign-keys.ts'
import { findMovedNames } from './merge-order.ts'
import type { Block, Document, InlineNode } from './nodes.ts'
import {
  type BlockIndex,
  type BlockLocation,
  blockGroupsOf,
  indexBlocks,
  isEqualContent,
  isTextBlock,
} from './block-groups.ts'
import { alignSequences, toSequenceEdits } from './sequences.ts'
import { plainText } from './text.ts'
import { type InlineToken, joinTokens, tokenKey, tokenizeInlines } from './inline-tokens.ts'

export type BlockChange =
  | { kind: 'added'; key: string; after: Block }
  | { kind: 'removed'; key: string; before: Block }
  | { kind: 'edited' | 'moved'; key: string; before: Block; after: Block }

/**
 * Returns the changes of blocks, in the order of the later document. A block is edited only if it changed itself, not
 * if only its nested blocks did; an added or removed block includes its nested blocks, except those that were moved.
 */
export async function diffDocuments(
  before: Document,
  after: Document,
  yieldIfDue?: () => Promise<void>,
): Promise<BlockChange[]> {
  if (isEqualContent(before, after)) return []
  const old = indexDocument(createDocument([]), before)
  return diffIndexedDocuments(old, indexDocument(old.document, after), yieldIfDue)
}

/** Returns the changes of blocks like `diffDocuments`, of documents that are indexed. */
export async function diffIndexedDocuments(
  before: IndexedDocument,
  after: IndexedDocument,
  yieldIfDue?: () => Promise<void>,
): Promise<BlockChange[]> {
  const comparison = new DocumentComparison(before.index, after.index, yieldIfDue)
  await comparison.compareLists(before.document.nodes, after.document.nodes)
  return comparison.changes
}

class DocumentComparison {
  readonly changes: BlockChange[] = []
  readonly #oldIndex: BlockIndex
  readonly #newIndex: BlockIndex
  readonly #yieldIfDue: (() => Promise<void>) | undefined

  constructor(oldIndex: BlockIndex, newIndex: BlockIndex, yieldIfDue: (() => Promise<void>) | undefined) {
    this.#oldIndex = oldIndex
    this.#newIndex = newIndex
    this.#yieldIfDue = yieldIfDue
  }

  async compareLists(before: readonly Block[], after: readonly Block[]): Promise<void> {
    const [oldKeys, newKeys] = [before.map(keyOf), after.map(keyOf)]
    const moved = findMovedNames(oldKeys, newKeys)
    const removed = this.#groupRemovedByPredecessor(before)
    this.#addRemovals(removed.get(null))
    for (const block of after) {
      const key = keyOf(block)
      await this.#compareBlock(key, block, moved.has(key))
      this.#addRemovals(removed.get(key))
    }
  }

  /** Groups removed blocks by the preceding block of the same list that is still in it; null at the start. */
  #groupRemovedByPredecessor(before: readonly Block[]): Map<string | null, Block[]> {
    const removed = new Map<string | null, Block[]>()
    let previousKey: string | null = null
    for (const block of before) {
      const key = keyOf(block)
      const now = this.#newIndex.get(key)
      if (!now) {
        const others = removed.get(previousKey)
        if (others) others.push(block)
        else removed.set(previousKey, [block])
      } else if (!isInOtherGroup(this.#oldIndex.get(key), now)) previousKey = key
    }
    return removed
  }

  #addRemovals(blocks: readonly Block[] = []): void {
    for (const block of blocks) this.changes.push({ kind: 'removed', key: keyOf(block), before: block })
  }

  async #compareBlock(key: string, after: Block, isMovedHere: boolean): Promise<void> {
    await this.#yieldIfDue?.()
    const old = this.#oldIndex.get(key)
    if (!old) {
      this.changes.push({ kind: 'added', key, after })
      await this.#compareExistingBlocks(after)
      return
    }
    const before = old.block
    if (isMovedHere || isInOtherGroup(old, this.#newIndex.get(key)))
      this.changes.push({ kind: 'moved', key, before, after })
    if (isEqualContent(before, after)) return
    if (!isEqualContent(withoutNestedBlocks(before), withoutNestedBlocks(after)))
      this.changes.push({ kind: 'edited', key, before, after })
    const oldGroups = new Map(blockGroupsOf(before).map(({ name, blocks }) => [name, blocks]))
    for (const { name, blocks } of blockGroupsOf(after)) await this.compareLists(oldGroups.get(name) ?? [], blocks)
  }

  /** Compares only the existing blocks inside a new block. */
  async #compareExistingBlocks(block: Block): Promise<void> {
    for (const group of blockGroupsOf(block)) {
      for (const inner of group.blocks) {
        if (this.#oldIndex.has(keyOf(inner))) await this.#compareBlock(keyOf(inner), inner, false)
        else await this.#compareExistingBlocks(inner)
      }
    }
  }
}

/** A document whose blocks have unique keys, with its blocks by key. */
export interface IndexedDocument {
  document: Document
  index: BlockIndex
}

/** Indexes the blocks of a document; assigns keys if they are missing or not unique. */
export function indexDocument(previous: Document | undefined, document: Document): IndexedDocument {
  const index = indexBlocks(document)
  if (index) return { document, index }
  const identified = assignKeys(previous, document)
  return { document: identified, index: indexBlocks(identified) ?? new Map<string, BlockLocation>() }
}

const keyOf = (block: Block) => block.key as string

function isInOtherGroup(old: BlockLocation | undefined, now: BlockLocation | undefined): boolean {
  return old?.parent !== now?.parent || old?.group !== now?.group
}

/** Returns a block without its nested blocks, for comparison. */
function withoutNestedBlocks(block: Block): unknown {
  const names = blockGroupsOf(block).map(({ name }) => name)
  const { nodes, fragments: _, key: __, ...rest } = block as Block & { nodes?: unknown; fragments?: unknown }
  return isTextBlock(block) || block.type === 'code' ? { ...rest, nodes } : { ...rest, names }
}

/** Part of a text that is in both versions or only in one of them. */
export interface TextChange {
  kind: 'equal' | 'added' | 'removed'
  text: string
  nodes: readonly InlineNode[]
}

/** Maximum length of a text that is compared by words; comparing a longer one would block other work. */
const maxComparedLength = 20_000

/**
 * Compares two texts word by word. A word with a different mark or link is a different word. A very long text counts as replaced if
 * anything in it changed.
 */
export function diffInlines(before: readonly InlineNode[], after: readonly InlineNode[]): TextChange[] {
  const [oldText, newText] = [plainText(before), plainText(after)]
  if (Math.max(oldText.length, newText.length) > maxComparedLength) {
    if (isEqualContent(before, after)) return [{ kind: 'equal', text: oldText, nodes: [...before] }]
    // The lists are copied, because renderers find the changes of a text by its list.
    const changes: TextChange[] = [
      { kind: 'removed', text: oldText, nodes: [...before] },
      { kind: 'added', text: newText, nodes: [...after] },
    ]
    return changes.filter(({ nodes }) => nodes.length > 0)
  }
  const [old, now] = [tokenizeInlines(before), tokenizeInlines(after)]
  const pairs = alignSequences(old.map(tokenKey), now.map(tokenKey))
  const changes: TextChange[] = []
  const add = (kind: TextChange['kind'], tokens: readonly InlineToken[]) => {
    if (tokens.length === 0) return
    const nodes = joinTokens(tokens)
    changes.push({ kind, text: plainText(nodes), nodes })
  }
  let at = 0
  for (const { from, to, sideFrom, sideTo } of toSequenceEdits(pairs, old.length, now.length)) {
    add('equal', old.slice(at, from))
    add('removed', old.slice(from, to))
    add('added', now.slice(sideFrom, sideTo))
    at = to
  }
  add('equal', old.slice(at))
  return changes
}
