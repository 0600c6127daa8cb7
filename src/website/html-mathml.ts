import { type WebElement, elementsIn, rawText, textOf } from './html-tree.ts'

// Conversion of MathML to TeX, for pages that do not contain the source of their formulas.

const named = (names: string, characters: string): [string, string][] => {
  const all = Array.from(characters)
  return names.split(' ').map((name, index) => [all[index] ?? '', `\\${name}`])
}

const commands = new Map([
  ...named(
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi chi psi omega',
    'αβγδϵζηθικλμνξπρστυφχψω',
  ),
  ...named('varepsilon vartheta phi varsigma', 'εϑϕς'),
  ...named('Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega', 'ΓΔΘΛΞΠΣΥΦΨΩ'),
  ...named('sum prod int iint oint bigcup bigcap', '∑∏∫∬∮⋃⋂'),
  ...named('pm mp times cdot div ast circ oplus otimes cup cap setminus wedge vee neg', '±∓×⋅÷∗∘⊕⊗∪∩∖∧∨¬'),
  ...named('le ge ne approx equiv sim simeq propto ll gg', '≤≥≠≈≡∼≃∝≪≫'),
  ...named('in notin ni subset subseteq supset supseteq emptyset forall exists', '∈∉∋⊂⊆⊃⊇∅∀∃'),
  ...named('to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto', '→←↔⇒⇐⇔↦'),
  ...named('infty partial nabla ldots cdots vdots hbar ell mid perp angle', '∞∂∇…⋯⋮ℏℓ∣⊥∠'),
  ...named('langle rangle lfloor rfloor lceil rceil |', '⟨⟩⌊⌋⌈⌉‖'),
  ...named('{ } % # & $ _ backslash', '{}%#&$_\\'),
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
const isLarge = (tex: string) => /^\\(?:sum|prod|big\w+|lim\w*|max|min|sup|inf|o?int|iint|det|gcd|Pr)$/.test(tex)

/** Converts MathML to TeX. */
export function texOfMath(element: WebElement): string {
  const parts = elementsIn(element)
  const [first = '', second = '', third = ''] = withParts.has(element.name) ? parts.map(texOfMath) : []
  switch (element.name) {
    case 'mi':
    case 'mo':
    case 'mn':
      return symbol(element)
    case 'mtext':
    case 'ms':
      return words(element)
    case 'mspace':
      return Number.parseFloat(element.attributes['width'] ?? '') >= 1 ? '\\quad ' : ''
    case 'msup':
      return `${group(first)}^${group(second)}`
    case 'msub':
      return `${group(first)}_${group(second)}`
    case 'msubsup':
      return `${group(first)}_${group(second)}^${group(third)}`
    case 'munder':
      return isLarge(first) ? `${first}_${group(second)}` : `\\underset{${second}}{${first}}`
    case 'mover':
      return over(first, second, parts[1])
    case 'munderover':
      return `${group(first)}_${group(second)}^${group(third)}`
    case 'mfrac':
      return element.attributes['linethickness'] === '0' ? `{${first} \\atop ${second}}` : `\\frac{${first}}{${second}}`
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`
    case 'msqrt':
      return `\\sqrt{${joined(parts)}}`
    case 'semantics':
      return parts[0] ? texOfMath(parts[0]) : ''
    case 'mtable':
      return table(element, parts)
    case 'mphantom':
    case 'annotation':
    case 'annotation-xml':
      return ''
    default:
      return parts.length === 0 ? '' : (fenced(parts) ?? joined(parts))
  }
}

const withParts: ReadonlySet<string> = new Set('msup msub msubsup munder mover munderover mfrac mroot'.split(' '))

function symbol(element: WebElement): string {
  const written = textOf(element)
  const tex = inARow(Array.from(written, (one) => commands.get(one) ?? one))
  if (element.name === 'mn' || tex.startsWith('\\')) return tex
  const alphabet = alphabets[element.attributes['mathvariant'] ?? '']
  if (!/^\p{L}/u.test(written)) return tex
  if (functions.has(written)) return `\\${written}`
  const isName = element.name === 'mi' && written.length > 1
  return alphabet ? `\\${alphabet}{${tex}}` : isName ? `\\operatorname{${tex}}` : tex
}

/** Converts text in a formula, including the spaces around it. */
function words(element: WebElement): string {
  const written = rawText(element).replace(/\s+/g, ' ')
  return written.trim() === '' ? '\\ ' : `\\text{${written.replace(/[\\{}$%#&_^~]/g, '')}}`
}

/** Puts TeX in braces, unless it is a single character or command. */
const group = (tex: string) => (/^(?:[^\\]|\\[a-z]+|\\.)$/iu.test(tex) ? tex : `{${tex}}`)

/** Joins TeX, with a space between a command or exponent and a following letter or digit. */
function inARow(parts: readonly string[]): string {
  const written: string[] = []
  for (const part of parts) {
    if (part === '') continue
    const isOpen = /(?:\\[a-z]+|[_^]\w)$/i.test((written.at(-1) ?? '').slice(-20))
    written.push(isOpen && /^[a-z\d]/i.test(part) ? ` ${part}` : part)
  }
  return written.join('')
}

const joined = (parts: readonly WebElement[]) => inARow(parts.map(texOfMath))

function over(base: string, above: string, sign: WebElement | undefined): string {
  if (isLarge(base)) return `${base}^${group(above)}`
  const accent = sign?.name === 'mo' ? accents.get(textOf(sign)) : undefined
  return accent === undefined ? `\\overset{${above}}{${base}}` : `\\${accent}{${base}}`
}

const classOf = ({ attributes }: WebElement) => attributes['data-mjx-texclass']

/** Converts an expression between stretchy brackets; undefined if there are none. */
function fenced(parts: readonly WebElement[]): string | undefined {
  const [open, close] = [parts[0], parts.at(-1)]
  if (parts.length < 2 || !open || !close || classOf(open) !== 'OPEN' || classOf(close) !== 'CLOSE') return undefined
  const [left, right] = [symbol(open) || '.', symbol(close) || '.']
  return inARow([`\\left${left}`, joined(parts.slice(1, -1)), `\\right${right}`])
}

function table({ attributes }: WebElement, rows: readonly WebElement[]): string {
  const name = attributes['columnalign']?.startsWith('right left') ? 'aligned' : 'matrix'
  const lines = rows.map((row) => elementsIn(row).map(texOfMath).join(' & '))
  return `\\begin{${name}} ${lines.join(' \\\\ ')} \\end{${name}}`
}
