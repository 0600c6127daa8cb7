import type { InlineNode, ListItem } from '../content/document/nodes.ts'
import { leaf, mark, paragraph } from '../content/document/build.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { listItem, textInline } from './build-blocks.ts'
import {
  type WebElement,
  type WebNode,
  childElements,
  findElement,
  hasClass,
  isElement,
  collapseWhitespace,
  nodeText,
} from './html-tree.ts'
import type { NodeReader } from './node-reader.ts'

/** Maximum length of a card; a link around more text is not a card. */
const maxCardLength = 600

/** Reads a card (a link around several blocks) as a list item; undefined if it is not a card. */
export function buildCard(
  nodes: readonly WebNode[],
  url: string | undefined,
  reader: NodeReader,
  givenTitle?: string,
): ListItem | undefined {
  const blocks = reader.readBlocks(nodes)
  const titleBlock =
    blocks.find(({ type }) => type.startsWith('heading-')) ?? blocks.find((block) => textOfBlocks([block], ' ') !== '')
  if (!titleBlock) return undefined
  // A theme puts one of these emoji before the names of pages, folders and links.
  const title = givenTitle ?? collapseWhitespace(textOfBlocks([titleBlock], ' ')).replace(/^(?:📄|🗃|🔗)\ufe0f?\s+/u, '')
  const fullText = collapseWhitespace(textOfBlocks(blocks, ' '))
  const description =
    givenTitle === undefined
      ? collapseWhitespace(
          textOfBlocks(
            blocks.filter((block) => block !== titleBlock),
            ' ',
          ),
        )
      : fullText.slice(title.length).trim()
  if (title === '' || fullText.length > maxCardLength) return undefined
  if (url === undefined) {
    const leaves = [leaf(title, [mark('bold')]), ...(description === '' ? [] : [leaf(`: ${description}`)])]
    return listItem([paragraph([{ object: 'text', leaves }])])
  }
  const link: InlineNode = {
    object: 'inline',
    type: 'link',
    data: { ref: { kind: 'url', url } },
    nodes: [textInline(title)],
  }
  return listItem([paragraph(description === '' ? [link] : [link, textInline(`: ${description}`)])])
}

const isDecoration = hasClass('icon', 'VPImage', 'link-text')

/** Reads a card whose link is beside its text: over the whole card, or around its title only. */
export function readCardElement(element: WebElement, reader: NodeReader): ListItem | undefined {
  if (element.classes.has('sl-link-card')) {
    const link = findElement(element, ({ name }) => name === 'a')
    const url = reader.page.addresses.resolveLink(link?.attributes['href'])
    return link && url !== undefined ? buildCard(element.children, url, reader, nodeText(link)) : undefined
  }
  if (element.classes.has('VPFeature')) {
    const url = reader.page.addresses.resolveLink(element.attributes['href'])
    const box = childElements(element).find(({ name }) => name === 'article') ?? element
    return buildCard(
      box.children.filter((node) => !isElement(node) || !isDecoration(node)),
      url,
      reader,
    )
  }
  const [link] = childElements(element)
  if (element.name !== 'div' || link?.name !== 'a' || !element.hasBlocks) return undefined
  const { href } = link.attributes
  if (href === undefined || href.startsWith('#') || nodeText(link) !== '' || childElements(link).some(isElement))
    return undefined
  const url = reader.page.addresses.resolveLink(href)
  return url === undefined
    ? undefined
    : buildCard(
        element.children.filter((node) => node !== link),
        url,
        reader,
      )
}
