import { type BlockChange, diffDocuments, diffInlines } from '../../content/document/diff.ts'
import type { Block } from '../../content/document/nodes.ts'
import { isTextBlock } from '../../content/document/block-groups.ts'
import { textOfBlocks } from '../../content/document/text.ts'
import type { Tree } from '../../content/revision/tree.ts'
import type { BlockChange as BlockChangeReply, ChangeStats } from '../../contract/semantic-changes.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { readDocumentObject } from './body.ts'

/** Maximum number of blocks per text in a list of changes. */
const maxBlocks = 100

export interface TextChangesOptions {
  /** Whether to describe the changed blocks; otherwise they are only counted. */
  withBlocks: boolean
  /** Keys of blocks in which texts of both sides were combined. */
  combined: ReadonlySet<string>
}

interface TextChanges {
  stats: ChangeStats
  blocks?: BlockChangeReply[]
  moreBlocks?: number
}

/** Returns the changes of a text by block and word; without blocks if the text is the same. */
export async function describeTextChanges(
  tree: Tree,
  before: string | undefined,
  after: string | undefined,
  { withBlocks, combined }: TextChangesOptions,
): Promise<TextChanges> {
  if (before === after) return { stats: { added: 0, removed: 0 } }
  const [old, now] = [await readDocumentObject(tree, before), await readDocumentObject(tree, after)]
  const yieldIfDue = createYielder()
  const changes = await diffDocuments(old, now, yieldIfDue)
  const stats = countChanges(changes)
  if (!withBlocks) return { stats }
  const more = changes.length - maxBlocks
  const blocks: BlockChangeReply[] = []
  for (const change of changes.slice(0, maxBlocks)) {
    blocks.push({ ...describeBlockChange(change), ...(combined.has(change.key) && { combined: true }) })
    await yieldIfDue()
  }
  return { stats, blocks, ...(more > 0 && { moreBlocks: more }) }
}

/** Counts the blocks of a document that was added as a whole. */
export async function countDocumentBlocks(tree: Tree, document: string | undefined): Promise<number> {
  return (await readDocumentObject(tree, document)).nodes.length
}

function countChanges(changes: readonly BlockChange[]): ChangeStats {
  const count = (...kinds: BlockChange['kind'][]) => changes.filter(({ kind }) => kinds.includes(kind)).length
  return { added: count('added', 'edited'), removed: count('removed', 'edited') }
}

function describeBlockChange(change: BlockChange): BlockChangeReply {
  const { kind, key } = change
  const [before, after] = ['before' in change ? change.before : undefined, 'after' in change ? change.after : undefined]
  return {
    kind,
    block: key,
    type: ((after ?? before) as Block).type,
    ...(before && { before: textOfBlocks([before], '\n') }),
    ...(after && { after: textOfBlocks([after], '\n') }),
    ...(kind === 'edited' && before && after && diffWords(before, after)),
  }
}

function diffWords(before: Block, after: Block): Pick<BlockChangeReply, 'words'> {
  if (!isTextBlock(before) || !isTextBlock(after)) return {}
  return { words: diffInlines(before.nodes, after.nodes).map(({ kind, text }) => ({ kind, text })) }
}
