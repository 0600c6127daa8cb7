import type { Block, HintStyle } from '../../content/document/nodes.ts'
import { hint } from '../build-blocks.ts'
import { type WebElement, elementsIn } from '../html-tree.ts'
import type { Reading } from '../reading.ts'

export interface Callout {
  kind: string
  isTitle: (element: WebElement) => boolean
  style?: HintStyle | undefined
}

/** Reads a callout whose title precedes its content. */
export function readCallout(element: WebElement, { kind, isTitle, style }: Callout, reading: Reading): Block[] {
  const title = elementsIn(element).find(isTitle)
  const nodes = reading.blocks(element.children.filter((node) => node !== title))
  return [hint(kind, title ? reading.inlines(title.children) : [], nodes, style)]
}

/** Returns the kind that follows a prefix in a class name. */
export const kindIn = ({ classes }: WebElement, prefix: string): string =>
  Array.from(classes)
    .find((name) => name.startsWith(prefix))
    ?.slice(prefix.length) ?? 'note'
