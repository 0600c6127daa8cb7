import type { Drawing, Embed, File, FileRef, Fragment, Image, Images, Length } from '../content/document/nodes.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { classes } from './inlines.ts'
import type { Setting, ShownFile } from './setting.ts'

/** Shows what captions consist of. */
type RenderCaption = (fragments: readonly Fragment[] | undefined) => Html | undefined

/** Wider than any column of text is on any screen. */
const columnWidth = 1536

export function renderImages(block: Images, setting: Setting, caption: RenderCaption): Html {
  const { align, fullWidth, withFrame } = block.data ?? {}
  const look = classes('images', align && `align-${align}`, fullWidth && 'full-width', withFrame && 'framed')
  return markup`<div class="${look ?? ''}">${block.nodes.map((image) => renderImage(image, setting, caption))}</div>`
}

export function renderImage({ data, fragments }: Image, setting: Setting, caption: RenderCaption): Html {
  const shown = setting.file(data.ref)
  const words = caption(fragments)
  if (!shown)
    return markup`<figure class="missing"><span>${data.alt ?? setting.texts.notShown}</span>${figcaption(words)}</figure>`
  const dark = data.refDark && setting.file(data.refDark)
  const one = (file: ShownFile, mode?: string) => picture(file, data, mode)
  const pictures = dark ? markup`${one(shown, 'only-light')}${one(dark, 'only-dark')}` : one(shown)
  return markup`<figure>${pictures}${figcaption(words)}</figure>`
}

function picture(file: ShownFile, { alt, width, height }: Image['data'], mode: string | undefined): Html {
  const size = file.dimensions
  const style = [sized('width', width), sized('height', height)].filter(Boolean).join(';')
  const isLarge = size !== undefined && size.width >= columnWidth / 4
  const img = markup`<img${attributes({
    class: mode,
    src: file.url,
    alt: alt ?? '',
    width: size?.width,
    height: size?.height,
    style: style === '' ? undefined : style,
    loading: 'lazy',
    decoding: 'async',
    'data-zoom': isLarge,
  })}>`
  return img
}

/** A length that somebody wrote, as a style: numbers are pixels. */
function sized(name: 'width' | 'height', length: Length | undefined): string | undefined {
  if (length === undefined) return undefined
  const { value, unit } = typeof length === 'number' ? { value: length, unit: 'px' } : length
  return /^(px|%|em|rem|vw|vh)$/.test(unit) && Number.isFinite(value) ? `${name}:${value}${unit}` : undefined
}

const figcaption = (words: Html | undefined): Html => (words ? markup`<figcaption>${words}</figcaption>` : nothing)

export function renderFile({ data, fragments }: File, setting: Setting, caption: RenderCaption): Html {
  const shown = setting.file(data.ref)
  if (!shown) return markup`<p class="missing">${setting.texts.notShown}</p>`
  const size = shown.size === undefined ? undefined : readableSize(shown.size)
  return markup`<figure class="file"><a${attributes({ href: shown.url, download: shown.name })}>${setting.icon('file-arrow-down')}<span class="name">${shown.name}</span>${size !== undefined && markup`<span class="size">${size}</span>`}</a>${figcaption(caption(fragments))}</figure>`
}

function readableSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

export function renderDrawing({ data }: Drawing, setting: Setting): Html {
  const shown = data.ref && setting.file(data.ref)
  return shown
    ? markup`<figure class="drawing">${picture(shown, { ref: data.ref as FileRef }, undefined)}</figure>`
    : markup`<p class="missing">${setting.texts.notShown}</p>`
}

/** Something of another site, which is asked for only when the reader wants it. */
export function renderEmbed({ data, fragments }: Embed, setting: Setting, caption: RenderCaption): Html {
  const isAddress = URL.canParse(data.url) && /^https?:$/.test(new URL(data.url).protocol)
  if (!isAddress) return markup`<p class="missing">${data.url}</p>`
  const { hostname } = new URL(data.url)
  const look = classes('embed', data.fullWidth && 'full-width')
  return markup`<figure class="${look ?? ''}"><a${attributes({ href: data.url, rel: 'noopener noreferrer', target: '_blank', 'data-embed': true })}>${setting.icon('arrow-up-right-from-square')}<span>${setting.texts.openEmbed} ${hostname.replace(/^www\./, '')}</span><small>${data.url}</small></a>${figcaption(caption(fragments))}</figure>`
}
