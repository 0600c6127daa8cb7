import type { Block } from '../content/document/nodes.ts'
import { type Html, attributes, nothing, trusted } from './html.ts'
import type { RenderContext } from './render-context.ts'

type KeyContext = Pick<RenderContext, 'blockKeyOf'>

/** Adds the key of a block to its element as `data-block`, if the context has keys. */
export function withBlockKey(block: Block, content: Html, { blockKeyOf }: KeyContext): Html {
  const key = blockKeyOf?.(block)
  if (key === undefined) return content
  const attribute = attributes({ 'data-block': key }).text
  return trusted(content.text.replace(/^<[a-z][a-z0-9]*/, (tag) => tag + attribute))
}

/** Returns the attribute `data-block-text` with the key of a paragraph that is rendered without its own element. */
export function blockTextAttribute([first]: readonly Block[], { blockKeyOf }: KeyContext): Html {
  const key = first?.type === 'paragraph' ? blockKeyOf?.(first) : undefined
  return key === undefined ? nothing : attributes({ 'data-block-text': key })
}
