import katex from 'katex'
import { Typst, type TypstValue, typst, typstArray } from './typst.ts'

// Formulas are parsed by KaTeX, which returns MathML, and this is converted to expressions.

/** Maximum length of a formula, in characters. */
const maxLength = 2000

/** Maximum depth of nested elements: the layout of each level uses stack. */
const maxDepth = 40

interface MathElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: MathElement[]
  text: string
}

/** Converts a formula in TeX to an equation; undefined if it is invalid or too complex. */
export function convertFormula(formula: string, isBlock: boolean): Typst | undefined {
  if (formula.length > maxLength) return undefined
  try {
    const options = { displayMode: isBlock, output: 'mathml', strict: 'ignore', trust: false } as const
    const mathml = katex.renderToString(formula, { ...options, throwOnError: true, maxSize: 50, maxExpand: 200 })
    const root = parseMathml(mathml)
    return root && typst`math.equation(block: ${isBlock}, ${convertElement(root, 0)})`
  } catch {
    return undefined
  }
}

const token = /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g

/** Parses the MathML that KaTeX prints; returns its `math` element. */
function parseMathml(mathml: string): MathElement | undefined {
  const top: MathElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [top]
  for (const [, closing, name = '', attributes = '', isEmpty, text] of mathml.matchAll(token)) {
    const parent = open.at(-1) as MathElement
    if (text !== undefined) parent.text += decodeEntities(text)
    else if (closing) open.pop()
    else {
      const pairs = Array.from(
        attributes.matchAll(/([\w:-]+)="([^"]*)"/g),
        ([, key = '', value = '']) => [key, decodeEntities(value)] as const,
      )
      const element = { name, attributes: new Map(pairs), children: [], text: '' }
      parent.children.push(element)
      if (!isEmpty) open.push(element)
    }
  }
  const find = (element: MathElement): MathElement | undefined =>
    element.name === 'math' ? element : element.children.map(find).find((one) => one !== undefined)
  return find(top)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex: string, decimal: string, name: string) =>
    hex || decimal ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)) : (entities[name] ?? whole),
  )

const nothing = typst`[]`

const join = (items: readonly TypstValue[]): Typst => {
  const [first] = items
  if (first === undefined) return nothing
  return items.length === 1 && first instanceof Typst ? first : typst`seq(${items})`
}

/** Accents that are drawn above their base. */
const accents: Readonly<Record<string, string>> = {
  '^': '^',
  ˆ: '^',
  '~': '~',
  '˜': '~',
  '¯': '¯',
  ˉ: '¯',
  '˙': '˙',
  '¨': '¨',
  '´': '´',
  ˊ: '´',
  '`': '`',
  ˋ: '`',
  '˘': '˘',
  ˇ: 'ˇ',
  '˚': '˚',
  '⃗': '→',
  '→': '→',
  '←': '←',
}

const variants: Readonly<Record<string, readonly string[]>> = {
  normal: ['upright'],
  bold: ['upright', 'bold'],
  italic: ['italic'],
  'bold-italic': ['italic', 'bold'],
  'double-struck': ['bb'],
  script: ['cal'],
  'bold-script': ['cal', 'bold'],
  fraktur: ['frak'],
  'bold-fraktur': ['frak', 'bold'],
  'sans-serif': ['sans', 'upright'],
  'bold-sans-serif': ['sans', 'bold', 'upright'],
  'sans-serif-italic': ['sans', 'italic'],
  monospace: ['mono'],
}

class TooComplex extends Error {}

function convertElement(element: MathElement, depth: number): Typst {
  if (depth > maxDepth) throw new TooComplex()
  const { name, attributes, children } = element
  const convert = (child: MathElement | undefined) => (child ? convertElement(child, depth + 1) : nothing)
  const [first, second, third] = children
  switch (name) {
    case 'mi':
      return convertIdentifier(element)
    case 'mn':
      return convertVariant(typst`mtext(${element.text})`, attributes.get('mathvariant'))
    case 'mo':
      return convertOperator(element)
    case 'mtext':
    case 'ms':
      return convertVariant(typst`mtext(${element.text.replaceAll('\u00a0', ' ')})`, attributes.get('mathvariant'))
    case 'mspace':
      return attributes.get('linebreak') === 'newline' ? typst`linebreak()` : convertSpace(attributes.get('width'))
    case 'mfrac':
      return /^0(?:px|em)?$/.test(attributes.get('linethickness') ?? '')
        ? typst`math.mat(delim: none, (${convert(first)},), (${convert(second)},))`
        : typst`math.frac(${convert(first)}, ${convert(second)})`
    case 'msqrt':
      return typst`math.sqrt(${convertRow(children, depth)})`
    case 'mroot':
      return typst`math.root(${convert(second)}, ${convert(first)})`
    case 'msup':
      return typst`math.attach(${convert(first)}, tr: ${convert(second)})`
    case 'msub':
      return typst`math.attach(${convert(first)}, br: ${convert(second)})`
    case 'msubsup':
      return typst`math.attach(${convert(first)}, br: ${convert(second)}, tr: ${convert(third)})`
    case 'mover':
      return convertOver(convert(first), second, convert)
    case 'munder':
      return convertUnder(convert(first), second, convert)
    case 'munderover':
      return typst`math.attach(math.limits(${convert(first)}), b: ${convert(second)}, t: ${convert(third)})`
    case 'mtable':
      return typst`math.mat(delim: none, ${children.map((row) => typstArray(row.children.map(convert)))})`
    case 'mphantom':
      return typst`hide(${convertRow(children, depth)})`
    case 'semantics':
      return convert(first)
    case 'merror':
      throw new TooComplex()
    case 'mstyle': {
      const row = convertRow(children, depth)
      const color = attributes.get('mathcolor') ?? ''
      return /^#[0-9a-f]{6}$/i.test(color) ? typst`text(fill: rgb(${color}), ${row})` : row
    }
    default:
      return convertRow(children, depth)
  }
}

function convertRow(children: readonly MathElement[], depth: number): Typst {
  const items = children.map((child) => convertElement(child, depth + 1))
  const isFence = (element: MathElement | undefined) =>
    element?.name === 'mo' && element.attributes.get('fence') === 'true'
  const isFenced = children.length > 1 && isFence(children[0]) && isFence(children.at(-1))
  return isFenced ? typst`math.lr(${join(items)})` : join(items)
}

const isSingleCharacter = (text: string): boolean => Array.from(text).length === 1

function convertIdentifier({ text, attributes }: MathElement): Typst {
  const identifier = text.trim()
  if (identifier === '') return nothing
  if (!isSingleCharacter(identifier)) return typst`math.op(${identifier})`
  return convertVariant(typst`glyph(${identifier})`, attributes.get('mathvariant'))
}

function convertVariant(body: Typst, variant: string | undefined): Typst {
  return (variants[variant ?? ''] ?? []).reduceRight((inner, name) => new Typst(`math.${name}(${inner.code})`), body)
}

/** Invisible operators, which only describe the structure: application, times, separator, plus. */
const invisible = /[\u2061-\u2064\u200b]/g

function convertOperator({ text, attributes }: MathElement): Typst {
  const operator = text.replace(invisible, '').trim()
  if (operator === '') return nothing
  const isPlain = attributes.get('stretchy') === 'false' || attributes.get('fence') !== 'true'
  if (!isSingleCharacter(operator)) return typst`math.op(${operator})`
  return isPlain ? typst`glyph(${operator})` : typst`math.stretch(glyph(${operator}))`
}

function convertSpace(width: string | undefined): Typst {
  const ems = Number(/^(-?\d*\.?\d+)em$/.exec(width ?? '')?.[1] ?? 0)
  return ems === 0 ? nothing : typst`h(${Math.max(-2, Math.min(ems, 20))} * 1em)`
}

type Convert = (element: MathElement | undefined) => Typst

function convertOver(base: Typst, over: MathElement | undefined, convert: Convert): Typst {
  const mark = over?.name === 'mo' ? over.text.trim() : ''
  if (mark === '‾' || mark === '―' || mark === '_') return typst`math.overline(${base})`
  if (mark === '⏞') return typst`math.overbrace(${base})`
  const accent = Object.hasOwn(accents, mark) ? accents[mark] : undefined
  return accent === undefined
    ? typst`math.attach(math.limits(${base}), t: ${convert(over)})`
    : typst`math.accent(${base}, ${accent})`
}

function convertUnder(base: Typst, under: MathElement | undefined, convert: Convert): Typst {
  const mark = under?.name === 'mo' ? under.text.trim() : ''
  if (mark === '‾' || mark === '―' || mark === '_') return typst`math.underline(${base})`
  if (mark === '⏟') return typst`math.underbrace(${base})`
  return typst`math.attach(math.limits(${base}), b: ${convert(under)})`
}
