import type { Block } from '../content/document/nodes.ts'
import { plainText } from '../content/document/text.ts'
import { headingType, readHeadingId, toOptionalData } from '../content/markdown/make-blocks.ts'
import { toSlug } from '../content/markdown/slug.ts'
import { type WebElement, type WebNode, childElements, findElement, isElement } from './html-tree.ts'
import type { NodeReader } from './node-reader.ts'

/** Reads a heading; keeps its id if it differs from the generated slug. */
export function readHeading(heading: WebElement, reader: NodeReader): Block[] {
  const id = headingIdOf(heading)
  const nodes = reader.readInlines(unwrapSelfLinks(heading.children, id))
  const title = plainText(nodes)
  if (nodes.length === 0) return []
  const slug = toSlug(title)
  const { slugs } = reader.page
  const count = slugs.get(slug) ?? 0
  const isCustomId = id !== undefined && id !== (count === 0 ? slug : `${slug}-${count}`)
  if (!isCustomId) slugs.set(slug, count + 1)
  const type = headingType(Number(heading.name[1]))
  return [{ object: 'block', type, ...toOptionalData(isCustomId ? readHeadingId(id) : {}), nodes }]
}

/** Returns the id of a heading: its own, that of an anchor inside, or that of the section which it starts. */
function headingIdOf(heading: WebElement): string | undefined {
  const { parent } = heading
  const section =
    parent && ['section', 'div'].includes(parent.name) && childElements(parent)[0] === heading ? parent : undefined
  const anchor = findElement(
    heading,
    ({ name, attributes }) => name === 'a' && (attributes['id'] ?? attributes['name']) !== undefined,
  )
  const found =
    heading.attributes['id'] ?? anchor?.attributes['id'] ?? anchor?.attributes['name'] ?? section?.attributes['id']
  return found === '' ? undefined : found
}

/** Replaces a link from a heading to itself by its children. */
function unwrapSelfLinks(nodes: readonly WebNode[], id: string | undefined): WebNode[] {
  return nodes.flatMap((node) =>
    isElement(node) &&
    node.name === 'a' &&
    id !== undefined &&
    node.attributes['href'] === `#${id}` &&
    node.attributes['class'] === undefined &&
    node.attributes['aria-label'] === undefined
      ? node.children
      : [node],
  )
}
