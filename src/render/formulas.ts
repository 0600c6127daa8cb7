import type { Document } from '../content/document/nodes.ts'
import { everyBlock, everyInlineIn } from '../content/document/walk.ts'

export interface DocumentFormula {
  formula: string
  isBlock: boolean
}

/** Returns the formulas of a document in order. */
export function* findFormulas(document: Document): Iterable<DocumentFormula> {
  for (const block of everyBlock(document)) {
    if (block.type === 'math') yield { formula: block.data.formula, isBlock: true }
    for (const inline of everyInlineIn(block)) {
      if (inline.object === 'inline' && inline.type === 'inline-math')
        yield { formula: inline.data.formula, isBlock: false }
    }
  }
}
