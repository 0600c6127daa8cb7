import { isDataUrl, parseDataUrlImage } from './data-url-images.ts'

/** Resolves the URLs in a page to absolute ones. */
export class PageAddresses {
  readonly #base: string

  constructor(url: string, base: string | undefined) {
    this.#base = (base !== undefined && toAbsoluteUrl(base, url)) || url
  }

  /** Returns the URL of a link with its fragment; undefined for unsupported schemes. */
  resolveLink(href: string | undefined): string | undefined {
    const url = toAbsoluteUrl(href, this.#base)
    return url !== undefined && /^(?:https?|mailto|tel):/.test(url) ? url : undefined
  }

  /** Returns the URL of a page without its fragment. */
  resolvePage(href: string | undefined): string | undefined {
    const url = toAbsoluteUrl(href, this.#base)
    return url !== undefined && /^https?:/.test(url) ? withoutFragment(url) : undefined
  }

  /** Returns the URL of an image; of the original if the page uses an image service that resizes it. */
  resolveImage(src: string | undefined): string | undefined {
    if (src && isDataUrl(src)) return parseDataUrlImage(src)?.address
    const url = this.resolvePage(src)
    if (url === undefined) return undefined
    const { pathname, searchParams } = new URL(url)
    const original = /\/(?:~gitbook|_next)\/image$/.test(pathname) ? searchParams.get('url') : null
    return original === null ? url : (this.resolvePage(original) ?? url)
  }
}

export const withoutFragment = (url: string) => url.replace(/#.*$/s, '')

/** Maximum length of a URL, longer than any browser supports. */
const maxLength = 4000

function toAbsoluteUrl(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.length > maxLength) return undefined
  return URL.parse(href.trim(), base)?.href
}
