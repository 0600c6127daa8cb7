import { Lexer } from 'yaml'

/** How far blocks may be indented: each level takes a column at least. */
const maxColumns = 200

const maxBraces = 100

/** What the parser makes of one part, or says against it, takes up to 40 microseconds and a kilobyte. */
const maxParts = 100_000

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

/** Whether YAML consists of more parts (names, values, marks and what is between them) than anybody writes. */
export function hasTooManyParts(yaml: string): boolean {
  if (yaml.length <= maxParts) return false
  let parts = 0
  for (const _ of new Lexer().lex(yaml)) if (++parts > maxParts) return true
  return false
}
