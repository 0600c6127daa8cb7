import type { Block, HintStyle } from '../../content/document/nodes.ts'
import { hint } from '../build-blocks.ts'
import { type WebElement, childElements } from '../html-tree.ts'
import type { NodeReader } from '../node-reader.ts'

export interface CalloutOptions {
  kind: string
  isTitle: (element: WebElement) => boolean
  style?: HintStyle | undefined
}

/** Reads a callout whose title precedes its content. */
export function readCallout(
  element: WebElement,
  { kind, isTitle, style }: CalloutOptions,
  reader: NodeReader,
): Block[] {
  const title = childElements(element).find(isTitle)
  const nodes = reader.readBlocks(element.children.filter((node) => node !== title))
  return [hint(kind, title ? reader.readInlines(title.children) : [], nodes, style)]
}

/** Returns the kind that follows a prefix in a class name. */
export const kindFromClass = ({ classes }: WebElement, prefix: string): string =>
  Array.from(classes)
    .find((name) => name.startsWith(prefix))
    ?.slice(prefix.length) ?? 'note'
