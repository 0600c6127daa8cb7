import type { Node } from 'prosemirror-model'
import type { Block } from '../../../content/document/nodes.ts'
import { blockTexts } from './block-texts.ts'
import type { BlockTools } from './block-tools.ts'

const listNames = ({
  editorTexts: texts,
  toolTexts,
  containerTexts,
  formTexts,
}: BlockTools): Readonly<Record<string, string>> => ({
  paragraph: texts.paragraph,
  heading_1: toolTexts.heading2,
  heading_2: toolTexts.heading3,
  heading_3: toolTexts.heading3,
  list_unordered: toolTexts.list,
  list_ordered: texts.orderedList,
  list_tasks: toolTexts.taskList,
  list_item: blockTexts.listItem,
  task_item: blockTexts.listItem,
  blockquote: toolTexts.quote,
  hint: toolTexts.hint,
  code_block: toolTexts.codeBlock,
  divider: toolTexts.divider,
  images: formTexts.image,
  expandable: toolTexts.expandable,
  columns: toolTexts.columns,
  stepper: toolTexts.stepper,
  stepper_step: blockTexts.step,
  tabs: toolTexts.tabs,
  updates: containerTexts.updates,
  if: containerTexts.conditional,
  table: toolTexts.table,
})

/** Returns the name of the type of a block for its menu. */
export function nameBlock({ type, attrs }: Node, tools: BlockTools): string {
  const json = attrs['json'] as Block | undefined
  return listNames(tools)[type.name] ?? (json && tools.formTitle(json)) ?? tools.editorTexts.block
}
