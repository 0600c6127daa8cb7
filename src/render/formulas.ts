import type { Document } from '../content/document/nodes.ts'
import { walkBlocks, walkInlines } from '../content/document/walk.ts'

export interface DocumentFormula {
  formula: string
  isBlock: boolean
}

/** Returns the formulas of a document in order. */
export function* findFormulas(document: Document): Iterable<DocumentFormula> {
  for (const block of walkBlocks(document)) {
    if (block.type === 'math') yield { formula: block.data.formula, isBlock: true }
    for (const inline of walkInlines(block)) {
      if (inline.object === 'inline' && inline.type === 'inline-math')
        yield { formula: inline.data.formula, isBlock: false }
    }
  }
}
