import { findInputPaths, parseExpressionLeniently } from '../expression/index.ts'
import type { Block } from './nodes.ts'
import { walkInlines } from './walk.ts'

/** Returns the names of the variables of the space that the expressions of blocks, or the condition of their page, use. */
export function findUsedVariables(blocks: Iterable<Block>, condition = ''): string[] {
  const sources = new Set<string>(condition === '' ? [] : [condition])
  for (const block of blocks) {
    if (block.type === 'if') sources.add(block.data.expression)
    for (const inline of walkInlines(block))
      if (inline.object === 'inline' && inline.type === 'expression') sources.add(inline.data.expression)
  }
  return listVariableNames(sources)
}

/** Returns the names of the variables of the space that expressions use. */
export function listVariableNames(sources: Iterable<string>): string[] {
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
