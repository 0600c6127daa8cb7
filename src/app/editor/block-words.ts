import { defineTexts } from '../texts.ts'

/** Other words that people use to search for blocks. */
const words = defineTexts('blockWords', {
  paragraph: 'paragraph plain',
  heading2: 'h1 h2 section title',
  heading3: 'h3 subheading subtitle',
  heading4: 'h4 subheading',
  list: 'bullets unordered ul',
  orderedList: 'ordered ol',
  taskList: 'todo checklist checkbox',
  quote: 'blockquote citation',
  hint: 'callout note info warning danger success alert tip admonition',
  codeBlock: 'snippet program terminal',
  expandable: 'toggle details collapse accordion faq',
  stepper: 'steps tutorial guide',
  columns: 'layout grid',
  conditional: 'if visitor audience',
  updates: 'changelog release news',
  table: 'grid rows spreadsheet',
  cards: 'tiles grid',
  divider: 'hr line separator',
  files: 'picture photo gallery upload attachment video pdf',
  embed: 'video youtube iframe website',
  file: 'attachment download pdf',
  pageLink: 'reference',
  math: 'latex equation',
  mermaid: 'mermaid chart flowchart drawing',
  reusable: 'snippet include',
  openapi: 'swagger endpoint',
  button: 'action',
  icon: 'symbol emoji',
  mention: 'person member user',
  annotation: 'footnote tooltip',
})

export type BlockWords = keyof typeof words

/** Names of tags, formats and blocks of other programs, which are used in all languages. */
const commonWords: Partial<Record<BlockWords, string>> = {
  heading2: 'h1 h2',
  heading3: 'h3',
  heading4: 'h4',
  list: 'ul',
  orderedList: 'ol',
  taskList: 'todo',
  quote: 'blockquote',
  hint: 'hint callout info note warning',
  codeBlock: 'code',
  expandable: 'toggle details faq',
  stepper: 'stepper',
  updates: 'changelog',
  table: 'table',
  divider: 'hr',
  files: 'image',
  embed: 'iframe youtube video',
  math: 'math latex',
  mermaid: 'mermaid',
  openapi: 'swagger',
}

interface SoughtBlock {
  title: string
  words?: BlockWords
}

/** Returns how well a block matches a query; 0 is the best match. */
function rankBlock({ title, words: group }: SoughtBlock, typed: string): number {
  const name = title.toLowerCase()
  if (name.startsWith(typed)) return 0
  const others = group ? `${words[group]} ${commonWords[group] ?? ''}`.toLowerCase().split(' ') : []
  if ([...name.split(' '), ...others].some((word) => word.startsWith(typed))) return 1
  return name.includes(typed) ? 2 : unfit
}

const unfit = 3

/** Returns the blocks that match a query, the best first. */
export function findBlocks<Block extends SoughtBlock>(choices: readonly Block[], query: string): Block[] {
  const typed = query.toLowerCase()
  return choices
    .map((choice) => ({ choice, rank: rankBlock(choice, typed) }))
    .filter(({ rank }) => rank < unfit)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice)
}
