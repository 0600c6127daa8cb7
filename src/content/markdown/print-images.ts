import type { Block, Drawing, Image, Images } from '../document/nodes.ts'
import { escapeAttribute } from './html.ts'
import { type PrintContext, printLength } from './print-html-inlines.ts'
import { captionOf } from './tag-blocks.ts'
import type { References } from './references.ts'

/** Prints a block of a caption as HTML. */
type PrintBlock = (block: Block) => string

export function printFigures(
  { nodes, data }: Pick<Images, 'nodes' | 'data'>,
  { references }: PrintContext,
  printBlock: PrintBlock,
): string {
  const figures = nodes.map((image) => printFigure(image, references, printBlock)).join(' ')
  const { align, fullWidth, withFrame } = data ?? {}
  const attributes = [
    align ? ` align="${align}"` : '',
    fullWidth ? ' data-full-width="true"' : '',
    withFrame ? ' data-with-frame="true"' : '',
  ].join('')
  return nodes.length > 1 || attributes !== '' ? `<div${attributes}>${figures}</div>` : figures
}

function printFigure({ data, fragments }: Image, references: References, printBlock: PrintBlock): string {
  const { ref, refDark, alt, width, height } = data
  const write = (one: typeof ref) => escapeAttribute(references.print(one))
  const image = `<img src="${write(ref)}" alt="${escapeAttribute(alt ?? '')}"${printLength('width', width)}${printLength('height', height)}>`
  const shown = refDark
    ? `<picture><source srcset="${write(refDark)}" media="(prefers-color-scheme: dark)">${image}</picture>`
    : image
  const caption = captionOf(fragments).map(printBlock)
  return `<figure>${shown}<figcaption>${caption.join('')}</figcaption></figure>`
}

export function printDrawing({ data }: Drawing, { references }: PrintContext): string {
  return data.ref ? `<img src="${escapeAttribute(references.print(data.ref))}" alt="" class="gitbook-drawing">` : ''
}
