import type {
  Block,
  Code,
  Fragment,
  Heading,
  Image,
  Images,
  InlineNode,
  Length,
  ListItem,
} from '../content/document/nodes.ts'
import type { BlockOf, BlockType } from '../content/document/block-definitions.ts'
import { isInvisibleParagraph } from '../content/document/raw-html.ts'
import { plainText, textOfBlocks } from '../content/document/text.ts'
import { formatFileSize } from '../render/file-size.ts'
import { breakCode } from './code.ts'
import { PdfInlines, runLengths } from './inlines.ts'
import { convertFormula } from './math.ts'
import type { PdfContext } from './pdf-context.ts'
import { renderTable } from './tables.ts'
import { type Typst, typst, typstArray } from './typst.ts'
import { breakLongRuns, directionOf } from './words.ts'

/** Maximum depth of nested blocks with a layout of their own; deeper blocks follow each other. */
const maxDepth = 16

/** Height of the area of an image in points; a higher image is scaled down. */
const maxImageHeight = 620

/** Points per CSS pixel. */
const pointsPerPixel = 0.75

type Renderers = { readonly [Type in BlockType]: (block: BlockOf<Type>) => Typst | undefined }

/** Converts the blocks of documents to content. */
export class PdfBlocks {
  readonly #context: PdfContext
  readonly #inlines: PdfInlines
  /** Level of the title of the current page. */
  titleLevel = 1
  #depth = 0

  constructor(context: PdfContext) {
    this.#context = context
    this.#inlines = new PdfInlines(context, (blocks) => this.#joined(blocks))
  }

  /** Returns the content of each block. */
  renderAll(blocks: readonly Block[]): Typst[] {
    return blocks.flatMap((block) => this.#render(block))
  }

  #render(block: Block): Typst[] {
    const anchor = block.meta?.id === undefined ? [] : [this.#context.defineAnchor(block.meta.id)]
    this.#depth++
    const content =
      this.#depth > maxDepth && 'nodes' in block && block.type !== 'code' && !isTextBlock(block)
        ? this.#flattened(block)
        : (this.#renderers[block.type] as (block: Block) => Typst | undefined)(block)
    this.#depth--
    return content ? [...anchor, content] : anchor
  }

  /** Returns the texts of a deeply nested block. */
  #flattened(block: Block): Typst | undefined {
    const text = textOfBlocks([block], '\n')
    return text === '' ? undefined : typst`paragraph(start, lines(${text.split('\n')}))`
  }

  #joined(blocks: readonly Block[]): Typst {
    const parts = this.#tight(blocks)
    return parts.length === 0 ? typst`none` : typst`seq(${parts})`
  }

  /** Converts blocks of which the first paragraph is part of the line that it is in. */
  #tight(blocks: readonly Block[]): Typst[] {
    const [first, ...rest] = blocks
    if (first?.type !== 'paragraph') return this.renderAll(blocks)
    return [this.#inlines.render(first.nodes), ...this.renderAll(rest)]
  }

  #stacked(blocks: readonly Block[]): Typst {
    const parts = this.renderAll(blocks)
    return parts.length === 0 ? typst`none` : typst`seq(${parts})`
  }

  readonly #renderers: Renderers = {
    paragraph: (block) => {
      if (isInvisibleParagraph(block)) return this.#inlines.render(block.nodes)
      if (isBlank(block.nodes)) return undefined
      const align = typst`${alignments[block.data?.align ?? 'start']}`
      return this.#directed(block.nodes, typst`paragraph(${align}, ${this.#inlines.render(block.nodes)})`)
    },
    'heading-1': (block) => this.#heading(block, 1),
    'heading-2': (block) => this.#heading(block, 2),
    'heading-3': (block) => this.#heading(block, 3),
    'list-ordered': (block) =>
      typst`ordered-list(${block.data?.start ?? 1}, ${isTightList(block.nodes)}, ${this.#items(block.nodes)})`,
    'list-unordered': (block) => typst`bullet-list(${isTightList(block.nodes)}, ${this.#items(block.nodes)})`,
    'list-tasks': (block) =>
      typst`task-list(${block.nodes.map((item) => typst`(${item.data?.checked === true}, ${this.#joined(item.nodes)})`)})`,
    'list-item': (block) => typst`bullet-list(true, ${this.#joined(block.nodes)})`,
    divider: () => typst`divider()`,
    blockquote: (block) => typst`quotation(${this.#stacked(block.nodes)})`,
    hint: ({ data: { style }, nodes }) =>
      typst`hint(${hintColors[style]}, ${this.#context.source.texts.hints[style]}, ${this.#stacked(nodes)})`,
    prompt: ({ data, nodes }) => typst`framed(${data?.description ?? ''}, ${this.#stacked(nodes)})`,
    code: (block) => this.#code(block),
    'code-line': (block) => this.#code({ object: 'block', type: 'code', nodes: [block] }),
    images: (block) => this.#images(block),
    image: (block) => this.#image(block, undefined),
    file: ({ data, fragments }) => {
      const file = this.#context.findFile(data.ref)
      if (!file) return this.#missing('')
      const details = file.size === undefined ? '' : formatFileSize(file.size)
      const box = this.#context.link({ title: file.name, url: file.url }, typst`reference(${file.name}, ${details})`)
      return typst`figure-with(${box}, ${this.#caption(fragments)}, start)`
    },
    drawing: ({ data }) =>
      data.ref
        ? this.#image({ object: 'block', type: 'image', isVoid: true, data: { ref: data.ref } }, undefined)
        : undefined,
    embed: ({ data, fragments }) => {
      const link = this.#context.link(
        { title: data.url, url: data.url },
        typst`reference(${breakLongRuns(data.url, runLengths.wide)}, "")`,
      )
      return typst`figure-with(${link}, ${this.#caption(fragments)}, start)`
    },
    math: ({ data }) => convertFormula(data.formula, true) ?? typst`code-block(${data.formula}, none, none, false, ())`,
    expandable: ({ fragments }) => {
      const nodesOf = (type: string) => fragments.filter((one) => one.type === type).flatMap(({ nodes }) => nodes)
      return typst`framed(${this.#joined(nodesOf('expandable-title'))}, ${this.#stacked(nodesOf('expandable-body'))})`
    },
    tabs: (block) => typst`seq(${block.nodes.flatMap((tab) => this.#render(tab))})`,
    'tabs-item': ({ data, nodes }) => typst`framed(${data?.title ?? ''}, ${this.#stacked(nodes)})`,
    stepper: (block) =>
      block.nodes.length === 0 ? undefined : typst`steps(${block.nodes.map((step) => this.#stacked(step.nodes))})`,
    'stepper-step': (block) => typst`steps(${this.#stacked(block.nodes)})`,
    columns: (block) => {
      if (block.nodes.length === 0) return undefined
      const widths = typstArray(block.nodes.map(({ data }) => columnWidth(data?.width)))
      return typst`columns-of(${widths}, ${block.nodes.map((column) => this.#stacked(column.nodes))})`
    },
    column: (block) => this.#stacked(block.nodes),
    updates: (block) =>
      block.nodes.length === 0 ? undefined : typst`seq(${block.nodes.flatMap((update) => this.#render(update))})`,
    update: ({ data, nodes }) => {
      const { tags } = this.#context.source
      const labels = (data?.tags ?? []).map(({ tag }) => (Object.hasOwn(tags, tag) ? (tags[tag] as string) : tag))
      return typst`update(${data?.date ?? ''}, ${typstArray(labels)}, ${this.#stacked(nodes)})`
    },
    if: (block) => this.#stacked(block.nodes),
    table: (block) => this.#table(block),
    'content-ref': ({ data }) => {
      const target = this.#context.findTarget(data.ref)
      return target && this.#context.link(target, typst`reference(${target.title}, "")`)
    },
    'reusable-content': () => this.#missing(''),
    integration: ({ data }) => this.#unsupported(`${data.integration}/${data.block}`, data.url),
    swagger: ({ data: { method, path, ref } }) =>
      this.#unsupported(
        [method?.toUpperCase(), path].filter(Boolean).join(' '),
        ref.kind === 'url' ? ref.url : undefined,
      ),
    'openapi-operation': ({ data }) => this.#unsupported(`${data.method.toUpperCase()} ${data.path}`, undefined),
    'openapi-schemas': ({ data }) =>
      this.#unsupported([data.title, data.schemas.join(', ')].filter(Boolean).join(': '), undefined),
    'openapi-webhook': ({ data }) => this.#unsupported(`${data.method.toUpperCase()} ${data.name}`, undefined),
  }

  #heading(block: Heading, level: 1 | 2 | 3): Typst | undefined {
    if (isBlank(block.nodes)) return undefined
    const content = typst`section(${this.titleLevel + level}, ${level}, ${this.#inlines.render(block.nodes)})`
    return this.#directed(block.nodes, content)
  }

  /** Sets the direction of a text that differs from the direction of the content. */
  #directed(nodes: readonly InlineNode[], content: Typst): Typst {
    const direction = directionOf(plainText(nodes)) ?? this.#context.source.direction
    if (direction === this.#context.source.direction) return content
    return direction === 'rtl' ? typst`directed(rtl, ${content})` : typst`directed(ltr, ${content})`
  }

  #items(items: readonly ListItem[]): Typst[] {
    return items.map(({ nodes }) => this.#joined(nodes))
  }

  #code(block: Code): Typst {
    const { syntax, title, lineNumbers } = block.data ?? {}
    const text = block.nodes.map((line) => plainText(line.nodes)).join('\n')
    const marked = block.nodes.flatMap((line, index) => (line.data?.highlighted ? [index + 1] : []))
    const highlighted = syntax === undefined ? typst`none` : typst`codes.at(${this.#context.useCode({ text, syntax })})`
    const code = typst`code-block(${breakCode(text)}, ${highlighted}, ${title}, ${lineNumbers === true}, ${typstArray(marked)})`
    const notes = block.nodes.flatMap((line) =>
      line.nodes.flatMap((node) =>
        node.object === 'inline' && node.type === 'annotation'
          ? [
              typst`seq(inline-code(${plainText(node.nodes)}), ": ", ${this.#joined(node.fragments.flatMap(({ nodes }) => nodes))})`,
            ]
          : [],
      ),
    )
    return notes.length === 0 ? code : typst`seq(${code}, bullet-list(true, ${notes}))`
  }

  #images({ data, nodes }: Images): Typst | undefined {
    const images = nodes.map((image) => this.#image(image, data?.align))
    return images.length === 1 ? images[0] : images.length === 0 ? undefined : typst`side-by-side(${images})`
  }

  #image({ data, fragments }: Image, align: 'left' | 'center' | 'right' | undefined): Typst {
    const file = this.#context.findFile(data.ref)
    const name = file && this.#context.useImage(file)
    const alt = data.alt ?? ''
    const caption = this.#caption(fragments)
    if (name === undefined) {
      const words = alt || file?.name || this.#context.source.texts.notShown
      const link = this.#context.link(this.#context.findTarget(data.ref), typst`missing(${words})`)
      return typst`figure-with(${link}, ${caption}, center)`
    }
    const width = imageWidth(data.width, file?.dimensions)
    const position = align === 'left' ? typst`start` : align === 'right' ? typst`end` : typst`center`
    return typst`figure-with(picture(${name}, ${alt}, ${width}), ${caption}, ${position})`
  }

  #caption(fragments: readonly Fragment[] | undefined): Typst {
    const nodes = (fragments ?? []).flatMap((fragment) => fragment.nodes)
    return textOfBlocks(nodes, ' ').trim() === '' ? typst`none` : this.#joined(nodes)
  }

  #table(block: BlockOf<'table'>): Typst | undefined {
    const outer = this.#inlines.runLength
    this.#inlines.runLength = runLengths.narrow
    const content = renderTable(block, this.#context, ({ nodes }) => this.#joined(nodes))
    this.#inlines.runLength = outer
    return content
  }

  #missing(text: string): Typst {
    return typst`missing(${text || this.#context.source.texts.notShown})`
  }

  #unsupported(title: string, url: string | undefined): Typst {
    return this.#context.link({ title, url }, typst`reference(${title}, "")`)
  }
}

const alignments = { start: typst`start`, center: typst`center`, end: typst`end` }

const hintColors = {
  info: typst`rgb("#0a58ca")`,
  success: typst`rgb("#1a7f37")`,
  warning: typst`rgb("#b35900")`,
  danger: typst`rgb("#c62828")`,
}

const isTextBlock = (block: Block): boolean => block.type === 'paragraph' || block.type.startsWith('heading-')

const isBlank = (nodes: readonly InlineNode[]): boolean =>
  nodes.every((node) => node.object === 'text' && node.leaves.every(({ text }) => text.trim() === ''))

const isTightList = (items: readonly ListItem[]): boolean => items.every(({ nodes }) => nodes.length <= 1)

const columnWidth = (width: Length | undefined): Typst =>
  typeof width === 'object' && width.unit === '%' && width.value > 0 ? typst`${width.value} * 1fr` : typst`50 * 1fr`

/** Returns the width of an image: in points, as a share of the available width, or none if it is unknown. */
function imageWidth(
  width: Length | undefined,
  dimensions: { width: number; height: number } | undefined,
): Typst | undefined {
  if (typeof width === 'object' && width.unit === '%' && width.value > 0)
    return typst`${Math.min(width.value, 100)} * 1%`
  const pixels = typeof width === 'number' && width > 0 ? width : dimensions?.width
  if (pixels === undefined) return undefined
  const ratio = dimensions ? dimensions.height / dimensions.width : 1
  return typst`${Math.min(pixels * pointsPerPixel, maxImageHeight / ratio)} * 1pt`
}
