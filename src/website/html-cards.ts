import type { InlineNode, ListItem } from '../content/document/nodes.ts'
import { leaf, mark, paragraph } from '../content/document/build.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { listItem, text } from './build-blocks.ts'
import { type WebElement, type WebNode, elementsIn, find, hasClass, isElement, oneLine, textOf } from './html-tree.ts'
import type { Reading } from './reading.ts'

/** Maximum length of a card; a link around more text is not a card. */
const maxWords = 600

/** Reads a card (a link around several blocks) as a list item; undefined if it is not a card. */
export function readCard(
  nodes: readonly WebNode[],
  url: string | undefined,
  reading: Reading,
  named?: string,
): ListItem | undefined {
  const blocks = reading.blocks(nodes)
  const head =
    blocks.find(({ type }) => type.startsWith('heading-')) ?? blocks.find((block) => textOfBlocks([block], ' ') !== '')
  if (!head) return undefined
  // A theme puts one of these emoji before the names of pages, folders and links.
  const title = named ?? oneLine(textOfBlocks([head], ' ')).replace(/^(?:📄|🗃|🔗)\ufe0f?\s+/u, '')
  const whole = oneLine(textOfBlocks(blocks, ' '))
  const others =
    named === undefined
      ? oneLine(
          textOfBlocks(
            blocks.filter((block) => block !== head),
            ' ',
          ),
        )
      : whole.slice(title.length).trim()
  if (title === '' || whole.length > maxWords) return undefined
  if (url === undefined) {
    const leaves = [leaf(title, [mark('bold')]), ...(others === '' ? [] : [leaf(`: ${others}`)])]
    return listItem([paragraph([{ object: 'text', leaves }])])
  }
  const link: InlineNode = { object: 'inline', type: 'link', data: { ref: { kind: 'url', url } }, nodes: [text(title)] }
  return listItem([paragraph(others === '' ? [link] : [link, text(`: ${others}`)])])
}

const isDecoration = hasClass('icon', 'VPImage', 'link-text')

/** Reads a card whose link is beside its text: over the whole card, or around its title only. */
export function cardOf(element: WebElement, reading: Reading): ListItem | undefined {
  if (element.classes.has('sl-link-card')) {
    const link = find(element, ({ name }) => name === 'a')
    const url = reading.page.addresses.link(link?.attributes['href'])
    return link && url !== undefined ? readCard(element.children, url, reading, textOf(link)) : undefined
  }
  if (element.classes.has('VPFeature')) {
    const url = reading.page.addresses.link(element.attributes['href'])
    const box = elementsIn(element).find(({ name }) => name === 'article') ?? element
    return readCard(
      box.children.filter((node) => !isElement(node) || !isDecoration(node)),
      url,
      reading,
    )
  }
  const [link] = elementsIn(element)
  if (element.name !== 'div' || link?.name !== 'a' || !element.hasBlocks) return undefined
  const { href } = link.attributes
  if (href === undefined || href.startsWith('#') || textOf(link) !== '' || elementsIn(link).some(isElement))
    return undefined
  const url = reading.page.addresses.link(href)
  return url === undefined
    ? undefined
    : readCard(
        element.children.filter((node) => node !== link),
        url,
        reading,
      )
}
