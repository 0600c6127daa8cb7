import katex from 'katex'
import { type Html, markup, trusted } from './html.ts'

// Setting a formula takes about 20 µs for each of its characters, and makes up to 300 of them.
const longestFormula = 2000
const longestOnPage = 50_000

/** Sets the formulas of one page: very many of them are shown as they were written. */
export function formulaSetter(room = longestOnPage): (formula: string, isBlock: boolean) => Html {
  let left = room
  return (formula, isBlock) => {
    left -= formula.length
    return left >= 0 ? renderMath(formula, isBlock) : asWritten(formula)
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
  })
