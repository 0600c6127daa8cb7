import { hint } from '../build-blocks.ts'
import { elementsIn, hasClass, textOf } from '../html-tree.ts'
import type { BlockReader } from '../reading.ts'

const isTitle = hasClass('markdown-alert-title')

/** Callouts as GitHub shows them. Its cautions are about harm. */
export const readAlert: BlockReader = (element, reading) => {
  if (!element.classes.has('markdown-alert')) return undefined
  const kind =
    Array.from(element.classes)
      .find((name) => name.startsWith('markdown-alert-'))
      ?.slice('markdown-alert-'.length) ?? 'note'
  const title = elementsIn(element).find(isTitle)
  const nodes = reading.blocks(element.children.filter((node) => node !== title))
  return [
    kind === 'caution'
      ? hint(kind, title && textOf(title), nodes, 'danger')
      : hint(kind, title && textOf(title), nodes),
  ]
}
