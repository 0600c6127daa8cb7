import type { BlockType } from '../content/document/block-definitions.ts'
import type { Block } from '../content/document/nodes.ts'
import { mapBlocks } from '../content/document/walk.ts'
import { type ParseOptions, parsePage } from '../content/markdown/parse.ts'

/** Maximum length of a description; the rest is omitted. */
const maxLength = 100_000

// A document may come from a third party, so its texts can refer to URLs only, not to content of the organization.
const parseOptions: ParseOptions = {
  references: {
    resolve: (url) => ({ kind: 'url', url }),
    print: (ref) => (ref.kind === 'url' ? ref.url : ''),
  },
  isExpression: () => false,
  // A heading at the start of a description is not the title of a page.
  hasTitle: false,
}

/** Blocks that include other content. */
const omittedTypes: ReadonlySet<BlockType> = new Set<BlockType>([
  'reusable-content',
  'integration',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
])

/** Parses the Markdown of a description into blocks. */
export function parseDescription(markdown: string | undefined): readonly Block[] {
  if (markdown === undefined || markdown.trim() === '') return []
  // Front matter is recognized only on the first line.
  const { document } = parsePage(`\n${markdown.slice(0, maxLength)}`, parseOptions)
  return mapBlocks(document.nodes, (block) => (omittedTypes.has(block.type) ? [] : block))
}
