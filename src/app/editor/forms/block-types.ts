import type { Block, Fragment } from '../../../content/document/nodes.ts'
import { paragraph } from '../../../content/document/build.ts'
import { toolTexts } from '../../screens/edit/edit-texts.ts'
import { diagramText, isDiagram } from '../code/diagrams.ts'
import { readPlainText, toTextNodes } from '../plain-text.ts'
import { formTexts as texts } from './form-texts.ts'

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

type Captioned = Extract<Block, { type: 'embed' | 'file' }>

/** Returns the caption of a block; undefined if it is more than plain text. */
export function captionText({ fragments = [] }: Captioned): string | undefined {
  const blocks = fragments.flatMap(({ nodes }) => nodes)
  const [only, second] = blocks
  if (!only) return ''
  if (second || only.type !== 'paragraph') return undefined
  return readPlainText(only.nodes)
}

/** Returns a block with another caption. */
export function withCaption<B extends Captioned>(block: B, text: string): B {
  const { fragments: _, ...rest } = block
  if (text.trim() === '') return rest as B
  const caption: Fragment = {
    object: 'fragment',
    type: 'caption',
    fragment: 'caption',
    nodes: [paragraph(toTextNodes(text.trim()))],
  }
  return { ...block, fragments: [caption] }
}
