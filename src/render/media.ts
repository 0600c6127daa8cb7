import type { Drawing, Embed, File, Fragment, Image, ImageData, Images, Length } from '../content/document/nodes.ts'
import { withBlockKey } from './block-keys.ts'
import { type EmbedPlayer, findEmbedPlayer } from '../content/document/embed-players.ts'
import { formatFileSize } from './file-size.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { joinClasses } from './inlines.ts'
import type { RenderContext, ResolvedEmbed, ResolvedFile } from './render-context.ts'
import { fillPlaceholders } from './texts.ts'
import { toCssLength, roundToHundredths, sizeStyle } from './lengths.ts'

/** Renders a caption. */
type RenderCaption = (fragments: readonly Fragment[] | undefined) => Html | undefined

/** Widths in which images of this server are available, smallest first. */
const imageWidths = [480, 960, 1536]

/** Width of the text column and of full-width blocks, in rem. */
const columnWidths = { text: 46, full: 64 }

/** Minimum width of an image that can be enlarged. */
const minZoomWidth = 400

/** Layout of an image on its page. */
interface ImageLayout {
  /** Maximum width, as a value of the attribute `sizes`. */
  maxWidth: string
  mode?: 'only-light' | 'only-dark' | undefined
}

export function renderImages(block: Images, context: RenderContext, caption: RenderCaption): Html {
  const { align, fullWidth, withFrame } = block.data ?? {}
  const className = joinClasses('images', align && `align-${align}`, fullWidth && 'full-width', withFrame && 'framed')
  const share = (fullWidth ? columnWidths.full : columnWidths.text) / Math.max(block.nodes.length, 1)
  const images = block.nodes.map((image) =>
    withBlockKey(image, renderImage(image, context, caption, `${roundToHundredths(share)}rem`), context),
  )
  return markup`<div class="${className ?? ''}">${images}</div>`
}

export function renderImage(
  { data, fragments }: Image,
  context: RenderContext,
  caption: RenderCaption,
  maxWidth = `${columnWidths.text}rem`,
): Html {
  const shown = context.resolveFile(data.ref)
  const captionHtml = renderFigcaption(caption(fragments))
  if (!shown)
    return markup`<figure class="missing"><span>${data.alt ?? context.texts.notShown}</span>${captionHtml}</figure>`
  const dark = data.refDark && context.resolveFile(data.refDark)
  const pictures = dark
    ? markup`${renderPicture(shown, data, context, { maxWidth, mode: 'only-light' })}${renderPicture(dark, data, context, { maxWidth, mode: 'only-dark' })}`
    : renderPicture(shown, data, context, { maxWidth })
  return markup`<figure>${pictures}${captionHtml}</figure>`
}

function renderPicture(
  file: ResolvedFile,
  image: Omit<ImageData, 'ref'>,
  context: RenderContext,
  { maxWidth, mode }: ImageLayout,
): Html {
  const size = displaySize(file, image)
  // The image of the other color mode is hidden, so lazy loading keeps it from being requested.
  const isFirst = mode === undefined && (context.isFirstPicture?.() ?? false)
  const sources =
    file.resizedUrl && file.dimensions ? buildSrcset(file.dimensions.width, file.resizedUrl, file.url) : undefined
  return markup`<img${attributes({
    class: mode,
    src: file.url,
    srcset: sources,
    sizes:
      sources === undefined
        ? undefined
        : `(max-width: ${columnWidths.text + 2}rem) 100vw, ${sizesWidth(image.width, maxWidth)}`,
    alt: image.alt ?? '',
    width: size?.width,
    height: size?.height,
    style: sizeStyle(image),
    loading: isFirst ? undefined : 'lazy',
    fetchpriority: isFirst ? 'high' : undefined,
    decoding: 'async',
    'data-zoom': file.dimensions !== undefined && file.dimensions.width >= minZoomWidth,
  })}>`
}

/** Returns `srcset` with smaller versions of an image, and the image itself if it is not much larger. */
function buildSrcset(width: number, resizedUrl: (width: number) => string, url: string): string | undefined {
  const smaller = imageWidths.filter((one) => one < width)
  if (smaller.length === 0) return undefined
  const sources = smaller.map((one) => `${resizedUrl(one)} ${one}w`)
  return (smaller.length < imageWidths.length ? [...sources, `${url} ${width}w`] : sources).join(', ')
}

/** Returns width and height, which reserve space so that the layout does not shift when the image loads. */
function displaySize(
  { dimensions }: ResolvedFile,
  { width, height }: Omit<ImageData, 'ref'>,
): ResolvedFile['dimensions'] {
  if (dimensions) return dimensions
  return typeof width === 'number' && typeof height === 'number'
    ? { width: Math.round(width), height: Math.round(height) }
    : undefined
}

/** Returns the maximum width of an image as a style. */
function sizesWidth(width: Length | undefined, maxWidth: string): string {
  const length = toCssLength(width)
  if (length === undefined || !/(?:px|rem|em|%)$/.test(length)) return maxWidth
  return length.endsWith('%')
    ? `calc(${maxWidth} * ${roundToHundredths(Number.parseFloat(length) / 100)})`
    : `min(${maxWidth}, ${length})`
}

const renderFigcaption = (words: Html | undefined): Html =>
  words ? markup`<figcaption>${words}</figcaption>` : nothing

export function renderFile({ data, fragments }: File, context: RenderContext, caption: RenderCaption): Html {
  const shown = context.resolveFile(data.ref)
  if (!shown) return markup`<p class="missing">${context.texts.notShown}</p>`
  const details = [fileExtension(shown.name), shown.size === undefined ? undefined : formatFileSize(shown.size)].filter(
    (one) => one !== undefined,
  )
  return markup`<figure class="file"><a${attributes({ href: shown.url, download: shown.name })}>${context.icon('file-arrow-down')}<span class="name">${shown.name}</span>${details.length > 0 && markup`<span class="size">${details.join(' · ')}</span>`}</a>${renderFigcaption(caption(fragments))}</figure>`
}

const fileExtension = (name: string): string | undefined => /[^.]\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase()

export function renderDrawing({ data }: Drawing, context: RenderContext): Html {
  const shown = data.ref && context.resolveFile(data.ref)
  return shown
    ? markup`<figure class="drawing">${renderPicture(shown, {}, context, { maxWidth: `${columnWidths.text}rem` })}</figure>`
    : markup`<p class="missing">${context.texts.notShown}</p>`
}

/** Renders an embed. The other site is not contacted before the reader clicks; without scripts the link opens its page. */
export function renderEmbed({ data, fragments }: Embed, context: RenderContext, caption: RenderCaption): Html {
  const address = URL.canParse(data.url) ? new URL(data.url) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) return markup`<p class="missing">${data.url}</p>`
  const embed = context.findEmbed?.(data.url)
  const player =
    findEmbedPlayer(address) ?? (embed?.player === undefined ? undefined : findEmbedPlayer(new URL(embed.player)))
  const className = joinClasses('embed', player && `embed-${player.shape}`, data.fullWidth && 'full-width')
  const link = attributes({
    href: address.href,
    rel: 'noopener noreferrer',
    target: '_blank',
    'data-embed': player?.url,
    'data-title': player && (embed?.title ?? player.name),
  })
  const card = player ? renderPlayerCard(player, address, embed, context) : renderLinkCard(address, embed, context)
  return markup`<figure class="${className ?? ''}"><a${link}>${card}</a>${renderFigcaption(caption(fragments))}</figure>`
}

function renderPlayerCard(
  player: EmbedPlayer,
  address: URL,
  embed: ResolvedEmbed | undefined,
  context: RenderContext,
): Html {
  const action = fillPlaceholders(context.texts.openEmbed, player.name)
  const [title, details] = embed ? [embed.title, action] : [action, formatUrl(address)]
  return markup`<span class="embed-play">${context.icon(player.shape === 'canvas' ? 'expand' : 'play')}</span><strong>${title}</strong><small>${details}</small>`
}

function renderLinkCard(address: URL, embed: ResolvedEmbed | undefined, context: RenderContext): Html {
  const host = address.hostname.replace(/^www\./, '')
  const { title = host, site = host, description } = embed ?? {}
  // The URL is always shown, because the name is a text of the other site.
  const source = site === host ? formatUrl(address) : `${site} · ${formatUrl(address)}`
  const letter = embed && /[\p{L}\p{N}]/u.exec(site)?.[0]
  const symbol = letter === undefined ? context.icon('globe') : letter.toUpperCase()
  const about = description !== undefined && markup`<small class="embed-about">${description}</small>`
  return markup`<span class="embed-site" aria-hidden="true">${symbol}</span><span><strong>${title}</strong>${about}<small>${source}</small></span>${context.icon('arrow-up-right-from-square')}`
}

/** Formats a URL for readers. */
function formatUrl({ hostname, pathname, search }: URL): string {
  return `${hostname.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}${search}`
}
