import type { Block, Fragment } from '../../../content/document/nodes.ts'
import { paragraph } from '../../../content/document/build.ts'
import { toolTexts } from '../../screens/edit/edit-texts.ts'
import { formTexts as texts } from './form-texts.ts'

export const isDiagram = (block: Block): block is Extract<Block, { type: 'code' }> =>
  block.type === 'code' && block.data?.syntax?.trim().toLowerCase() === 'mermaid'

/** Returns the name of a block with a form; undefined if its source is edited. */
export function formTitle(block: Block): string | undefined {
  switch (block.type) {
    case 'math':
      return toolTexts.math
    case 'code':
      return isDiagram(block) && diagramText(block) !== undefined ? toolTexts.mermaid : undefined
    case 'embed':
      return toolTexts.embed
    case 'file':
      return texts.file
    case 'content-ref':
      return texts.pageLink
    case 'reusable-content':
      return texts.reusable
    case 'openapi-operation':
      return toolTexts.openapi
    default:
      return undefined
  }
}

/** Returns the source of a diagram; undefined if it contains more than text. */
export function diagramText({ nodes }: Extract<Block, { type: 'code' }>): string | undefined {
  const lines = nodes.map(({ nodes: inlines }) => {
    const [only, second] = inlines
    if (!only) return ''
    return second || only.object !== 'text' ? undefined : only.leaves.map(({ text }) => text).join('')
  })
  return lines.includes(undefined) ? undefined : lines.join('\n')
}

/** Returns a diagram with another source. */
export const withDiagramText = (block: Extract<Block, { type: 'code' }>, text: string): Block => ({
  ...block,
  nodes: text.split('\n').map((line, index) => ({
    ...(block.nodes[index]?.key !== undefined && { key: block.nodes[index].key }),
    object: 'block',
    type: 'code-line',
    nodes: line === '' ? [] : [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
  })),
})

type Captioned = Extract<Block, { type: 'embed' | 'file' }>

/** Returns the caption of a block; undefined if it is more than plain text. */
export function captionText({ fragments = [] }: Captioned): string | undefined {
  const blocks = fragments.flatMap(({ nodes }) => nodes)
  const [only, second] = blocks
  if (!only) return ''
  if (second || only.type !== 'paragraph') return undefined
  const lines = only.nodes.map((node) =>
    node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)
      ? node.leaves.map(({ text }) => text).join('')
      : undefined,
  )
  return lines.includes(undefined) ? undefined : lines.join('')
}

/** Returns a block with another caption. */
export function withCaption<B extends Captioned>(block: B, text: string): B {
  const { fragments: _, ...rest } = block
  if (text.trim() === '') return rest as B
  const caption: Fragment = {
    object: 'fragment',
    type: 'caption',
    fragment: 'caption',
    nodes: [paragraph([{ object: 'text', leaves: [{ object: 'leaf', text: text.trim(), marks: [] }] }])],
  }
  return { ...block, fragments: [caption] }
}
