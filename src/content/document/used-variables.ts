import { findInputPaths, parseExpressionLeniently } from '../expression/index.ts'
import type { Document } from './nodes.ts'
import { walkBlocks, walkInlines } from './walk.ts'

/** Returns the names of the variables of the space that the expressions of a document, or the condition of its page, use. */
export function findUsedVariables(document: Document, condition = ''): string[] {
  const sources = new Set<string>(condition === '' ? [] : [condition])
  for (const block of walkBlocks(document)) {
    if (block.type === 'if') sources.add(block.data.expression)
    for (const inline of walkInlines(block))
      if (inline.object === 'inline' && inline.type === 'expression') sources.add(inline.data.expression)
  }
  const names = new Set<string>()
  for (const source of sources) for (const name of findVariableNames(source)) names.add(name)
  return [...names]
}

function findVariableNames(source: string): string[] {
  try {
    return findInputPaths(parseExpressionLeniently(source)).flatMap(([object, list, name]) =>
      object === 'space' && list === 'vars' && name !== undefined ? [name] : [],
    )
  } catch {
    return []
  }
}
