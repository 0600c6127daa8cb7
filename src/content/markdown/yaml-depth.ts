import { Lexer } from 'yaml'

/** How far blocks may be indented: each level takes a column at least. */
const maxColumns = 200

const maxBraces = 100

/**
 * Whether YAML is nested deeper than anybody writes. The parser calls itself for every level, and to run out of stack
 * within it cannot be caught for certain: an expression that is compiled there ends the process.
 */
export function isNestedTooDeep(yaml: string): boolean {
  for (const [start] of yaml.matchAll(/^[ \t]*(?:[-?:][ \t]+)*/gm)) if (start.length > maxColumns) return true
  if ((yaml.match(/[[{]/g)?.length ?? 0) <= maxBraces) return false
  let depth = 0
  for (const token of new Lexer().lex(yaml)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1)
    if (depth > maxBraces) return true
  }
  return false
}
