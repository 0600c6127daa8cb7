import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import type { Block } from '../../src/content/document/nodes.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { blockOfEachType } from '../support/blocks.ts'

/** Types that occur only inside other blocks, and the types as which they are parsed alone. */
const parsedAs: Partial<Record<Block['type'], Block['type']>> = {
  'list-item': 'paragraph',
  'code-line': 'paragraph',
  image: 'images',
}

test.each(Object.entries(blockOfEachType))('parses a printed block of type %s as the expected type', (_, block) => {
  const printed = printPage({ document: createDocument([block]) }, verbatimReferences)
  const { document } = parsePage(printed, { references: verbatimReferences, isExpression })
  expect(document.nodes.map(({ type }) => type)).toEqual([parsedAs[block.type] ?? block.type])
})
