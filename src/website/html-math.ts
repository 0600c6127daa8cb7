import { mathmlToTex } from './html-mathml.ts'
import { type WebElement, findElement, hasTagName, rawText } from './html-tree.ts'

export interface WebFormula {
  tex: string
  isBlock: boolean
}

/** Returns the TeX source of a formula, from an annotation of the page or converted from MathML. */
export function readFormula(element: WebElement): WebFormula | undefined {
  const { name, classes, attributes } = element
  if (classes.has('katex-display') || classes.has('katex') || name === 'math' || name === 'mjx-container') {
    const annotation = findElement(
      element,
      (inner) => inner.name === 'annotation' && inner.attributes['encoding'] === 'application/x-tex',
    )
    const math = name === 'math' ? element : findElement(element, hasTagName('math'))
    const tex = annotation ? rawText(annotation) : math && mathmlToTex(math)
    const isBlock =
      classes.has('katex-display') || attributes['display'] === 'block' || attributes['display'] === 'true'
    return tex === undefined ? undefined : toFormula(tex, isBlock)
  }
  if (classes.has('arithmatex')) {
    const [, inline, block] =
      /^\s*(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$[\s\S]*\$\$)\s*$/.exec(rawText(element)) ?? []
    if (inline !== undefined) return toFormula(inline, false)
    if (block !== undefined) return toFormula(block, true)
    // If the formula is already rendered, its source is in a script element inside.
    const script = findElement(element, hasTagName('script'))
    return script && toFormula(rawText(script), (script.attributes['type'] ?? '').includes('display'))
  }
  if (name === 'script') return toFormula(rawText(element), (attributes['type'] ?? '').includes('display'))
  return undefined
}

function toFormula(source: string, isBlock: boolean): WebFormula | undefined {
  // `$$` would end the formula, and so does an empty line in Markdown.
  const tex = source.trim().replace(/\n\s*\n/g, '\n')
  return tex === '' || tex.includes('$$') ? undefined : { tex: isBlock ? tex : tex.replace(/\s+/g, ' '), isBlock }
}
