import type { Image, Images, Length } from '../document/nodes.ts'
import { escapeAttribute } from './html.ts'
import { type PrintContext, printHtmlInlines } from './print-inlines.ts'

export function printFigures(
  { nodes, data }: Pick<Images, 'nodes' | 'data' | 'object' | 'type'>,
  context: PrintContext,
): string {
  const figures = nodes.map((image) => printFigure(image, context)).join(' ')
  const { align, fullWidth, withFrame } = data ?? {}
  const attributes = [
    align ? ` align="${align}"` : '',
    fullWidth ? ' data-full-width="true"' : '',
    withFrame ? ' data-with-frame="true"' : '',
  ].join('')
  return nodes.length > 1 || attributes !== '' ? `<div${attributes}>${figures}</div>` : figures
}

function printFigure({ data, fragments }: Image, context: PrintContext): string {
  const { ref, refDark, alt, width, height } = data
  const write = (one: typeof ref) => escapeAttribute(context.references.write(one))
  const image = `<img src="${write(ref)}" alt="${escapeAttribute(alt ?? '')}"${size('width', width)}${size('height', height)}>`
  const shown = refDark
    ? `<picture><source srcset="${write(refDark)}" media="(prefers-color-scheme: dark)">${image}</picture>`
    : image
  const caption = (fragments?.[0]?.nodes ?? [])
    .flatMap((block) => (block.type === 'paragraph' ? [`<p>${printHtmlInlines(block.nodes, context)}</p>`] : []))
    .join('')
  return `<figure>${shown}<figcaption>${caption}</figcaption></figure>`
}

function size(name: string, length: Length | undefined): string {
  if (length === undefined) return ''
  return ` ${name}="${typeof length === 'number' ? length : `${length.value}${length.unit === 'px' ? '' : length.unit}`}"`
}
