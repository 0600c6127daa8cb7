import { type Side, mergeFields, mergeNames, mergeValue } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { type ConflictingPart, mergeTable } from './merge-table.ts'
import { type MergedText, type TextBudget, mergeInlines, mergeLines } from './merge-text.ts'
import type { Block, Fragment } from './nodes.ts'
import type { BlockOf } from './block-definitions.ts'
import { type TextBlock, uniqueFragmentNames, isEqualContent, isTextBlock } from './block-groups.ts'
import { fragmentsOf } from './walk.ts'

export interface BlockMergeOptions {
  /** Side whose version is used in conflicts. */
  prefer: Side
  /** Language whose rules separate sentences. */
  language?: string | undefined
  /** Whether a text that both sides changed is a conflict, and never combined of both. */
  keepsTextsWhole?: boolean | undefined
  budget?: TextBudget | undefined
}

/** Result of merging a block that both sides changed, except its nested blocks: these are still those of one side. */
export interface MergedBlock {
  block: Block
  isConflict: boolean
  /** Whether its text contains changes of both sides. */
  isCombined: boolean
  /** Parts of a table that are in conflict. */
  parts?: ConflictingPart[]
}

/** Merges a block except its nested blocks. */
export function mergeBlockShallow(
  base: Block | undefined,
  ours: Block,
  theirs: Block,
  options: BlockMergeOptions,
): MergedBlock {
  const { prefer } = options
  const areTexts = isTextBlock(ours) && isTextBlock(theirs)
  if (ours.type !== theirs.type && !(areTexts && base && isTextBlock(base))) {
    return { block: { base: base ?? ours, ours, theirs }[prefer], isConflict: true, isCombined: false }
  }
  const before = base && (base.type === ours.type || (areTexts && isTextBlock(base))) ? base : undefined
  if (ours.type === 'table' && theirs.type === 'table') {
    const merged = mergeTable(before?.type === 'table' ? before : undefined, ours, theirs, prefer)
    return {
      block: merged.value,
      isConflict: merged.conflictingParts.length > 0,
      isCombined: false,
      parts: merged.conflictingParts,
    }
  }
  const type = mergeValue(before?.type, ours.type, theirs.type, { prefer })
  const data = mergeFields(dataOf(before), dataOf(ours), dataOf(theirs), (_, ...values) =>
    mergeValue(...values, { prefer }),
  )
  const content = mergeContent(before, ours, theirs, options)
  const fragments = mergeFragments(before ? fragmentsOf(before) : [], fragmentsOf(ours), fragmentsOf(theirs), prefer)
  const hasData = Object.keys(data.value).length > 0 || 'data' in ours
  const { fragments: _, ...rest } = ours as Block & { fragments?: readonly Fragment[] }
  const block = {
    ...rest,
    type: type.value,
    ...(hasData && { data: data.value }),
    ...(content && { nodes: content.nodes }),
    ...((fragments.value.length > 0 || 'fragments' in ours) && { fragments: fragments.value }),
  } as Block
  const isConflict = [type, data, content, fragments].some((one) => one?.isConflict)
  return { block, isConflict, isCombined: content?.isCombined ?? false }
}

function dataOf(block: Block | undefined): object {
  return (block && 'data' in block && block.data) || {}
}

function mergeContent(
  base: Block | undefined,
  ours: Block,
  theirs: Block,
  options: BlockMergeOptions,
): MergedText<unknown> | undefined {
  if (options.keepsTextsWhole && isTextOrCode(ours) && isTextOrCode(theirs)) {
    const { value, isConflict } = mergeValue<readonly unknown[]>(
      base && isTextOrCode(base) ? base.nodes : [],
      ours.nodes,
      theirs.nodes,
      {
        prefer: options.prefer,
        isEqual: isEqualContent,
      },
    )
    return { nodes: value, isConflict, isCombined: false }
  }
  if (isTextBlock(ours) && isTextBlock(theirs)) {
    return mergeInlines(base && isTextBlock(base) ? base.nodes : [], ours.nodes, theirs.nodes, options)
  }
  if (ours.type === 'code' && theirs.type === 'code') {
    return mergeLines(base?.type === 'code' ? base.nodes : [], ours.nodes, theirs.nodes, options.prefer)
  }
  return undefined
}

const isTextOrCode = (block: Block): block is TextBlock | BlockOf<'code'> => isTextBlock(block) || block.type === 'code'

function mergeFragments(
  base: readonly Fragment[],
  ours: readonly Fragment[],
  theirs: readonly Fragment[],
  prefer: Side,
): { value: Fragment[]; isConflict: boolean } {
  const [old, our, their] = [base, ours, theirs].map((fragments) => {
    const names = uniqueFragmentNames(fragments)
    return new Map(fragments.map((fragment, index) => [names[index] as string, fragment]))
  }) as [Map<string, Fragment>, Map<string, Fragment>, Map<string, Fragment>]
  const isChangedIn = (side: Map<string, Fragment>) => (name: string) => !isEqualContent(old.get(name), side.get(name))
  const { names, conflicts } = mergeNames(
    old.keys(),
    our.keys(),
    their.keys(),
    isChangedIn(our),
    isChangedIn(their),
    prefer,
  )
  const { order } = mergeOrder([...old.keys()], [...our.keys()], [...their.keys()], (name) => names.has(name), prefer)
  const value = order.flatMap((name) => our.get(name) ?? their.get(name) ?? [])
  return { value, isConflict: conflicts.length > 0 }
}
