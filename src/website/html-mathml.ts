import { type WebElement, childElements, rawText, nodeText } from './html-tree.ts'

// Conversion of MathML to TeX, for pages that do not contain the source of their formulas.

const pairSymbols = (names: string, characters: string): [string, string][] => {
  const all = Array.from(characters)
  return names.split(' ').map((name, index) => [all[index] ?? '', `\\${name}`])
}

const commands = new Map([
  ...pairSymbols(
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi chi psi omega',
    'αβγδϵζηθικλμνξπρστυφχψω',
  ),
  ...pairSymbols('varepsilon vartheta phi varsigma', 'εϑϕς'),
  ...pairSymbols('Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega', 'ΓΔΘΛΞΠΣΥΦΨΩ'),
  ...pairSymbols('sum prod int iint oint bigcup bigcap', '∑∏∫∬∮⋃⋂'),
  ...pairSymbols('pm mp times cdot div ast circ oplus otimes cup cap setminus wedge vee neg', '±∓×⋅÷∗∘⊕⊗∪∩∖∧∨¬'),
  ...pairSymbols('le ge ne approx equiv sim simeq propto ll gg', '≤≥≠≈≡∼≃∝≪≫'),
  ...pairSymbols('in notin ni subset subseteq supset supseteq emptyset forall exists', '∈∉∋⊂⊆⊃⊇∅∀∃'),
  ...pairSymbols('to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto', '→←↔⇒⇐⇔↦'),
  ...pairSymbols('infty partial nabla ldots cdots vdots hbar ell mid perp angle', '∞∂∇…⋯⋮ℏℓ∣⊥∠'),
  ...pairSymbols('langle rangle lfloor rfloor lceil rceil |', '⟨⟩⌊⌋⌈⌉‖'),
  ...pairSymbols('{ } % # & $ _ backslash', '{}%#&$_\\'),
  ['−', '-'],
  ['′', "'"],
  ['\u00a0', '\\ '],
  // Invisible operators.
  ...Array.from('\u2061\u2062\u2063\u2064', (one): [string, string] => [one, '']),
])

const functions: ReadonlySet<string> = new Set(
  (
    'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim sup inf max min det dim ker arg deg ' +
    'gcd hom Pr limsup liminf'
  ).split(' '),
)

const alphabets: Readonly<Record<string, string>> = {
  normal: 'mathrm',
  bold: 'mathbf',
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
}

const accents = new Map(
  Object.entries({ '^': 'hat', '¯': 'bar', '―': 'overline', '~': 'tilde', '→': 'vec', '˙': 'dot' }),
)

/** Whether the limits of a TeX command are above and below it. */
const hasLimits = (tex: string) => /^\\(?:sum|prod|big\w+|lim\w*|max|min|sup|inf|o?int|iint|det|gcd|Pr)$/.test(tex)

/** Converts MathML to TeX. */
export function mathmlToTex(element: WebElement): string {
  const parts = childElements(element)
  const [first = '', second = '', third = ''] = elementsWithOperands.has(element.name) ? parts.map(mathmlToTex) : []
  switch (element.name) {
    case 'mi':
    case 'mo':
    case 'mn':
      return symbolToTex(element)
    case 'mtext':
    case 'ms':
      return textToTex(element)
    case 'mspace':
      return Number.parseFloat(element.attributes['width'] ?? '') >= 1 ? '\\quad ' : ''
    case 'msup':
      return `${group(first)}^${group(second)}`
    case 'msub':
      return `${group(first)}_${group(second)}`
    case 'msubsup':
      return `${group(first)}_${group(second)}^${group(third)}`
    case 'munder':
      return hasLimits(first) ? `${first}_${group(second)}` : `\\underset{${second}}{${first}}`
    case 'mover':
      return overToTex(first, second, parts[1])
    case 'munderover':
      return `${group(first)}_${group(second)}^${group(third)}`
    case 'mfrac':
      return element.attributes['linethickness'] === '0' ? `{${first} \\atop ${second}}` : `\\frac{${first}}{${second}}`
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`
    case 'msqrt':
      return `\\sqrt{${childrenToTex(parts)}}`
    case 'semantics':
      return parts[0] ? mathmlToTex(parts[0]) : ''
    case 'mtable':
      return tableToTex(element, parts)
    case 'mphantom':
    case 'annotation':
    case 'annotation-xml':
      return ''
    default:
      return parts.length === 0 ? '' : (fencedToTex(parts) ?? childrenToTex(parts))
  }
}

const elementsWithOperands: ReadonlySet<string> = new Set(
  'msup msub msubsup munder mover munderover mfrac mroot'.split(' '),
)

function symbolToTex(element: WebElement): string {
  const text = nodeText(element)
  const tex = joinTex(Array.from(text, (one) => commands.get(one) ?? one))
  if (element.name === 'mn' || tex.startsWith('\\')) return tex
  const alphabet = alphabets[element.attributes['mathvariant'] ?? '']
  if (!/^\p{L}/u.test(text)) return tex
  if (functions.has(text)) return `\\${text}`
  const isName = element.name === 'mi' && text.length > 1
  return alphabet ? `\\${alphabet}{${tex}}` : isName ? `\\operatorname{${tex}}` : tex
}

/** Converts text in a formula, including the spaces around it. */
function textToTex(element: WebElement): string {
  const written = rawText(element).replace(/\s+/g, ' ')
  return written.trim() === '' ? '\\ ' : `\\text{${written.replace(/[\\{}$%#&_^~]/g, '')}}`
}

/** Puts TeX in braces, unless it is a single character or command. */
const group = (tex: string) => (/^(?:[^\\]|\\[a-z]+|\\.)$/iu.test(tex) ? tex : `{${tex}}`)

/** Joins TeX, with a space between a command or exponent and a following letter or digit. */
function joinTex(parts: readonly string[]): string {
  const written: string[] = []
  for (const part of parts) {
    if (part === '') continue
    const isOpen = /(?:\\[a-z]+|[_^]\w)$/i.test((written.at(-1) ?? '').slice(-20))
    written.push(isOpen && /^[a-z\d]/i.test(part) ? ` ${part}` : part)
  }
  return written.join('')
}

const childrenToTex = (parts: readonly WebElement[]) => joinTex(parts.map(mathmlToTex))

function overToTex(base: string, above: string, accentElement: WebElement | undefined): string {
  if (hasLimits(base)) return `${base}^${group(above)}`
  const accent = accentElement?.name === 'mo' ? accents.get(nodeText(accentElement)) : undefined
  return accent === undefined ? `\\overset{${above}}{${base}}` : `\\${accent}{${base}}`
}

const texClassOf = ({ attributes }: WebElement) => attributes['data-mjx-texclass']

/** Converts an expression between stretchy brackets; undefined if there are none. */
function fencedToTex(parts: readonly WebElement[]): string | undefined {
  const [open, close] = [parts[0], parts.at(-1)]
  if (parts.length < 2 || !open || !close || texClassOf(open) !== 'OPEN' || texClassOf(close) !== 'CLOSE')
    return undefined
  const [left, right] = [symbolToTex(open) || '.', symbolToTex(close) || '.']
  return joinTex([`\\left${left}`, childrenToTex(parts.slice(1, -1)), `\\right${right}`])
}

function tableToTex({ attributes }: WebElement, rows: readonly WebElement[]): string {
  const name = attributes['columnalign']?.startsWith('right left') ? 'aligned' : 'matrix'
  const lines = rows.map((row) => childElements(row).map(mathmlToTex).join(' & '))
  return `\\begin{${name}} ${lines.join(' \\\\ ')} \\end{${name}}`
}
