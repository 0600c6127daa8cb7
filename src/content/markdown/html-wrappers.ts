import { definitionOf } from '../document/block-definitions.ts'
import type { Align, Block } from '../document/nodes.ts'
import { isInvisibleParagraph } from '../document/raw-html.ts'
import { type HtmlElement, readOriginalAttributes } from './html.ts'
import { toOptionalData } from './make-blocks.ts'
import type { BlockTag } from './block-tag.ts'

export const alignments = new Map<string | undefined, Align>([
  ['left', 'start'],
  ['start', 'start'],
  ['center', 'center'],
  ['right', 'end'],
  ['end', 'end'],
])

/** Elements that are not part of the document themselves; only their content is. */
const wrappers: ReadonlySet<string> = new Set(
  (
    'div center section article main header footer nav aside hgroup p address form fieldset legend dl dt dd figure figcaption ' +
    'blockquote caption details summary table thead tbody tfoot tr td th ul ol li html body head noscript object button label picture'
  ).split(' '),
)

/** Whether an element only wraps content. */
export const isWrapperElement = (name: string): boolean => wrappers.has(name)

const structuralElements: ReadonlySet<string> = new Set(
  'section article main header footer nav aside figure fieldset table'.split(' '),
)

/** Whether a tag without attributes on its own line is HTML even if it is not closed. */
export const isStructuralElement = (name: string): boolean => structuralElements.has(name)

/** Layout that a wrapper applies to the blocks in it. */
export interface WrapperLayout {
  align: 'left' | 'center' | 'right' | undefined
  fullWidth: boolean
}

export function readWrapperLayout({ name, attributes }: Pick<HtmlElement, 'name' | 'attributes'>): WrapperLayout {
  const align = name === 'center' ? 'center' : attributes['align']?.toLowerCase()
  return {
    align: align === 'left' || align === 'center' || align === 'right' ? align : undefined,
    fullWidth: attributes['data-full-width'] === 'true',
  }
}

/** Applies the layout of a wrapper to a block, unless the block has its own. */
export function applyLayout(block: Block, { align, fullWidth }: WrapperLayout): Block {
  switch (block.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3': {
      if (align === undefined || align === 'left' || block.data?.align !== undefined || isInvisibleParagraph(block))
        return block
      return { ...block, data: { ...block.data, align: align === 'right' ? 'end' : align } }
    }
    case 'images': {
      const data = {
        ...block.data,
        ...(align !== undefined && block.data?.align === undefined && { align }),
        ...(fullWidth && { fullWidth }),
      }
      return { ...block, ...toOptionalData(data) }
    }
    default: {
      if (!fullWidth || !('fullWidth' in definitionOf(block).data)) return block
      return { ...block, data: { ...('data' in block && block.data), fullWidth } } as Block
    }
  }
}

/** Parses a block tag written as HTML: `<div data-gb-custom-block data-tag="hint" data-style="info">`. */
export function readCustomTag(opening: string, start: number, end: number): BlockTag {
  const written = Array.from(readOriginalAttributes(opening))
  const { tag: name = '', ...attributes } = Object.fromEntries(
    written.flatMap(([key, value]) => (key.startsWith('data-') ? [[key.slice('data-'.length), value] as const] : [])),
  )
  const rest = name === 'include' ? `"${attributes['path'] ?? ''}"` : (attributes['expression'] ?? '')
  return { name, attributes, rest, start, end }
}

/** Whether an element is a block tag written as HTML. */
export const isCustomBlock = ({ name, attributes }: Pick<HtmlElement, 'name' | 'attributes'>) =>
  name === 'div' && attributes['data-gb-custom-block'] !== undefined
