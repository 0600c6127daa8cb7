import type { Drawing, Embed, File, Fragment, Image, ImageData, Images, Length } from '../content/document/nodes.ts'
import { embedOf } from './embeds.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { classes } from './inlines.ts'
import type { Setting, ShownFile } from './setting.ts'
import { fill } from './texts.ts'
import { lengthOf, rounded, styleOf } from './lengths.ts'

/** Renders a caption. */
type RenderCaption = (fragments: readonly Fragment[] | undefined) => Html | undefined

/** Widths in which images of this server are available, smallest first. */
const widths = [480, 960, 1536]

/** Width of the text column and of full-width blocks, in rem. */
const columns = { text: 46, full: 64 }

/** Minimum width of an image that can be enlarged. */
const minZoomWidth = 400

/** Layout of an image on its page. */
interface ImageLayout {
  /** Maximum width, as a value of the attribute `sizes`. */
  room: string
  mode?: 'only-light' | 'only-dark' | undefined
}

export function renderImages(block: Images, setting: Setting, caption: RenderCaption): Html {
  const { align, fullWidth, withFrame } = block.data ?? {}
  const look = classes('images', align && `align-${align}`, fullWidth && 'full-width', withFrame && 'framed')
  const share = (fullWidth ? columns.full : columns.text) / Math.max(block.nodes.length, 1)
  return markup`<div class="${look ?? ''}">${block.nodes.map((image) => renderImage(image, setting, caption, `${rounded(share)}rem`))}</div>`
}

export function renderImage(
  { data, fragments }: Image,
  setting: Setting,
  caption: RenderCaption,
  room = `${columns.text}rem`,
): Html {
  const shown = setting.file(data.ref)
  const words = figcaption(caption(fragments))
  if (!shown) return markup`<figure class="missing"><span>${data.alt ?? setting.texts.notShown}</span>${words}</figure>`
  const dark = data.refDark && setting.file(data.refDark)
  const pictures = dark
    ? markup`${picture(shown, data, setting, { room, mode: 'only-light' })}${picture(dark, data, setting, { room, mode: 'only-dark' })}`
    : picture(shown, data, setting, { room })
  return markup`<figure>${pictures}${words}</figure>`
}

function picture(file: ShownFile, image: Omit<ImageData, 'ref'>, setting: Setting, { room, mode }: ImageLayout): Html {
  const size = sizeOf(file, image)
  // The image of the other color mode is hidden, so lazy loading keeps it from being requested.
  const isFirst = mode === undefined && (setting.isFirstPicture?.() ?? false)
  const sources = file.sized && file.dimensions ? sourcesOf(file.dimensions.width, file.sized, file.url) : undefined
  return markup`<img${attributes({
    class: mode,
    src: file.url,
    srcset: sources,
    sizes:
      sources === undefined ? undefined : `(max-width: ${columns.text + 2}rem) 100vw, ${maxWidthOf(image.width, room)}`,
    alt: image.alt ?? '',
    width: size?.width,
    height: size?.height,
    style: styleOf(image),
    loading: isFirst ? undefined : 'lazy',
    fetchpriority: isFirst ? 'high' : undefined,
    decoding: 'async',
    'data-zoom': file.dimensions !== undefined && file.dimensions.width >= minZoomWidth,
  })}>`
}

/** Returns `srcset` with smaller versions of an image, and the image itself if it is not much larger. */
function sourcesOf(width: number, sized: (width: number) => string, url: string): string | undefined {
  const smaller = widths.filter((one) => one < width)
  if (smaller.length === 0) return undefined
  const sources = smaller.map((one) => `${sized(one)} ${one}w`)
  return (smaller.length < widths.length ? [...sources, `${url} ${width}w`] : sources).join(', ')
}

/** Returns width and height, which reserve space so that the layout does not shift when the image loads. */
function sizeOf({ dimensions }: ShownFile, { width, height }: Omit<ImageData, 'ref'>): ShownFile['dimensions'] {
  if (dimensions) return dimensions
  return typeof width === 'number' && typeof height === 'number'
    ? { width: Math.round(width), height: Math.round(height) }
    : undefined
}

/** Returns the maximum width of an image as a style. */
function maxWidthOf(width: Length | undefined, room: string): string {
  const length = lengthOf(width)
  if (length === undefined || !/(?:px|rem|em|%)$/.test(length)) return room
  return length.endsWith('%')
    ? `calc(${room} * ${rounded(Number.parseFloat(length) / 100)})`
    : `min(${room}, ${length})`
}

const figcaption = (words: Html | undefined): Html => (words ? markup`<figcaption>${words}</figcaption>` : nothing)

export function renderFile({ data, fragments }: File, setting: Setting, caption: RenderCaption): Html {
  const shown = setting.file(data.ref)
  if (!shown) return markup`<p class="missing">${setting.texts.notShown}</p>`
  const about = [kindOf(shown.name), shown.size === undefined ? undefined : readableSize(shown.size)].filter(
    (one) => one !== undefined,
  )
  return markup`<figure class="file"><a${attributes({ href: shown.url, download: shown.name })}>${setting.icon('file-arrow-down')}<span class="name">${shown.name}</span>${about.length > 0 && markup`<span class="size">${about.join(' · ')}</span>`}</a>${figcaption(caption(fragments))}</figure>`
}

const kindOf = (name: string): string | undefined => /[^.]\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase()

function readableSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

export function renderDrawing({ data }: Drawing, setting: Setting): Html {
  const shown = data.ref && setting.file(data.ref)
  return shown
    ? markup`<figure class="drawing">${picture(shown, {}, setting, { room: `${columns.text}rem` })}</figure>`
    : markup`<p class="missing">${setting.texts.notShown}</p>`
}

/** Renders an embed. The other site is not contacted before the reader clicks; without scripts the link opens its page. */
export function renderEmbed({ data, fragments }: Embed, setting: Setting, caption: RenderCaption): Html {
  const address = URL.canParse(data.url) ? new URL(data.url) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) return markup`<p class="missing">${data.url}</p>`
  const player = embedOf(address)
  const words = caption(fragments)
  const look = classes('embed', player && `embed-${player.shape}`, data.fullWidth && 'full-width')
  const site = player?.name ?? address.hostname.replace(/^www\./, '')
  const link = attributes({
    href: address.href,
    rel: 'noopener noreferrer',
    target: '_blank',
    'data-embed': player?.url,
    'data-title': player?.name,
  })
  const card = player
    ? markup`<span class="embed-play">${setting.icon(player.shape === 'canvas' ? 'expand' : 'play')}</span><strong>${fill(setting.texts.openEmbed, site)}</strong><small>${shortAddress(address)}</small>`
    : markup`<span class="embed-site">${setting.icon('globe')}</span><span><strong>${site}</strong><small>${shortAddress(address)}</small></span>${setting.icon('arrow-up-right-from-square')}`
  return markup`<figure class="${look ?? ''}"><a${link}>${card}</a>${figcaption(words)}</figure>`
}

/** Formats a URL for readers. */
function shortAddress({ hostname, pathname, search }: URL): string {
  return `${hostname.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}${search}`
}
