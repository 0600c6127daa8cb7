import { type BlockChange, diffDocuments, diffInlines } from '../../content/document/diff.ts'
import type { Block } from '../../content/document/nodes.ts'
import { isTextBlock } from '../../content/document/block-groups.ts'
import { textOfBlocks } from '../../content/document/text.ts'
import type { Tree } from '../../content/revision/tree.ts'
import type { BlockChange as ToldChange } from '../../contract/semantic-changes.ts'
import { readDocumentObject } from './body.ts'

/** Maximum number of blocks per text in a list of changes. */
const maxBlocks = 100

/** Returns the changes of a text by block and word; empty if the text is the same. */
export async function describeTextChanges(
  tree: Tree,
  before: string | undefined,
  after: string | undefined,
  combined: ReadonlySet<string> = new Set(),
): Promise<{ blocks?: ToldChange[]; moreBlocks?: number }> {
  if (before === after) return {}
  const changes = diffDocuments(await readDocumentObject(tree, before), await readDocumentObject(tree, after))
  const more = changes.length - maxBlocks
  const blocks = changes
    .slice(0, maxBlocks)
    .map((change) => ({ ...describeBlockChange(change), ...(combined.has(change.key) && { combined: true }) }))
  return { blocks, ...(more > 0 && { moreBlocks: more }) }
}

function describeBlockChange(change: BlockChange): ToldChange {
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

function diffWords(before: Block, after: Block): Pick<ToldChange, 'words'> {
  if (!isTextBlock(before) || !isTextBlock(after)) return {}
  return { words: diffInlines(before.nodes, after.nodes).map(({ kind, text }) => ({ kind, text })) }
}
