import type { Block, ColorName, InlineElement, InlineNode, Leaf, Mark } from '../content/document/nodes.ts'
import { emojiCharacters } from '../content/document/text.ts'
import { convertFormula } from './math.ts'
import type { PdfContext } from './pdf-context.ts'
import { type Typst, typst } from './typst.ts'
import { breakLongRuns } from './words.ts'

/** Length of runs without spaces that may be broken: in paragraphs, and in narrow cells. */
export const runLengths = { wide: 48, narrow: 14 }

/** Converts inlines to content. */
export class PdfInlines {
  readonly #context: PdfContext
  readonly #renderBlocks: (blocks: readonly Block[]) => Typst
  /** Number of annotations around the current node. */
  #noteDepth = 0
  runLength = runLengths.wide

  constructor(context: PdfContext, renderBlocks: (blocks: readonly Block[]) => Typst) {
    this.#context = context
    this.#renderBlocks = renderBlocks
  }

  /** Returns content; `none` if the inlines have no content. */
  render(nodes: readonly InlineNode[]): Typst {
    const parts = nodes.flatMap((node) =>
      node.object === 'text' ? node.leaves.flatMap((leaf) => this.#leaf(leaf)) : this.#element(node),
    )
    return parts.length === 0 ? typst`none` : typst`seq(${parts})`
  }

  #element(node: InlineElement): Typst[] {
    const context = this.#context
    switch (node.type) {
      case 'link':
        return [context.link(context.findTarget(node.data.ref), this.render(node.nodes))]
      case 'emoji':
        return [typst`seq(${emojiCharacters(node.data.code)})`]
      case 'icon':
        return []
      case 'expression':
        return [typst`inline-code(${this.#breakable(node.data.expression)})`]
      case 'inline-math':
        return [convertFormula(node.data.formula, false) ?? typst`inline-code(${this.#breakable(node.data.formula)})`]
      case 'inline-image':
        return [this.#image(node.data)]
      case 'annotation':
        return [this.render(node.nodes), ...this.#note(node.fragments.flatMap(({ nodes }) => nodes))]
      case 'mention': {
        const target = context.findTarget(node.data.ref)
        return target ? [context.link(target, typst`seq(${target.title})`)] : []
      }
      case 'button': {
        const target = node.data.ref && context.findTarget(node.data.ref)
        return [context.link(target, typst`button(${node.data.label})`)]
      }
      case 'html':
        return []
      case 'anchor':
        return node.meta?.id === undefined ? [] : [context.defineAnchor(node.meta.id)]
    }
  }

  /** Notes inside notes are part of the text, because a footnote cannot contain many levels of others. */
  #note(blocks: readonly Block[]): Typst[] {
    this.#noteDepth++
    const body = this.#renderBlocks(blocks)
    this.#noteDepth--
    return [this.#noteDepth === 0 ? typst`footnote(${body})` : typst`seq(" (", ${body}, ")")`]
  }

  #image({ ref, alt, caption, size }: Extract<InlineElement, { type: 'inline-image' }>['data']): Typst {
    const file = this.#context.findFile(ref)
    const name = file && this.#context.useImage(file)
    const words = alt ?? caption ?? file?.name ?? this.#context.source.texts.notShown
    if (name === undefined) return this.#context.link(this.#context.findTarget(ref), typst`seq(${words})`)
    const width = size === 'original' ? file?.dimensions?.width : undefined
    return typst`inline-image(${name}, ${words}, ${width === undefined ? undefined : width * 0.75})`
  }

  #leaf({ text, marks }: Leaf): Typst[] {
    if (text === '') return []
    const isCode = marks.some(({ type }) => type === 'code')
    const lines = text.split('\n').map((line) => {
      const words = this.#breakable(line)
      return isCode ? typst`inline-code(${words})` : typst`${words}`
    })
    const content = lines.length === 1 ? (lines[0] as Typst) : typst`lines(${lines})`
    return [marks.toReversed().reduce((inner, mark) => applyMark(mark, inner), content)]
  }

  #breakable(text: string): string {
    return breakLongRuns(text, this.runLength)
  }
}

function applyMark(mark: Mark, inner: Typst): Typst {
  switch (mark.type) {
    case 'bold':
      return typst`strong(${inner})`
    case 'italic':
      return typst`emph(${inner})`
    case 'code':
      return inner
    case 'keyboard':
      return typst`keyboard(${inner})`
    case 'strikethrough':
      return typst`strike(${inner})`
    case 'superscript':
      return typst`super(${inner})`
    case 'subscript':
      return typst`sub(${inner})`
    case 'color': {
      const color = colorOf(mark.data.text)
      const background = colorOf(mark.data.background)
      const colored = color === undefined ? inner : typst`text(fill: ${color}, ${inner})`
      return background === undefined ? colored : typst`highlight(fill: ${background}.lighten(80%), ${colored})`
    }
  }
}

/** Colors of content on white paper; each has enough contrast for text. */
const colors: Readonly<Record<Exclude<ColorName, 'default' | '$primary'>, string>> = {
  green: '#1a7f37',
  blue: '#0a58ca',
  red: '#c62828',
  orange: '#b35900',
  yellow: '#8a6d00',
  purple: '#7a3fc4',
  pink: '#b8327f',
  violet: '#6a45c9',
  cyan: '#0b7285',
  $info: '#0a58ca',
  $success: '#1a7f37',
  $warning: '#b35900',
  $danger: '#c62828',
  $tint: '#5d6470',
}

const isColor = (name: string): name is keyof typeof colors => Object.hasOwn(colors, name)

/** Returns the color of a name in content; undefined for the default color and unknown names. */
export function colorOf(name: string | undefined): Typst | undefined {
  if (name === '$primary') return typst`accent`
  return name !== undefined && isColor(name) ? typst`rgb(${colors[name]})` : undefined
}
