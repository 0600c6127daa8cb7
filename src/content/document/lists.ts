import type { Block, OrderedList, TaskList, UnorderedList } from './nodes.ts'

export const isList = (block: Block): block is OrderedList | TaskList | UnorderedList =>
  block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks'
