import type { FileRef, ImageInline, InlineNode, Images, Length } from '../content/document/nodes.ts'
import { paragraph } from '../content/document/build.ts'
import { textInline } from './build-blocks.ts'
import { createImage, createImages, readLength } from '../content/markdown/make-blocks.ts'
import type { Block } from '../content/document/nodes.ts'
import { type WebElement, childElements, findElement, hasClassPrefix, isElement, hasTagName } from './html-tree.ts'
import type { NodeReader } from './node-reader.ts'

const urlRef = (url: string): FileRef => ({ kind: 'url', url })

/** Widths set by authors; inline images have no width. */
const widths = new WeakMap<ImageInline, Length>()

type ColorScheme = 'light' | 'dark' | undefined

/** Returns the color scheme in which an image is shown; undefined if in both. */
function colorSchemeOf(img: WebElement): ColorScheme {
  const { classes, attributes } = img
  const src = attributes['src'] ?? ''
  if (/#(?:only-dark|gh-dark-mode-only)$/.test(src)) return 'dark'
  if (/#(?:only-light|gh-light-mode-only)$/.test(src)) return 'light'
  if (hasClassPrefix(img, 'themedComponent--dark') || classes.has('dark:block') || classes.has('light:sl-hidden'))
    return 'dark'
  if (hasClassPrefix(img, 'themedComponent--light') || classes.has('dark:hidden') || classes.has('dark:sl-hidden'))
    return 'light'
  return undefined
}

/** Returns the sibling of an image for the other color scheme; only near siblings are considered. */
function findVariant(img: WebElement, colorScheme: ColorScheme): WebElement | undefined {
  const siblings = img.parent?.children.slice(Math.max(0, img.index - 3), img.index + 4) ?? []
  return siblings.find(
    (node): node is WebElement => isElement(node) && node.name === 'img' && colorSchemeOf(node) === colorScheme,
  )
}

const emojiClasses = ['emoji', 'twemoji', 'gemoji']

/** Reads an inline image, or the emoji that it represents; undefined if there is nothing to show. */
export function readImage(img: WebElement, { page: { addresses } }: NodeReader): ImageInline | string | undefined {
  const { alt = '', title = '', width, height } = img.attributes
  if (emojiClasses.some((name) => img.classes.has(name)) && alt !== '') return alt
  const colorScheme = colorSchemeOf(img)
  if (colorScheme === 'dark' && findVariant(img, 'light')) return undefined
  const url = resolveSource(img, addresses)
  if (url === undefined) return undefined
  const dark = resolveDarkSource(img, colorScheme, addresses)
  const inline: ImageInline = {
    object: 'inline',
    type: 'inline-image',
    isVoid: true,
    data: {
      ref: urlRef(url),
      ...(dark !== undefined && { refDark: urlRef(dark) }),
      ...(title !== '' && title !== alt && { caption: title }),
      ...(alt !== '' && { alt }),
    },
  }
  // Build tools set both width and height on every image; authors set one.
  const length = height === undefined || height === 'auto' ? readLength(width) : undefined
  if (length !== undefined) widths.set(inline, length)
  return inline
}

type Addresses = NodeReader['page']['addresses']

function resolveSource({ attributes }: WebElement, addresses: Addresses): string | undefined {
  // Pages with lazy loading have the URLs of images in other attributes.
  const { src, 'data-src': dataSrc, 'data-original': original, srcset } = attributes
  const first = srcset?.trim().split(/[\s,]/)[0]
  // Until the image is loaded, `src` may be a small placeholder.
  const isPlaceholder = src?.startsWith('data:') === true && first?.startsWith('data:') === false
  return [dataSrc, original, ...(isPlaceholder ? [first] : [src, first])]
    .map((one) => addresses.resolveImage(one))
    .find((one) => one)
}

function resolveDarkSource(img: WebElement, colorScheme: ColorScheme, addresses: Addresses): string | undefined {
  if (colorScheme === 'light') {
    const darkVariant = findVariant(img, 'dark')
    return darkVariant && resolveSource(darkVariant, addresses)
  }
  const picture = img.parent?.name === 'picture' ? img.parent : undefined
  const source =
    picture &&
    childElements(picture).find(({ name, attributes }) => name === 'source' && /dark/.test(attributes['media'] ?? ''))
  return source && addresses.resolveImage(source.attributes['srcset']?.trim().split(/[\s,]/)[0])
}

const isBlank = (node: InlineNode) => node.object === 'text' && node.leaves.every((leaf) => leaf.text.trim() === '')
const isInlineImage = (node: InlineNode): node is ImageInline =>
  node.object === 'inline' && node.type === 'inline-image'

/** Builds a paragraph, or an images block if there are only images. */
export function paragraphOrImages(nodes: readonly InlineNode[]): Block | undefined {
  const visible = nodes.filter((node) => !isBlank(node))
  if (visible.length === 0) return undefined
  return visible.every(isInlineImage) ? toImagesBlock(visible) : paragraph(nodes)
}

function toImagesBlock(pictures: readonly ImageInline[]): Images {
  return createImages(
    pictures.map((picture) => {
      const { ref, refDark, alt, caption } = picture.data
      const width = widths.get(picture)
      const data = { ref, ...(refDark && { refDark }), ...(alt && { alt }), ...(width !== undefined && { width }) }
      return createImage(data, caption === undefined ? [] : [paragraph([textInline(caption)])])
    }),
  )
}

/** Reads a figure of images with its caption; other figures become their blocks followed by the caption. */
export function readFigure(figure: WebElement, reader: NodeReader): Block[] | undefined {
  const caption = findElement(figure, hasTagName('figcaption'))
  const blocks = reader.readBlocks(figure.children.filter((node) => node !== caption))
  const [only] = blocks
  const captionBlocks = caption ? reader.readBlocks(caption.children) : []
  if (blocks.length !== 1 || only?.type !== 'images') return [...blocks, ...captionBlocks]
  const isCaptioned = (index: number) => captionBlocks.length > 0 && index === only.nodes.length - 1
  const pictures = only.nodes.map((one, index) => (isCaptioned(index) ? createImage(one.data, captionBlocks) : one))
  return [createImages(pictures)]
}
