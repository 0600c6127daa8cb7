import { documentOf } from './build.ts'
import { identify } from './identify.ts'
import { movedNames } from './merge-order.ts'
import type { Block, Document, InlineNode } from './nodes.ts'
import { type Index, type Location, groupsOf, indexOf, isSame, isTextBlock } from './parts.ts'
import { align, editsOf } from './sequences.ts'
import { plainText } from './text.ts'
import { type InlineToken, joinTokens, tokenText, tokensOf } from './tokens.ts'

export type BlockChange =
  | { kind: 'added'; key: string; after: Block }
  | { kind: 'removed'; key: string; before: Block }
  | { kind: 'edited' | 'moved'; key: string; before: Block; after: Block }

/**
 * Returns the changes of blocks, in the order of the later document. A block is edited only if it changed itself, not
 * if only its nested blocks did; an added or removed block includes its nested blocks, except those that were moved.
 */
export function diffDocuments(before: Document, after: Document): BlockChange[] {
  if (isSame(before, after)) return []
  return new Comparison(before, after).changes()
}

class Comparison {
  readonly #before: Document
  readonly #after: Document
  readonly #old: Index
  readonly #new: Index
  readonly #changes: BlockChange[] = []

  constructor(before: Document, after: Document) {
    ;[this.#before, this.#old] = indexed(documentOf([]), before)
    ;[this.#after, this.#new] = indexed(this.#before, after)
  }

  changes(): BlockChange[] {
    this.#compareLists(this.#before.nodes, this.#after.nodes)
    return this.#changes
  }

  #compareLists(before: readonly Block[], after: readonly Block[]): void {
    const [oldKeys, newKeys] = [before.map(keyOf), after.map(keyOf)]
    const moved = movedNames(oldKeys, newKeys)
    const removed = this.#removedBehind(before)
    this.#remove(removed.get(null))
    for (const block of after) {
      const key = keyOf(block)
      this.#compareBlock(key, block, moved.has(key))
      this.#remove(removed.get(key))
    }
  }

  /** Groups removed blocks by the preceding block of the same list that is still in it; null at the start. */
  #removedBehind(before: readonly Block[]): Map<string | null, Block[]> {
    const removed = new Map<string | null, Block[]>()
    let behind: string | null = null
    for (const block of before) {
      const key = keyOf(block)
      const now = this.#new.get(key)
      if (!now) {
        const others = removed.get(behind)
        if (others) others.push(block)
        else removed.set(behind, [block])
      } else if (!isElsewhere(this.#old.get(key), now)) behind = key
    }
    return removed
  }

  #remove(blocks: readonly Block[] = []): void {
    for (const block of blocks) this.#changes.push({ kind: 'removed', key: keyOf(block), before: block })
  }

  #compareBlock(key: string, after: Block, isMovedHere: boolean): void {
    const old = this.#old.get(key)
    if (!old) {
      this.#changes.push({ kind: 'added', key, after })
      this.#compareKnown(after)
      return
    }
    const before = old.block
    if (isMovedHere || isElsewhere(old, this.#new.get(key))) this.#changes.push({ kind: 'moved', key, before, after })
    if (isSame(before, after)) return
    if (!isSame(own(before), own(after))) this.#changes.push({ kind: 'edited', key, before, after })
    const oldGroups = new Map(groupsOf(before).map(({ name, blocks }) => [name, blocks]))
    for (const { name, blocks } of groupsOf(after)) this.#compareLists(oldGroups.get(name) ?? [], blocks)
  }

  /** Compares only the existing blocks inside a new block. */
  #compareKnown(block: Block): void {
    for (const group of groupsOf(block)) {
      for (const inner of group.blocks) {
        if (this.#old.has(keyOf(inner))) this.#compareBlock(keyOf(inner), inner, false)
        else this.#compareKnown(inner)
      }
    }
  }
}

function indexed(previous: Document, document: Document): [Document, Index] {
  const index = indexOf(document)
  if (index) return [document, index]
  const identified = identify(previous, document)
  return [identified, indexOf(identified) ?? new Map<string, Location>()]
}

const keyOf = (block: Block) => block.key as string

function isElsewhere(old: Location | undefined, now: Location | undefined): boolean {
  return old?.parent !== now?.parent || old?.group !== now?.group
}

/** Returns a block without its nested blocks, for comparison. */
function own(block: Block): unknown {
  const names = groupsOf(block).map(({ name }) => name)
  const { nodes, fragments: _, key: __, ...rest } = block as Block & { nodes?: unknown; fragments?: unknown }
  return isTextBlock(block) || block.type === 'code' ? { ...rest, nodes } : { ...rest, names }
}

/** Part of a text that is in both versions or only in one of them. */
export interface TextChange {
  kind: 'equal' | 'added' | 'removed'
  text: string
  nodes: readonly InlineNode[]
}

/** Compares two texts word by word. A word with a different mark or link is a different word. */
export function diffInlines(before: readonly InlineNode[], after: readonly InlineNode[]): TextChange[] {
  const [old, now] = [tokensOf(before), tokensOf(after)]
  const pairs = align(old.map(tokenText), now.map(tokenText))
  const changes: TextChange[] = []
  const add = (kind: TextChange['kind'], tokens: readonly InlineToken[]) => {
    if (tokens.length === 0) return
    const nodes = joinTokens(tokens)
    changes.push({ kind, text: plainText(nodes), nodes })
  }
  let at = 0
  for (const { from, to, sideFrom, sideTo } of editsOf(pairs, old.length, now.length)) {
    add('equal', old.slice(at, from))
    add('removed', old.slice(from, to))
    add('added', now.slice(sideFrom, sideTo))
    at = to
  }
  add('equal', old.slice(at))
  return changes
}
