import katex from 'katex'
import { type Html, markup, trusted } from './html.ts'

// Setting a formula takes about 20 µs for each of its characters, and makes up to 300 of them.
const longestFormula = 2000
const longestOnPage = 50_000
const madeOfCharacter = 200

/** Of a macro that a formula defines; up to `maxExpand` of them come to no more than a long formula. */
const longestMacro = 25

/** Sets the formulas of one page: very many of them are shown as they were written. */
export function formulaSetter(room = longestOnPage): (formula: string, isBlock: boolean) => Html {
  let left = room
  return (formula, isBlock) => {
    if (left < formula.length) return asWritten(formula)
    const html = renderMath(formula, isBlock)
    // What a formula makes of itself counts, as short ones and such with macros make far more than others.
    left -= Math.max(formula.length, html.text.length / madeOfCharacter)
    return html
  }
}

/** A formula as it is set, for eyes and for screen readers. What cannot be set is shown as it was written. */
export function renderMath(formula: string, isBlock: boolean): Html {
  try {
    if (formula.length <= longestFormula) return trusted(set(formula, isBlock))
  } catch {
    // It is not for us to repair.
  }
  return asWritten(formula)
}

const asWritten = (formula: string): Html => markup`<code class="math-error">${formula}</code>`

const set = (formula: string, isBlock: boolean): string =>
  katex.renderToString(formula, {
    displayMode: isBlock,
    output: 'htmlAndMathml',
    throwOnError: true,
    // Lenient, because its complaints would go to the log of the server.
    strict: 'ignore',
    trust: false,
    // Bounds for sizes in em and for macros that call each other.
    maxSize: 50,
    maxExpand: 200,
    macros: new Proxy({}, { set: defineMacro }),
  })

/** Takes the definition of a macro, unless a few letters could make a long formula of it. */
function defineMacro(macros: object, name: string, macro: unknown): boolean {
  const tokens = macro instanceof Object && 'tokens' in macro && Array.isArray(macro.tokens) ? macro.tokens : []
  // What a macro is given stands behind `#`, the last token first.
  const given = tokens.flatMap((token, index) => (textOf(tokens[index + 1]) === '#' ? [textOf(token)] : []))
  if (tokens.length > longestMacro || new Set(given).size < given.length) return false
  return Reflect.set(macros, name, macro)
}

const textOf = (token: unknown): unknown => (token instanceof Object && 'text' in token ? token.text : undefined)
