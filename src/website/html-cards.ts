import type { InlineNode, ListItem } from '../content/document/nodes.ts'
import { leaf, mark, paragraph } from '../content/document/build.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { listItem, text } from './build-blocks.ts'
import { type WebElement, type WebNode, elementsIn, find, hasClass, isElement, oneLine, textOf } from './html-tree.ts'
import type { Reading } from './reading.ts'

/** Longer than any card; a link around more than that says nothing of it. */
const maxWords = 600

/** A card: a link around several things, as an item of a list. Undefined when it is none. */
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
  // A theme puts one of these before the names of pages, folders and links.
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

/** A card whose link lies beside its words: over all of it, or around its title only. */
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
