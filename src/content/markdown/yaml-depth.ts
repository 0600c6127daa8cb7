import { Lexer } from 'yaml'

/** Maximum indentation of blocks: each level takes at least one column. */
const maxColumns = 200

const maxBraces = 100

/** Maximum number of tokens: the parser takes up to 40 microseconds and one kilobyte for each token or the error about it. */
const maxTokens = 100_000

/**
 * Whether YAML is nested too deeply. The parser recurses for each level, and a stack overflow inside it cannot be caught
 * reliably: a regular expression that is compiled at that point ends the process.
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

/** Whether YAML consists of too many tokens: names, values, markers and the whitespace between them. */
export function hasTooManyTokens(yaml: string): boolean {
  if (yaml.length <= maxTokens) return false
  let tokenCount = 0
  for (const _ of new Lexer().lex(yaml)) if (++tokenCount > maxTokens) return true
  return false
}
