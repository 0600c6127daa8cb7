import { texOfMath } from './html-mathml.ts'
import { type WebElement, find, isNamed, rawText } from './html-tree.ts'

export interface Formula {
  tex: string
  isBlock: boolean
}

/** Returns the TeX source of a formula, from an annotation of the page or converted from MathML. */
export function readFormula(element: WebElement): Formula | undefined {
  const { name, classes, attributes } = element
  if (classes.has('katex-display') || classes.has('katex') || name === 'math' || name === 'mjx-container') {
    const annotation = find(
      element,
      (inner) => inner.name === 'annotation' && inner.attributes['encoding'] === 'application/x-tex',
    )
    const math = name === 'math' ? element : find(element, isNamed('math'))
    const tex = annotation ? rawText(annotation) : math && texOfMath(math)
    const isBlock =
      classes.has('katex-display') || attributes['display'] === 'block' || attributes['display'] === 'true'
    return tex === undefined ? undefined : formula(tex, isBlock)
  }
  if (classes.has('arithmatex')) {
    const [, inline, block] =
      /^\s*(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$[\s\S]*\$\$)\s*$/.exec(rawText(element)) ?? []
    if (inline !== undefined) return formula(inline, false)
    if (block !== undefined) return formula(block, true)
    // If the formula is already rendered, its source is in a script element inside.
    const script = find(element, isNamed('script'))
    return script && formula(rawText(script), (script.attributes['type'] ?? '').includes('display'))
  }
  if (name === 'script') return formula(rawText(element), (attributes['type'] ?? '').includes('display'))
  return undefined
}

function formula(written: string, isBlock: boolean): Formula | undefined {
  // `$$` would end the formula, and so does an empty line in Markdown.
  const tex = written.trim().replace(/\n\s*\n/g, '\n')
  return tex === '' || tex.includes('$$') ? undefined : { tex: isBlock ? tex : tex.replace(/\s+/g, ' '), isBlock }
}
