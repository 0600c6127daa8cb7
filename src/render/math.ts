import katex from 'katex'
import { type Html, markup, trusted } from './html.ts'

/** Maximum length of a formula, in characters. A character takes up to 0.1 ms to render and becomes up to 500. */
export const maxFormulaLength = 2000

/** Maximum length of the HTML of one formula, in characters: that of a dense formula of the maximum length. */
const maxFormulaOutput = 512 * 1024

/** Maximum length of the HTML of all formulas of a page, in characters. */
const maxPageOutput = 2 * 1024 * 1024

/** Maximum number of tokens in a macro that a formula defines, so that `maxExpand` of them amount to one long formula. */
const maxMacroLength = 25

/** Renders a formula as visible HTML and as MathML for screen readers; undefined when it is invalid, too long, or becomes too long. */
export function renderFormula(formula: string, isBlock: boolean): string | undefined {
  if (formula.length > maxFormulaLength) return undefined
  try {
    const html = katex.renderToString(formula, {
      displayMode: isBlock,
      output: 'htmlAndMathml',
      throwOnError: true,
      // KaTeX would write its warnings to the log of the server.
      strict: 'ignore',
      trust: false,
      // Limits for sizes in em and for macros that call each other.
      maxSize: 50,
      maxExpand: 200,
      macros: new Proxy({}, { set: defineMacro }),
    })
    return html.length > maxFormulaOutput ? undefined : html
  } catch {
    return undefined
  }
}

/**
 * Returns the function that renders the formulas of one page while the limit of the page allows it; after that, it shows their
 * source as code.
 */
export function createFormulaRenderer(
  render: (formula: string, isBlock: boolean) => string | undefined,
  maxOutput = maxPageOutput,
): (formula: string, isBlock: boolean) => Html {
  let remaining = maxOutput
  return (formula, isBlock) => {
    const html = render(formula, isBlock)
    if (html === undefined || html.length > remaining) return markup`<code class="math-error">${formula}</code>`
    remaining -= html.length
    return trusted(html)
  }
}

/** Rejects macros that could expand a few characters to a long formula. */
function defineMacro(macros: object, name: string, macro: unknown): boolean {
  const tokens = macro instanceof Object && 'tokens' in macro && Array.isArray(macro.tokens) ? macro.tokens : []
  // The tokens are in reverse order, so the number of a parameter comes before its `#`.
  const parameters = tokens.flatMap((token, index) => (tokenText(tokens[index + 1]) === '#' ? [tokenText(token)] : []))
  if (tokens.length > maxMacroLength || new Set(parameters).size < parameters.length) return false
  return Reflect.set(macros, name, macro)
}

const tokenText = (token: unknown): unknown => (token instanceof Object && 'text' in token ? token.text : undefined)
